"""Sums of counts of devices: bins of stretches of time that several tasks counted."""

from __future__ import annotations

import math
from typing import Any, Iterable, Iterator, Optional

import pyarrow as pa

#: A stretch of time in one bin; times are microseconds since 1970.
SCHEMA = pa.schema(
    [
        ("venue", pa.string()), ("floor", pa.float64()), ("space", pa.string()), ("name", pa.string()), ("bin", pa.int64()),
        ("start", pa.int64()), ("end", pa.int64()), ("devices", pa.int64()),
    ]
)  # fmt: skip
#: The columns whose values a bin has in common.
KEYS = ["venue", "floor", "space", "name", "bin"]
_ROWS = 1 << 14
_Stretch = tuple[int, int, int]


def divided(stretches: pa.Table, width: int) -> pa.Table:
    """Divides stretches where bins end.

    Args:
        stretches: the columns of ``cordon contacts occupancy --stretches``.
        width: the width of a bin, milliseconds.
    """
    width *= 1_000
    places = [stretches[name].to_pylist() for name in KEYS[:-1]]
    times = [stretches[name].cast(pa.int64()).to_pylist() for name in ("start", "end")]
    found: list[list[Any]] = [[] for _ in SCHEMA]
    for *place, start, end, devices in zip(*places, *times, stretches["devices"].to_pylist()):
        while start < end:
            bin = start // width * width
            for column, value in zip(found, (*place, bin, start, min(end, bin + width), devices)):
                column.append(value)
            start = bin + width
    return pa.table([pa.array(column, field.type) for column, field in zip(found, SCHEMA)], schema=SCHEMA)


def added(batches: Iterator[pa.RecordBatch], width: int, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Adds up the stretches of each bin.

    Args:
        batches: rows of ``SCHEMA``, those of one bin after each other.
        width: the width of a bin, milliseconds.
        schema: that of the result: ``venue``, ``floor``, ``space``, ``name``, ``bin_start``, ``mean``, ``peak``.
    """
    rows: list[tuple[Any, ...]] = []
    for place, own in _bins(batches):
        rows.append((*place, *figures(own, width)))
        if len(rows) == _ROWS:
            yield _batch(rows, schema)
            rows = []
    yield _batch(rows, schema)


def figures(stretches: Iterable[_Stretch], width: int) -> tuple[float, int]:
    """Returns the mean and the maximum of one bin, as the executable writes them.

    Args:
        stretches: start, end (microseconds) and number of devices of each.
        width: the width of the bin, milliseconds.
    """
    changes: dict[int, int] = {}
    total = 0
    for start, end, devices in stretches:
        total += devices * (end - start)
        changes[start] = changes.get(start, 0) + devices
        changes[end] = changes.get(end, 0) - devices
    peak = present = 0
    for time in sorted(changes):
        present += changes[time]
        peak = max(peak, present)
    return _rounded(total / (width * 1_000) * 1e6) / 1e6, peak


def _rounded(value: float) -> float:
    """To a whole number, halves up."""
    whole = math.floor(value)
    return float(whole + 1 if value - whole >= 0.5 else whole)


def _bins(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[tuple[Any, ...], list[_Stretch]]]:
    """The stretches of one bin after the other; a bin may reach from one batch into the next."""
    current: Optional[tuple[Any, ...]] = None
    own: list[_Stretch] = []
    for batch in batches:
        for *place, start, end, devices in zip(*(column.to_pylist() for column in batch.columns)):
            if current != tuple(place):
                if current is not None:
                    yield current, own
                current, own = tuple(place), []
            own.append((start, end, devices))
    if current is not None:
        yield current, own


def _batch(rows: list[tuple[Any, ...]], schema: pa.Schema) -> pa.RecordBatch:
    columns = list(zip(*rows)) or [()] * len(schema)
    arrays = []
    for column, field in zip(columns, schema):
        is_time = pa.types.is_timestamp(field.type)
        arrays.append(pa.array(column, pa.int64()).cast(field.type) if is_time else pa.array(column, field.type))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
