"""Sweeps: many simulations, each a task."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
from typing import Any, Iterator, Mapping, Optional, Sequence

import pyarrow as pa

from .._errors import InputError
from .._points import existing
from .._simulation import simulate

_SCHEMA = "cell int, replica int, seed bigint, `values` string, figures map<string, double>, digest string"
_ARROW = pa.schema(
    [
        ("cell", pa.int32()), ("replica", pa.int32()), ("seed", pa.int64()), ("values", pa.string()),
        ("figures", pa.map_(pa.string(), pa.float64())), ("digest", pa.string()),
    ]
)  # fmt: skip
_NOT_IN_CELLS = {"venue", "output", "seed", "replicas", "set", "options", "threads", "force", "progress"}


def sweep(
    spark: Any,
    scenario: Any,
    cells: Sequence[Mapping[str, Any]],
    *,
    replicas: int = 1,
    seed: int = 1,
    options: Sequence[str] = (),
) -> Any:
    """Runs simulations of one scenario with many values, one (cell, replica) a task.

    A task has the seed ``seed`` + replica, so that all cells have the same random numbers. The result is the same on every node:
    ``digest`` is the SHA-256 of the hashes of all files of the run.

    Args:
        spark: the session.
        scenario: a scenario or a map: a path that every executor can read.
        cells: the values of each cell: arguments of ``cordon.simulate``, such as ``phones`` or ``people``, or keys of the
            scenario, such as ``policies.stagger``.
        replicas: the number of runs of each cell.
        seed: the seed of the first replica.
        options: more words of ``cordon simulate``, as on the command line.

    Returns:
        One row a run: ``cell``, ``replica``, ``seed``, ``values`` (of the cell, as JSON), ``figures`` (a map: all numbers of
        ``cordon.simulate/1`` but times and memory) and ``digest``.

    Raises:
        InputError: the sweep has no cells, or the file does not exist. Faults of a run appear when Spark computes.
    """
    if not cells:
        raise InputError("cells is empty")
    if replicas < 1:
        raise InputError(f"replicas must be at least 1, not {replicas}")
    path = os.path.abspath(existing(getattr(scenario, "path", scenario)))
    known = set(inspect.signature(simulate).parameters) - _NOT_IN_CELLS
    plain = [dict(cell) for cell in cells]
    for cell in plain:
        for name in cell:
            if name in _NOT_IN_CELLS:
                raise InputError(f"'{name}' cannot be a value of a cell")

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                cell, replica = divmod(number, replicas)
                yield _run(path, cell, plain[cell], replica, seed + replica, known, list(options))

    count = len(plain) * replicas
    return spark.range(0, count, 1, count).mapInArrow(run, _SCHEMA)


def _run(
    path: str, cell: int, values: Mapping[str, Any], replica: int, seed: int, known: set[str], options: list[str]
) -> pa.RecordBatch:
    arguments = {name: value for name, value in values.items() if name in known}
    keys: Optional[dict[str, Any]] = {name: value for name, value in values.items() if name not in known} or None
    run = simulate(path, seed=seed, set=keys, threads=1, options=options, **arguments)
    figures = {
        name: float(value)
        for name, value in (run.summary or {}).items()
        if isinstance(value, (int, float)) and not isinstance(value, bool) and not name.endswith(("cpu_s", "peak_mib"))
    }
    files = sorted((file["name"], file.get("sha256") or file.get("content_sha256")) for file in run.manifest["outputs"])
    digest = hashlib.sha256(json.dumps(files).encode()).hexdigest()
    row = (cell, replica, seed, json.dumps(values, sort_keys=True, default=str), list(figures.items()), digest)
    columns = [pa.array([value], field.type) for value, field in zip(row, _ARROW)]
    return pa.RecordBatch.from_arrays(columns, schema=_ARROW)
