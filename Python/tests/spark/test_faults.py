"""Processes that are killed lose nothing and double nothing, and faults of rows commit nothing."""

import contextlib
import os
import pathlib
import signal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

pytest.importorskip("pyspark", reason="PySpark is missing (scripts/setup --spark)")

import cordon
import cordon.spark
from cordon.spark._slab import CONTACTS

from crowds import crowd, rows_of, write

NAMES = CONTACTS.names
pytestmark = pytest.mark.filterwarnings("ignore::cordon.CordonWarning")


def kill_the_kept(spark):
    """Kills the executables that workers keep from other tests, which would start none."""
    for number in map(int, spark.cordon_started.read_text().split()) if spark.cordon_started.exists() else ():
        with contextlib.suppress(OSError):
            if b"worker" in pathlib.Path(f"/proc/{number}/cmdline").read_bytes().split(b"\0"):
                os.kill(number, signal.SIGKILL)


def test_kills_of_workers_and_executables_change_nothing(spark, tmp_path):
    table = crowd(10, seconds=600)
    folder = write(table, tmp_path / "points")
    wanted = rows_of(cordon.contacts(table, as_kind="arrow"), NAMES)
    kill_the_kept(spark)
    for number in range(6):
        (spark.cordon_orders / f"{number}-{'worker' if number % 2 else 'executable'}").touch()
    found = cordon.spark.contacts(spark, str(folder), slabs=5)
    found.write.parquet(str(tmp_path / "contacts"))
    assert list(spark.cordon_orders.iterdir()) == []
    rows = spark.read.parquet(str(tmp_path / "contacts")).toArrow()
    assert rows_of(rows, NAMES) == wanted and len(wanted) > 10
    assert len(set(rows["id"].to_pylist())) == rows.num_rows
    # Those that tasks of now keep are killed as well, and the next tasks go on with others.
    kill_the_kept(spark)
    assert cordon.spark.count(spark, cordon.spark.plan(spark, str(folder), slabs=5)) == len(wanted)


def test_a_fault_of_a_row_is_one_sentence_and_commits_nothing(spark, tmp_path):
    table = crowd(11, devices=3, seconds=120)
    longitudes = table["longitude"].to_pylist()
    longitudes[5] = float("nan")
    bad = table.set_column(2, "longitude", pa.array(longitudes)).drop_columns("venue")
    pq.write_table(bad, tmp_path / "points.parquet")
    with pytest.raises(Exception, match="slab 0: longitude: row .* is not a number"):
        cordon.spark.contacts(spark, str(tmp_path / "points.parquet")).write.parquet(str(tmp_path / "contacts"))
    assert not list((tmp_path / "contacts").rglob("*.parquet"))


def test_columns_of_a_data_frame_that_cannot_be_used(spark, tmp_path):
    frame = spark.createDataFrame([("a", 1, 0.0, 0.0)], "device string, time int, x double, y double")
    seconds = frame.withColumnRenamed("time", "time_s")
    for points, message in (
        (frame, "only with time_unit"),
        (frame.drop("device"), "device"),
        (seconds.withColumn("x", frame.device), "holds no numbers"),
        (seconds.where("false"), "empty"),
    ):
        with pytest.raises(cordon.InputError, match=message):
            cordon.spark.write_points(points, str(tmp_path / "out"))
    with pytest.raises(cordon.InputError, match="DataFrame of Spark"):
        cordon.spark.contacts(spark, 42)
    assert not (tmp_path / "out").exists()
