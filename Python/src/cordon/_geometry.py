"""Points of geometry columns: WKB, WKT and the native encoding of GeoArrow."""

from __future__ import annotations

import json
import re
from typing import Any, Optional

import pyarrow as pa

from ._errors import InputError
from ._lazy import compute as pc

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_WKT = rf"(?i)^\s*(?:SRID=\d+;)?\s*POINT\s*(?:Z|M|ZM)?\s*\(\s*(?P<x>{_NUMBER})\s+(?P<y>{_NUMBER})(?:\s+{_NUMBER})*\s*\)\s*$"


def coordinates(column: Any, name: str) -> tuple[Any, Any]:
    """Returns x and y of a column of points, as float64.

    Args:
        column: an array of WKB (binary), WKT (text), hexadecimal WKB (text), or structs with ``x`` and ``y``.

    Raises:
        InputError: a geometry is not a point, or missing.
    """
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if isinstance(column, pa.ExtensionArray):
        column = column.storage
    if column.null_count:
        row = pc.index(pc.is_null(column), True).as_py()
        raise InputError(f"{name}: row {row} has no geometry", code="bad-row", place=f"row {row}")
    kind = column.type
    if pa.types.is_struct(kind):
        return pc.struct_field(column, "x").cast(pa.float64()), pc.struct_field(column, "y").cast(pa.float64())
    if pa.types.is_fixed_size_list(kind):
        flat, size = column.flatten(), kind.list_size
        rows = range(len(column))
        return flat.take(pa.array([k * size for k in rows])), flat.take(pa.array([k * size + 1 for k in rows]))
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _text(column, name)
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return _binary(column, name)
    raise InputError(f"{name}: a column of {kind} holds no points", code="wrong-type")


def _text(column: Any, name: str) -> tuple[Any, Any]:
    found = pc.extract_regex(column, _WKT)
    if found.null_count == 0:
        return pc.struct_field(found, "x").cast(pa.float64()), pc.struct_field(found, "y").cast(pa.float64())
    if found.null_count == len(column):
        try:
            return _binary(pa.array([bytes.fromhex(text) for text in column.to_pylist()], pa.binary()), name)
        except ValueError:
            pass
    row = pc.index(pc.is_null(found), True).as_py()
    raise InputError(f"{name}: the geometry of row {row} is not a point", code="bad-row", place=f"row {row}")


def _binary(column: Any, name: str) -> tuple[Any, Any]:
    """WKB: one byte for the order of bytes, four for the type, perhaps four for the coordinate system, then x and y."""
    heads = pc.unique(pc.binary_slice(column, 0, 5)).to_pylist() if len(column) else []
    parts: list[tuple[Any, Any]] = []
    if len(heads) == 1:
        return _points(column, heads[0], name, 0)
    for row, value in enumerate(column.to_pylist()):
        parts.append(_points(pa.array([value], pa.binary()), value[:5], name, row))
    join = pa.concat_arrays if parts else (lambda arrays: pa.array([], pa.float64()))
    return join([x for x, _ in parts]), join([y for _, y in parts])


def _points(column: Any, head: bytes, name: str, row: int) -> tuple[Any, Any]:
    order = "little" if head[:1] == b"\x01" else "big"
    code = int.from_bytes(head[1:5], order) if len(head) == 5 else 0  # type: ignore[arg-type]
    start = 9 if code & 0x2000_0000 else 5
    if (code & 0x0FFF_FFFF) % 1000 != 1:
        raise InputError(f"{name}: the geometry of row {row} is not a point", code="bad-row", place=f"row {row}")
    short = pc.less(pc.binary_length(column), start + 16)
    if pc.any(short).as_py():
        row += pc.index(short, True).as_py()
        raise InputError(f"{name}: the geometry of row {row} is cut short", code="bad-row", place=f"row {row}")
    x, y = (_doubles(pc.binary_slice(column, k, k + 8), order) for k in (start, start + 8))
    return x, y


def _doubles(column: Any, order: str) -> Any:
    if order == "big":
        column = pc.binary_reverse(column)
    fixed = column.cast(pa.binary(8))
    # Eight bytes a row, without gaps: they are the numbers.
    return pa.Array.from_buffers(pa.float64(), len(fixed), [None, fixed.buffers()[1]], offset=fixed.offset)


def geoparquet(metadata: Optional[dict[bytes, bytes]]) -> Optional[tuple[str, Optional[bool]]]:
    """Returns the primary column of GeoParquet, and whether it is in degrees (``None`` when the file does not say).

    Raises:
        InputError: the metadata cannot be read.
    """
    text = (metadata or {}).get(b"geo")
    if text is None:
        return None
    try:
        geo = json.loads(text)
        name = geo["primary_column"]
        column = geo["columns"][name]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError("the metadata of GeoParquet cannot be read", code="damaged") from error
    # Without a key the standard says longitude and latitude.
    crs = column.get("crs", {"type": "GeographicCRS"})
    return name, None if crs is None else is_geographic(crs)


def is_geographic(crs: Any) -> bool:
    """Whether a coordinate system in PROJJSON has longitude and latitude."""
    kind = crs.get("type", "") if isinstance(crs, dict) else ""
    if kind == "BoundCRS":
        return is_geographic(crs.get("source_crs"))
    return re.match(r"Geo(graphic|detic)CRS$", kind) is not None
