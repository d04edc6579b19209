"""Kinds of tables: what came in decides what goes out."""

from __future__ import annotations

import datetime
import os
from typing import Any, Optional

import pyarrow as pa

from ._errors import InputError, MissingDependencyError

#: The kinds of results.
KINDS = ("pandas", "polars", "arrow", "geopandas")


def kind_of(value: Any) -> Optional[str]:
    """Returns the kind of a table: ``pandas``, ``polars``, ``arrow`` or ``geopandas``; ``None`` for anything else.

    No package is imported for that: a frame exists only where its package is loaded already.
    """
    if isinstance(value, (pa.Table, pa.RecordBatch, pa.RecordBatchReader)):
        return "arrow"
    for kind in type(value).__mro__:
        package = kind.__module__.split(".", 1)[0]
        if package == "geopandas" and kind.__name__ == "GeoDataFrame":
            return "geopandas"
        if package == "pandas" and kind.__name__ == "DataFrame":
            return "pandas"
        if package == "polars" and kind.__name__ in ("DataFrame", "LazyFrame"):
            return "polars"
    # A single column has a stream as well.
    return "arrow" if hasattr(value, "__arrow_c_stream__") and hasattr(value, "columns") else None


def columns_of(value: Any) -> list[str]:
    """Returns the names of the columns of a frame."""
    if isinstance(value, (pa.Table, pa.RecordBatch, pa.RecordBatchReader)):
        return list(value.schema.names)
    if type(value).__name__ == "LazyFrame":
        return list(value.collect_schema().names())
    return [str(name) for name in value.columns]


def with_index_as_columns(frame: Any) -> Any:
    """Makes columns of an index that has names or times; other indexes only count rows."""
    index = frame.index
    names = list(index.names)
    is_time = type(index).__name__ == "DatetimeIndex"
    if all(name is None for name in names) and not is_time:
        return frame
    if is_time and names == [None]:
        frame = frame.rename_axis("time")
    taken = [name for name in frame.index.names if name in frame.columns]
    return frame.reset_index(drop=bool(taken))


def with_named_columns(frame: Any) -> Any:
    """Makes text of names of columns that are numbers or tuples."""
    names = {name: str(name) for name in frame.columns if not isinstance(name, str)}
    if not names:
        return frame
    if frame.columns.nlevels > 1:
        return frame.set_axis([str(name) for name in frame.columns], axis=1)
    return frame.rename(columns=names)


def to_arrow(value: Any, columns: list[str]) -> pa.Table:
    """Converts columns of a frame.

    Raises:
        InputError: a column has values of several types, or of a type that Arrow does not have.
    """
    kind = kind_of(value)
    if kind == "polars":
        if type(value).__name__ == "LazyFrame":
            value = value.select(columns).collect()
        return value.select(columns).to_arrow()
    if kind in ("pandas", "geopandas"):
        return pa.table({name: _pandas_column(value[name], name) for name in columns})
    if isinstance(value, pa.RecordBatchReader):
        value = value.read_all()
    elif isinstance(value, pa.RecordBatch):
        value = pa.Table.from_batches([value])
    elif not isinstance(value, pa.Table):
        value = pa.table(value)
    return value.select(columns)


def _pandas_column(series: Any, name: str) -> Any:
    if getattr(series, "ndim", 1) != 1:
        raise InputError(f"column '{name}' is there twice", code="wrong-type")
    if type(series.dtype).__name__ == "GeometryDtype":
        return pa.array(series.to_wkb(), type=pa.binary())
    if series.dtype == object:
        _check_objects(series, name)
    try:
        return pa.array(series, from_pandas=True)
    except UnicodeError as error:
        raise InputError(f"column '{name}' has text that is not Unicode", code="wrong-type") from error
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError) as error:
        # The reason of Arrow quotes values, which may be somebody's.
        raise InputError(
            f"column '{name}' has values of several types, or of a type that Arrow does not have", code="wrong-type"
        ) from error


def _check_objects(series: Any, name: str) -> None:
    """Refuses a column of several types, and times of several zones: Arrow would make one of them."""
    # Nearly every column has one type, which is known much sooner than where another one is.
    types = set(map(type, series[series.notna()].to_numpy()))
    if len(types) <= 1 and not any(issubclass(kind, datetime.datetime) for kind in types):
        return
    seen: dict[str, int] = {}
    zones: dict[str, int] = {}
    for row, value in enumerate(series):
        # None, NaN and NaT are "not known" in all columns.
        if value is None or value != value:
            continue
        kind = type(value).__name__
        if isinstance(value, datetime.datetime):
            kind = "datetime"
            zones.setdefault(str(value.tzinfo), row)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            kind = "number"
        seen.setdefault(kind, row)
    for kinds, code, what in ((seen, "wrong-type", "values of several types"), (zones, "mixed-zones", "several time zones")):
        if len(kinds) > 1:
            first, second = list(kinds.items())[:2]
            raise InputError(
                f"column '{name}' has {what}: {first[0]} in row {first[1]}, {second[0]} in row {second[1]}",
                code=code,
                place=f"row {second[1]}",
            )


def from_arrow(table: pa.Table, kind: str) -> Any:
    """Converts a result. A GeoDataFrame has points of WGS 84, or of the plane of metres without a coordinate system."""
    if kind == "arrow":
        return table
    if kind == "polars":
        return _import("polars").from_arrow(table)
    _import("pandas")
    frame = table.to_pandas()
    if kind == "pandas":
        return frame
    geopandas = _import("geopandas")
    names = set(table.column_names)
    if {"longitude", "latitude"} <= names and table.column("longitude").null_count < max(table.num_rows, 1):
        points = geopandas.points_from_xy(frame["longitude"], frame["latitude"], crs="EPSG:4326")
    elif {"x_m", "y_m"} <= names:
        points = geopandas.points_from_xy(frame["x_m"], frame["y_m"])
    else:
        return frame
    return geopandas.GeoDataFrame(frame, geometry=points)


def _import(name: str) -> Any:
    """Imports an optional package.

    Raises:
        MissingDependencyError: it is not installed.
    """
    try:
        return __import__(name)
    except ImportError as error:
        raise MissingDependencyError(
            f"{name} is needed for that; install it with: pip install {name}", code="missing-dependency"
        ) from error


def is_path(value: Any) -> bool:
    """Whether a value names a file."""
    return isinstance(value, (str, os.PathLike))
