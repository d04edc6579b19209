"""A session of Spark that all tests share. Without PySpark or Java they are skipped."""

import os
import shutil
import sys

import pytest

import cordon


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    pyspark = pytest.importorskip("pyspark.sql", reason="PySpark is missing (scripts/setup --spark)")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Java is missing (scripts/setup --spark)")
    folder = tmp_path_factory.mktemp("spark")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    session = (
        pyspark.SparkSession.builder.master("local[2]")
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
    yield session
    session.stop()
