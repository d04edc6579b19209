"""The data source ``cordon-contacts`` for ``spark.read.format``."""

from __future__ import annotations

from typing import Any, Iterator

from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from .._errors import InputError
from ._identity import identifiers
from ._options import Question
from ._plan import Plan, plan
from ._slab import CONTACTS, Job, Slab, pieces
from ._types import ddl

#: The names of options and the arguments that they are; options of Spark have no case.
_OPTIONS = {
    "distance": "distance", "max_gap": "max_gap", "maxgap": "max_gap", "venue": "venue", "time_unit": "time_unit",
    "time_zone": "time_zone", "unknown_floors": "unknown_floors", "line_of_sight": "line_of_sight", "origin": "origin",
}  # fmt: skip


class SlabPartition(InputPartition):  # type: ignore[misc]
    """A partition of the source: a slab, with what is asked."""

    def __init__(self, job: Job, slab: Slab) -> None:
        super().__init__(slab.number)
        self.job = job
        self.slab = slab


class ContactsSource(DataSource):  # type: ignore[misc]
    """Contacts of Parquet files of points.

    A partition is an independent part of the files: nothing is joined afterwards, and the answer is whole. Files of one venue
    that follow each other without an interruption longer than the gap are one part.
    """

    @classmethod
    def name(cls) -> str:
        return "cordon-contacts"

    def schema(self) -> str:
        return "id string, " + ddl(CONTACTS)

    def reader(self, schema: Any) -> "ContactsReader":
        return ContactsReader(dict(self.options))


class ContactsReader(DataSourceReader):  # type: ignore[misc]
    """Plans on the driver and computes on executors."""

    def __init__(self, options: dict[str, str]) -> None:
        arguments: dict[str, Any] = {}
        others = {"path", "columns", "devices_roam"}
        for name, value in options.items():
            known = _OPTIONS.get(name.lower())
            if known is not None:
                arguments[known] = value
            elif name.lower() not in others:
                names = ", ".join(sorted({*_OPTIONS.values(), *others}))
                raise InputError(f"unknown option '{name}'; the options are {names}")
        lower = {name.lower(): value for name, value in options.items()}
        if "columns" in lower:
            pairs = [part.partition("=") for part in lower["columns"].split(",")]
            arguments["columns"] = {field.strip(): name.strip() for field, _, name in pairs}
        if not lower.get("path"):
            raise InputError("a path is needed: load(path)")
        self.path = lower["path"]
        self.devices_roam = lower.get("devices_roam", "true").lower() == "true"
        self.question = Question.of(arguments)

    def partitions(self) -> list[InputPartition]:
        found: Plan = plan(
            self.path, self.question, devices_roam=self.devices_roam, pieces=False
        )
        return [SlabPartition(found.job, slab) for slab in found.slabs]

    def read(self, partition: Any) -> Iterator[Any]:
        table = pieces(partition.job, partition.slab).select(CONTACTS.names)
        table = table.add_column(0, "id", identifiers(table))
        yield from table.combine_chunks().to_batches(max_chunksize=1 << 16)

