"""Simulations, runs, maps and files."""

import json

import duckdb
import geopandas
import matplotlib
import pandas
import pyarrow.parquet as pq
import pytest

import cordon

matplotlib.use("Agg")


def test_a_run_has_its_tables(run, tmp_path):
    assert run.summary["people"] == 15 and run.manifest["schema"].startswith("cordon.")
    for name in cordon.Run.TABLES:
        table = run.table(name, "arrow")
        assert table.num_columns > 3
    assert len(run.people()) == 15 and str(run.contacts().start.dtype.tz) == "UTC"
    assert run.sql("SELECT count(*) AS n FROM people").n[0] == 15
    positions = run.positions("10s", "arrow")
    assert positions.column_names == ["device", "time", "longitude", "latitude", "floor"] and positions.num_rows > 200
    with pytest.raises(cordon.InputError):
        run.sql("DELETE FROM people")
    with pytest.raises(cordon.InputError):
        run.table("nothing")
    with pytest.raises(cordon.InputError):
        cordon.Run(tmp_path)


def test_the_same_seed_gives_the_same_tables_and_folders_go_with_the_run(office):
    first, second = (cordon.simulate(office, people=5, duration="2m", seed=9) for _ in range(2))
    assert first.people("arrow").equals(second.people("arrow"))
    folder = first.path
    assert folder.is_dir()
    del first
    assert not folder.exists()


def test_a_venue_has_spaces_and_a_drawing(office, tmp_path):
    venue = cordon.Venue(office)
    spaces = venue.spaces
    assert len(spaces) == venue.info["space_count"] and set(spaces.floor) == {0, 1, 2} and spaces.crs == "EPSG:4326"
    assert len(venue.floors) == 3 and len(venue.openings) == venue.info["opening_count"]
    area = spaces.to_crs(spaces.estimate_utm_crs()).area.sum()
    assert 7_000 < area < 7_400
    axes = venue.plot(1)
    axes.figure.savefig(tmp_path / "floor.png")
    assert (tmp_path / "floor.png").stat().st_size > 5_000
    with pytest.raises(cordon.InputError, match="0, 1, 2"):
        venue.plot(7)
    assert all({"severity", "code", "message"} <= set(finding) for finding in venue.validate())


def test_sweep_compare_and_replay(office, tmp_path):
    scenario = tmp_path / "small.json"
    visitors = {"name": "visitors", "size": 6, "arrival": {"window": ["09:00", "09:01"]}}
    scenario.write_text(
        json.dumps({"venue": str(office), "time": {"start": "2026-01-05T09:00", "duration": "3m"}, "populations": [visitors]})
    )
    kinds = cordon.sweep(scenario, phones=["rtt", "ble"], interval=["5s", 30], as_kind="pandas")
    assert list(zip(kinds.phones, kinds.interval_s)) == [("rtt", 5), ("rtt", 30), ("ble", 5), ("ble", 30)]
    found = cordon.compare(scenario, scenario, replicas=2, as_kind="pandas")
    assert (found.difference.dropna() == 0).all() and len(found) > 3
    track = tmp_path / "walk.csv"
    rows = [f"a,2026-03-02T08:00:{second:02}Z,11.5804,48.14018,0,3" for second in range(0, 60, 5)]
    track.write_text("\n".join(["device,time,lon,lat,floor,accuracy", *rows]) + "\n")
    result = cordon.replay(track, office)
    assert result["fixes"] == 12 and result["stored"] > 0


def test_parquet_is_read_by_duckdb_and_geopandas(crowd, tmp_path):
    path = tmp_path / "contacts.parquet"
    contacts = cordon.contacts(crowd)
    cordon.to_parquet(contacts, path)
    geo = geopandas.read_parquet(path)
    assert geo.crs.is_geographic and len(geo) == len(contacts)
    assert list(geo.geometry.x) == list(contacts.longitude) and list(geo.geometry.y) == list(contacts.latitude)
    total = duckdb.sql(f"SELECT sum(duration_s) FROM '{path}'").fetchall()[0][0]
    assert total == pytest.approx(contacts.duration_s.sum())
    footer = json.loads(pq.read_schema(path).metadata[b"geo"])
    assert footer["columns"]["geometry"]["bbox"] == list(geo.total_bounds)


def test_geoparquet_of_points_is_read(crowd, tmp_path):
    expected = cordon.contacts(crowd, as_kind="arrow").to_pylist()
    frame = geopandas.GeoDataFrame(
        crowd.drop(columns=["longitude", "latitude"]),
        geometry=geopandas.points_from_xy(crowd.longitude, crowd.latitude, crs="EPSG:4326"),
    )
    for encoding in ("WKB", "geoarrow"):
        frame.to_parquet(tmp_path / "points.parquet", geometry_encoding=encoding, schema_version="1.1.0")
        assert cordon.contacts(tmp_path / "points.parquet").to_pylist() == expected
    frame.to_crs("EPSG:32632").to_parquet(tmp_path / "points.parquet")
    with pytest.raises(cordon.InputError, match="projected"):
        cordon.contacts(tmp_path / "points.parquet")
    for text in (frame.geometry.to_wkt(rounding_precision=-1), frame.geometry.to_wkb(hex=True), frame.geometry.to_wkb()):
        plain = pandas.DataFrame(frame.drop(columns="geometry")).assign(geometry=text)
        assert len(cordon.contacts(plain)) == len(expected)
