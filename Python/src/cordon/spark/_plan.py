"""The plan: which files belong together, and where time is cut.

Files belong to one component when a contact may need both: files of one venue whose spans of time come within the gap of each
other, and files of several venues that share a device at such times. Components are independent. Within one, time is cut into
slabs of equal predicted work.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import math
from typing import Any, Iterable, Optional, Sequence, Union

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .._errors import InputError
from ._cuts import cut, readings, share
from ._files import PointFile, opened, reading
from ._footers import listed, read_footers
from ._options import Question
from ._parts import parts as _parts
from ._slab import Job, Slab
from ._tiles import grid

#: About how many rows a slab has at most unless the caller says otherwise.
ROWS = 2_000_000
#: Bytes that a task takes whatever its rows, and for each row that it holds.
BASE_BYTES = 400 << 20
ROW_BYTES = 250
#: A slab is at least this many times as long as its halo, unless its rows would not fit.
HALOS = 10
#: A span of time that is not cut any further before it is divided into tiles, microseconds.
MINUTE = 60_000_000
#: Row groups are read at most this many times on average, unless their rows would not fit.
READINGS = 1.5


@dataclasses.dataclass(frozen=True)
class Plan:
    """The slabs of a question.

    Attributes:
        job: what all slabs share.
        slabs: the tasks, in order.
        components: the files of each component.
    """

    job: Job
    slabs: tuple[Slab, ...]
    components: tuple[tuple[PointFile, ...], ...]

    @property
    def points(self) -> int:
        """The number of rows of all files."""
        return sum(file.rows for files in self.components for file in files)

    @property
    def memory(self) -> int:
        """About how many bytes the largest task takes."""
        return max(slab.memory for slab in self.slabs)

    @property
    def has_borders(self) -> bool:
        """Whether a contact may lie in two slabs."""
        return any(slab.has_border for slab in self.slabs)

    def __str__(self) -> str:
        files = sum(map(len, self.components))
        borders = sum(slab.start is not None for slab in self.slabs)
        return (
            f"{self.points} points in {files} files, {len(self.components)} independent parts, {len(self.slabs)} slabs with "
            f"{borders} borders, {self._tiles}about {math.ceil(self.memory / (1 << 20))} MiB a task"
        )

    @property
    def _tiles(self) -> str:
        count = sum(slab.tile is not None for slab in self.slabs)
        parts = sum(slab.part is not None for slab in self.slabs)
        return f"{count} of them tiles, " if count else f"{parts} of them parts of the devices, " if parts else ""


def plan(
    paths: Union[str, Sequence[str]],
    question: Question,
    *,
    slabs: Optional[int] = None,
    rows_per_slab: int = ROWS,
    memory_per_task: Optional[int] = None,
    cores: int = 1,
    devices_roam: bool = True,
    pieces: bool = True,
    align: int = 1_000,
    tiles: bool = True,
    parts: bool = False,
    fitting: Optional[int] = None,
) -> Plan:
    """Plans slabs from the footers of Parquet files.

    Args:
        slabs: about how many slabs are wanted in all; by default four for each core, and enough for ``rows_per_slab``.
        rows_per_slab: about the most rows of a slab.
        memory_per_task: bytes that a task may take; lowers ``rows_per_slab``.
        cores: how many tasks run at once.
        devices_roam: whether a device may be in several venues. With ``False`` the devices are not compared, and such a device
            is treated as one of its own in each venue.
        pieces: whether components are cut. Without that every slab is a whole component and has no border.
        align: slabs end at multiples of this number of microseconds.
        tiles: whether a span of time whose rows do not fit is divided into tiles; else it is refused.
        parts: whether it is divided by devices instead, for counts of devices.
        fitting: the most rows that a task holds, with those of its halo; by default what ``memory_per_task`` gives.

    Raises:
        InputError: files that cannot be used, or a limit that no plan keeps.
    """
    names = [paths] if isinstance(paths, str) else list(paths)
    files, layout = read_footers(listed(names), question)
    job = Job(question, layout, () if question.map or not layout.is_degrees else _origins(files, question))
    for name, value in (("slabs", slabs), ("rows_per_slab", rows_per_slab)):
        if value is not None and value < 1:
            raise InputError(f"{name} must be at least 1, not {value}")
    if memory_per_task is not None:
        fitting = fitting or (memory_per_task - BASE_BYTES) // ROW_BYTES
        if fitting < 10_000:
            least = (BASE_BYTES + 10_000 * ROW_BYTES) >> 20
            raise InputError(f"memory_per_task must be at least {least} MiB, not {memory_per_task >> 20} MiB")
        rows_per_slab = min(rows_per_slab, fitting)
    components = _components(files, layout.columns["device"], question, devices_roam)
    total = sum(file.rows for file in files)
    wanted = slabs or max(4 * cores, math.ceil(total / rows_per_slab))
    made: list[Slab] = []
    for number, members in enumerate(components):
        own = sum(file.rows for file in members)
        cuts: list[int] = []
        if pieces and slabs is not None:
            cuts = cut(members, max(round(wanted * own / total), 1), rows_per_slab, align, question.reach)
        elif pieces:
            # The halo of a slab is read twice, and so is a row group in two slabs.
            length = max(file.last for file in members) - min(file.first for file in members)
            count = min(round(wanted * own / total), length // (HALOS * 2 * question.reach))
            cuts = cut(members, max(count, 1), rows_per_slab, align, question.reach)
            while count > 1 and readings(members, cuts, question.reach) > READINGS:
                count //= 2
                cuts = cut(members, count, rows_per_slab, align, question.reach)
        if fitting is not None:
            cuts = _finer(members, cuts, fitting, question.reach, align)
        for slab in _slabs(members, cuts, number, len(made), question):
            made += _divided(slab, len(made), job, fitting, tiles, parts)
    return Plan(job, tuple(made), tuple(components))


def _origins(files: Iterable[PointFile], question: Question) -> tuple[tuple[Optional[str], tuple[float, float]], ...]:
    """The origin of each venue: what the engine takes when it has all points of the venue, the middle to 1e-4 degrees."""
    boxes: dict[Optional[str], list[float]] = {}
    for file in files:
        west, east, south, north = file.bounds
        if west < -180 or east > 180 or south < -89.9 or north > 89.9:
            raise InputError("longitude or latitude out of range", code="bad-row", file=file.path)
        box = boxes.setdefault(file.venue, [west, east, south, north])
        box[:] = [min(box[0], west), max(box[1], east), min(box[2], south), max(box[3], north)]
    found = []
    for venue, (west, east, south, north) in sorted(boxes.items(), key=lambda item: item[0] or ""):
        if question.origin is not None:
            found.append((venue, question.origin))
            continue
        if east - west > 180:
            raise InputError("a venue reaches across 180 degrees of longitude; name the origin", code="unclear-places")
        found.append((venue, (_rounded((west + east) / 2), _rounded((south + north) / 2))))
    return tuple(found)


def _rounded(value: float) -> float:
    """To four decimals, halves away from zero."""
    return math.copysign(math.floor(abs(value) * 1e4 + 0.5) / 1e4, value)


def _components(
    files: Sequence[PointFile], device: str, question: Question, devices_roam: bool
) -> list[tuple[PointFile, ...]]:
    order = sorted(range(len(files)), key=lambda k: (files[k].venue or "", files[k].first, files[k].path))
    parent = list(range(len(files)))

    def root(k: int) -> int:
        while parent[k] != k:
            parent[k] = parent[parent[k]]
            k = parent[k]
        return k

    latest, until = None, 0
    for k in order:
        if latest is not None and files[latest].venue == files[k].venue and files[k].first <= until + question.reach:
            parent[root(k)] = root(latest)
            until = max(until, files[k].until)
        else:
            until = files[k].until
        latest = k
    if devices_roam and len({file.venue for file in files}) > 1:
        _join_by_devices(files, device, question.reach, parent, root)
    groups: dict[int, list[PointFile]] = {}
    for k in order:
        groups.setdefault(root(k), []).append(files[k])
    return sorted((tuple(group) for group in groups.values()), key=lambda group: (group[0].venue or "", group[0].first))


def _join_by_devices(files: Sequence[PointFile], device: str, reach: int, parent: list[int], root: Any) -> None:
    def names(k: int) -> list[str]:
        with reading(files[k].path):
            system, inner = opened(files[k].path)
            file = pq.ParquetFile(system.open_input_file(inner), read_dictionary=[device])
            column = file.read(columns=[device], use_threads=False).column(0)
        return pc.unique(column.cast(pa.string())).to_pylist()  # type: ignore[no-any-return]

    seen: dict[str, list[int]] = {}
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for k, found in enumerate(pool.map(names, range(len(files)))):
            for name in found:
                seen.setdefault(name, []).append(k)
    for places in seen.values():
        if len(places) < 2:
            continue
        places.sort(key=lambda k: files[k].first)
        last = places[0]
        for k in places[1:]:
            if files[k].first <= files[last].until + reach:
                parent[root(k)] = root(last)
            if files[k].until > files[last].until:
                last = k


def _slabs(
    files: Sequence[PointFile], cuts: Sequence[int], component: int, number: int, question: Question
) -> list[Slab]:
    made = []
    ends: list[Optional[int]] = [None, *cuts, None]
    for k in range(len(cuts) + 1):
        start, end = ends[k], ends[k + 1]
        first = None if start is None else start - question.reach
        last = None if end is None else end + question.reach
        # A rest that reaches into the slab may have ended with a fix of another file.
        since = first
        if first is not None:
            since = min([first, *(each.first for file in files for each in file.groups if each.first < first <= each.rest)])
        own = tuple(
            file for file in files if (since is None or file.until >= since) and (last is None or file.first < last)
        )
        # Up to the rows of rests that began before: all rows from there on are read.
        points, held = _rows(own, start, end), _rows(own, since, last)
        memory = BASE_BYTES + ROW_BYTES * math.ceil(held)
        made.append(Slab(number + k, component, own, start, end, round(points), memory))
    return made


def _rows(files: Iterable[PointFile], start: Optional[int], end: Optional[int]) -> float:
    """About how many rows are between two times."""
    return sum(group.rows * share(group.first, group.last, start, end) for file in files for group in file.groups)


def _finer(files: Sequence[PointFile], cuts: Sequence[int], fitting: int, reach: int, align: int) -> list[int]:
    """Cuts slabs whose rows do not fit, down to a minute each, where that makes them smaller."""
    first, last = min(file.first for file in files), max(file.last for file in files) + 1
    done: list[int] = []
    waiting = [(start, end) for start, end in zip([first, *cuts], [*cuts, last])]
    while waiting:
        start, end = waiting.pop(0)
        held = _rows(files, start - reach, end + reach)
        middle = (start + end) // 2 // align * align
        # A slab whose halo alone nearly fills a task is not helped by more cuts.
        halo = _rows(files, start - reach, start) + _rows(files, end, end + reach)
        if held > fitting and halo < fitting / 2 and middle - start >= max(MINUTE, align) and start < middle < end:
            waiting[:0] = [(start, middle), (middle, end)]
        elif end < last:
            done.append(end)
    return done


def _divided(slab: Slab, number: int, job: Job, fitting: Optional[int], tiles: bool, parts: bool) -> list[Slab]:
    """Divides a slab into tiles, or its devices into parts, when its rows do not fit."""
    held = (slab.memory - BASE_BYTES) / ROW_BYTES
    if fitting is None or held <= fitting:
        return [dataclasses.replace(slab, number=number)]
    if not tiles and not parts:
        raise InputError(
            f"a span of time has about {math.ceil(held)} rows, and {fitting} fit; raise memory_per_task", code="too-large"
        )
    memory = BASE_BYTES + ROW_BYTES * fitting
    if parts:
        found: list[dict[str, Any]] = [{"part": part} for part in _parts(held, fitting)]
    else:
        found = [{"tile": tile} for tile in grid(slab.files, job.layout, job.question, held, fitting)]
    points = slab.points // len(found)
    return [
        dataclasses.replace(slab, number=number + k, points=points, memory=memory, **one) for k, one in enumerate(found)
    ]
