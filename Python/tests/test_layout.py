"""Points and runs as Parquet: the layout, GeoParquet, and the programs that read them."""

import datetime
import io
import json
import os
import pathlib
import subprocess
import sys

import duckdb
import geopandas
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cordon


@pytest.fixture
def days(crowd):
    """The crowd in two venues, on both sides of midnight."""
    other = crowd.assign(
        venue="Haus/2", device="b" + crowd.device, time=crowd.time + datetime.timedelta(hours=15, minutes=57)
    )
    return pandas.concat([crowd.assign(venue="office"), other], ignore_index=True)


def folders(path):
    return sorted({str(file.parent.relative_to(path)) for file in pathlib.Path(path).rglob("*.parquet")})


def test_folders_are_venues_and_days_and_files_are_spans(days, tmp_path):
    files = cordon.write_points(days, tmp_path / "points", rows_per_file=100)
    assert folders(tmp_path / "points") == [
        "venue=Haus%2F2/date=2026-03-02", "venue=Haus%2F2/date=2026-03-03", "venue=office/date=2026-03-02",
    ]  # fmt: skip
    assert files == sorted(files) and all(os.path.exists(file) for file in files)
    rows, last = 0, {}
    for file in files:
        table = pq.read_table(file, partitioning=None)
        assert table.column_names == ["device", "time", "longitude", "latitude", "floor"]
        assert table.schema.field("time").type == pa.timestamp("us", "UTC") and 0 < table.num_rows <= 100
        keys = list(zip(table["device"].to_pylist(), table["time"].to_pylist()))
        assert keys == sorted(keys)
        place = os.path.dirname(file)
        times = table["time"].to_pylist()
        assert min(times) >= last.get(place, min(times))
        last[place] = max(times)
        rows += table.num_rows
    assert rows == len(days)


def test_a_folder_is_an_input(days, tmp_path):
    cordon.write_points(days, tmp_path / "points", rows_per_file=100)
    written = folders(tmp_path / "points")
    (tmp_path / "points" / "_temporary").mkdir()
    (tmp_path / "points" / "_temporary" / "part-0.parquet").write_bytes(b"half")
    found = cordon.contacts(tmp_path / "points")
    expected = cordon.contacts(days, as_kind="arrow")
    assert found.num_rows > 10 and set(found["venue"].to_pylist()) == {"Haus/2", "office"}
    order = [("venue", "ascending"), ("start", "ascending"), ("device_a", "ascending"), ("device_b", "ascending")]
    assert found.sort_by(order).equals(expected.sort_by(order))
    again = cordon.write_points(tmp_path / "points", tmp_path / "again", rows_per_file=100)
    assert folders(tmp_path / "again") == written and len(again) > 3
    (tmp_path / "empty").mkdir()
    with pytest.raises(cordon.InputError, match="neither a run"):
        cordon.contacts(tmp_path / "empty")


def test_readers_find_the_same_rows(days, tmp_path):
    cordon.write_points(days, tmp_path / "points", geometry=True)
    pattern = str(tmp_path / "points/*/*/*.parquet")
    count, devices = duckdb.sql(
        f"SELECT count(*), count(DISTINCT device) FROM read_parquet('{pattern}', hive_partitioning=true) "
        "WHERE venue = 'Haus/2' OR venue = 'office'"
    ).fetchall()[0]
    assert (count, devices) == (len(days), days.device.nunique())
    lazy = polars.scan_parquet(pattern, hive_partitioning=True)
    assert lazy.select(polars.len()).collect().item() == len(days)
    file = next((tmp_path / "points").rglob("part-*.parquet"))
    frame = geopandas.read_parquet(file)
    assert frame.crs == "OGC:CRS84" and (frame.geometry.x == frame.longitude).all()
    assert frame.estimate_utm_crs().to_epsg() == 32632


def test_sedona_reads_geoparquet(crowd, tmp_path):
    sedona = pytest.importorskip("sedona.db", reason="SedonaDB is missing (scripts/setup --tests)")
    cordon.to_parquet(crowd, tmp_path / "points.parquet")
    database = sedona.connect()
    database.read_parquet(str(tmp_path / "points.parquet")).to_view("points", overwrite=True)
    found = database.sql(
        "SELECT count(*) AS n, max(abs(ST_X(geometry) - longitude)) AS off FROM points WHERE ST_Y(geometry) > 48"
    ).to_pandas()
    assert found.n[0] == len(crowd) and found.off[0] == 0


def test_contacts_of_the_layout_are_those_of_the_frame(days, tmp_path):
    cordon.write_points(days, tmp_path / "points", rows_per_file=150)
    paths = sorted((tmp_path / "points").rglob("*.parquet"))
    office = [path for path in paths if "venue=office" in str(path)]
    found = cordon.contacts(office, as_kind="pandas")
    wanted = cordon.contacts(days[days.venue == "office"].drop(columns="venue"))
    assert len(wanted) > 5 and found.drop(columns="venue", errors="ignore").equals(
        wanted.drop(columns="venue", errors="ignore")
    )


def test_a_folder_is_not_replaced_by_mistake_and_days_are(crowd, tmp_path):
    target = tmp_path / "points"
    cordon.write_points(crowd, target, venue="a")
    with pytest.raises(cordon.InputError, match="exists"):
        cordon.write_points(crowd, target, venue="a")
    later = crowd.assign(time=crowd.time + datetime.timedelta(days=1))
    cordon.write_points(later, target, venue="a", mode="replace")
    cordon.write_points(crowd.iloc[:40], target, venue="a", mode="replace")
    assert folders(target) == ["venue=a/date=2026-03-02", "venue=a/date=2026-03-03"]
    assert pq.read_table(target).num_rows == 40 + len(crowd)
    assert [path.name for path in tmp_path.iterdir()] == ["points"]


def test_points_without_a_venue_have_days_only_and_faults_write_nothing(crowd, meeting, tmp_path):
    cordon.write_points(meeting, tmp_path / "metres")
    assert folders(tmp_path / "metres") == ["date=2026-03-02"]
    for points, options in (
        (crowd.assign(time=crowd.time.where(crowd.index != 3)), {}), (crowd.iloc[:0], {}), (crowd, {"mode": "append"}),
        (crowd, {"rows_per_file": 0}), (tmp_path / "none.csv", {}), (crowd.drop(columns="device"), {}), (7, {}),
    ):  # fmt: skip
        with pytest.raises(cordon.InputError):
            cordon.write_points(points, tmp_path / "bad", **options)
    with pytest.raises(cordon.InputError, match="(?i)no such file"):
        cordon.write_points(crowd, tmp_path / "none" / "points")
    assert [path.name for path in tmp_path.iterdir()] == ["metres"]


def test_files_of_text_and_of_arrow_are_read(crowd, tmp_path):
    text = crowd.assign(time=[time.isoformat() for time in crowd.time])
    text.to_csv(tmp_path / "points.csv", index=False)
    table = pa.Table.from_pandas(crowd, preserve_index=False)
    for name, opened in (("points.arrow", pa.ipc.new_file), ("points.arrows", pa.ipc.new_stream)):
        with pa.OSFile(str(tmp_path / name), "wb") as file, opened(file, table.schema) as writer:
            writer.write_table(table)
    written = []
    for name in ("points.csv", "points.arrow", "points.arrows"):
        files = cordon.write_points(tmp_path / name, tmp_path / f"out-{name}")
        written.append(pq.read_table(files[0], partitioning=None))
    assert written[1].equals(written[2]) and written[1].num_rows == len(crowd)
    assert written[0]["time"].equals(written[1]["time"]) and written[0]["device"].equals(written[1]["device"])


def command(*words, feed=None):
    return subprocess.run(
        [sys.executable, "-m", "cordon", *map(str, words)], input=feed, capture_output=True, env=os.environ
    )


def test_run_export_writes_parquet_where_the_package_is_installed(run, tmp_path):
    done = command("run", "export", run.path, "--to", "parquet", "--interval", "10s", "-o", tmp_path / "points", "--venue", "office")
    assert done.returncode == 0 and b"parquet" in done.stdout, done
    assert folders(tmp_path / "points")[0].startswith("venue=office/date=")
    wanted = run.positions("10s", "arrow")
    assert pq.read_table(tmp_path / "points").num_rows == wanted.num_rows
    done = command("run", "export", run.path, "-o", tmp_path / "points.parquet", "--interval=10s", "--floor=0", "--json")
    summary = json.loads(done.stdout)
    frame = geopandas.read_parquet(tmp_path / "points.parquet")
    assert summary["schema"] == "cordon.run-export/1" and summary["format"] == "parquet"
    assert summary["rows"] == len(frame) > 0 and summary["bytes"] == (tmp_path / "points.parquet").stat().st_size
    assert (frame.floor == 0).all()
    done = command("run", "export", run.path, "-o", tmp_path / "points.parquet", "--json")
    fault = json.loads(done.stderr)
    assert done.returncode == 2 and fault["schema"] == "cordon.error/1" and fault["code"] == "exists"
    alone = subprocess.run([cordon.executable(), "run", "export", run.path, "-o", "x.parquet"], capture_output=True)
    assert alone.returncode == 2 and b"the Python package" in alone.stderr
    done = command("run", "export", tmp_path / "no-run", "-o", tmp_path / "other.parquet")
    assert done.returncode == 2 and done.stderr.startswith(b"cordon: ") and not (tmp_path / "other.parquet").exists()
    done = command("run", "export", run.path, "--interval", "1m", "-o", tmp_path / "points.csv")
    assert done.returncode == 0 and (tmp_path / "points.csv").read_text().startswith("device,")
    run.to_parquet(tmp_path / "points.parquet", interval=10, force=True)
    assert len(geopandas.read_parquet(tmp_path / "points.parquet")) == wanted.num_rows


def test_a_stream_on_standard_input_becomes_days(crowd, tmp_path):
    table = pa.Table.from_pandas(crowd, preserve_index=False)
    memory = io.BytesIO()
    with pa.ipc.new_stream(memory, table.schema) as stream:
        stream.write_table(table)
    done = command("write-points", "-", "-o", tmp_path / "points", "--venue", "office", feed=memory.getvalue())
    assert done.returncode == 0 and f"{len(crowd)} rows".encode() in done.stdout, done
    done = command("write-points", "-", "-o", tmp_path / "other", "--venue", "office", feed=memory.getvalue()[:-900])
    assert done.returncode == 2 and b"standard input" in done.stderr and not (tmp_path / "other").exists()
