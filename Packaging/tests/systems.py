"""Parts of scripts/check-package that run the packages: in a clean system, and in an image."""
import json
import pathlib
import re
import shutil
import subprocess
import time

from common import CACHE, ROOT, Fault, Skipped, fetch, need, need_root, run

SUITE = "bookworm"


def system(check):
    """The archive of a clean system with systemd, made with debootstrap from the mirror of this machine."""
    with check.lock:
        target = CACHE / f"{SUITE}.tar"
        if not target.exists():
            make_system(check, target)
        return target


def make_system(check, target):
    need("debootstrap")
    uris = run("apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME)", "Created-By: Packages").splitlines()
    mirror = [line.split()[0] for line in uris if line.endswith(f" {SUITE}")]
    if not mirror:
        raise Skipped(f"this machine has no mirror of {SUITE}")
    CACHE.mkdir(parents=True, exist_ok=True)
    folder = check.work / "system"
    fetch("debootstrap", "--variant=minbase", "--include=systemd,systemd-sysv,dbus,procps", SUITE, folder, mirror[0])
    shutil.copy("/etc/resolv.conf", folder / "etc" / "resolv.conf")
    fetch("chroot", folder, "apt-get", "update", "-qq")
    run("tar", "-C", folder, "--numeric-owner", "-cf", CACHE / "partial.tar", ".")
    (CACHE / "partial.tar").rename(target)
    shutil.rmtree(folder)


def former(check, folder):
    """The package of the server with a lower version, for an upgrade and a rollback."""
    tree = check.work / "former"
    run("dpkg-deb", "-R", next(check.packages.glob("cordon-server_*.deb")), tree)
    control = tree / "DEBIAN" / "control"
    control.write_text(re.sub(r"^Version: .*$", "Version: 0.0.1", control.read_text(), flags=re.M))
    folder.mkdir()
    run("dpkg-deb", "-Zgzip", "-z1", "--root-owner-group", "-b", tree, folder / "cordon-server_0.0.1_former.deb")
    shutil.rmtree(tree)


def install(check):
    need("systemd-nspawn")
    need_root()
    # The commands of the guide are those that run here.
    script = (ROOT / "Packaging" / "tests" / "install").read_text().splitlines()
    guide = (ROOT / "docs" / "how-to" / "install-the-server.md").read_text()
    for block in re.findall(r"scripts/check-package runs it\.\*\n\n```sh\n(.*?)```", guide, re.S):
        for line in block.splitlines():
            if line not in script:
                raise Fault(f"docs/how-to/install-the-server.md: Packaging/tests/install does not run: {line}")
    folder = check.work / "installed"
    folder.mkdir()
    run("tar", "-C", folder, "--numeric-owner", "-xpf", system(check))
    (folder / "root" / "packages").mkdir()
    for package in check.packages.glob("*.deb"):
        shutil.copy(package, folder / "root" / "packages")
    former(check, folder / "root" / "packages" / "former")
    shutil.copy(ROOT / "venues" / "office.mvf.zip", folder / "root" / "packages")
    shutil.copy(ROOT / "Packaging" / "tests" / "install", folder / "root")
    # The libraries that the packages need are fetched here, because the system has no network.
    shutil.copy("/etc/resolv.conf", folder / "etc" / "resolv.conf")
    (CACHE / "archives" / "partial").mkdir(parents=True, exist_ok=True)
    archives = folder / "var" / "cache" / "apt" / "archives"
    for package in (CACHE / "archives").glob("*.deb"):
        shutil.copy(package, archives)
    # Dependencies that Debian cannot meet are a fault, a mirror that does not answer is not.
    run("chroot", folder, "sh", "-c", "apt-get install -s -qq --no-install-recommends /root/packages/*.deb")
    fetch("chroot", folder, "sh", "-c",
        "fetch() { apt-get install -y -qq --download-only --no-install-recommends /root/packages/*.deb; }; "
        "fetch || { apt-get update -qq && fetch; }")
    for package in archives.glob("*.deb"):
        shutil.copy(package, CACHE / "archives")
    (folder / "etc" / "systemd" / "system" / "check.service").write_text(
        "[Unit]\nAfter=multi-user.target\n[Service]\nType=oneshot\n"
        "ExecStart=/bin/sh -c '/root/install > /root/log 2>&1; echo $? > /root/status'\n"
        "ExecStopPost=/usr/bin/systemctl --no-block poweroff\n[Install]\nWantedBy=graphical.target\n")
    wants = folder / "etc" / "systemd" / "system" / "graphical.target.wants"
    wants.mkdir(exist_ok=True)
    (wants / "check.service").symlink_to("../check.service")
    process = subprocess.Popen(
        ["systemd-nspawn", "--directory", folder, "--private-network", "--register=no", "--keep-unit", "--console=pipe", "--boot",
         "--machine=cordon-package-check", "systemd.unit=graphical.target"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    try:
        console, _ = process.communicate(timeout=240)
    except subprocess.TimeoutExpired:
        process.kill()
        console, _ = process.communicate()
    log = (folder / "root" / "log")
    status = folder / "root" / "status"
    if not log.exists():
        if "Welcome to" not in console:
            raise Skipped(f"systemd does not boot here: {console.strip().splitlines()[-1:]}")
        raise Fault(f"the system did not reach its target:\n{console[-3000:]}")
    if not status.exists() or status.read_text().strip() != "0":
        raise Fault(f"Packaging/tests/install failed:\n{log.read_text()[-5000:]}")
    return f"{sum(line.startswith('+ ') for line in log.read_text().splitlines())} steps"


def container(check):
    need("buildah")
    need_root()
    storage = ["buildah", "--storage-driver", "vfs", "--root", check.work / "images", "--runroot", check.work / "run"]
    base = run(*storage, "from", "scratch").strip()
    run(*storage, "add", "-q", base, system(check), "/")
    run(*storage, "commit", "-q", "--rm", base, "localhost/debian:12-slim")
    run(*storage, "build", "--isolation", "chroot", "--format", "docker", "--build-arg",
        "BASE=localhost/debian:12-slim", "-f", ROOT / "Packaging" / "container" / "Containerfile", "-t", "localhost/cordon-server",
        check.packages, limit=600)
    image = json.loads(run(*storage, "inspect", "--type", "image", "localhost/cordon-server"))["Docker"]["config"]
    if image["User"] != "64000:64000" or "health" not in image["Healthcheck"]["Test"]:
        raise Fault(f"the image runs as {image['User']}, with the health check {image['Healthcheck']}")
    name = run(*storage, "from", "localhost/cordon-server").strip()
    mounted = pathlib.Path(run(*storage, "mount", name).strip())
    shutil.copy(ROOT / "venues" / "office.mvf.zip", mounted / "venues")
    if (mounted / "bin" / "sh").exists():
        raise Fault("the image has a shell")
    command = [*storage, "run", "--isolation", "chroot", "--network", "host", "--env", "CORDON_PORT=18497", name, "--"]
    log = open(check.work / "container.log", "w")
    server = subprocess.Popen(
        list(map(str, [*command, "/opt/cordon/bin/cordon-server", "serve"])), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        for _ in range(60):
            try:
                text = run(*command, "/opt/cordon/bin/cordon-server", "health")
                break
            except Fault as fault:
                text = str(fault)
                if server.poll() is not None:
                    break
                time.sleep(0.5)
        if not text.strip().endswith("ready") or "not ready" in text:
            raise Fault(f"{text}\n{(check.work / 'container.log').read_text()[-2000:]}")
    finally:
        subprocess.run(["pkill", "-TERM", "-P", str(server.pid)], check=False)
        server.terminate()
        server.wait(60)
        subprocess.run(list(map(str, [*storage, "rm", "-a"])), capture_output=True, check=False)
    return "built, and the server in it is healthy"
