"""Runs the DAG of Samples/airflow with Apache Airflow against a data folder. Skipped without Airflow or the built server.

    PATH-OF-A-VENV-WITH-AIRFLOW/bin/python -m pytest Tests/Airflow
"""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERVER = pathlib.Path(os.environ.get("CORDON_SERVER_BIN", ROOT / ".build" / "debug" / "cordon-server")).absolute()

STUDY = {
    "code": "air", "title": "Air", "state": "open", "begins": "2020-01-01T00:00:00Z", "ends": "2029-12-31T00:00:00Z",
    "consents": [{"version": 1, "texts": {"en": "I agree"}}], "rewards": {},
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("AIRFLOW_HOME", str(tmp_path / "airflow"))
    monkeypatch.setenv("AIRFLOW__CORE__LOAD_EXAMPLES", "False")
    monkeypatch.setenv("AIRFLOW__CORE__UNIT_TEST_MODE", "True")
    monkeypatch.setenv("AIRFLOW__CORE__DAGS_FOLDER", str(ROOT / "Samples" / "airflow"))
    if importlib.util.find_spec("airflow") is None:
        pytest.skip("Apache Airflow is not installed: pip install apache-airflow")
    if not SERVER.exists():
        pytest.skip(f"{SERVER} is missing; build it first: swift build --product cordon-server")
    data = tmp_path / "data"
    data.mkdir()
    (tmp_path / "study.json").write_text(json.dumps(STUDY))
    subprocess.run([SERVER, "study", "save", "--data", data, tmp_path / "study.json"], check=True, timeout=60)
    for name, value in (("CORDON_DATA", data), ("CORDON_STUDY", "air"), ("CORDON_SERVER_BIN", SERVER)):
        monkeypatch.setenv(name, str(value))
    subprocess.run([sys.executable, "-m", "airflow", "db", "migrate"], check=True, timeout=300, capture_output=True)
    return tmp_path


def test_a_run_of_the_dag_does_what_the_commands_do(folder):
    # A process of its own: Airflow reads its configuration when it is imported.
    script = f"""
import sys; sys.path.insert(0, {str(ROOT / 'Samples' / 'airflow')!r})
from cordon_studies import workflow
assert [task.task_id for task in workflow.topological_sort()] == ["notify", "reward", "verify"]
run = workflow.test()
print("STATE", getattr(run.state, "value", run.state))
"""
    for _ in range(2):
        done = python(script)
        assert done.returncode == 0 and "STATE success" in done.stdout, done.stdout + done.stderr
    listed = subprocess.run([SERVER, "study", "verify", "--data", folder / "data", "air", "--json"], capture_output=True, text=True)
    assert json.loads(listed.stdout)["is_verified"] is True


def test_a_failing_command_fails_its_task(folder):
    done = python(
        f"import sys; sys.path.insert(0, {str(ROOT / 'Samples' / 'airflow')!r}); import cordon_studies; cordon_studies.run('verify', 'nothing')")
    assert done.returncode != 0 and "no such study" in done.stderr


def python(script):
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=500)
