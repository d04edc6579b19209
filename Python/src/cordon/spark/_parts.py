"""Parts of the devices: for counts of devices over spans of time whose rows do not fit into a task.

Where a device is does not depend on other devices, so each task counts the devices of one part, and the counts of all parts are
added. Parts are ranges of sorted names with equal numbers of rows.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from .._errors import InputError
from ._files import Layout, PointFile, names
from ._options import Question

#: The share of the rows that fit which a part is planned to have: rows are not spread evenly over devices and row groups.
FILLING = 0.7


@dataclasses.dataclass(frozen=True)
class Part:
    """A part of the devices.

    Attributes:
        number: its place among the parts, from 0.
        count: the number of parts.
        limit: the most rows that its task may hold.
    """

    number: int
    count: int
    limit: int

    def devices(
        self, files: Sequence[PointFile], layout: Layout, question: Question, first: int, end: int
    ) -> pa.Array:
        """Returns the names of its devices; reads the column of devices, row group by row group.

        Args:
            first: the first time that is read, microseconds.
            end: the time up to which rows are read.

        Raises:
            InputError: the devices of this part have more rows than the task may hold.
        """
        everything = pc.CountOptions(mode="all")
        found = [pa.table({"device": pa.array([], pa.string()), "device_count": pa.array([], pa.int64())})]
        for file in files:
            for group in file.groups:
                if group.last >= first and group.first < end:
                    column = names(file, layout, question, group, (first, end))
                    found.append(pa.table({"device": column}).group_by("device").aggregate([("device", "count", everything)]))
        table = pa.concat_tables(table.select(["device", "device_count"]) for table in found)
        table = table.group_by("device").aggregate([("device_count", "sum")]).sort_by("device")
        rows = table["device_count_sum"].to_pylist()
        total, before, held = sum(rows), 0, 0
        chosen = []
        for count in rows:
            # By the middle of its rows: every part has its share, within the rows of one device.
            is_here = (2 * before + count) * self.count // (2 * total) == self.number
            before += count
            held += count if is_here else 0
            chosen.append(is_here)
        if held > self.limit:
            raise InputError(
                f"a part of the devices has {held} rows in its span, and {self.limit} fit; raise memory_per_task",
                code="too-large",
            )
        return table["device"].filter(pa.array(chosen, pa.bool_())).combine_chunks()


def parts(held: float, limit: int) -> list[Part]:
    """Divides the devices of a span of time.

    Args:
        held: about how many rows they have in it.
        limit: the most rows that a task may hold.
    """
    count = math.ceil(held / (limit * FILLING))
    return [Part(number, count, limit) for number in range(count)]
