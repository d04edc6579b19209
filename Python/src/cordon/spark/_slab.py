"""One slab: reads a span of time with its halo, and finds the contacts that belong to it.

The engine solves each piece of two ways relative to its own start, so a piece has the same bits in every slab that knows both
segments. A slab from ``start`` to ``end`` reads fixes up to the gap beyond both, so that it knows all segments that share a
moment with it. Contacts wholly inside are final. A contact that touches an end within a microsecond is marked: both slabs at
that border have a part of it, and the parts share the border.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import warnings
from typing import Any, Iterator, Mapping, Optional, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from .. import _tables, _values, _worker
from .._contacts import _count, contacts
from .._errors import CordonWarning, InputError
from ._files import Layout, PointFile, rows
from ._options import Question
from ._parts import Part
from ._tiles import Tile, places

#: The columns of contacts on Spark; those of a map or of walls hold nothing without one.
CONTACTS = pa.schema([field.remove_metadata() for field in _tables.CONTACTS][:16])
#: The columns of contacts that hold nothing without a map.
OF_MAP = ("space_a", "space_b", "wall_share")
#: Contacts, and for those that touch a border of their slab the ``mark`` of the slab.
PIECES = CONTACTS.append(pa.field("border", pa.int64()))


#: A mark divided by this is the component of its slab.
MARK = 1 << 32


@dataclasses.dataclass(frozen=True)
class Slab:
    """A task: a span of time of files that know all about it.

    Attributes:
        number: its place among all slabs.
        component: the number of the files that belong together.
        files: the files with rows in the span or its halo.
        start: microseconds since 1970; ``None`` without a slab before it.
        end: likewise, ``None`` without a slab after it.
        points: about how many rows are in the span.
        memory: about how many bytes the task takes.
        tile: the part of the plane, when the span is divided.
        part: the part of the devices, when the span is divided in that way.
    """

    number: int
    component: int
    files: tuple[PointFile, ...]
    start: Optional[int]
    end: Optional[int]
    points: int
    memory: int
    tile: Optional[Tile] = None
    part: Optional[Part] = None

    @property
    def has_border(self) -> bool:
        return self.start is not None or self.end is not None

    @property
    def mark(self) -> int:
        """The component and the number, as one number that is divided by ``MARK``."""
        return self.component * MARK + self.number


@dataclasses.dataclass(frozen=True)
class Job:
    """What all slabs share: the question, the columns, and the origin of the plane of each venue."""

    question: Question
    layout: Layout
    origins: tuple[tuple[Optional[str], tuple[float, float]], ...]


def points_of(job: Job, files: tuple[PointFile, ...], first: int, end: int, devices: Any = None) -> pa.Table:
    """Returns all rows from ``first`` to ``end``, and the rests that began before and go on; rests end at ``end``."""
    question, layout = job.question, job.layout
    if "still_until" not in layout.columns:
        return rows(files, layout, question, first, end, devices)
    resting = _resting(files, first)
    table = rows(files, layout, question, beginning(files, first), end, devices)
    if table.num_rows == 0:
        return table
    limit = pa.scalar(end, pa.int64()).cast(pa.timestamp("us", "UTC"))
    until = pc.if_else(pc.greater(table["still_until"], limit), limit, table["still_until"])
    table = table.set_column(table.schema.get_field_index("still_until"), "still_until", until)
    if not resting:
        return table
    # Of the fixes before the span only the last one of a device may say something, and only when it rests on.
    times = table["time"].cast(pa.int64())
    is_early = pc.less(times, first)
    early = table.filter(is_early)
    device = early["device"].cast(pa.string())
    numbered = pa.table({"device": device, "time": early["time"].cast(pa.int64())})
    latest = numbered.group_by("device").aggregate([("time", "max")])
    place = pc.index_in(device, value_set=latest["device"])
    is_last = pc.equal(numbered["time"], latest["time_max"].take(place))
    goes_on = pc.fill_null(pc.greater_equal(early["still_until"].cast(pa.int64()), first), False)
    return pa.concat_tables([early.filter(pc.and_(is_last, goes_on)), table.filter(pc.invert(is_early))])


def beginning(files: tuple[PointFile, ...], first: int) -> int:
    """Returns the time from which rows are read that are needed from a time on: rests that go on began before it."""
    return min([first, *_resting(files, first)])


def _resting(files: tuple[PointFile, ...], first: int) -> list[int]:
    """When row groups begin that have rests from before a time that go on."""
    return [group.first for file in files for group in file.groups if group.first < first <= group.rest]


def _found(job: Job, slab: Slab, first: int, end: int) -> pa.Table:
    """Finds the contacts of a slab, with those beyond its ends."""
    if slab.tile is None:
        return find(job, points_of(job, slab.files, first, end), slab.files)
    where = places(slab.files, job.layout, job.question, slab.tile, beginning(slab.files, first), end)
    devices = where.of(slab.tile)
    return where.owned(slab.tile, find(job, points_of(job, slab.files, first, end, devices), slab.files))


def find(job: Job, table: pa.Table, files: Sequence[PointFile]) -> pa.Table:
    """Finds the contacts of rows, venue by venue, with the plane that the whole of each venue has.

    Args:
        files: the files of the rows.
    """
    if table.num_rows == 0:
        return CONTACTS.empty_table()
    names = {file.venue for file in files}
    common = {**_common(job), "line_of_sight": job.question.line_of_sight, "as_kind": "arrow"}
    table = table.unify_dictionaries()
    origins = dict(job.origins)
    if len(names) == 1:
        # A name that all rows have need not pass through the executable.
        venue = names.pop()
        return _run(table, {**common, "origin": origins[venue]} if origins else common, venue)
    if not origins:
        return _run(table, common)
    found = []
    venues = pc.unique(table["venue"]).to_pylist()
    for venue in sorted(venues, key=lambda name: name or ""):
        part = table
        if len(venues) > 1:
            is_here = pc.is_null(table["venue"]) if venue is None else pc.fill_null(pc.equal(table["venue"], venue), False)
            here = pc.unique(table.filter(is_here)["device"].cast(pa.string()))
            # Rows of its devices in other venues end their ways and rests in this one.
            part = table.filter(pc.or_(is_here, pc.is_in(table["device"].cast(pa.string()), value_set=here)))
        result = _run(part, {**common, "origin": origins[venue]})
        if len(venues) > 1:
            own = result["venue"]
            result = result.filter(pc.is_null(own) if venue is None else pc.fill_null(pc.equal(own, venue), False))
        found.append(result)
    return pa.concat_tables(found)


def _common(job: Job) -> dict[str, Any]:
    """Arguments of the question."""
    question = job.question
    return dict(
        distance=question.distance, max_gap=f"{question.gap}ms", venue=question.map, unknown_floors=question.unknown_floors,
        metres=not job.layout.is_degrees,
    )  # fmt: skip


def _run(table: pa.Table, options: dict[str, Any], venue: Optional[str] = None) -> pa.Table:
    with warnings.catch_warnings(), _worker.kept():
        warnings.simplefilter("ignore", CordonWarning)
        result = contacts(table, **options)
    return completed(result, {} if venue is None else {"venue": venue})


def completed(table: pa.Table, constants: Mapping[str, str], schema: pa.Schema = CONTACTS) -> pa.Table:
    """Returns rows with all columns of a schema: texts that all rows share, and empty columns for the others that are missing."""
    columns = []
    for field in schema:
        if field.name in constants:
            columns.append(_values.repeated(constants[field.name], table.num_rows).cast(field.type))
        elif field.name in table.column_names:
            columns.append(table.column(field.name).cast(field.type))
        else:
            columns.append(pa.nulls(table.num_rows, field.type))
    return pa.Table.from_arrays(columns, schema=schema)


def _span(job: Job, slab: Slab) -> tuple[int, int]:
    """From when to when rows are read: up to the gap beyond the ends of a slab."""
    reach = job.question.reach
    first = min(file.first for file in slab.files) if slab.start is None else slab.start - reach
    return first, max(file.until for file in slab.files) + 1 if slab.end is None else slab.end + reach


@contextlib.contextmanager
def _named(slab: Slab) -> Iterator[None]:
    """Names the slab in faults of its rows."""
    try:
        yield
    except InputError as error:
        raise InputError(
            f"slab {slab.number}: {error.message}", code=error.code, file=error.file, place=error.place
        ) from error


def _all(job: Job, slab: Slab) -> pa.Table:
    """Finds the contacts of a slab and of the gap beyond its ends."""
    if not slab.files:
        return CONTACTS.empty_table()
    with _named(slab):
        return _found(job, slab, *_span(job, slab))


def tally(job: Job, slab: Slab) -> int:
    """Counts the contacts that begin in a slab.

    The slab in which a contact begins knows the moment; all others that know a part of it see this part begin outside of them.
    """
    if slab.tile is None and slab.files and _is_one_plane(job, slab):
        with _named(slab):
            return _counted(job, slab, points_of(job, slab.files, *_span(job, slab)))
    found = _all(job, slab)
    start = found["start"].cast(pa.int64())
    begins = None if slab.start is None else pc.greater_equal(start, slab.start)
    if slab.end is not None:
        is_before = pc.less(start, slab.end)
        begins = is_before if begins is None else pc.and_(begins, is_before)
    return found.num_rows if begins is None else pc.sum(begins).as_py() or 0


def _is_one_plane(job: Job, slab: Slab) -> bool:
    """Whether one run of the executable has all rows of a slab, whose ends it can name: whole milliseconds."""
    ends = [end for end in (slab.start, slab.end) if end is not None]
    return (not job.origins or len({file.venue for file in slab.files}) == 1) and all(end % 1_000 == 0 for end in ends)


def _counted(job: Job, slab: Slab, table: pa.Table) -> int:
    """Counts in the executable, which then writes no rows."""
    if table.num_rows == 0:
        return 0
    options = _common(job)
    if job.origins:
        options["origin"] = dict(job.origins)[slab.files[0].venue]
    starts = _instant(slab.start), _instant(slab.end)
    with warnings.catch_warnings(), _worker.kept():
        warnings.simplefilter("ignore", CordonWarning)
        return _count(table.unify_dictionaries(), starts, **options)


def _instant(microseconds: Optional[int]) -> Optional[str]:
    if microseconds is None:
        return None
    time = datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=microseconds)
    return time.isoformat(timespec="milliseconds") + "Z"


def pieces(job: Job, slab: Slab) -> pa.Table:
    """Finds the contacts of a slab: those inside, and marked parts of those at its borders."""
    found = _all(job, slab)
    start, last = found["start"].cast(pa.int64()), found["end"].cast(pa.int64())
    is_inside = is_marked = None
    if slab.start is not None:
        is_inside = pc.greater(start, slab.start + 1)
        is_marked = pc.and_(pc.invert(is_inside), pc.greater_equal(last, slab.start - 1))
    if slab.end is not None:
        is_before = pc.less(last, slab.end - 1)
        at_end = pc.and_(pc.invert(is_before), pc.less_equal(start, slab.end + 1))
        is_inside = is_before if is_inside is None else pc.and_(is_inside, is_before)
        is_marked = at_end if is_marked is None else pc.or_(is_marked, at_end)
    if is_inside is None or is_marked is None:
        return found.append_column("border", pa.nulls(found.num_rows, pa.int64()))
    marks = pc.if_else(is_marked, slab.mark, pa.scalar(None, pa.int64()))
    return found.append_column("border", marks).filter(pc.or_(is_inside, is_marked))
