"""Contacts of every kind of table are those of the executable on a file."""

import csv
import datetime
import io
import math
import subprocess

import geopandas
import networkx
import pandas
import polars
import pyarrow as pa
import pytest

import cordon


def test_a_contact_has_the_times_that_follow_from_geometry(meeting):
    found = cordon.contacts(meeting, distance=2.0, max_gap="5s")
    assert len(found) == 1
    row = found.iloc[0]
    # Within 2 m while |s - 20| <= sqrt(3), at a distance of 1 m in the other direction.
    assert (row.device_a, row.device_b) == ("rest", "walk")
    assert row.duration_s == pytest.approx(2 * math.sqrt(3), abs=2e-6)
    assert row.min_distance_m == pytest.approx(1)
    middle = meeting.time.min() + datetime.timedelta(seconds=20)
    assert abs(row.min_distance_time - middle) < datetime.timedelta(microseconds=2)
    assert str(found.start.dtype.tz) == "UTC"


def test_contacts_are_those_of_the_executable_on_csv(crowd, tmp_path):
    path = tmp_path / "points.csv"
    crowd.assign(time=crowd.time.map(lambda time: time.isoformat())).to_csv(path, index=False)
    text = subprocess.run(
        [cordon.executable(), "contacts", "find", path, "-o", "-", "--maximum-gap", "30s"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    expected = list(csv.DictReader(io.StringIO(text)))
    found = cordon.contacts(crowd)
    assert len(found) == len(expected) > 5
    for row, wanted in zip(found.itertuples(), expected):
        assert (row.device_a, row.device_b, row.floor) == (wanted["device_a"], wanted["device_b"], float(wanted["floor"]))
        assert row.start == pandas.Timestamp(wanted["start"]) and row.end == pandas.Timestamp(wanted["end"])
        assert row.duration_s == float(wanted["duration_s"])
        assert (row.longitude, row.latitude) == (float(wanted["longitude"]), float(wanted["latitude"]))


def test_every_kind_of_table_gives_the_same_contacts_as_the_same_kind(crowd, tmp_path):
    expected = cordon.contacts(crowd, as_kind="arrow").to_pylist()
    table = pa.Table.from_pandas(crowd)
    frames = {
        pandas.DataFrame: crowd,
        polars.DataFrame: polars.from_pandas(crowd),
        pa.Table: table,
        geopandas.GeoDataFrame: geopandas.GeoDataFrame(
            crowd.drop(columns=["longitude", "latitude"]),
            geometry=geopandas.points_from_xy(crowd.longitude, crowd.latitude, crs="EPSG:4326"),
        ),
    }
    for kind, frame in frames.items():
        found = cordon.contacts(frame)
        assert type(found) is kind
        assert _arrow(found).select(list(expected[0])).to_pylist() == expected, kind
    lazy = cordon.contacts(frames[polars.DataFrame].lazy())
    assert lazy.to_arrow().to_pylist() == expected
    reader = table.to_reader()
    assert cordon.contacts(reader).to_pylist() == expected


def _arrow(frame):
    if isinstance(frame, geopandas.GeoDataFrame):
        frame = pandas.DataFrame(frame.drop(columns="geometry"))
    if isinstance(frame, polars.DataFrame):
        return frame.to_arrow()
    return frame if isinstance(frame, pa.Table) else pa.Table.from_pandas(frame)


def test_paths_to_csv_and_parquet_give_arrow(crowd, tmp_path):
    expected = cordon.contacts(crowd, as_kind="arrow").to_pylist()
    crowd.assign(time=crowd.time.map(lambda time: time.isoformat())).to_csv(tmp_path / "a.csv", index=False)
    crowd.to_parquet(tmp_path / "a.parquet")
    halves = [crowd[crowd.index % 2 == k] for k in (0, 1)]
    for k, half in enumerate(halves):
        half.to_parquet(tmp_path / f"half-{k}.parquet")
    for given in (tmp_path / "a.csv", str(tmp_path / "a.parquet"), [tmp_path / "half-1.parquet", tmp_path / "half-0.parquet"]):
        found = cordon.contacts(given)
        assert isinstance(found, pa.Table) and found.to_pylist() == expected


def test_a_geodataframe_of_another_system_is_converted(crowd):
    frame = geopandas.GeoDataFrame(
        crowd.drop(columns=["longitude", "latitude"]),
        geometry=geopandas.points_from_xy(crowd.longitude, crowd.latitude, crs="EPSG:4326"),
    ).to_crs("EPSG:32632")
    found, expected = cordon.contacts(frame), cordon.contacts(crowd)
    assert found.crs == "EPSG:4326" and list(found.device_a) == list(expected.device_a)
    assert (found.duration_s - expected.duration_s).abs().max() < 1e-3


def test_columns_are_named_guessed_and_indexed(crowd):
    expected = cordon.contacts(crowd, as_kind="arrow").to_pylist()
    renamed = crowd.rename(columns={"device": "Individual-Local-Identifier", "longitude": "location-long", "time": "when"})
    found = cordon.contacts(renamed, columns={"time": "when"}, as_kind="arrow")
    assert found.to_pylist() == expected
    indexed = crowd.set_index("time").rename_axis(None)
    assert cordon.contacts(indexed, as_kind="arrow").to_pylist() == expected
    entities = crowd.rename(columns={"device": "who"})
    assert cordon.contacts(entities, entity_id_field="who", as_kind="arrow").to_pylist() == expected


def test_times_in_every_unit_and_zone_are_the_same_moments(crowd):
    expected = cordon.contacts(crowd, as_kind="arrow").to_pylist()
    micros = crowd.time.astype("datetime64[us, UTC]").astype("int64")
    forms = [
        crowd.assign(time=crowd.time.dt.tz_convert("America/Toronto")),
        crowd.assign(time=micros),
        crowd.assign(time=micros // 1000),
        crowd.assign(time=micros / 1e6),
        crowd.assign(time=micros * 1000),
        crowd.assign(time=crowd.time.map(lambda time: time.isoformat())),
    ]
    for form in forms:
        assert cordon.contacts(form, as_kind="arrow").to_pylist() == expected
    local = crowd.assign(time=crowd.time.dt.tz_convert("Europe/Berlin").dt.tz_localize(None))
    assert cordon.contacts(local, time_zone="Europe/Berlin", as_kind="arrow").to_pylist() == expected
    assert cordon.contacts(local, time_zone="+01:00", as_kind="arrow").to_pylist() == expected
    relative = crowd.assign(t_s=(micros - micros.min()) / 1e6).drop(columns="time")
    assert len(cordon.contacts(relative)) == len(expected)


def test_names_of_devices_come_back_as_they_are(meeting):
    for name in ("a, b", 'say "x"', "=1+1", "-5", "+x", "@y", "Zoë 東京", "'quoted", " x"):
        frame = meeting.replace({"device": {"rest": name}})
        found = cordon.contacts(frame, max_gap="5s")
        assert name.strip() in {found.device_a[0].strip(), found.device_b[0].strip()}
    numbered = meeting.assign(device=meeting.device.map({"rest": 3, "walk": 20, "far": 4}))
    assert list(cordon.contacts(numbered, max_gap="5s").device_a) == ["3"]
    categories = meeting.assign(device=meeting.device.astype("category"))
    assert list(cordon.contacts(categories, max_gap="5s").device_b) == ["walk"]


def test_the_summary_travels_with_the_result(meeting):
    found = cordon.contacts(meeting, max_gap="5s")
    assert found.attrs["cordon"]["pairs"] == 1 and found.attrs["cordon"]["points"] == len(meeting)
    assert b"cordon" in cordon.contacts(meeting, max_gap="5s", as_kind="arrow").schema.metadata


def test_rules_and_maps_add_columns(run, office):
    exact = cordon.contacts(run, max_gap=None, distance=None, as_kind="pandas")
    observed = run.contacts("pandas").query("source == 'observed'")
    assert len(exact) == len(observed) > 0
    with_map = cordon.contacts(run.positions("2s"), venue=cordon.Venue(office), line_of_sight=True)
    assert with_map.wall_share.between(0, 1).all() and with_map.space_a.notna().any()
    frame = run.positions("2s").assign(accuracy=1.5)
    probable = cordon.contacts(frame, rule="probable", reach=4)
    assert probable.p_15min.between(0, 1).all() and len(probable) >= len(cordon.contacts(frame))


def test_exposures_backtraces_networks_and_occupancy(crowd):
    pairs = cordon.exposures(crowd, threshold="20s", all_pairs=True, weighted=True)
    contacts = cordon.contacts(crowd)
    assert pairs.contacts.sum() == len(contacts) and pairs.total_s.sum() == pytest.approx(contacts.duration_s.sum())
    assert set(pairs[pairs.exposure].index) == set(pairs[pairs.maximum_in_window_s >= 20].index)
    graph = cordon.network(crowd, as_networkx=True)
    assert isinstance(graph, networkx.Graph)
    assert sum(data["weight"] for _, _, data in graph.edges(data=True)) == pytest.approx(contacts.duration_s.sum())
    assert set(graph.nodes) == set(crowd.device)
    steps = cordon.backtrace(crowd, {"badge-0": crowd.time.min().date()}, max_trace_depth=3)
    assert set(steps[steps.generation == 1].source) <= {"badge-0"} and len(steps) > 0
    counts = cordon.occupancy(crowd, bin=datetime.timedelta(minutes=1))
    assert counts.peak.max() == 6 and set(counts.floor) == {0, 1}
