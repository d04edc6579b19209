"""Parquet files of points, and their rows of a span of time."""

from __future__ import annotations

import contextlib
import dataclasses
import re
from typing import Any, Iterable, Iterator, Optional

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.fs
import pyarrow.parquet as pq

from .. import _points, _values
from .._errors import InputError
from ._options import Question

TIME = pa.timestamp("us", tz="UTC")


@dataclasses.dataclass(frozen=True)
class RowGroup:
    """A row group: ``first`` and ``last`` are times, ``rest`` the latest end of a rest, microseconds since 1970."""

    index: int
    rows: int
    first: int
    last: int
    rest: int


@dataclasses.dataclass(frozen=True)
class PointFile:
    """A file of one venue. ``bounds`` are the least and greatest longitude and latitude, or x and y."""

    path: str
    venue: Optional[str]
    groups: tuple[RowGroup, ...]
    bounds: tuple[float, float, float, float]

    @property
    def rows(self) -> int:
        return sum(group.rows for group in self.groups)

    @property
    def first(self) -> int:
        return min(group.first for group in self.groups)

    @property
    def last(self) -> int:
        return max(group.last for group in self.groups)

    @property
    def until(self) -> int:
        """The latest moment that the file knows of, with rests."""
        return max(max(group.last, group.rest) for group in self.groups)


@dataclasses.dataclass(frozen=True)
class Layout:
    """The columns of all files: the column of each field, in the order of fields."""

    chosen: tuple[tuple[str, str], ...]

    @property
    def columns(self) -> dict[str, str]:
        return dict(self.chosen)

    @property
    def is_degrees(self) -> bool:
        return "longitude" in self.columns


def opened(path: str) -> tuple[Any, str]:
    """Returns the file system of a path or URI, and the path in it."""
    if "://" in path:
        return pa.fs.FileSystem.from_uri(path)  # type: ignore[no-any-return]
    return pa.fs.LocalFileSystem(), path


@contextlib.contextmanager
def reading(path: str) -> Iterator[None]:
    """Names the file when its pages are damaged; footers may be whole."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise InputError(f"cannot be read as Parquet: {reason}", code="damaged", file=path) from error


def _read(file: PointFile, group: RowGroup, device: str, columns: Iterable[str]) -> pa.Table:
    """Returns columns of a row group, with each name of a device once.

    Raises:
        InputError: the file is damaged.
    """
    with reading(file.path):
        system, inner = opened(file.path)
        parquet = pq.ParquetFile(system.open_input_file(inner), read_dictionary=[device])
        return parquet.read_row_group(group.index, columns=list(columns), use_threads=False)


def microseconds(values: Any, field: str, name: str, question: Question) -> Any:
    """Returns times as whole microseconds since 1970.

    Raises:
        InputError: the column holds no times, or numbers of an unknown unit.
    """
    unit = question.time_unit if question.time_unit not in (None, "auto") else None
    suffix = re.search(r"_(s|ms|us|ns)$", name.lower())
    unit = unit or (suffix[1] if suffix else None)
    kind = values.type
    if not pa.types.is_temporal(kind) and not (unit and (pa.types.is_integer(kind) or pa.types.is_floating(kind))):
        raise InputError(
            f"{field}: a column of {kind} has times only with time_unit, or as timestamps", code="unknown-unit"
        )
    times = _points._times(values, field, unit, question.time_zone, required=False)
    return times.cast(pa.int64())


def rows(
    files: Iterable[PointFile], layout: Layout, question: Question, first: int, end: int, devices: Any = None
) -> pa.Table:
    """Returns the rows of files with ``first <= time < end`` (microseconds), with the columns of fields.

    A column ``venue`` is there when the files are of several venues.

    Args:
        devices: an Arrow array of names; only rows of these are returned. Or ``None``.
    """
    names = layout.columns
    files = list(files)
    has_venues = len({file.venue for file in files}) > 1
    tables = []
    for file in files:
        groups = [group for group in file.groups if group.last >= first and group.first < end]
        if not groups:
            continue
        with reading(file.path):
            system, inner = opened(file.path)
            parquet = pq.ParquetFile(system.open_input_file(inner), read_dictionary=[names["device"]])
        for group in groups:
            with reading(file.path):
                table = parquet.read_row_group(group.index, columns=list(names.values()), use_threads=False)
            table = pa.Table.from_arrays([table.column(name) for name in names.values()], names=list(names))
            is_cut = group.first < first or group.last >= end
            wanted = None
            if is_cut or table.schema.field("time").type != TIME:
                times = microseconds(table.column("time"), "time", names["time"], question)
                table = _with(table, "time", times.cast(TIME))
                if is_cut:
                    wanted = pc.and_(pc.greater_equal(times, first), pc.less(times, end))
            if table.column("time").null_count:
                raise InputError("time: a row has no time", code="bad-row", file=file.path)
            if "still_until" in names:
                until = microseconds(table.column("still_until"), "still_until", names["still_until"], question)
                table = _with(table, "still_until", until.cast(TIME))
            device = table.column("device")
            if devices is not None:
                device = device.cast(pa.string())
                table = _with(table, "device", device)
                chosen = pc.is_in(device, value_set=devices)
                wanted = chosen if wanted is None else pc.and_(wanted, chosen)
            if wanted is not None:
                table = table.filter(wanted)
            if has_venues and file.venue is not None:
                table = table.append_column("venue", _values.repeated(file.venue, table.num_rows))
            tables.append(table)
    if not tables:
        return pa.table({"device": pa.array([], pa.string()), "time": pa.array([], TIME)})
    return _points.joined(tables, files[0].path)


def coordinates(
    file: PointFile, layout: Layout, question: Question, group: RowGroup, span: Optional[tuple[int, int]] = None
) -> pa.Table:
    """Returns ``device`` (text), ``x`` and ``y`` of a row group; longitude and latitude where places are degrees.

    Args:
        span: only rows from the first time on and before the second one, microseconds.

    Raises:
        InputError: a place is not a number.
    """
    names = layout.columns
    fields = ["device", *(("longitude", "latitude") if layout.is_degrees else ("x", "y"))]
    is_cut = span is not None and (group.first < span[0] or group.last >= span[1])
    table = _read(file, group, names["device"], [names[field] for field in fields] + ([names["time"]] if is_cut else []))
    if is_cut and span is not None:
        times = microseconds(table.column(names["time"]), "time", names["time"], question)
        table = table.filter(pc.and_(pc.greater_equal(times, span[0]), pc.less(times, span[1])))
    device, x, y = (table.column(names[field]) for field in fields)
    numbers = []
    for field, column in zip(fields[1:], (x, y)):
        column = column.cast(pa.float64())
        if not pc.all(pc.fill_null(pc.is_finite(column), False)).as_py():
            raise InputError(f"{field}: a row is not a number", code="bad-row", file=file.path)
        numbers.append(column)
    return pa.table({"device": device.cast(pa.string()), "x": numbers[0], "y": numbers[1]})


def names(
    file: PointFile, layout: Layout, question: Question, group: RowGroup, span: tuple[int, int]
) -> Any:
    """Returns the devices (text) of the rows of a row group from the first time on and before the second one, microseconds."""
    device, time = layout.columns["device"], layout.columns["time"]
    is_cut = group.first < span[0] or group.last >= span[1]
    table = _read(file, group, device, [device, time] if is_cut else [device])
    column = table.column(device)
    if is_cut:
        times = microseconds(table.column(time), "time", time, question)
        column = column.filter(pc.and_(pc.greater_equal(times, span[0]), pc.less(times, span[1])))
    return column.cast(pa.string())


def _with(table: pa.Table, name: str, column: Any) -> pa.Table:
    return table.set_column(table.schema.get_field_index(name), name, column)
