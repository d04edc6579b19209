"""Parquet and GeoParquet."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from typing import Any, Optional, Union

import pyarrow as pa

from . import _frames
from ._errors import InputError
from ._lazy import compute as pc
from ._lazy import parquet as pq

_PLACES = (("longitude", "latitude"), ("lon", "lat"), ("x_m", "y_m"), ("x", "y"))


def to_parquet(
    table: Any,
    path: Union[str, "os.PathLike[str]"],
    *,
    geometry: Optional[bool] = None,
    compression: str = "zstd",
    row_group_size: int = 1 << 20,
) -> None:
    """Writes a table as Parquet, or as GeoParquet 1.1 when it has places.

    The file appears whole or not at all. GeoParquet has a column ``geometry`` of points (WKB) beside the columns of
    numbers, and a bounding box; columns ``longitude`` and ``latitude`` are WGS 84, ``x_m`` and ``y_m`` a plane of
    metres without a coordinate system.

    Args:
        table: a pandas or polars DataFrame, an Arrow table, or a GeoDataFrame.
        path: the file to write; an existing one is replaced.
        geometry: whether the geometry is written; by default when there are places in every row.
        compression: as pyarrow names it.
        row_group_size: rows a group.

    Raises:
        InputError: the table cannot be written, or has no places and ``geometry`` is true.
    """
    kind = _frames.kind_of(table)
    if kind is None:
        raise InputError(f"a table is needed, not {type(table).__name__}", code="wrong-type")
    if kind == "geopandas":
        table = table.drop(columns=table.geometry.name)
    names = _frames.columns_of(table)
    converted = _frames.to_arrow(table, names)
    metadata = dict(converted.schema.metadata or {})
    place = next((pair for pair in _PLACES if set(pair) <= set(names)), None)
    is_whole = place is not None and all(converted.column(name).null_count == 0 for name in place)
    if geometry is None:
        geometry = is_whole and "geometry" not in names and converted.num_rows > 0
    if geometry:
        if place is None or not is_whole:
            raise InputError("has no places in every row, so there is no geometry", code="missing-column")
        x, y = (converted.column(name).cast(pa.float64()).combine_chunks() for name in place)
        converted = converted.append_column("geometry", _wkb(x, y))
        metadata[b"geo"] = json.dumps(_geo(x, y, place[0] in ("longitude", "lon"))).encode()
    converted = converted.replace_schema_metadata(metadata or None)
    _write(converted, os.fspath(path), compression, row_group_size)


def _write(table: pa.Table, path: str, compression: str, row_group_size: int) -> None:
    folder = os.path.dirname(os.path.abspath(path))
    try:
        handle, partial = tempfile.mkstemp(prefix=".cordon-", suffix=".partial", dir=folder)
    except OSError as error:
        raise InputError(error.strerror or "cannot be written", code="unwritable", file=path) from error
    os.close(handle)
    try:
        pq.write_table(table, partial, compression=compression, row_group_size=row_group_size)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(partial, 0o666 & ~umask)
        os.replace(partial, path)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(str(error).splitlines()[0], code="unwritable", file=path) from error
    finally:
        # A renamed file is not there any more; pyarrow itself may have removed a file that it could not write.
        with contextlib.suppress(FileNotFoundError):
            os.unlink(partial)


def _wkb(x: Any, y: Any) -> Any:
    """Points as WKB: 01, 01000000, x, y, all little-endian."""
    head = pa.array([b"\x01\x01\x00\x00\x00"], pa.binary())[0]
    parts = (
        pa.Array.from_buffers(pa.binary(8), len(values), [None, _packed(values).buffers()[1]]).cast(pa.binary())
        for values in (x, y)
    )
    return pc.binary_join_element_wise(head, *parts, b"")


def _packed(values: Any) -> Any:
    # An array that begins in the middle of its buffer is copied to the beginning of one.
    return pa.concat_arrays([values, pa.array([], pa.float64())]) if values.offset else values


def _geo(x: Any, y: Any, is_degrees: bool) -> dict[str, Any]:
    (west, east), (south, north) = ((box["min"].as_py(), box["max"].as_py()) for box in map(pc.min_max, (x, y)))
    column: dict[str, Any] = {
        "encoding": "WKB",
        "geometry_types": ["Point"],
        "bbox": [west, south, east, north],
    }
    if not is_degrees:
        column["crs"] = None
    return {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": column}}
