"""Reading points without pandas: importing it takes as long as most commands."""

import math
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cordon
from cordon import _values


@pytest.mark.parametrize("without", [(), ("numpy",)])
def test_the_extent_of_a_column(monkeypatch, without):
    for name in without:
        monkeypatch.delitem(sys.modules, name, raising=False)
    values = pa.chunked_array([[3.0, -1.5], [], [2.0, 7.25]], pa.float64())
    assert _values.extent(values) == (-1.5, 7.25)
    assert _values.extent(values.slice(2)) == (2.0, 7.25)
    assert _values.extent(pa.array([9.0, 1.0, 2.0, 9.0]).slice(1, 2)) == (1.0, 2.0)
    assert _values.extent(pa.array([1.0, math.inf])) == (1.0, math.inf)
    for column in ([[1.0, math.nan]], [[math.nan], [1.0]], [[1.0], [math.nan]]):
        assert all(map(math.isnan, _values.extent(pa.chunked_array(column))))
    for column in (pa.array([1.0, None]), pa.array([1, 2]), pa.array([], pa.float64()), pa.array([1.0], pa.float32())):
        assert _values.extent(column) is None


def test_texts():
    assert _values.repeated("Hall Ä", 3).to_pylist() == ["Hall Ä"] * 3
    assert _values.repeated("", 1).to_pylist() == [""] and len(_values.repeated("a", 0)) == 0
    few, many = ["a", None, "b"], [str(number) for number in range(2 * _values._FEW)]
    for texts in (few, many):
        for kind in (pa.string(), pa.large_string()):
            assert not _values.has_empty_text(pa.array(texts, kind))
            assert _values.has_empty_text(pa.array([*texts, ""], kind))


def test_contacts_of_parquet_load_neither_pandas_nor_the_functions_of_pyarrow(crowd, tmp_path):
    path = tmp_path / "points.parquet"
    table = pa.Table.from_pandas(crowd, preserve_index=False)
    # As the package writes them; other types are converted by functions of pyarrow.
    kinds = {"device": pa.string(), "time": pa.timestamp("us", "UTC"), "floor": pa.float64()}
    for name, kind in kinds.items():
        table = table.set_column(table.schema.get_field_index(name), name, table[name].cast(kind))
    pq.write_table(table, path)
    code = (
        "import sys, cordon\n"
        f"found = cordon.contacts({str(path)!r}, as_kind='arrow')\n"
        "print(found.num_rows, *sorted({'pandas', 'pyarrow.compute'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(cordon.contacts(table, as_kind="arrow").num_rows)]


def test_faults_of_parquet_name_the_row(tmp_path):
    rows = {
        "device": ["a", "b", "b"], "time": pa.array([1, 2, 3], pa.timestamp("s", "UTC")), "longitude": [1.0, 2.0, 3.0],
        "latitude": [1.0, 2.0, 3.0],
    }  # fmt: skip
    for column, value, message in (
        ("device", "", "device: row 2 has no name"), ("device", None, "device: row 2 has no name"),
        ("latitude", math.nan, "latitude: row 2 is not a number"), ("latitude", None, "latitude: row 2 is not a number"),
        ("longitude", 181.0, "longitude: row 2 is beyond 180 degrees"), ("time", None, "time: row 2 has no time"),
    ):  # fmt: skip
        bad = pa.table(rows)
        values = bad[column].to_pylist()
        values[2] = value
        bad = bad.set_column(bad.schema.get_field_index(column), column, pa.array(values, bad[column].type))
        path = tmp_path / "bad.parquet"
        pq.write_table(bad, path)
        with pytest.raises(cordon.InputError, match=message):
            cordon.contacts(path)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_a_missing_package_is_named(crowd, monkeypatch, kind):
    table = pa.Table.from_pandas(crowd, preserve_index=False)
    monkeypatch.setitem(sys.modules, kind, None)
    with pytest.raises(cordon.MissingDependencyError, match=f"pip install {kind}"):
        cordon.contacts(table, as_kind=kind)
