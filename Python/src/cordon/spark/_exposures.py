"""Exposures: contact time of pairs, from a DataFrame of contacts."""

from __future__ import annotations

from typing import Any, Iterable, Iterator, Optional

import pyarrow as pa

from .._tables import EXPOSURES
from ._options import milliseconds
from ._types import ddl

_DAY = 86_400_000_000
_SCHEMA = pa.schema([field.remove_metadata() for field in EXPOSURES if field.name != "weighted_min"])
_Meeting = tuple[int, int, float]


def exposures(
    contacts: Any,
    threshold: Any = "15m",
    window: Any = "24h",
    *,
    all_pairs: bool = False,
    day_offset: Any = "0s",
    entity_of_interest: Optional[str] = None,
) -> Any:
    """Adds up contact time per pair, and finds the pairs that were together long enough.

    The rows are those of ``cordon.exposures`` for the same points, when the contacts were found at the distance of its rule.

    Args:
        contacts: the result of ``contacts``, or a table of it that was written and read again.
        threshold: the cumulative contact time of an exposure.
        window: the window in which contact time is added; any position of it counts.
        all_pairs: whether all pairs that met are returned, not only the exposures.
        day_offset: the offset of calendar days from UTC.
        entity_of_interest: the device of an index case; only its contacts count.

    Returns:
        One row a pair: ``device_a``, ``device_b``, ``contacts``, ``total_s``, ``maximum_in_window_s``, ``window_start``,
        ``maximum_on_one_day_s``, ``min_distance_m``, ``exposure``, ``exposure_by_day``.

    Raises:
        InputError: a duration that cannot be used.
    """
    from pyspark.sql import functions as F

    enough, width = milliseconds(threshold, "threshold") * 1_000, max(milliseconds(window, "window"), 1) * 1_000
    sign = -1 if isinstance(day_offset, str) and day_offset.strip().startswith("-") else 1
    offset = sign * milliseconds(day_offset.strip().lstrip("-") if sign < 0 else day_offset, "day_offset") * 1_000
    if entity_of_interest is not None:
        contacts = contacts.where((F.col("device_a") == entity_of_interest) | (F.col("device_b") == entity_of_interest))
    pairs = contacts.select(
        "device_a", "device_b", F.unix_micros("start").alias("first"), F.unix_micros("end").alias("last"), "min_distance_m"
    )
    pairs = pairs.repartition("device_a", "device_b").sortWithinPartitions("device_a", "device_b", "first", "last")

    def add(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows: list[dict[str, Any]] = []
        for (first, second), meetings in _pairs(batches):
            row = exposure(meetings, enough, width, offset)
            if all_pairs or row["exposure"]:
                rows.append({"device_a": first, "device_b": second, **row})
            if len(rows) == 1 << 14:
                yield _batch(rows)
                rows = []
        yield _batch(rows)

    return pairs.mapInArrow(add, ddl(_SCHEMA))


def _pairs(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[tuple[str, str], list[_Meeting]]]:
    """The meetings of one pair after the other, by start; a pair may reach from one batch into the next."""
    pair: Optional[tuple[str, str]] = None
    meetings: list[_Meeting] = []
    for batch in batches:
        for first, second, start, end, distance in zip(*(column.to_pylist() for column in batch.columns)):
            if pair != (first, second):
                if pair is not None:
                    yield pair, meetings
                pair, meetings = (first, second), []
            meetings.append((start, end, distance))
    if pair is not None:
        yield pair, meetings


def exposure(meetings: Iterable[_Meeting], enough: int, width: int, offset: int) -> dict[str, Any]:
    """Returns the sums of one pair.

    Args:
        meetings: start, end (microseconds) and distance of each contact, by start.
        enough: the threshold, microseconds.
        width: the window, microseconds.
        offset: from UTC to local time, microseconds.
    """
    joined: list[list[int]] = []
    count, nearest = 0, float("inf")
    for start, end, distance in meetings:
        count, nearest = count + 1, min(nearest, distance)
        if joined and start <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([start, end])
    sums = [0]
    for start, end in joined:
        sums.append(sums[-1] + end - start)
    # A window that begins where a contact does holds as much as any other.
    most, at, high = -1, joined[0][0], 0
    for low, (start, _) in enumerate(joined):
        while high < len(joined) and joined[high][1] <= start + width:
            high += 1
        held = sums[high] - sums[low] + (max(0, start + width - joined[high][0]) if high < len(joined) else 0)
        if held > most:
            most, at = held, start
    days: dict[int, int] = {}
    for start, end in joined:
        while True:
            day = (start + offset) // _DAY
            stop = min(end, (day + 1) * _DAY - offset)
            days[day] = days.get(day, 0) + stop - start
            start = stop
            if start >= end:
                break
    by_day = max(days.values())
    return {
        "contacts": count, "total_s": sums[-1] / 1e6, "maximum_in_window_s": most / 1e6, "window_start": at,
        "maximum_on_one_day_s": by_day / 1e6, "min_distance_m": nearest, "exposure": most >= enough,
        "exposure_by_day": by_day >= enough,
    }  # fmt: skip


def _batch(rows: list[dict[str, Any]]) -> pa.RecordBatch:
    columns = []
    for field in _SCHEMA:
        values = [row[field.name] for row in rows]
        is_time = pa.types.is_timestamp(field.type)
        columns.append(pa.array(values, pa.int64()).cast(field.type) if is_time else pa.array(values, field.type))
    return pa.RecordBatch.from_arrays(columns, schema=_SCHEMA)
