"""Contacts through Spark."""

import uuid

import pyarrow as pa
import pytest

pytest.importorskip("pyspark", reason="PySpark is missing (scripts/setup --spark)")

import cordon
import cordon.spark
from cordon.spark._identity import NAMESPACE
from cordon.spark._slab import CONTACTS

from crowds import crowd, rows_of, write

NAMES = CONTACTS.names
pytestmark = pytest.mark.filterwarnings("ignore::cordon.CordonWarning")


@pytest.fixture(scope="module")
def table():
    return crowd(5)


@pytest.fixture(scope="module")
def wanted(table):
    return rows_of(cordon.contacts(table, as_kind="arrow"), NAMES)


@pytest.fixture(scope="module")
def folder(table, tmp_path_factory):
    return str(write(table, tmp_path_factory.mktemp("points") / "points"))


def test_slabs_on_executors_give_the_answer_of_one_run(spark, folder, wanted, monkeypatch):
    plan = cordon.spark.plan(spark, folder, slabs=6)
    assert plan.has_borders and len(plan.slabs) >= 5 and "borders" in str(plan)
    assert cordon.spark.count(spark, plan) == len(wanted)
    # Sessions of Spark Connect have no context.
    with monkeypatch.context() as patch:
        patch.setattr("cordon.spark._contacts._context", lambda spark: None)
        assert cordon.spark.count(spark, plan) == len(wanted)
    found = cordon.spark.contacts(spark, folder, slabs=6).toArrow()
    assert rows_of(found, NAMES) == wanted
    for row in found.slice(0, 20).to_pylist():
        floor = "" if row["floor"] is None else str(round(row["floor"] * 1000))
        start = str(round(row["start"].timestamp() * 1e6))
        name = "\x1f".join((row["venue"] or "", row["device_a"], row["device_b"], floor, start))
        assert row["id"] == str(uuid.uuid5(NAMESPACE, name))
    assert len(set(found["id"].to_pylist())) == found.num_rows


def test_the_data_source_gives_the_same_rows(spark, folder, wanted):
    cordon.spark.register(spark)
    found = spark.read.format("cordon-contacts").option("distance", 2).option("max_gap", "30s").load(folder)
    assert found.columns[0] == "id" and rows_of(found.toArrow(), NAMES) == wanted
    again = cordon.spark.contacts(spark, folder, slabs=1)
    assert sorted(found.select("id").toArrow()["id"].to_pylist()) == sorted(again.select("id").toArrow()["id"].to_pylist())
    with pytest.raises(Exception, match="unknown option"):
        spark.read.format("cordon-contacts").option("distanse", 2).load(folder).count()


def test_a_data_frame_is_written_first_and_its_files_are_in_the_layout(spark, table, wanted, tmp_path):
    frame = spark.createDataFrame(table.to_pandas()).withColumnRenamed("device", "badge")
    found = cordon.spark.contacts(spark, frame, columns={"device": "badge"}, staging=str(tmp_path), slabs=4)
    assert rows_of(found.toArrow(), NAMES) == wanted
    files = [path.relative_to(tmp_path / "points") for path in (tmp_path / "points").rglob("part-*.parquet")]
    assert all(path.parts[0].startswith("venue=") and path.parts[1].startswith("date=") for path in files)
