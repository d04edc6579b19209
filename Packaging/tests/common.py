"""What the parts of scripts/check-package share."""
import os
import pathlib
import shutil
import subprocess
import tarfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CACHE = ROOT / ".build" / "package"


class Fault(Exception):
    """What is wrong with a package."""


class Skipped(Exception):
    """Why a part cannot be checked here."""


def run(*command, limit=300, **options):
    """Output of a command that must succeed."""
    result = subprocess.run(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=limit,
        stdin=subprocess.DEVNULL, **options)
    if result.returncode != 0:
        raise Fault(f"{' '.join(map(str, command))}: status {result.returncode}\n{result.stdout[-4000:]}")
    return result.stdout


def fetch(*command, limit=900):
    """A command that needs a mirror: without one the part is skipped."""
    try:
        return run(*command, limit=limit)
    except (Fault, subprocess.TimeoutExpired) as fault:
        lines = str(fault).strip().splitlines()
        raise Skipped(f"the mirror of Debian does not answer: {lines[0]} {lines[-1]}") from fault


def need(*tools):
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        raise Skipped(f"{', '.join(missing)} not installed (scripts/setup --packages)")


def need_root():
    if os.getuid() != 0:
        raise Skipped("needs root")


class Check:
    def __init__(self, executables, packages, work):
        self.executables, self.given, self.work, self.made = executables, packages, work, None
        # Parts run side by side, and several need the same folder.
        self.lock = threading.RLock()

    @property
    def packages(self):
        """The folder of the packages, made when it is first needed."""
        with self.lock:
            if self.made is None:
                made = self.given or self.work / "packages"
                if not self.given:
                    run(ROOT / "scripts" / "package", self.executables, "-o", made, "--fast", limit=900)
                self.made = made
            return self.made

    def tarball(self):
        return next(self.packages.glob("*.tar.gz"))

    def unpacked(self):
        """The files of the tarball."""
        with self.lock:
            folder = self.work / "tarball"
            if not folder.exists():
                with tarfile.open(self.tarball()) as archive:
                    archive.extractall(folder, filter="fully_trusted")
            return next(folder.iterdir())
