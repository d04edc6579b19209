"""The columns of results: names, types, units."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Mapping, Sequence

import pyarrow as pa

from . import _frames, _lazy, _worker
from ._executable import Finished, run
from ._points import Input

TIME = pa.timestamp("us", tz="UTC")
TEXT = pa.string()
NUMBER = pa.float64()
COUNT = pa.int64()
FLAG = pa.bool_()


def _schema(columns: Sequence[tuple[str, Any]]) -> pa.Schema:
    units = {"_s": b"s", "_m": b"m", "_min": b"min"}
    fields = []
    for name, kind in columns:
        unit = next((unit for ending, unit in units.items() if name.endswith(ending)), None)
        metadata = {b"unit": unit} if unit else None
        if name in ("longitude", "latitude"):
            metadata = {b"unit": b"degree", b"crs": b"OGC:CRS84"}
        fields.append(pa.field(name, kind, metadata=metadata))
    return pa.schema(fields)


CONTACTS = _schema(
    [
        ("venue", TEXT), ("device_a", TEXT), ("device_b", TEXT), ("floor", NUMBER), ("start", TIME), ("end", TIME),
        ("duration_s", NUMBER), ("min_distance_m", NUMBER), ("min_distance_time", TIME), ("x_m", NUMBER), ("y_m", NUMBER),
        ("longitude", NUMBER), ("latitude", NUMBER), ("space_a", TEXT), ("space_b", TEXT), ("wall_share", NUMBER),
        ("expected_contact_s", NUMBER), ("p_15min", NUMBER), ("assertable", FLAG), ("share_unknown", NUMBER),
    ]
)  # fmt: skip
EXPOSURES = _schema(
    [
        ("device_a", TEXT), ("device_b", TEXT), ("contacts", COUNT), ("total_s", NUMBER), ("maximum_in_window_s", NUMBER),
        ("window_start", TIME), ("maximum_on_one_day_s", NUMBER), ("min_distance_m", NUMBER), ("exposure", FLAG),
        ("exposure_by_day", FLAG), ("weighted_min", NUMBER),
    ]
)  # fmt: skip
STEPS = _schema(
    [
        ("generation", COUNT), ("source", TEXT), ("target", TEXT), ("start", TIME), ("end", TIME), ("total_s", NUMBER),
        ("contacts", COUNT), ("min_distance_m", NUMBER), ("indirect", FLAG),
    ]
)  # fmt: skip
EDGES = _schema(
    [
        ("device_a", TEXT), ("device_b", TEXT), ("contacts", COUNT), ("contact_s", NUMBER), ("first_start", TIME),
        ("last_end", TIME), ("min_distance_m", NUMBER),
    ]
)  # fmt: skip
GATHERINGS = _schema(
    [
        ("gathering", COUNT), ("venue", TEXT), ("floor", NUMBER), ("space", TEXT), ("start", TIME), ("end", TIME),
        ("duration_s", NUMBER), ("devices", COUNT), ("peak", COUNT), ("peak_time", TIME), ("device_s", NUMBER),
        ("x_m", NUMBER), ("y_m", NUMBER), ("longitude", NUMBER), ("latitude", NUMBER), ("members", TEXT),
    ]
)  # fmt: skip
OCCUPANCY = _schema(
    [
        ("venue", TEXT), ("floor", NUMBER), ("space", TEXT), ("name", TEXT), ("bin_start", TIME), ("mean", NUMBER),
        ("peak", COUNT),
    ]
)  # fmt: skip
STRETCHES = _schema(
    [
        ("venue", TEXT), ("floor", NUMBER), ("space", TEXT), ("name", TEXT), ("start", TIME), ("end", TIME),
        ("devices", COUNT),
    ]
)  # fmt: skip


def compute(
    command: Sequence[str],
    given: Input,
    options: Sequence[str],
    schema: pa.Schema,
    *,
    progress: bool,
    without: Sequence[str] = (),
    ending: str = "arrow",
) -> tuple[pa.Table, Any]:
    """Runs a command that writes a table.

    Args:
        without: columns that are left out when they hold nothing.
        ending: ``arrow``, or ``jsonl`` for a command that does not write Arrow.

    Returns:
        the table, and the summary that the command prints.
    """
    with tempfile.TemporaryDirectory(prefix="cordon-") as folder:
        path = os.path.join(folder, f"rows.{ending}")
        # A word with one hyphen may be a value: the executable would describe all of its options to itself to find out.
        words = [*command, *given.arguments, *options, "--output", path]
        if not progress:
            words.append("--quiet")
        finished = _ran(words, given, progress)
        table = _read_arrow(path, schema) if ending == "arrow" else _read_json(path, schema)
    empty = [name for name in without if table.column(name).null_count == table.num_rows]
    return table.drop_columns(empty) if empty else table, finished.summary


def summary(command: Sequence[str], given: Input, options: Sequence[str]) -> Any:
    """Runs a command that only adds up, and returns the summary that it prints."""
    return _ran([*command, *given.arguments, *options, "--quiet"], given, False).summary


def _ran(words: Sequence[str], given: Input, progress: bool) -> Finished:
    kept = None if progress else _worker.run(words, given.feed)
    return kept or run(words, feed=given.feed, progress=progress)


def _read_arrow(path: str, schema: pa.Schema) -> pa.Table:
    # The pages of a mapped file last as long as the table, also when its name is gone; columns that are not used are not read.
    table = pa.ipc.open_file(pa.memory_map(path)).read_all()
    columns = [
        table.column(field.name) if field.name in table.column_names else pa.nulls(table.num_rows, field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def _read_json(path: str, schema: pa.Schema) -> pa.Table:
    if Path(path).stat().st_size == 0:
        return schema.empty_table()
    # Times with a zone are not converted from JSON: they are in UTC, and are read as text first.
    plain = pa.schema([pa.field(field.name, TEXT if field.type == TIME else field.type) for field in schema])
    table = _lazy.json.read_json(
        path,
        read_options=_lazy.json.ReadOptions(block_size=1 << 24),
        parse_options=_lazy.json.ParseOptions(explicit_schema=plain, unexpected_field_behavior="ignore"),
    )
    columns = []
    for field in schema:
        column = table.column(field.name)
        if field.type == TIME:
            column = _times(column)
        columns.append(column)
    return pa.Table.from_arrays(columns, schema=schema)


def _times(column: Any) -> Any:
    import pyarrow.compute as pc

    return pc.assume_timezone(pc.utf8_rtrim(column, "Z").cast(pa.timestamp("us")), "UTC")


def result(table: pa.Table, summary: Any, kind: str) -> Any:
    """Returns a table as the caller's kind; the summary is in ``attrs`` of pandas and in the metadata of Arrow."""
    import json

    if kind == "arrow":
        metadata: Mapping[bytes, bytes] = {b"cordon": json.dumps(summary).encode()}
        return table.replace_schema_metadata(metadata)
    value = _frames.from_arrow(table, kind)
    if kind in ("pandas", "geopandas"):
        value.attrs["cordon"] = summary
    return value
