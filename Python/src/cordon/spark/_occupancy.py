"""Occupancy: devices on floors and in spaces over time, slab by slab."""

from __future__ import annotations

import dataclasses
import pickle
import warnings
from typing import Any, Callable, Iterator, Optional

import pyarrow as pa
import pyarrow.compute as pc

from .. import _tables, _worker
from .._contacts import _stretches, occupancy as _occupancy
from .._errors import CordonWarning, InputError
from . import _sums
from ._contacts import plan
from ._options import milliseconds
from ._slab import Job, Slab, beginning, completed, points_of
from ._types import ddl

_SCHEMA = pa.schema([field.remove_metadata() for field in _tables.OCCUPANCY])
_STRETCHES = pa.schema([field.remove_metadata() for field in _tables.STRETCHES])
#: Slabs of stretches end at multiples of this, microseconds.
_SECOND = 1_000_000


def occupancy(spark: Any, points: Any, bin: Any = "1m", max_gap: Any = "30s", venue: Any = None, **options: Any) -> Any:
    """Counts the devices on each floor, and in each space of a map, over time.

    Slabs end where bins do, so no bin is in two of them. Where the rows of a bin do not fit into ``memory_per_task``, slabs end
    anywhere, and where those of a minute do not fit, its devices are divided. A second stage then adds up the counts of each bin.
    The rows are those of ``cordon.occupancy`` on one machine.

    Args:
        spark: the session.
        points: paths to Parquet files or folders of them.
        bin: the width of a bin, whole seconds.
        max_gap: the longest time between two fixes that are joined.
        venue: the map: a path that every executor can read; without one, floors are counted.
        **options: ``columns``, ``time_unit``, ``time_zone``, ``slabs``, ``rows_per_slab``, ``memory_per_task`` and
            ``devices_roam``, as in ``contacts``.

    Returns:
        One row a place and bin: ``venue``, ``floor`` (ordinal) or ``space`` and ``name``, ``bin_start``, ``mean`` and ``peak``.

    Raises:
        InputError: points or arguments that cannot be used.
    """
    width = milliseconds(bin, "bin")
    if width < 1_000 or width % 1_000:
        raise InputError(f"bin must be whole seconds, not {bin!r}")
    common = dict(max_gap=max_gap, venue=venue, tiles=False)
    try:
        made = plan(spark, points, **common, align=width * 1_000, **options)
    except InputError as error:
        if error.code != "too-large":
            raise
        made = plan(spark, points, **common, align=_SECOND, parts=True, **options)
        counts = _mapped(spark, made, _sums.SCHEMA, lambda job, slab: _sums.divided(stretches(job, slab), width))
        keys = _sums.KEYS
        return counts.repartition(*keys).sortWithinPartitions(*keys).mapInArrow(
            lambda batches: _sums.added(batches, width, _SCHEMA), ddl(_SCHEMA)
        )  # fmt: skip
    return _mapped(spark, made, _SCHEMA, lambda job, slab: bins(job, slab, width))


def _mapped(spark: Any, made: Any, schema: pa.Schema, solve_one: Callable[[Job, Slab], pa.Table]) -> Any:
    """Returns the rows of all slabs."""
    job = dataclasses.replace(made.job, origins=())
    tasks = [pickle.dumps(slab) for slab in made.slabs]

    def solve(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                table = solve_one(job, pickle.loads(tasks[number]))
                yield from table.combine_chunks().to_batches() or [_nothing(schema)]

    return spark.range(0, len(tasks), 1, len(tasks)).mapInArrow(solve, ddl(schema))


def bins(job: Job, slab: Slab, width: int) -> pa.Table:
    """Returns the bins of a slab that ends where bins do."""
    table = _points(job, slab)
    if table.num_rows == 0:
        return _SCHEMA.empty_table()
    with warnings.catch_warnings(), _worker.kept():
        warnings.simplefilter("ignore", CordonWarning)
        found = _occupancy(
            table, bin=f"{width}ms", max_gap=f"{job.question.gap}ms", venue=job.question.map,
            metres=not job.layout.is_degrees, as_kind="arrow",
        )  # fmt: skip
    result = completed(found, _shared(slab), _SCHEMA)
    starts = result["bin_start"].cast(pa.int64())
    if slab.start is not None:
        result = result.filter(pc.greater_equal(starts, slab.start))
        starts = result["bin_start"].cast(pa.int64())
    return result.filter(pc.less(starts, slab.end)) if slab.end is not None else result


def stretches(job: Job, slab: Slab) -> pa.Table:
    """Returns the stretches of a slab with a constant number of its devices, cut at its ends."""
    table = _points(job, slab)
    if table.num_rows == 0:
        return _STRETCHES.empty_table()
    with warnings.catch_warnings(), _worker.kept():
        warnings.simplefilter("ignore", CordonWarning)
        found = _stretches(
            table, f"{job.question.gap}ms", job.question.map, metres=not job.layout.is_degrees, as_kind="arrow"
        )
    result = completed(found, _shared(slab), _STRETCHES)
    for name, limit, nearer in (("start", slab.start, pc.max_element_wise), ("end", slab.end, pc.min_element_wise)):
        if limit is not None:
            times = nearer(result[name].cast(pa.int64()), pa.scalar(limit, pa.int64()))
            result = result.set_column(result.schema.get_field_index(name), name, times.cast(_STRETCHES.field(name).type))
    return result.filter(pc.less(result["start"], result["end"]))


def _points(job: Job, slab: Slab) -> pa.Table:
    """Returns the rows that a slab needs, of all devices or of those of its part."""
    question = job.question
    first = slab.start - question.reach if slab.start is not None else min(file.first for file in slab.files)
    last: Optional[int] = slab.end
    end = last + question.reach if last is not None else max(file.until for file in slab.files) + 1
    devices = None
    if slab.part is not None:
        devices = slab.part.devices(slab.files, job.layout, question, beginning(slab.files, first), end)
    return points_of(job, slab.files, first, end, devices)


def _shared(slab: Slab) -> dict[str, str]:
    """The texts that all rows of a slab share."""
    venues = {file.venue for file in slab.files}
    venue = venues.pop() if len(venues) == 1 else None
    return {} if venue is None else {"venue": venue}


def _nothing(schema: pa.Schema) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([pa.array([], field.type) for field in schema], schema=schema)
