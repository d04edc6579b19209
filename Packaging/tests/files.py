"""Parts of scripts/check-package about the files of the packages."""
import json
import os
import re
import shutil
import subprocess

from common import CACHE, ROOT, Fault, need, run

NAMES = ("cordon", "cordon-server", "cordon-track")


def deb(check):
    need("lintian")
    packages = sorted(check.packages.glob("*.deb"))
    if len(packages) != 3:
        raise Fault(f"{len(packages)} Debian packages, not 3")
    run("lintian", "--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0", *packages, limit=600)


def manual(check):
    need("mandoc", "man")
    pages = sorted((check.unpacked() / "share" / "man").rglob("*.[158]"))
    run("mandoc", "-Tlint", "-Wwarning", *pages)
    names = {page.name for page in pages} | {"cordon-server-admin.8"}
    for page in pages:
        text = run("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page, env=dict(os.environ, MANROFFSEQ="", LC_ALL="C.UTF-8"))
        if ": warning:" in text:
            raise Fault(f"{page.name}: {text[:400]}")
        for name, section in re.findall(r"^\.Xr (\S+) (\d)", page.read_text(), re.M):
            if f"{name}.{section}" not in names:
                raise Fault(f"{page.name} names {name}({section}), which does not exist")
    for name in ("cordon.1", "cordon-server.8", "cordon-track.1", "cordon-server.conf.5", "cordon-track.json.5"):
        if name not in names:
            raise Fault(f"no page {name}")
    return f"{len(pages)} pages"


def completions(check):
    share = check.unpacked() / "share"
    checked = []
    for shell, folder, prefix, suffix in (
        ("bash", "bash-completion/completions", "", ""), ("zsh", "zsh/vendor-completions", "_", ""),
        ("fish", "fish/vendor_completions.d", "", ".fish"),
    ):
        if shutil.which(shell) is None:
            continue
        for name in ("cordon", "cordon-server", "cordon-track"):
            run(shell, "-n", share / folder / f"{prefix}{name}{suffix}")
        checked.append(shell)
    if "bash" in checked:
        # What bash offers behind "cordon-server se".
        script = (
            f'PATH={check.unpacked() / "bin"}:$PATH; source "{share}/bash-completion/completions/cordon-server"; '
            'COMP_WORDS=(cordon-server se); COMP_CWORD=1; COMP_LINE="cordon-server se"; COMP_POINT=16; '
            '$(complete -p cordon-server | sed "s/.*-F \\([^ ]*\\).*/\\1/") cordon-server se cordon-server; '
            'printf "%s\\n" "${COMPREPLY[@]}"')
        offered = run("bash", "-c", script).split()
        if not {"serve", "settings"} <= set(offered):
            raise Fault(f"bash completes 'cordon-server se' to {offered}")
    return f"{', '.join(checked)}"


def tarball(check):
    folder = check.unpacked()
    run("sha256sum", "--check", "--quiet", "--strict", "SHA256SUMS", cwd=folder)
    run("sha256sum", "--check", "--quiet", "--strict", "SHA256SUMS", cwd=check.packages)
    listed = {line.split("  ")[1] for line in (folder / "SHA256SUMS").read_text().splitlines()}
    present = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    if present - listed != {"SHA256SUMS"}:
        raise Fault(f"without a checksum: {sorted(present - listed)}")
    for name in ("cordon", "cordon-server", "cordon-track"):
        program = folder / "bin" / name
        run(program, "--version")
        for line in run("ldd", program).splitlines():
            path = line.split("=>")[1].split()[0] if "=>" in line else ""
            if path and not path.startswith(str(folder)) and not re.search(r"/(ld-linux|lib(c|m|dl|rt|pthread|resolv))[-.]", path):
                raise Fault(f"{name} uses {path}")
        if ".debug_info" in run("readelf", "-S", "--wide", program) or ".symtab" in run("readelf", "-S", "--wide", program):
            raise Fault(f"{name} is not stripped")
    return bill(folder / "cordon.spdx.json")


def bill(path):
    document = json.loads(path.read_text())
    packages = {package["name"] for package in document["packages"]}
    for line in (ROOT / "THIRD-PARTY.md").read_text().split("## System")[0].splitlines():
        match = re.match(r"^\| ([A-Za-z0-9.-]+) \|", line)
        if match and match[1] != "package" and match[1] not in packages:
            raise Fault(f"the bill of materials has no {match[1]}")
    validator = CACHE / "venv" / "bin" / "pyspdxtools"
    if not validator.exists():
        made = subprocess.run(
            f'python3 -m venv "{CACHE}/venv" && "{CACHE}/venv/bin/pip" install -q --disable-pip-version-check spdx-tools==0.8.*',
            shell=True, capture_output=True, text=True)
        if made.returncode != 0:
            shutil.rmtree(CACHE / "venv", ignore_errors=True)
            return "the bill of materials was NOT VALIDATED: spdx-tools cannot be installed from PyPI"
    run(validator, "-i", path)
    return f"{len(document['packages'])} packages, {len(document['files'])} files, valid SPDX 2.3"


def reproducible(check):
    # Begins while another part makes the packages.
    other = check.work / "other"
    other.mkdir()
    environment = dict(os.environ, TZ="Pacific/Kiritimati", TMPDIR=str(other), LC_ALL="C")
    fast = [] if check.given else ["--fast"]
    run("sh", "-c", 'umask 077; exec "$@"', "sh", ROOT / "scripts" / "package", check.executables, "-o", other / "packages", *fast,
        limit=900, env=environment)
    first = {path.name: path for path in check.packages.iterdir()}
    second = {path.name: path for path in (other / "packages").iterdir()}
    if set(first) != set(second):
        raise Fault(f"other files: {sorted(set(first) ^ set(second))}")
    different = [name for name in sorted(first) if first[name].read_bytes() != second[name].read_bytes()]
    if different:
        raise Fault(f"other bytes: {', '.join(different)}")
