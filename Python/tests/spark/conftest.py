"""A session of Spark that all tests share. Without PySpark or Java they are skipped."""

import os
import shutil
import sys

import pytest

import cordon


WRAPPER = """#!/bin/sh
echo $$ >> {folder}/started
for order in {folder}/orders/*; do
  [ -e "$order" ] || break
  if mv "$order" {folder}/done/ 2>/dev/null; then
    case $order in
    *worker) kill -9 $PPID ;;
    *) kill -9 $$ ;;
    esac
  fi
done
exec {executable} "$@"
"""


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    pyspark = pytest.importorskip("pyspark.sql", reason="PySpark is missing (scripts/setup --spark)")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Java is missing (scripts/setup --spark)")
    folder = tmp_path_factory.mktemp("spark")
    # Executors run the executable through a script that obeys orders to kill; see test_faults.
    for name in ("orders", "done"):
        (folder / name).mkdir()
    script = folder / "cordon"
    script.write_text(WRAPPER.format(folder=folder, executable=cordon.executable()))
    script.chmod(0o755)
    os.environ["CORDON_EXECUTABLE"] = str(script)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    session = (
        pyspark.SparkSession.builder.master("local[2, 12]")
        .appName("cordon-tests")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "3")
        .config("spark.local.dir", str(folder))
        .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .config("spark.driver.memory", "1g")
        .config("spark.driver.host", "127.0.0.1")
        # Another zone than UTC: no result may depend on it.
        .config("spark.sql.session.timeZone", "America/Toronto")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    assert cordon.executable()
    session.cordon_orders = folder / "orders"
    session.cordon_started = folder / "started"
    yield session
    session.stop()
