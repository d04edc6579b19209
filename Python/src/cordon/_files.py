"""Files of points that pyarrow reads: Parquet, Arrow IPC, and folders of Parquet."""

from __future__ import annotations

import os
import urllib.parse
from pathlib import Path
from typing import Any, Optional

import pyarrow as pa

from ._errors import InputError


def format_of(path: str) -> Optional[str]:
    """Returns ``parquet``, ``arrow`` (IPC of either form), or ``None`` for a folder and other files.

    Raises:
        InputError: the file cannot be read.
    """
    if os.path.isdir(path):
        return None
    try:
        with open(path, "rb") as file:
            head = file.read(6)
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", code="unreadable", file=path) from error
    if head[:4] == b"PAR1":
        return "parquet"
    return "arrow" if head == b"ARROW1" or head[:4] == b"\xff\xff\xff\xff" else None


def needs_pyarrow(path: str) -> bool:
    """Whether the executable does not read a file: Parquet, and Arrow IPC that is compressed."""
    kind = format_of(path)
    return kind == "parquet" or (kind == "arrow" and _is_compressed(path))


def _is_compressed(path: str) -> bool:
    """Whether the first batch takes memory besides that of the file."""
    try:
        source, before = pa.memory_map(path), pa.total_allocated_bytes()
        batch = _first_batch(path, source)
        return batch is not None and pa.total_allocated_bytes() > before
    except (pa.ArrowException, OSError):
        # The executable says what is wrong with it.
        return False


def _first_batch(path: str, source: Any) -> Any:
    """Returns the first batch, ``None`` without one."""
    reader = pa.ipc.open_file(source) if _is_file(path) else pa.ipc.open_stream(source)
    if isinstance(reader, pa.RecordBatchFileReader):
        return reader.get_batch(0) if reader.num_record_batches else None
    return next(iter(reader), None)


def _is_file(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(6) == b"ARROW1"


def in_folder(path: str) -> list[tuple[str, Optional[str]]]:
    """Returns the Parquet files of a folder such as ``cordon.write_points`` makes, in order, each with the venue that its folder
    names (``venue=V``); other paths as they are.

    Names that begin with ``_`` or a full stop are left out, as Spark and DuckDB do.
    """
    if not os.path.isdir(path) or os.path.exists(os.path.join(path, "run.sqlite")):
        return [(path, None)]
    found: list[str] = []
    for folder, names, files in os.walk(path):
        names[:] = sorted(name for name in names if name[0] not in "_.")
        found += [os.path.join(folder, name) for name in sorted(files) if name.endswith(".parquet") and name[0] not in "_."]
    return [(file, _venue(os.path.relpath(file, path))) for file in found] or [(path, None)]


def _venue(path: str) -> Optional[str]:
    for part in reversed(Path(path).parts[:-1]):
        name, sign, value = part.partition("=")
        if sign and name == "venue":
            return None if value == "__HIVE_DEFAULT_PARTITION__" else urllib.parse.unquote(value)
    return None


def arrow_table(path: str) -> pa.Table:
    """Reads Arrow IPC of either form.

    Raises:
        InputError: the file is damaged or cut short.
    """
    try:
        return (pa.ipc.open_file if _is_file(path) else pa.ipc.open_stream)(pa.memory_map(path)).read_all()
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise InputError(f"cannot be read as Arrow IPC: {reason}", code="damaged", file=path) from error
