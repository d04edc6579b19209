"""Every bad input is one clear exception, and leaves no file."""

import datetime
import os
import signal
import subprocess
import sys
import textwrap
import time

import pandas
import polars
import pyarrow as pa
import pytest

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


def test_arguments_out_of_range(meeting):
    for options in (
        {"distance": -1}, {"distance": NAN}, {"max_gap": [1]}, {"rule": "sometimes"}, {"venue": "no-such-map"},
        {"time_unit": "h"}, {"as_kind": "list"}, {"max_gap": "-3s"}, {"threads": 0},
    ):  # fmt: skip
        assert fault(meeting, **options).exit_status == 2, options
    with pytest.raises(TypeError):
        cordon.contacts(meeting, colums={})
    with pytest.raises(cordon.InputError):
        cordon.backtrace(meeting, "nobody", "2026-03-02")
    with pytest.raises(cordon.InputError):
        cordon.backtrace(meeting, ["rest"])


def test_nothing_is_half_written(crowd, tmp_path):
    target = tmp_path / "contacts.parquet"
    with pytest.raises(cordon.InputError):
        cordon.to_parquet(crowd.assign(longitude=None), target, geometry=True)
    with pytest.raises(cordon.InputError):
        cordon.to_parquet(crowd, target, compression="no such codec")
    with pytest.raises(cordon.InputError):
        cordon.simulate(tmp_path / "no-map.zip", tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


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
