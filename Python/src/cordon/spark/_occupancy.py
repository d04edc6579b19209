"""Occupancy: devices on floors and in spaces over time, slab by slab."""

from __future__ import annotations

import dataclasses
import pickle
import warnings
from typing import Any, Iterator, Optional

import pyarrow as pa
import pyarrow.compute as pc

from .. import _tables
from .._contacts import occupancy as _occupancy
from .._errors import CordonWarning, InputError
from ._contacts import plan
from ._options import milliseconds
from ._slab import Job, Slab, completed, points_of
from ._types import ddl

_SCHEMA = pa.schema([field.remove_metadata() for field in _tables.OCCUPANCY])


def occupancy(spark: Any, points: Any, bin: Any = "1m", max_gap: Any = "30s", venue: Any = None, **options: Any) -> Any:
    """Counts the devices on each floor, and in each space of a map, over time.

    Slabs end where bins do, so no bin is in two of them. The rows are those of ``cordon.occupancy`` on one machine.

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
    made = plan(spark, points, max_gap=max_gap, venue=venue, align=width * 1_000, tiles=False, **options)
    job = dataclasses.replace(made.job, origins=())
    tasks = [pickle.dumps(slab) for slab in made.slabs]

    def solve(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from bins(job, pickle.loads(tasks[number]), width).combine_chunks().to_batches() or [_nothing()]

    return spark.range(0, len(tasks), 1, len(tasks)).mapInArrow(solve, ddl(_SCHEMA))


def bins(job: Job, slab: Slab, width: int) -> pa.Table:
    """Returns the bins of a slab."""
    question = job.question
    first = slab.start - question.reach if slab.start is not None else min(file.first for file in slab.files)
    last: Optional[int] = slab.end
    end = last + question.reach if last is not None else max(file.until for file in slab.files) + 1
    table = points_of(job, slab.files, first, end)
    if table.num_rows == 0:
        return _SCHEMA.empty_table()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CordonWarning)
        found = _occupancy(
            table, bin=f"{width}ms", max_gap=f"{question.gap}ms", venue=question.map,
            metres=not job.layout.is_degrees, as_kind="arrow",
        )  # fmt: skip
    venues = {file.venue for file in slab.files}
    shared = {} if len(venues) > 1 else {"venue": venues.pop()}
    result = completed(found, {name: text for name, text in shared.items() if text is not None}, _SCHEMA)
    starts = result["bin_start"].cast(pa.int64())
    if slab.start is not None:
        result = result.filter(pc.greater_equal(starts, slab.start))
        starts = result["bin_start"].cast(pa.int64())
    return result.filter(pc.less(starts, last)) if last is not None else result


def _nothing() -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([pa.array([], field.type) for field in _SCHEMA], schema=_SCHEMA)
