"""Reminders and rewards of a study, as a DAG of Apache Airflow.

Each task runs the same command that a person would: `cordon-server study ...`. The commands are idempotent, so that Airflow may
repeat a task, and the server may do the same work at the same time.

Environment: CORDON_DATA (the data folder), CORDON_STUDY (the code of the study), CORDON_SERVER_BIN (the program, default
`cordon-server`), CORDON_CONFIG (a file of settings, optional).
"""

import datetime
import os
import subprocess

try:
    from airflow.sdk import dag, task
except ImportError:  # Airflow 2
    from airflow.decorators import dag, task


def run(*arguments):
    """Runs a command of studies and returns its output; a failure fails the task, and Airflow tries again."""
    command = [os.environ.get("CORDON_SERVER_BIN", "cordon-server"), "study", *arguments, "--data", os.environ["CORDON_DATA"]]
    if config := os.environ.get("CORDON_CONFIG"):
        command += ["--config", config]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3600)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command[1:3])}: {done.stderr.strip()}")
    return done.stdout.strip()


@dag(
    dag_id="cordon_studies",
    schedule="*/15 * * * *",
    start_date=datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc),
    catchup=False,
    max_active_runs=1,
    default_args={"retries": 3, "retry_delay": datetime.timedelta(minutes=1)},
    tags=["cordon"],
)
def cordon_studies():
    @task
    def notify():
        return run("notify", "--json")

    @task
    def reward():
        return run("reward", os.environ["CORDON_STUDY"], "--json")

    @task
    def verify():
        return run("verify", os.environ["CORDON_STUDY"], "--json")

    notify() >> reward() >> verify()


workflow = cordon_studies()
