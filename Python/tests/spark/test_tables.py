"""Exposures, backtraces, occupancy and sweeps are those of one machine."""

import datetime

import pyarrow as pa
import pyarrow.compute as pc
import pytest

pytest.importorskip("pyspark", reason="PySpark is missing (scripts/setup --spark)")

import cordon
import cordon.spark

from crowds import START, crowd, rows_of, write

pytestmark = pytest.mark.filterwarnings("ignore::cordon.CordonWarning")


@pytest.fixture(scope="module")
def table():
    # Ten minutes, and 25 minutes around midnight.
    points = crowd(9, devices=7, seconds=2 * 3600 + 900)
    minutes = pc.add(pc.multiply(pc.hour(points["time"]), 60), pc.minute(points["time"]))
    return points.filter(pc.or_(pc.less(minutes, 22 * 60 + 10), pc.greater_equal(minutes, 23 * 60 + 50)))


@pytest.fixture(scope="module")
def folder(table, tmp_path_factory):
    return str(write(table, tmp_path_factory.mktemp("points") / "points", parts=1, row_group_size=500))


@pytest.fixture(scope="module")
def contacts(spark, folder, tmp_path_factory):
    path = str(tmp_path_factory.mktemp("contacts") / "contacts")
    cordon.spark.contacts(spark, folder, slabs=2).write.parquet(path)
    return spark.read.parquet(path)


@pytest.mark.parametrize("window", ["24h", "10m"])
def test_exposures_are_those_of_the_executable(contacts, table, window):
    wanted = cordon.exposures(table, threshold="90s", window=window, all_pairs=True, as_kind="arrow")
    found = cordon.spark.exposures(contacts, threshold="90s", window=window, all_pairs=True).toArrow()
    assert rows_of(found, wanted.column_names) == rows_of(wanted, wanted.column_names)
    reached = set(found["exposure"].to_pylist())
    assert reached == {True, False}


def test_a_meeting_around_midnight_is_divided():
    midnight = 86_400_000_000
    row = cordon.spark._exposures.exposure([(midnight - 5_000_000, midnight + 3_000_000, 1.0)], 8_000_000, midnight, 0)
    assert row["maximum_on_one_day_s"] == 5 and row["exposure"] and not row["exposure_by_day"]
    # An hour to the west it is another day.
    row = cordon.spark._exposures.exposure([(midnight - 5_000_000, midnight, 1.0)], 1, midnight, 4_000_000)
    assert row["maximum_on_one_day_s"] == 4


@pytest.mark.parametrize(
    "options",
    [{"max_trace_depth": 3, "minimum_contact": "5s"}, {"direction": "backward", "max_trace_depth": 2, "incubation": "1h"}],
)
def test_backtraces_are_those_of_the_executable(contacts, table, options):
    onset = START + datetime.timedelta(minutes=115 if "direction" not in options else 130)
    narrow = {"before": "20m", "after": "90m"} if "direction" not in options else {}
    wanted = cordon.backtrace(table, ["d1"], onset, as_kind="arrow", **options, **narrow)
    found = cordon.spark.backtrace(contacts, ["d1"], onset, **options, **narrow).toArrow()
    names = wanted.column_names
    assert rows_of(found, names) == rows_of(wanted, names) and wanted.num_rows > 3
    with pytest.raises(cordon.InputError):
        cordon.spark.backtrace(contacts, "d1", "someday")


def test_occupancy_is_that_of_the_executable(spark, folder, table):
    wanted = cordon.occupancy(table, bin="5m", as_kind="arrow")
    found = cordon.spark.occupancy(spark, folder, bin="5m", slabs=5).toArrow()
    names = ["venue", "floor", "bin_start", "mean", "peak"]
    assert rows_of(found, names) == rows_of(wanted, names) and wanted.num_rows > 20


def test_occupancy_of_bins_that_do_not_fit_is_that_of_the_executable(spark, folder, table):
    wanted = cordon.occupancy(table, bin="1h", as_kind="arrow")
    found = cordon.spark.occupancy(spark, folder, bin="1h", fitting=500).toArrow()
    names = ["venue", "floor", "bin_start", "mean", "peak"]
    assert rows_of(found, names) == rows_of(wanted, names) and wanted.num_rows > 5


def test_sweeps_are_the_same_on_any_node(spark, office):
    cells = [{"phones": "rtt"}, {"phones": "gps", "people": 4}]
    found = cordon.spark.sweep(spark, office, [{**cell, "people": cell.get("people", 5), "duration": "2m"} for cell in cells])
    rows = sorted(found.collect())
    assert [(row.cell, row.replica, row.seed) for row in rows] == [(0, 0, 1), (1, 0, 1)]
    assert [row.figures["people"] for row in rows] == [5, 4] and rows[0].digest != rows[1].digest
    again = cordon.spark.sweep(spark, office, [{"phones": "rtt", "people": 5, "duration": "2m"}]).collect()[0]
    assert again.digest == rows[0].digest and not any("cpu" in name for name in again.figures)
    with pytest.raises(cordon.InputError):
        cordon.spark.sweep(spark, office, [{"seed": 3}])
