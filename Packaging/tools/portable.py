"""Executables with the libraries that they need, for systems where these are not installed."""
import os
import pathlib
import re
import shutil
import subprocess

# The libraries of glibc: every system with glibc has them.
GLIBC = re.compile(r"^(ld-linux|libc|libm|libdl|librt|libpthread|libresolv|libutil|libmvec|libanl|libnsl|linux-vdso)[-.]")


class Failure(Exception):
    """What cannot be packed, and why."""


def output(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))}: {(result.stderr or result.stdout).strip()}")
    return result.stdout


def libraries(executable):
    """The libraries that an executable needs, without glibc's: name and path, sorted."""
    found = {}
    for line in output("ldd", executable).splitlines():
        parts = line.split()
        if "not found" in line:
            raise Failure(f"{executable}: {parts[0]} is not found")
        if "=>" in parts and not GLIBC.match(parts[0]):
            found[parts[0]] = os.path.realpath(parts[2])
    return dict(sorted(found.items()))


def owner(path, cache={}):
    """The Debian package that installed a file; None for none."""
    if path not in cache:
        cache[path] = None
        # A package may state the path from before /lib became a link to /usr/lib.
        for candidate in (path, "/usr" + path, path.removeprefix("/usr")):
            found = subprocess.run(["dpkg-query", "-S", candidate], capture_output=True, text=True)
            if found.returncode == 0:
                cache[path] = found.stdout.split(": ")[0].split(",")[0]
                break
    return cache[path]


class Copier:
    """Copies executables and libraries without their symbols; each is stripped once."""

    def __init__(self, folder):
        self.folder, self.stripped = pathlib.Path(folder), {}

    def copy(self, source, target, mode, search_path):
        """`search_path` is where the copy looks for libraries; None for the places of the system only."""
        if source not in self.stripped:
            self.folder.mkdir(exist_ok=True)
            file = self.folder / str(len(self.stripped))
            shutil.copyfile(source, file)
            file.chmod(0o755)
            output("strip", "--strip-unneeded", "--remove-section=.comment", "--remove-section=.note", file)
            self.stripped[source] = file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.stripped[source], target)
        target.chmod(0o755)
        output("patchelf", *(["--remove-rpath"] if search_path is None else ["--set-rpath", search_path]), target)
        target.chmod(mode)
