"""Points as Parquet in folders of venues and days: ``venue=V/date=D/part-*.parquet``."""

from __future__ import annotations

import datetime
import math
import os
import shutil
import tempfile
import urllib.parse
from pathlib import Path
from typing import Any, Iterator, Mapping, Optional, Union

import pyarrow as pa

from . import _files, _frames, _lazy, _parquet, _points
from ._errors import InputError
from ._lazy import compute as pc

#: Rows of a file, as ``cordon.spark.write_points`` writes them.
PART = 250_000
_DAY = 86_400_000_000
_ORDER = ("device", "time", "longitude", "latitude", "x", "y", "floor", "accuracy", "still_until")


def write_points(
    points: Any,
    path: Union[str, "os.PathLike[str]"],
    *,
    venue: Optional[str] = None,
    columns: Optional[Mapping[str, str]] = None,
    time_unit: Optional[str] = None,
    time_zone: Optional[str] = None,
    metres: bool = False,
    geometry: bool = False,
    rows_per_file: int = PART,
    mode: str = "error",
) -> list[str]:
    """Writes points as Parquet in folders of venues and days, the layout that ``cordon.spark`` reads best.

    The folders are ``venue=V/date=D`` (days of UTC), or ``date=D`` without a venue. Files of a day are spans of time, and sorted by
    device and time. All points are in memory; ``cordon.spark.write_points`` has no such limit. The folder appears whole or not at
    all; with ``replace`` each day does.

    Args:
        points: a pandas or polars DataFrame, an Arrow table, a GeoDataFrame, or a path to Parquet, Arrow IPC or CSV.
        path: the folder to write.
        venue: the venue of all points; by default that of the column ``venue``, if there is one.
        columns: the columns of fields, such as ``{"device": "badge"}``; the others are found by common names.
        time_unit: the unit of times that are numbers: ``s``, ``ms``, ``us`` or ``ns``.
        time_zone: the zone of times without one, by default UTC.
        metres: whether places are metres even if they look like degrees.
        geometry: whether the files are GeoParquet, with a column ``geometry`` beside the numbers.
        rows_per_file: about how many rows a file has.
        mode: ``error`` when the folder exists already, or ``replace`` to replace the days that the points have.

    Returns:
        The paths of the files, in order.

    Raises:
        InputError: points that cannot be used, with the column and the row; or a folder that cannot be written.
    """
    if mode not in ("error", "replace"):
        raise InputError(f"mode must be error or replace, not {mode!r}")
    if rows_per_file < 1:
        raise InputError(f"rows_per_file must be at least 1, not {rows_per_file}")
    target = Path(path)
    if mode == "error" and target.exists():
        raise InputError("exists already; mode='replace' replaces the days of the points", code="exists", file=str(path))
    table = _table(points, columns, time_unit, time_zone, metres)
    if venue is not None:
        kept = [name for name in table.column_names if name != "venue"]
        table = table.select(kept).append_column("venue", pa.repeat(pa.scalar(venue), table.num_rows))
    parent = target.absolute().parent
    try:
        folder = Path(tempfile.mkdtemp(prefix=".cordon-", suffix=".partial", dir=parent))
    except OSError as error:
        raise InputError(error.strerror or "cannot be written", code="unwritable", file=str(path)) from error
    try:
        written = [_write(folder, names, part, number, geometry) for names, part, number in _parts(table, rows_per_file)]
        umask = os.umask(0)
        os.umask(umask)
        folder.chmod(0o777 & ~umask)
        _move(folder, target, mode)
    except OSError as error:
        raise InputError(error.strerror or "cannot be written", code="unwritable", file=str(path)) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return [str(target / name) for name in written]


def _table(
    points: Any, columns: Optional[Mapping[str, str]], unit: Optional[str], zone: Optional[str], metres: bool
) -> pa.Table:
    named = _points._named(columns)
    if _frames.is_path(points):
        file = os.fspath(points)
        if not os.path.exists(file):
            raise InputError("the file does not exist", code="not-found", file=file)
        files = _files.in_folder(file)
        points = _points._read_all(files, named, metres) if all(_files.format_of(path) for path, _ in files) else _csv(file)
    table, _, _ = _points.from_frame(points, named, unit, zone, metres, True)
    names = [*(name for name in _ORDER if name in table.column_names), *({"venue"} & set(table.column_names))]
    table = table.select(names)
    for name in ("time", "still_until"):
        if name in names and pa.types.is_string(table.column(name).type):
            place = table.column_names.index(name)
            table = table.set_column(place, name, _instants(table.column(name), name, zone))
    return table


def _csv(file: str) -> pa.Table:
    try:
        return _lazy.csv.read_csv(file)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"cannot be read: {str(error).splitlines()[0]}", code="damaged", file=file) from error


def _instants(column: Any, field: str, zone: Optional[str]) -> Any:
    """Instants of times that are texts."""
    parts = pc.extract_regex(column, r"^(?P<clock>.*?)(?P<zone>Z|[+-]\d\d:\d\d)?$")
    try:
        clock = pc.struct_field(parts, "clock").cast(pa.timestamp("us"))
        offsets = pc.unique(pc.struct_field(parts, "zone")).to_pylist()
        result = pa.nulls(len(column), pa.timestamp("us", "UTC"))
        for offset in offsets:
            is_here = pc.equal(pc.fill_null(pc.struct_field(parts, "zone"), ""), offset or "")
            name = "+00:00" if offset == "Z" else offset or zone or "+00:00"
            result = pc.if_else(is_here, _points._in_zone(clock, name), result)
        return result
    except pa.ArrowException as error:
        raise InputError(f"{field}: a text is not a time: {str(error).splitlines()[0]}", code="wrong-type") from error


def _parts(table: pa.Table, rows_per_file: int) -> Iterator[tuple[list[str], pa.Table, int]]:
    """Yields the folders, the rows and the number of each file."""
    micros = table.column("time").cast(pa.int64())
    day = pc.floor(pc.divide(micros.cast(pa.float64()), float(_DAY))).cast(pa.int32())
    keys = pa.table({"day": day})
    if "venue" in table.column_names:
        keys = keys.append_column("venue", table.column("venue").cast(pa.string()))
    keys = keys.append_column("row", pa.array(range(table.num_rows), pa.int64())).append_column("time", micros)
    order = [(name, "ascending") for name in keys.column_names if name not in ("row", "time")]
    groups = keys.select([name for name, _ in order]).group_by([name for name, _ in order]).aggregate([])
    for group in groups.sort_by(list(reversed(order))).to_pylist():
        is_here = None
        for name, value in group.items():
            same = pc.is_null(keys[name]) if value is None else pc.fill_null(pc.equal(keys[name], value), False)
            is_here = same if is_here is None else pc.and_(is_here, same)
        rows = keys.filter(is_here).sort_by("time")["row"]
        date = datetime.date(1970, 1, 1) + datetime.timedelta(days=group["day"])
        names = [f"date={date.isoformat()}"]
        if "venue" in group:
            # As Hive and Spark write names: what a path cannot hold is escaped.
            value = group["venue"]
            text = "__HIVE_DEFAULT_PARTITION__" if not value else urllib.parse.quote(value, safe=" ")
            names.insert(0, f"venue={text}")
        count = math.ceil(len(rows) / rows_per_file)
        for number in range(count):
            first, end = (len(rows) * k // count for k in (number, number + 1))
            part = table.take(rows.slice(first, end - first))
            part = part.select([name for name in part.column_names if name != "venue"])
            part = part.set_column(0, "device", part["device"].cast(pa.string()))
            yield names, part.sort_by([("device", "ascending"), ("time", "ascending")]), number


def _write(folder: Path, names: list[str], part: pa.Table, number: int, geometry: bool) -> str:
    place = Path(*names) / f"part-{number:05}.parquet"
    (folder / place).parent.mkdir(parents=True, exist_ok=True)
    _parquet.to_parquet(part, folder / place, geometry=geometry)
    return str(place)


def _move(folder: Path, target: Path, mode: str) -> None:
    if mode == "error" or not target.exists():
        folder.rename(target)
        return
    for day in sorted(path for path in folder.rglob("date=*")):
        place = target / day.relative_to(folder)
        place.parent.mkdir(parents=True, exist_ok=True)
        former = place.parent / f".{place.name}.former"
        shutil.rmtree(former, ignore_errors=True)
        if place.exists():
            place.rename(former)
        day.rename(place)
        shutil.rmtree(former, ignore_errors=True)
