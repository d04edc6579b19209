"""Every bad input is one clear exception, and leaves no file."""

import datetime
import fractions
import os
import signal
import subprocess
import sys
import textwrap
import time

import geopandas
import numpy
import pandas
import polars
import pyarrow as pa
import pytest
import shapely

import cordon

NAN = float("nan")


def fault(points, **options):
    with pytest.raises(cordon.InputError) as caught:
        cordon.contacts(points, **options)
    return caught.value


def test_columns_that_are_missing_or_of_a_wrong_type(meeting):
    error = fault(meeting.drop(columns="device"))
    assert error.code == "missing-column" and "device" in str(error) and "time, x, y, floor" in str(error)
    assert fault(meeting.drop(columns="x")).code == "missing-column"
    assert fault(meeting, columns={"device": "badge"}).code == "missing-column"
    assert "fields are" in str(fault(meeting, columns={"who": "device"}))
    assert fault(meeting.assign(x="east")).code == "wrong-type"
    assert fault(meeting.assign(x=meeting.time)).code == "wrong-type"
    assert fault(meeting.assign(device=1.5)).code == "wrong-type"
    assert fault(meeting.assign(device=[["a"]] * len(meeting))).code == "wrong-type"
    assert fault(meeting.assign(time=True)).code == "wrong-type"
    mixed = meeting.assign(device=["a", 3] * (len(meeting) // 2) + ["b"])
    assert fault(mixed).code == "wrong-type" and "row 1" in str(fault(mixed))
    assert fault(42).code == "wrong-type" and fault([]).code == "wrong-type"


@pytest.mark.parametrize("column", ["x", "y"])
@pytest.mark.parametrize("value", [NAN, float("inf"), None])
def test_places_that_are_not_numbers(meeting, column, value):
    meeting.loc[7, column] = value
    error = fault(meeting)
    assert error.code == "bad-row" and error.place == "row 7"
    for table in (pa.Table.from_pandas(meeting), polars.from_pandas(meeting)):
        assert fault(table).place == "row 7"
    with pytest.warns(cordon.CordonWarning, match="1 row"):
        assert len(cordon.contacts(meeting, max_gap="5s", strict=False)) == 1


def test_places_out_of_range(crowd):
    crowd.loc[3, "latitude"] = 91.0
    assert fault(crowd).place == "row 3"


def test_missing_times_and_names(meeting):
    assert fault(meeting.assign(time=meeting.time.where(meeting.index != 5))).place == "row 5"
    assert fault(meeting.assign(device=meeting.device.where(meeting.index != 2))).place == "row 2"
    assert fault(meeting.assign(device=meeting.device.where(meeting.index != 2, ""))).place == "row 2"


def test_mixed_zones_and_units(meeting):
    zone = datetime.timezone(datetime.timedelta(hours=2))
    times = [time if k else time.astimezone(zone) for k, time in enumerate(meeting.time.dt.to_pydatetime())]
    assert fault(meeting.assign(time=pandas.Series(times, dtype=object))).code == "mixed-zones"
    naive = [time.isoformat() if k else time.isoformat()[:19] for k, time in enumerate(meeting.time)]
    error = fault(meeting.assign(time=naive))
    assert error.code == "mixed-zones" and error.place == "row 0"
    seconds = meeting.time.astype("datetime64[s, UTC]").astype("int64")
    assert fault(meeting.assign(time=seconds.where(seconds.index != 9, seconds * 1000))).code == "mixed-units"
    assert fault(meeting.assign(time=range(len(meeting)))).code == "unknown-unit"
    with pytest.raises(cordon.InputError, match="time_zone|zone"):
        cordon.contacts(meeting.assign(time=meeting.time.dt.tz_localize(None)), time_zone="Mars/Base")


def test_empty_frames_and_frames_without_a_coordinate_system(meeting):
    import geopandas

    assert fault(meeting.iloc[:0]).code == "empty"
    frame = geopandas.GeoDataFrame(meeting[["device", "time"]], geometry=geopandas.points_from_xy(meeting.x, meeting.y))
    assert fault(frame).code == "unclear-places"
    assert len(cordon.contacts(frame, metres=True, max_gap="5s")) == 1
    degrees = meeting.assign(x=meeting.x / 1e4 + 0.12345, y=meeting.y / 1e4 + 0.12345)
    assert fault(degrees).code == "unclear-places"


def test_files_that_are_cut_short_or_missing(crowd, tmp_path):
    path = tmp_path / "points.parquet"
    crowd.to_parquet(path)
    path.write_bytes(path.read_bytes()[:-1000])
    error = fault(path)
    assert error.code == "damaged" and error.file == str(path)
    assert fault(tmp_path / "none.csv").code == "not-found"
    (tmp_path / "text.csv").write_text("device,time\na,b\n")
    error = fault(tmp_path / "text.csv")
    assert error.code == "missing-column" and error.place == "line 1" and error.exit_status == 2


def test_values_are_not_quoted_and_columns_alone_are_no_points(meeting):
    text = meeting.assign(x=[f"{value:.2f}" for value in meeting.x])
    assert len(cordon.contacts(text, max_gap="5s")) == 1
    text.loc[9, "x"] = "48,1432"
    error = fault(text)
    assert (error.code, error.place) == ("wrong-type", "row 9") and "48" not in str(error)
    odd = pandas.Series(["\ud800", *meeting.device[1:]], dtype=object)
    assert fault(meeting.assign(device=odd)).code == "wrong-type"
    assert "1j" not in str(fault(meeting.assign(x=1j))) and fault(meeting.device).code == "wrong-type"
    assert fault(polars.from_pandas(meeting)["device"]).code == "wrong-type"


def test_columns_whose_names_are_numbers(meeting):
    meeting.columns = range(5)
    assert "0, 1, 2, 3, 4" in str(fault(meeting))
    columns = {"device": 0, "time": 1, "x": 2, "y": 3}
    assert len(cordon.contacts(meeting, max_gap="5s", columns=columns)) == 1
    meeting.columns = pandas.MultiIndex.from_product([["track"], range(5)])
    assert "('track', 0)" in str(fault(meeting))


def test_files_whose_columns_do_not_fit_together_and_folders_without_points(meeting, tmp_path):
    for name, frame in (("a", meeting), ("b", meeting.assign(device=3))):
        frame.to_parquet(tmp_path / f"{name}.parquet")
    error = fault([tmp_path / "a.parquet", tmp_path / "b.parquet"])
    assert error.code == "wrong-type" and "device" in str(error) and error.file == str(tmp_path / "a.parquet")
    (tmp_path / "none").mkdir()
    error = fault(tmp_path / "none")
    assert error.code == "not-a-run" and "neither a run nor Parquet" in str(error)


def test_names_that_are_uuids(meeting, tmp_path):
    import uuid

    names = {name: uuid.uuid5(uuid.NAMESPACE_DNS, name) for name in ("rest", "walk", "far")}
    frame = meeting.assign(device=meeting.device.map(names))
    wanted = sorted(str(names[name]) for name in ("rest", "walk"))
    found = cordon.contacts(frame, max_gap="5s", as_kind="arrow")
    assert [found[name][0].as_py() for name in ("device_a", "device_b")] == wanted
    duckdb = pytest.importorskip("duckdb")
    texts = meeting.assign(device=meeting.device.map(names).astype(str))
    connection = duckdb.connect()
    connection.register("points", texts)
    path = str(tmp_path / "uuid.parquet")
    connection.execute(f"COPY (SELECT * REPLACE (device::UUID AS device) FROM points) TO '{path}' (FORMAT parquet)")
    assert cordon.contacts(path, max_gap="5s", metres=True).select(["device_a", "device_b"]).to_pylist() == [
        {"device_a": wanted[0], "device_b": wanted[1]}
    ]


def test_arguments_out_of_range(meeting):
    for options in (
        {"distance": -1}, {"distance": NAN}, {"max_gap": [1]}, {"rule": "sometimes"}, {"venue": "no-such-map"},
        {"time_unit": "h"}, {"as_kind": "list"}, {"origin": (1, 2, 3)}, {"origin": (None, 1)}, {"columns": ["device"]}, {"max_gap": "-3s"}, {"threads": 0},
    ):  # fmt: skip
        assert fault(meeting, **options).exit_status == 2, options
    with pytest.raises(TypeError):
        cordon.contacts(meeting, colums={})
    with pytest.raises(cordon.InputError):
        cordon.backtrace(meeting, "nobody", "2026-03-02")
    with pytest.raises(cordon.InputError):
        cordon.backtrace(meeting, ["rest"])
    with pytest.raises(cordon.InputError, match="must be a date"):
        cordon.backtrace(meeting, {"rest": pandas.NaT})
    with pytest.raises(cordon.InputError, match="^minimum_size: '2.5' cannot be used$"):
        cordon.gatherings(meeting, minimum_size=2.5)


def test_nothing_is_half_written(crowd, tmp_path):
    target = tmp_path / "contacts.parquet"
    with pytest.raises(cordon.InputError):
        cordon.to_parquet(crowd.assign(longitude=None), target, geometry=True)
    with pytest.raises(cordon.InputError):
        cordon.to_parquet(crowd, target, compression="no such codec")
    with pytest.raises(cordon.InputError):
        cordon.simulate(tmp_path / "no-map.zip", tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


#: Every function that takes points, with what it needs besides them.
FUNCTIONS = {
    "contacts": lambda points, **options: cordon.contacts(points, **options),
    "exposures": lambda points, **options: cordon.exposures(points, **options),
    "backtrace": lambda points, **options: cordon.backtrace(points, ["rest"], "2026-03-02T08:00:00Z", **options),
    "network": lambda points, **options: cordon.network(points, **options),
    "occupancy": lambda points, **options: cordon.occupancy(points, **options),
    "gatherings": lambda points, **options: cordon.gatherings(points, **options),
}


def spoiled(points, folder):
    """Inputs that no function can use, and the code of each fault."""
    zone = datetime.timezone(datetime.timedelta(hours=-5))
    times = list(points.time.dt.to_pydatetime())
    frame = points.set_index("device")
    parquet, text = folder / "short.parquet", folder / "short.arrow"
    points.to_parquet(parquet)
    parquet.write_bytes(parquet.read_bytes()[:-60])
    table = pa.Table.from_pandas(points, preserve_index=False)
    with pa.OSFile(str(text), "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
        stream.write_table(table)
    text.write_bytes(text.read_bytes()[:-500])
    return {
        "wrong type": (points.assign(y="north"), "wrong-type"),
        "wrong type of times": (points.assign(time=[b"1"] * len(points)), "wrong-type"),
        "mixed zones": (points.assign(time=pandas.Series([*times[:-1], times[-1].astimezone(zone)], dtype=object)), "mixed-zones"),
        "NaN": (points.assign(x=points.x.where(points.index != 11)), "bad-row"),
        "NaN in Arrow": (pa.Table.from_pandas(points.assign(x=points.x.where(points.index != 11))), "bad-row"),
        "NaN in polars": (polars.from_pandas(points.assign(x=points.x.where(points.index != 11, NAN))), "bad-row"),
        "missing column": (points.drop(columns=["time"]), "missing-column"),
        "missing index": (frame.reset_index(drop=True), "missing-column"),
        "empty": (points.iloc[:0], "empty"),
        "empty polars": (polars.from_pandas(points.iloc[:0]), "empty"),
        "Parquet cut short": (parquet, "damaged"),
        "Arrow cut short": (text, "truncated"),
        "nothing": (None, "wrong-type"),
    }


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_function_refuses_bad_points_with_one_exception(function, meeting, tmp_path, monkeypatch):
    inputs, temporary = tmp_path / "inputs", tmp_path / "temporary"
    inputs.mkdir()
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setenv("TMPDIR", str(temporary))
    for name, (points, code) in spoiled(meeting, inputs).items():
        with pytest.raises(cordon.InputError) as caught:
            FUNCTIONS[function](points)
        error = caught.value
        assert error.code == code, (function, name, error)
        assert error.message and "\n" not in str(error) and len(str(error)) < 400, (function, name)
        assert list(temporary.iterdir()) == [], (function, name)


@pytest.mark.parametrize(
    "call",
    [
        lambda office, scenario, folder: cordon.simulate(office, folder / "o", people=-3),
        lambda office, scenario, folder: cordon.simulate(office, folder / "o", people="many"),
        lambda office, scenario, folder: cordon.simulate(office, folder / "o", duration="soon"),
        lambda office, scenario, folder: cordon.simulate(office, folder / "o", phones="best"),
        lambda office, scenario, folder: cordon.simulate(office, folder / "o", distance=NAN),
        lambda office, scenario, folder: cordon.simulate(office, folder / "o", set={"polices.stagger": "30m"}),
        lambda office, scenario, folder: cordon.simulate(office, folder / "none" / "o" / "deep", people="x"),
        lambda office, scenario, folder: cordon.sweep(scenario, phones=[], page=folder / "o.html"),
        lambda office, scenario, folder: cordon.sweep(scenario, recall="high", page=folder / "o.html"),
        lambda office, scenario, folder: cordon.sweep(scenario, device_share=[0.5, "all"], page=folder / "o.html"),
        lambda office, scenario, folder: cordon.sweep(scenario, device_share=2.0, page=folder / "o.html"),
        lambda office, scenario, folder: cordon.sweep(scenario, as_kind="list", page=folder / "o.html"),
        lambda office, scenario, folder: cordon.sweep(folder / "none.yaml", page=folder / "o.html"),
        lambda office, scenario, folder: cordon.compare(scenario, folder / "none.yaml", page=folder / "o.html"),
        lambda office, scenario, folder: cordon.compare(scenario, scenario, replicas=0, page=folder / "o.html"),
        lambda office, scenario, folder: cordon.compare(scenario, scenario, as_kind="list", page=folder / "o.html"),
        lambda office, scenario, folder: cordon.replay([], office, folder / "o"),
        lambda office, scenario, folder: cordon.replay(scenario, office, folder / "o"),
        lambda office, scenario, folder: cordon.replay(folder / "none.gpx", office, folder / "o"),
        lambda office, scenario, folder: cordon.Venue(folder / "none.zip"),
        lambda office, scenario, folder: cordon.Venue(scenario).info,
        lambda office, scenario, folder: cordon.Run(office),
    ],
)
def test_other_functions_refuse_bad_arguments_with_one_exception(call, office, tmp_path, monkeypatch):
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    scenario = tmp_path / "scenario.json"
    scenario.write_text('{"venue": "%s", "people": 3, "duration": "1m"}' % office)
    with pytest.raises(cordon.InputError) as caught:
        call(office, scenario, folder)
    assert "\n" not in str(caught.value).strip() and caught.value.exit_status == 2
    assert list(folder.iterdir()) == []


def test_a_missing_executable_is_named(meeting, monkeypatch, tmp_path):
    monkeypatch.setenv("CORDON_EXECUTABLE", str(tmp_path / "none"))
    with pytest.raises(cordon.ExecutableNotFoundError, match="CORDON_EXECUTABLE"):
        cordon.contacts(meeting)


def test_an_executable_that_dies_is_an_internal_error(meeting, monkeypatch, tmp_path):
    stub = tmp_path / "cordon"
    monkeypatch.setenv("CORDON_EXECUTABLE", str(stub))
    for script, match in (("kill -9 $$", "signal 9"), ("echo oops >&2; exit 3", "oops")):
        stub.write_text(f"#!/bin/sh\n{script}\n")
        stub.chmod(0o755)
        with pytest.raises(cordon.InternalError, match=match):
            cordon.contacts(meeting)


def test_interruption_ends_the_child(tmp_path):
    stub = tmp_path / "cordon"
    stub.write_text(f'#!/bin/sh\necho $$ > "{tmp_path}/pid"\nexec sleep 100\n')
    stub.chmod(0o755)
    script = textwrap.dedent(
        """
        import cordon
        try:
            cordon.Venue(__file__).info
        except KeyboardInterrupt:
            print("interrupted")
        """
    )
    (tmp_path / "script.py").write_text(script)
    child = subprocess.Popen(
        [sys.executable, tmp_path / "script.py"], stdout=subprocess.PIPE, env={**os.environ, "CORDON_EXECUTABLE": str(stub)}
    )
    limit = time.monotonic() + 20
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text().strip():
        assert time.monotonic() < limit
        time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=20)[0] == b"interrupted\n"
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_messages_name_arguments(meeting, tmp_path):
    assert str(fault(meeting, distance="6ft")).startswith("distance: '6ft' is not a distance")
    assert str(fault(meeting, max_gap="soon")) == "max_gap: 'soon' is not a duration such as 30s, or auto"
    assert str(fault(meeting, rule="near")).startswith("rule: 'near' is not one of exact")
    (tmp_path / "points.csv").write_text("device,x,y\na,1,2\n")
    assert "columns={'time': NAME} names one" in str(fault(tmp_path / "points.csv"))
    (tmp_path / "names.csv").write_text("time,x,y\n1,1,2\n")
    assert "--" not in str(fault(tmp_path / "names.csv"))


def test_a_warning_is_one_and_names_the_line_of_the_caller(meeting):
    meeting.loc[[3, 5], "x"] = NAN
    with pytest.warns(cordon.CordonWarning) as caught:
        cordon.contacts(meeting, max_gap="5s", strict=False)
    assert len(caught) == 1
    lines = str(caught[0].message).splitlines()
    assert lines[0] == "2 rows could not be read:" and [line.split()[1:] for line in lines[1:]] == [
        ["3:", "the", "position", "is", "not", "a", "number"], ["5:", "the", "position", "is", "not", "a", "number"],
    ]  # fmt: skip
    assert caught[0].filename == __file__


def test_numbers_of_other_packages(meeting):
    expected = cordon.contacts(meeting, distance=2, max_gap=5)
    assert len(expected) == 1
    for distance, gap in (
        (numpy.float32(2), numpy.int64(5)), (numpy.int16(2), numpy.timedelta64(5, "s")),
        (fractions.Fraction(2), pandas.Timedelta("5s")), (2.0, numpy.timedelta64(5_000_000_000, "ns")),
    ):  # fmt: skip
        assert cordon.contacts(meeting, distance=distance, max_gap=gap).equals(expected)
    for gap in (float("inf"), NAN, True, numpy.timedelta64("NaT", "s")):
        assert "max_gap must be a duration" in str(fault(meeting, max_gap=gap))
    assert "distance must be from 0" in str(fault(meeting, distance=numpy.float64("nan")))


def test_an_empty_geometry_has_a_row(crowd):
    points = geopandas.points_from_xy(crowd.longitude, crowd.latitude)
    frame = geopandas.GeoDataFrame(crowd[["device", "time"]], geometry=points, crs="EPSG:4326")
    frame.loc[4, "geometry"] = shapely.Point()
    error = fault(frame)
    assert error.place == "row 4" and error.file is None and "geometry" in str(error)
