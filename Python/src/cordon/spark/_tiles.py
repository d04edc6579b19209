"""Tiles: parts of the plane for spans of time whose rows do not fit into a task.

A task of a tile reads the whole ways of all devices that come near it, so each contact that it finds has the bits that one run gives
it. A device is in all tiles that the box of its fixes reaches, with the contact distance around it. Two devices in contact share a
tile: the place of one of them lies in the box of both. Several tasks may find a contact; the one whose tile has the least column and
row that both devices are in keeps it.
"""

from __future__ import annotations

import bisect
import dataclasses
import math
from typing import Any, Optional, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from .._errors import InputError
from ._files import Layout, PointFile, coordinates
from ._options import Question

#: Metres of a degree, a little less than on any part of the ellipsoid.
_METRES_PER_DEGREE = 110_000.0
#: The share of the rows that fit which a tile is planned to have: devices move, and are not spread evenly.
FILLING = 0.4
#: The maximum number of row groups whose places are read for the lines of a grid.
SAMPLES = 8


@dataclasses.dataclass(frozen=True)
class Tile:
    """A tile of a grid.

    Attributes:
        column: its place from west to east, from 0.
        row: its place from south to north, from 0.
        xs: the lines between columns, rising; degrees or metres.
        ys: the lines between rows.
        limit: the most rows that its task may hold.
    """

    column: int
    row: int
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    limit: int


@dataclasses.dataclass(frozen=True)
class Places:
    """The devices of a span of time, and the first and last column and row of the tiles that each is in."""

    devices: Any
    rows: Any
    columns: tuple[Any, Any]
    lines: tuple[Any, Any]

    def of(self, tile: Tile) -> pa.Array:
        """Returns the names of the devices that are in a tile.

        Raises:
            InputError: they have more rows than the task may hold.
        """
        here = None
        for (first, last), place in ((self.columns, tile.column), (self.lines, tile.row)):
            inside = pc.and_(pc.less_equal(first, place), pc.greater_equal(last, place))
            here = inside if here is None else pc.and_(here, inside)
        count = pc.sum(pc.if_else(here, self.rows, 0)).as_py() or 0
        if count > tile.limit:
            raise InputError(
                f"a tile has {count} rows in its span, and {tile.limit} fit; raise memory_per_task", code="too-large"
            )
        return self.devices.filter(here)

    def owned(self, tile: Tile, found: pa.Table) -> pa.Table:
        """Returns the contacts that belong to a tile: no other task keeps them."""
        keep = None
        for (first, _), place in ((self.columns, tile.column), (self.lines, tile.row)):
            a, b = (first.take(pc.index_in(found[name], value_set=self.devices)) for name in ("device_a", "device_b"))
            is_least = pc.equal(pc.max_element_wise(a, b), place)
            keep = is_least if keep is None else pc.and_(keep, is_least)
        return found.filter(keep)


def grid(files: Sequence[PointFile], layout: Layout, question: Question, held: float, limit: int) -> list[Tile]:
    """Divides the plane by the number of rows; reads the places of some row groups.

    Args:
        files: the files of the span of time.
        held: about how many rows they have in it.
        limit: the most rows that a task may hold.

    Raises:
        InputError: the places reach across 180 degrees of longitude.
    """
    west, east = min(file.bounds[0] for file in files), max(file.bounds[1] for file in files)
    if layout.is_degrees and east - west > 180:
        raise InputError("tiles cannot reach across 180 degrees of longitude; raise memory_per_task", code="unclear-places")
    count = math.ceil(held / (limit * FILLING))
    groups = [(file, group) for file in files for group in file.groups]
    chosen = groups[:: math.ceil(len(groups) / SAMPLES)]
    sample = pa.concat_tables(coordinates(file, layout, question, group) for file, group in chosen)
    x, y = sample["x"], sample["y"]
    width, height = (max(_span(values), 1e-9) for values in (x, y))
    columns = min(max(round(math.sqrt(count * width / height)), 1), count)
    rows = math.ceil(count / columns)
    xs, ys = _lines(x, columns), _lines(y, rows)
    return [Tile(i, j, xs, ys, limit) for j in range(len(ys) + 1) for i in range(len(xs) + 1)]


def places(files: Sequence[PointFile], layout: Layout, question: Question, tile: Tile, first: int, end: int) -> Places:
    """Finds the tiles of all devices, row group by row group.

    Args:
        first: the first time that is read, microseconds.
        end: the time up to which rows are read.

    Raises:
        InputError: a place is not a number.
    """
    parts = []
    for file in files:
        for group in file.groups:
            if group.last < first or group.first >= end:
                continue
            table = coordinates(file, layout, question, group, (first, end))
            sums = table.group_by("device").aggregate([("x", "min"), ("x", "max"), ("y", "min"), ("y", "max"), ("x", "count")])
            parts.append(sums)
    table = pa.concat_tables(parts).group_by("device").aggregate(
        [("x_min", "min"), ("x_max", "max"), ("y_min", "min"), ("y_max", "max"), ("x_count", "sum")]
    ).combine_chunks()  # fmt: skip
    x_margin, y_margin = _margins(files, layout, question.distance)
    values = {name: table[name].combine_chunks() for name in table.column_names}

    def between(low: str, high: str, margin: float, lines: Sequence[float]) -> tuple[Any, Any]:
        ends = ((low, -margin), (high, margin))
        low_places, high_places = (
            pa.array([bisect.bisect_right(lines, value + step) for value in values[name].to_pylist()], pa.int32())
            for name, step in ends
        )
        return low_places, high_places

    return Places(
        values["device"], values["x_count_sum"], between("x_min_min", "x_max_max", x_margin, tile.xs),
        between("y_min_min", "y_max_max", y_margin, tile.ys),
    )  # fmt: skip


def _margins(files: Sequence[PointFile], layout: Layout, distance: float) -> tuple[float, float]:
    """The contact distance along x and y, and a little more for rounding and for the curvature of the plane."""
    distance = distance * 1.02 + 1e-3
    if not layout.is_degrees:
        return distance, distance
    latitude = max(max(abs(file.bounds[2]), abs(file.bounds[3])) for file in files)
    degrees = distance / _METRES_PER_DEGREE
    return degrees / math.cos(math.radians(min(latitude + 0.1, 89.95))), degrees


def _span(values: Any) -> float:
    ends = pc.min_max(values)
    low, high = ends["min"].as_py(), ends["max"].as_py()
    return 0.0 if low is None else float(high - low)


def _lines(values: Any, count: int) -> tuple[float, ...]:
    if count < 2 or len(values) == 0:
        return ()
    found: Optional[Any] = pc.quantile(values, [k / count for k in range(1, count)], interpolation="linear")
    return tuple(sorted({float(value) for value in found.to_pylist() if value is not None})) if found is not None else ()
