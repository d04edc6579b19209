"""The footers of Parquet files: all that the planner reads of most files."""

from __future__ import annotations

import concurrent.futures
import os
import re
import urllib.parse
from typing import Any, Iterable, Optional, Sequence

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.fs
import pyarrow.parquet as pq

from .. import _points
from .._errors import InputError
from ._files import Layout, PointFile, RowGroup, microseconds, opened, reading
from ._options import Question

_PER_UNIT = {"s": (1_000_000, 1), "ms": (1_000, 1), "us": (1, 1), "ns": (1, 1_000)}
_HIVE_NULL = "__HIVE_DEFAULT_PARTITION__"


def listed(paths: Sequence[str]) -> list[str]:
    """Returns the Parquet files at paths: files, or folders of them at any depth, sorted.

    Raises:
        InputError: a path does not exist or holds no Parquet file.
    """
    found: list[str] = []
    for given in paths:
        # Executors have other working folders.
        path = given if "://" in given else os.path.abspath(given)
        system, inner = opened(path)
        prefix = path[: len(path) - len(inner)] if "://" in path and path.endswith(inner) else ""
        info = system.get_file_info(inner)
        if info.type == pa.fs.FileType.NotFound:
            raise InputError("the file does not exist", code="not-found", file=path)
        if info.type == pa.fs.FileType.File:
            found.append(path)
            continue
        files = system.get_file_info(pa.fs.FileSelector(inner, recursive=True))
        for file in files:
            below = file.path[len(inner.rstrip("/")) + 1 :].split("/")
            is_hidden = any(part.startswith(("_", ".")) for part in below)
            if file.type == pa.fs.FileType.File and file.size > 0 and not is_hidden and below[-1].endswith(".parquet"):
                found.append(prefix + file.path)
    if not found:
        raise InputError("there are no Parquet files", code="empty", file=paths[0] if paths else None)
    return sorted(found)


def _venue_of(path: str) -> Optional[str]:
    found = re.findall(r"(?:^|/)venue=([^/]*)(?=/)", path)
    if not found or found[-1] == _HIVE_NULL:
        return None
    return urllib.parse.unquote(found[-1])


class _Footer:
    """Reads what the planner needs of one file."""

    def __init__(self, path: str, question: Question) -> None:
        self.path = path
        self.question = question
        try:
            system, inner = opened(path)
            self.file = pq.ParquetFile(system.open_input_file(inner))
            self.schema = self.file.schema_arrow
        except (pa.ArrowException, OSError) as error:
            raise self.fault(f"cannot be read as Parquet: {str(error).splitlines()[0].rstrip('.')}", "damaged") from error
        try:
            chosen = _points._chosen(self.schema.names, dict(question.columns), False)
        except InputError as error:
            raise self.fault(error.message, error.code) from error
        if "geometry" in chosen:
            raise self.fault("places must be longitude and latitude, or x and y; write_points makes them", "wrong-type")
        if "venue" in chosen:
            if _venue_of(path) is None:
                raise self.fault("has a column of venues; write_points makes a folder of each venue", "unclear-places")
            del chosen["venue"]
        self.chosen = chosen

    def fault(self, message: str, code: str) -> InputError:
        return InputError(message, code=code, file=self.path)

    def read(self) -> Optional[PointFile]:
        metadata = self.file.metadata
        places = [self.chosen[name] for name in (("longitude", "latitude") if "longitude" in self.chosen else ("x", "y"))]
        groups = []
        bounds: list[tuple[float, float]] = []
        for index in range(metadata.num_row_groups):
            rows = metadata.row_group(index).num_rows
            if rows == 0:
                continue
            times = self._extent(index, self.chosen["time"], "time")
            if times is None:
                raise self.fault("no row has a time", "bad-row")
            rest = None
            if "still_until" in self.chosen:
                rest = self._extent(index, self.chosen["still_until"], "still_until")
            groups.append(RowGroup(index, rows, times[0], times[1], times[0] if rest is None else rest[1]))
            for name in places:
                extent = self._extent(index, name, "place")
                if extent is None:
                    raise self.fault(f"no row has a number in column '{name}'", "bad-row")
                bounds.append(extent)
        if not groups:
            return None
        box = tuple(
            value
            for k in (0, 1)
            for value in (min(low for low, _ in bounds[k::2]), max(high for _, high in bounds[k::2]))
        )
        return PointFile(self.path, _venue_of(self.path), tuple(groups), box)  # type: ignore[arg-type]

    def _extent(self, index: int, name: str, field: str) -> Optional[tuple[Any, Any]]:
        """The least and the greatest value of a column: of the footer, or else of the column itself."""
        group = self.file.metadata.row_group(index)
        column = next(
            (group.column(k) for k in range(group.num_columns) if group.column(k).path_in_schema == name), None
        )
        kind = self.schema.field(name).type
        ends = self._ends(column, kind, field)
        if ends is not None:
            return ends
        with reading(self.path):
            values = self.file.read_row_group(index, columns=[name]).column(0)
        values = microseconds(values, field, name, self.question) if field != "place" else _numbers(values)
        least, most = (pc.min_max(values)[name].as_py() for name in ("min", "max"))
        return None if least is None else (least, most)

    @staticmethod
    def _ends(column: Any, kind: Any, field: str) -> Optional[tuple[Any, Any]]:
        statistics = column.statistics if column is not None and column.is_stats_set else None
        if statistics is None or not statistics.has_min_max:
            return None
        if field == "place":
            return (float(statistics.min), float(statistics.max)) if pa.types.is_floating(kind) else None
        if column.physical_type != "INT64" or not pa.types.is_timestamp(kind) or kind.tz is None:
            return None
        times, parts = _PER_UNIT[kind.unit]
        return statistics.min_raw * times // parts, -(-statistics.max_raw * times // parts)


def _numbers(values: Any) -> Any:
    numbers = values.cast(pa.float64())
    return numbers.filter(pc.fill_null(pc.is_finite(numbers), False))


def read_footers(paths: Iterable[str], question: Question) -> tuple[list[PointFile], Layout]:
    """Reads the footers of files.

    Raises:
        InputError: a file that is damaged, or lacks a column, or has other columns than the first one.
    """

    def read(path: str) -> tuple[Optional[PointFile], Layout]:
        footer = _Footer(path, question)
        return footer.read(), Layout(tuple(footer.chosen.items()))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(read, paths))
    files = [file for file, _ in found if file is not None]
    if not files:
        raise InputError("there are no points: the files are empty", code="empty")
    layout = found[0][1]
    for file, other in found:
        if other != layout:
            name = file.path if file is not None else None
            raise InputError("the files have different columns", code="missing-column", file=name)
    return files, layout
