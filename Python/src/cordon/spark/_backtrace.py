"""Backtraces: contacts followed from index cases, from a DataFrame of contacts."""

from __future__ import annotations

import datetime
from typing import Any, Mapping, Sequence, Union

import pyarrow as pa

from .._errors import InputError
from .._tables import STEPS
from ._options import milliseconds
from ._types import ddl

_SCHEMA = pa.schema([field.remove_metadata() for field in STEPS])


def backtrace(
    contacts: Any,
    entities_of_interest: Union[str, Sequence[str], Mapping[str, Any]],
    onset: Any = None,
    *,
    direction: str = "forward",
    max_trace_depth: int = 1,
    before: Any = "2d",
    after: Any = "10d",
    incubation: Any = "14d",
    minimum_contact: Any = "0s",
) -> Any:
    """Follows contacts from index cases, forward or backward, generation by generation.

    The rows are those of ``cordon.backtrace`` for the same points. Each generation is one job; the meetings of its devices pass
    through the driver.

    Args:
        contacts: the result of ``contacts``, or a table of it that was written and read again; it is read once a generation.
        entities_of_interest: the devices of the index cases; a mapping gives each its onset.
        onset: the symptom onset of all: a date, a ``datetime`` or text.
        direction: ``forward`` (devices that may have been infected) or ``backward`` (possible sources).
        max_trace_depth: the number of generations.
        before: forward: the time before onset from which contacts count.
        after: forward: the time after onset, or after infection, until which contacts count.
        incubation: backward: the time before onset from which contacts count.
        minimum_contact: the minimum contact time of two devices.

    Returns:
        One row a step: ``generation``, ``source``, ``target``, ``start``, ``end``, ``total_s``, ``contacts``,
        ``min_distance_m``, ``indirect``.

    Raises:
        InputError: arguments that cannot be used.
    """
    from pyspark.sql import functions as F

    if direction not in ("forward", "backward"):
        raise InputError(f"direction must be forward or backward, not {direction!r}")
    if not 1 <= max_trace_depth <= 1_000:
        raise InputError(f"max_trace_depth must be 1 to 1000, not {max_trace_depth}")
    spans = {
        name: milliseconds(value, name) * 1_000
        for name, value in (("before", before), ("after", after), ("incubation", incubation), ("least", minimum_contact))
    }
    is_forward = direction == "forward"
    spark = contacts.sparkSession
    names = ["first", "last", "min_distance_m"]
    both = [
        contacts.select(
            F.col(near).alias("source"), F.col(far).alias("target"), F.unix_micros("start").alias("first"),
            F.unix_micros("end").alias("last"), "min_distance_m",
        )
        for near, far in (("device_a", "device_b"), ("device_b", "device_a"))
    ]  # fmt: skip
    meetings = both[0].unionByName(both[1])
    current = _cases(entities_of_interest, onset)
    reached = set(current)
    steps: list[dict[str, Any]] = []
    for generation in range(1, max_trace_depth + 1):
        low, high = (
            (spans["before"] if generation == 1 else 0, spans["after"]) if is_forward else (spans["incubation"], 0)
        )
        rows = [(name, time - low, time + high) for name, time in sorted(current.items())]
        nodes = spark.createDataFrame(rows, "source string, low bigint, high bigint")
        near = meetings.join(F.broadcast(nodes), "source")
        near = near.where((F.col("first") <= F.col("high")) & (F.col("last") >= F.col("low")))
        near = near.select("source", "target", F.greatest("first", "low"), F.least("last", "high"), names[-1])
        found: dict[tuple[str, str], list[tuple[int, int, float]]] = {}
        for source, target, start, end, distance in near.collect():
            if target not in reached:
                found.setdefault((source, target), []).append((start, end, distance))
        current = {}
        for (source, target), own in sorted(found.items()):
            own.sort()
            total = sum(end - start for start, end, _ in own)
            if total < spans["least"]:
                continue
            first, last = own[0][0], max(end for _, end, _ in own)
            steps.append(
                {
                    "generation": generation, "source": source, "target": target, "start": first, "end": last,
                    "total_s": total / 1e6, "contacts": len(own), "min_distance_m": min(row[2] for row in own),
                    "indirect": False,
                }
            )  # fmt: skip
            time = _infected(own, spans["least"]) if is_forward else last
            known = current.get(target, time)
            current[target] = min(known, time) if is_forward else max(known, time)
        reached |= set(current)
        if not current:
            break
    columns = []
    for field in _SCHEMA:
        values = [step[field.name] for step in steps]
        is_time = pa.types.is_timestamp(field.type)
        columns.append(pa.array(values, pa.int64()).cast(field.type) if is_time else pa.array(values, field.type))
    return spark.createDataFrame(pa.table(columns, schema=_SCHEMA), ddl(_SCHEMA))


def _infected(meetings: list[tuple[int, int, float]], least: int) -> int:
    """When the contact time reached the required one."""
    total = 0
    for start, end, _ in meetings:
        if total + end - start >= least:
            return start + least - total
        total += end - start
    return meetings[-1][1]


def _cases(entities: Any, onset: Any) -> dict[str, int]:
    if isinstance(entities, Mapping):
        if onset is not None:
            raise InputError("onset and onsets of the entities exclude each other")
        cases = dict(entities)
    else:
        if onset is None:
            raise InputError("onset is required: a date, or a mapping of entities to dates")
        cases = {name: onset for name in ([entities] if isinstance(entities, str) else entities)}
    if not cases:
        raise InputError("entities_of_interest is empty")
    return {name: _micros(time) for name, time in cases.items()}


def _micros(value: Any) -> int:
    """Microseconds since 1970 of a date (its midnight, UTC), a ``datetime`` or text; without a zone it is UTC."""
    if isinstance(value, str):
        try:
            value = datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
        except ValueError as error:
            raise InputError(f"onset must be a date or an RFC 3339 time, not {value!r}") from error
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    if not isinstance(value, datetime.datetime):
        raise InputError(f"onset must be a date, a datetime or text, not {value!r}")
    if value.tzinfo is None:
        value = value.replace(tzinfo=datetime.timezone.utc)
    # The executable computes in milliseconds.
    whole: int = (value - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) // datetime.timedelta(milliseconds=1)
    return whole * 1_000
