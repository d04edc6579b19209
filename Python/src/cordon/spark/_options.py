"""The question that is asked of all slabs: one value that goes to every executor."""

from __future__ import annotations

import dataclasses
import os
import re
from typing import Any, Mapping, Optional

from .._columns import FIELDS
from .._contacts import _place
from .._errors import InputError
from .._points import existing

_DURATION = re.compile(r"^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|min|h|d)\s*$")
_SCALE = {"ms": 1, "s": 1_000, "m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}


def milliseconds(value: Any, name: str) -> int:
    """Returns a duration in milliseconds: text such as ``30s``, a number of seconds, or a ``timedelta``.

    Raises:
        InputError: it is none of these.
    """
    if hasattr(value, "total_seconds"):
        value = value.total_seconds()
    if isinstance(value, str):
        found = _DURATION.match(value)
        if found:
            return round(float(found[1]) * _SCALE[found[2]])
    elif isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 1e9:
        return round(value * 1_000)
    raise InputError(f"{name} must be a duration such as '30s', a number of seconds or a timedelta, not {value!r}")


@dataclasses.dataclass(frozen=True)
class Question:
    """The question, without the data.

    Attributes:
        distance: the contact distance, metres.
        gap: the longest time between two fixes that are joined, milliseconds.
        map: the path of the map of all venues, if any; every executor reads it.
        line_of_sight: whether ``wall_share`` is computed.
        unknown_floors: ``flagged`` or ``never``.
        columns: the columns of fields that the caller names.
        time_unit: the unit of times that are numbers.
        time_zone: the zone of times without one.
        origin: longitude and latitude of the origin of the plane; by default the middle of the points of each venue.
    """

    distance: float = 2.0
    gap: int = 30_000
    map: Optional[str] = None
    line_of_sight: bool = False
    unknown_floors: str = "flagged"
    columns: tuple[tuple[str, str], ...] = ()
    time_unit: Optional[str] = None
    time_zone: Optional[str] = None
    origin: Optional[tuple[float, float]] = None

    @property
    def reach(self) -> int:
        """How far a slab reads beyond its ends, microseconds: the gap and a margin for times that are rounded."""
        return self.gap * 1_000 + 3_000

    @staticmethod
    def of(options: Mapping[str, Any]) -> "Question":
        """Makes a question of arguments, or of the options of a data source, which are text.

        Raises:
            InputError: a value that cannot be used.
        """
        gap = options.get("max_gap", "30s")
        if gap is None or gap == "auto":
            raise InputError("max_gap must be a duration: 'auto' depends on points that one task does not read")
        length = milliseconds(gap, "max_gap")
        if length <= 0:
            raise InputError("max_gap must be more than 0s")
        try:
            distance = float(options.get("distance", 2.0))
        except (TypeError, ValueError):
            distance = -1.0
        if not 0 <= distance <= 1e6:
            raise InputError(f"distance must be from 0 to 1000000 metres, not {options.get('distance')!r}")
        floors = options.get("unknown_floors", "flagged")
        if floors not in ("flagged", "never"):
            raise InputError(f"unknown_floors must be flagged or never, not {floors!r}")
        columns = dict(options.get("columns") or {})
        for field in columns:
            if field not in FIELDS:
                raise InputError(f"columns: '{field}' is not a field; the fields are {', '.join(FIELDS)}")
        map_path = options.get("venue")
        origin = options.get("origin")
        if isinstance(origin, str):
            origin = origin.split(",")
        sight = options.get("line_of_sight", False)
        question = Question(
            distance=distance,
            gap=length,
            map=None if map_path is None else os.path.abspath(existing(getattr(map_path, "path", map_path))),
            line_of_sight=sight if isinstance(sight, bool) else str(sight).lower() == "true",
            unknown_floors=floors,
            columns=tuple(sorted(columns.items())),
            time_unit=options.get("time_unit"),
            time_zone=options.get("time_zone"),
            origin=None if origin is None else _place(origin),
        )
        if question.line_of_sight and question.map is None:
            raise InputError("line_of_sight needs the walls of venue")
        return question
