"""Cuts of time into spans of equal predicted work."""

from __future__ import annotations

import bisect
import math
from typing import Optional, Sequence

from ._files import PointFile

#: Rows of less than a second are predicted as those of one, microseconds.
SECOND = 1_000_000
#: How much denser than the mean a moment is predicted at most.
CROWD = 100


def cut(files: Sequence[PointFile], count: int, rows_per_slab: int, align: int = 1_000, reach: int = 0) -> list[int]:
    """Returns the times at which a component is cut, multiples of ``align`` microseconds, rising.

    The work of a moment is predicted as its rows, and half of it grows with the crowd: rows a second beside their mean.

    Args:
        count: how many slabs are wanted; there are more where one had more than ``rows_per_slab`` rows.
        reach: how far a slab reads beyond its ends.
    """
    first, end = min(file.first for file in files), max(file.last for file in files) + 1
    if end - first < 2_000:
        return []
    changes: dict[int, float] = {}
    for file in files:
        for group in file.groups:
            # A few rows of one moment are not a crowd.
            length = max(group.last + 1 - group.first, SECOND)
            rate = group.rows / length
            changes[group.first] = changes.get(group.first, 0) + rate
            changes[group.first + length] = changes.get(group.first + length, 0) - rate
    times = sorted(changes)
    mean = sum(file.rows for file in files) / (end - first)
    rate, work, load = 0.0, [0.0], [0.0]
    for begin, finish in zip(times, times[1:]):
        rate = max(rate + changes[begin], 0.0)
        length = finish - begin
        load.append(load[-1] + rate * length)
        work.append(work[-1] + rate * length * (1 + min(rate / mean, CROWD)) / 2)

    def at(values: Sequence[float], amount: float) -> int:
        k = min(max(bisect.bisect_right(values, amount) - 1, 0), len(times) - 2)
        step = values[k + 1] - values[k]
        share = (amount - values[k]) / step if step > 0 else 0.0
        return times[k] + round((times[k + 1] - times[k]) * min(max(share, 0.0), 1.0))

    def loaded(time: int) -> float:
        k = min(max(bisect.bisect_right(times, time) - 1, 0), len(times) - 2)
        share = (time - times[k]) / (times[k + 1] - times[k])
        return load[k] + (load[k + 1] - load[k]) * min(max(share, 0.0), 1.0)

    # A little after the beginning of a file, the slabs on both sides need this file, and none needs the file of the other side.
    starts = sorted({min(file.first + reach + align, end - 2_000) for file in files})
    near = (end - first) // (4 * count)
    ends = [first]
    for k in range(1, count):
        time = at(work, work[-1] * k / count)
        snapped = _snapped(time, starts, near)
        ends.append(snapped if snapped > ends[-1] else time)
    ends.append(end)
    cuts: list[int] = []
    for begin, finish in zip(ends, ends[1:]):
        # Where there are few rows in much time, equal work is more rows. A few rows more do not make another slab.
        parts = max(math.ceil((loaded(finish) - loaded(begin)) / rows_per_slab - 0.05), 1)
        low, high = loaded(begin), loaded(finish)
        cuts += [at(load, low + (high - low) * k / parts) for k in range(1, parts)] + [finish]
    whole = sorted({time // align * align for time in cuts})
    return [time for time in whole if first < time < end // 1_000 * 1_000]


def _snapped(time: int, starts: Sequence[int], near: int) -> int:
    k = bisect.bisect(starts, time)
    closest = min(starts[max(k - 1, 0) : k + 1], key=lambda start: abs(start - time))
    return closest if abs(closest - time) <= near else time


def readings(files: Sequence[PointFile], cuts: Sequence[int], reach: int) -> float:
    """Returns how often a row is read on average: once for each slab that its row group reaches into."""
    read = rows = 0
    for file in files:
        for group in file.groups:
            rows += group.rows
            read += group.rows * (1 + bisect.bisect(cuts, group.last + reach) - bisect.bisect(cuts, group.first - reach))
    return read / rows


def share(first: int, last: int, start: Optional[int], end: Optional[int]) -> float:
    """Returns the share of a row group, from ``first`` to ``last``, that lies between ``start`` and ``end``."""
    low = first if start is None else max(first, start)
    high = last + 1 if end is None else min(last + 1, end)
    return max(high - low, 0) / (last + 1 - first)
