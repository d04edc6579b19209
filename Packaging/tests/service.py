"""Parts of scripts/check-package about the service: units, dashboard, compose file."""
import base64
import json
import re
import shutil
import subprocess
import time
import urllib.request

from common import ROOT, Fault, need, run

LIMIT = 2.0


def units(check):
    need("systemd-analyze")
    scores = []
    for unit in sorted((ROOT / "Packaging" / "systemd").iterdir()):
        score = re.findall(r"exposure level for \S+: ([0-9.]+)", run("systemd-analyze", "security", "--offline=true", unit))
        if not score or float(score[0]) > LIMIT:
            raise Fault(f"{unit.name}: exposure {score}, {LIMIT} at most")
        # The executables are not installed here, so a copy of the unit names another one.
        copy = check.work / unit.name
        copy.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", unit.read_text(), flags=re.M))
        text = run("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", copy)
        if text.strip():
            raise Fault(f"{unit.name}: {text}")
        scores.append(f"{unit.stem} {score[0]}")
    return "exposure " + ", ".join(scores)


def metrics(check):
    folder = check.work / "metrics"
    (folder / "venues").mkdir(parents=True)
    shutil.copy(ROOT / "venues" / "office.mvf.zip", folder / "venues")
    server = check.executables / "cordon-server"
    words = run(server, "operator", "add", "--data", folder / "data", "--name", "m", "--role", "admin").split()
    with open(folder / "log", "w") as log:
        process = subprocess.Popen(
            [server, "serve", "--data", folder / "data", "--venues", folder / "venues", "--port", "0"], stderr=log,
            stdin=subprocess.DEVNULL)
    try:
        for _ in range(600):
            match = re.search(r'"port":\s*"?(\d+)', (folder / "log").read_text())
            if match or process.poll() is not None:
                break
            time.sleep(0.1)
        if not match:
            raise Fault(f"the server does not listen: {(folder / 'log').read_text()}")
        request = urllib.request.Request(f"http://127.0.0.1:{match[1]}/metrics", headers={
            "authorization": "Basic " + base64.b64encode(f"{words[1]}:{words[3]}".encode()).decode()})
        # Proxies of the environment have no meaning on loopback.
        answer = urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30).read().decode()
    finally:
        process.terminate()
        process.wait(60)
    kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", answer, re.M))
    names = set()
    for name, kind in kinds.items():
        names |= {f"{name}_{part}" for part in ("bucket", "sum", "count")} if kind == "histogram" else {name}
    # The age is there as soon as the retention job has run.
    names.add("cordon_retention_age_seconds")
    dashboard = json.loads((ROOT / "Packaging" / "grafana" / "cordon-server.json").read_text())
    expressions = [
        target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
    used = {name for text in expressions for name in re.findall(r"\bcordon_\w+", text)}
    if used - names:
        raise Fault(f"the dashboard uses metrics that the server does not have: {', '.join(sorted(used - names))}")
    unused = {name for name in kinds if name not in used and not {f"{name}_bucket", f"{name}_count"} & used}
    if unused:
        raise Fault(f"the dashboard does not show {', '.join(sorted(unused))}")
    for text in expressions:
        for name in re.findall(r"(?:rate|increase)\((\w+)", text):
            if kinds.get(name, "histogram") == "gauge":
                raise Fault(f"{name} is a gauge and has no rate: {text}")
    return f"{len(used)} metrics in {len(expressions)} queries"


def compose(check):
    need("docker-compose")
    folder = check.work / "compose"
    shutil.copytree(ROOT / "Packaging" / "container", folder / "Packaging" / "container")
    (folder / "out" / "package").mkdir(parents=True)
    text = run("docker-compose", "-f", folder / "Packaging" / "container" / "compose.yaml", "config")
    if "8089" not in text or "cap_drop" not in text:
        raise Fault(f"compose.yaml: {text}")
    files = [word for name in ("compose.yaml", "compose.postgresql.yaml") for word in ("-f", folder / "Packaging" / "container" / name)]
    text = run("env", "DATABASE_PASSWORD=secret", "docker-compose", *files, "config")
    if "sslmode=disable" not in text or "pg_isready" not in text:
        raise Fault(f"compose.postgresql.yaml: {text}")
