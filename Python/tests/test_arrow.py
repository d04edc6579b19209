"""Arrow IPC of the executable and of pyarrow are the same."""

import datetime
import json
import subprocess

import pyarrow as pa
import pyarrow.ipc
import pytest

import cordon


def executable(*arguments, **options):
    return subprocess.run([cordon.executable(), "contacts", *map(str, arguments)], capture_output=True, **options)


@pytest.fixture
def points(crowd, tmp_path):
    path = tmp_path / "points.csv"
    crowd.assign(time=crowd.time.map(lambda time: time.isoformat())).to_csv(path, index=False)
    return path


def test_pyarrow_reads_every_table(points, crowd, tmp_path):
    day = str(crowd.time.min().date())
    for name, options in (
        ("find", []), ("exposures", ["--all", "--weighted"]), ("occupancy", []), ("gatherings", ["--minimum-duration", "10s"]),
        ("backtrace", ["--index", "badge-0", "--onset", day, "--generations", "2"]),
    ):  # fmt: skip
        file, stream, text = (tmp_path / f"{name}.{ending}" for ending in ("arrow", "arrows", "jsonl"))
        for path in (file, stream, text):
            assert executable(name, points, *options, "-o", path).returncode == 0
        tables = pyarrow.ipc.open_file(file).read_all(), pyarrow.ipc.open_stream(stream.read_bytes()).read_all()
        assert tables[0].equals(tables[1]) and tables[0].num_rows > 0
        tables[0].validate(full=True)
        assert tables[0].schema.metadata[b"cordon.table"] == name.replace("find", "contacts").encode()
        expected = [json.loads(line) for line in text.read_text().splitlines()]
        assert len(expected) == tables[0].num_rows
        for row, wanted in zip(tables[0].to_pylist(), expected):
            for key, value in wanted.items():
                found = row[key]
                if isinstance(found, datetime.datetime):
                    assert found == datetime.datetime.fromisoformat(value.replace("Z", "+00:00")), key
                elif key != "members" and found is not None:
                    assert found == value, (name, key)
        for field in tables[0].schema:
            if field.name.endswith("_s"):
                assert field.metadata[b"unit"] == b"s"
            if field.name == "longitude":
                assert field.metadata == {b"unit": b"degree", b"crs": b"OGC:CRS84"}


def test_the_executable_reads_every_type(crowd, points, tmp_path):
    expected = executable("find", points, "-o", "-").stdout
    assert expected.count(b"\n") > 10
    table = pa.Table.from_pandas(crowd, preserve_index=False)
    local = pa.array(crowd.time.dt.tz_convert("Europe/Berlin").dt.tz_localize(None).astype("datetime64[us]"))
    changes = {
        "device": [table["device"].dictionary_encode(), table["device"].cast(pa.large_string())],
        "time": [
            table["time"].cast(pa.timestamp(unit, zone))
            for unit, zone in (("s", "UTC"), ("ms", "America/Toronto"), ("us", "UTC"), ("ns", "UTC"))
        ]
        + [table["time"].cast(pa.timestamp("ms")).cast(pa.int64()), pa.array([t.isoformat() for t in crowd.time]), local],
        "floor": [table["floor"].cast(kind) for kind in (pa.int8(), pa.uint16(), pa.float32(), pa.int64(), pa.string())],
    }
    for column, forms in changes.items():
        for form in forms:
            changed = table.set_column(table.schema.get_field_index(column), column, form)
            path = tmp_path / "points.arrow"
            with pa.OSFile(str(path), "wb") as sink, pyarrow.ipc.new_stream(sink, changed.schema) as stream:
                stream.write_table(changed, max_chunksize=100)
            zone = ["--time-zone", "Europe/Berlin"] if form is local else []
            found = executable("find", path, *zone, "-o", "-")
            assert found.stdout == expected, (column, form.type, found.stderr)


def test_streams_pass_through_pipes_and_bad_ones_are_named(crowd, tmp_path):
    table = pa.Table.from_pandas(crowd, preserve_index=False)
    sink = pa.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    bytes_ = sink.getvalue().to_pybytes()
    words = ["find", "-", "--input-format", "arrow", "-o", "-", "--output-format", "arrow", "-q"]
    found = executable(*words, input=bytes_)
    assert pyarrow.ipc.open_stream(found.stdout).read_all().num_rows == len(cordon.contacts(crowd))
    cut = executable(*words, input=bytes_[:-500])
    assert cut.returncode == 2 and b"byte " in cut.stderr and cut.stderr.count(b"\n") == 1
    sink = pa.BufferOutputStream()
    options = pyarrow.ipc.IpcWriteOptions(compression="zstd")
    with pyarrow.ipc.new_stream(sink, table.schema, options=options) as stream:
        stream.write_table(table)
    packed = executable(*words, input=sink.getvalue().to_pybytes())
    assert packed.returncode == 2 and b"without compression" in packed.stderr


def test_gatherings(crowd):
    found = cordon.gatherings(crowd, minimum_size=3, minimum_duration="20s")
    assert len(found) > 0 and (found.duration_s >= 20).all() and (found.peak >= 3).all()
    assert [len(members) for members in found.members] == list(found.devices)
    assert set().union(*found.members) <= set(crowd.device)
    longest = cordon.gatherings(crowd, minimum_size=3, minimum_duration=datetime.timedelta(seconds=20), bridge="10s")
    assert longest.duration_s.max() >= found.duration_s.max()


@pytest.mark.parametrize("compression", ["lz4", "zstd", "uncompressed"])
def test_feather_is_read_with_any_compression(crowd, tmp_path, compression):
    crowd.to_feather(tmp_path / "crowd.feather", compression=compression)
    assert cordon.contacts(tmp_path / "crowd.feather", as_kind="pandas").equals(cordon.contacts(crowd))
    data = (tmp_path / "crowd.feather").read_bytes()
    for size in (len(data) // 2, len(data) - 5) if compression != "uncompressed" else ():
        (tmp_path / "cut.feather").write_bytes(data[:size])
        with pytest.raises(cordon.InputError) as caught:
            cordon.contacts(tmp_path / "cut.feather")
        assert caught.value.code in ("truncated", "unsupported") and "cut.feather" in caught.value.file
    if compression == "uncompressed":
        return
    crowd.to_csv(tmp_path / "crowd.csv")
    with pytest.raises(cordon.InputError) as caught:
        cordon.contacts([tmp_path / "crowd.feather", tmp_path / "crowd.csv"])
    assert caught.value.code == "foreign-format" and caught.value.file.endswith(".csv")


def test_names_of_any_type_reach_the_executable(crowd):
    expected = cordon.contacts(crowd, as_kind="arrow")
    table = pa.Table.from_pandas(crowd)
    place = table.schema.get_field_index("device")
    for kind in (pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())):
        # Several chunks, whose dictionaries differ.
        column = pa.chunked_array([table["device"].slice(start, 37).combine_chunks().cast(pa.string()) for start in range(0, 720, 37)])
        typed = column.dictionary_encode().cast(kind) if pa.types.is_dictionary(kind) else column.cast(kind)
        assert cordon.contacts(table.set_column(place, "device", typed)).equals(expected)
