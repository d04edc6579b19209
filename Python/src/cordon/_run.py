"""The folder of a run."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import weakref
from pathlib import Path
from typing import Any, Optional, Union

import pyarrow as pa

from . import _frames, _lazy
from ._errors import InputError
from ._tables import COUNT, TEXT, TIME


class Run:
    """The tables of a run of ``cordon simulate``.

    ``run.contacts()``, ``run.spaces()`` and so on read the CSV files of the folder; ``run.sql(...)`` asks ``run.sqlite``.
    docs/reference/run-folder.md describes every column. A run is also an input of ``contacts`` and the other functions.

    Attributes:
        path: the folder.
        summary: the JSON object that the simulation printed; ``None`` for a folder that was opened later.
    """

    #: The tables that are CSV files.
    TABLES = ("spaces", "groups", "queues", "flows", "people", "pairs", "contacts", "occupancy")

    def __init__(self, path: Union[str, "os.PathLike[str]"], *, summary: Any = None, _keeper: Any = None) -> None:
        """Opens a run.

        Raises:
            InputError: the path is not the folder of a run.
        """
        self.path = Path(path)
        self.summary = summary
        if _keeper is not None:
            weakref.finalize(self, shutil.rmtree, _keeper, ignore_errors=True)
        if not (self.path / "run.sqlite").is_file():
            raise InputError("is not the folder of a run: it holds no run.sqlite", code="not-found", file=str(path))

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r})"

    def __fspath__(self) -> str:
        return str(self.path)

    @property
    def manifest(self) -> dict[str, Any]:
        """What made the run, and a hash of every file."""
        try:
            value: dict[str, Any] = json.loads((self.path / "manifest.json").read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise InputError("the manifest cannot be read", code="damaged", file=str(self.path)) from error
        return value

    def table(self, name: str, as_kind: Optional[str] = None) -> Any:
        """Reads a table.

        Args:
            name: one of ``Run.TABLES``.
            as_kind: ``pandas``, ``polars``, ``arrow`` or ``geopandas``; by default ``pandas`` where it is installed,
                else ``arrow``.

        Raises:
            InputError: the run has no such table, or the file is damaged.
        """
        if name not in self.TABLES:
            raise InputError(f"'{name}' is not a table of runs; they are {', '.join(self.TABLES)}")
        path = self.path / f"{name}.csv"
        if not path.is_file():
            raise InputError(f"the run has no table '{name}'", code="not-found", file=str(path))
        try:
            table = _lazy.csv.read_csv(
                path,
                convert_options=_lazy.csv.ConvertOptions(
                    column_types={name: _kind(name) for name in _header(path) if _kind(name)}, strings_can_be_null=True
                ),
            )
        except (pa.ArrowException, OSError) as error:
            reason = str(error).splitlines()[0]
            raise InputError(f"cannot be read: {reason}", code="damaged", file=str(path)) from error
        return _frames.from_arrow(table, as_kind or _usual())

    def spaces(self, as_kind: Optional[str] = None) -> Any:
        """One row a space: area, mean and peak occupancy, levels of service."""
        return self.table("spaces", as_kind)

    def groups(self, as_kind: Optional[str] = None) -> Any:
        """One row a group of spaces."""
        return self.table("groups", as_kind)

    def queues(self, as_kind: Optional[str] = None) -> Any:
        """One row a desk, elevator or stair where people waited."""
        return self.table("queues", as_kind)

    def flows(self, as_kind: Optional[str] = None) -> Any:
        """One row a door and quarter of an hour."""
        return self.table("flows", as_kind)

    def people(self, as_kind: Optional[str] = None) -> Any:
        """One row a person who came in."""
        return self.table("people", as_kind)

    def pairs(self, as_kind: Optional[str] = None) -> Any:
        """One row a pair with contacts."""
        return self.table("pairs", as_kind)

    def contacts(self, as_kind: Optional[str] = None) -> Any:
        """One row a contact, true and observed ones by ``source``."""
        return self.table("contacts", as_kind)

    def occupancy(self, as_kind: Optional[str] = None) -> Any:
        """One row a floor or space and a bin of time."""
        return self.table("occupancy", as_kind)

    def positions(self, interval: Any = "1s", as_kind: Optional[str] = None) -> Any:
        """The true positions of people.

        Args:
            interval: the time between two positions.

        Returns:
            ``device``, ``time`` (UTC), ``longitude``, ``latitude`` (degrees), ``floor`` (ordinal); by device and time.
        """
        from ._export import positions
        from ._points import duration

        table, _ = positions(self.path, ["--interval", duration(interval, "interval")])
        table = table.select(["device", "time", "longitude", "latitude", "floor"]).replace_schema_metadata(None)
        return _frames.from_arrow(table, as_kind or _usual())

    def to_parquet(
        self, path: Union[str, "os.PathLike[str]"], *, interval: Any = "1s", venue: Optional[str] = None, force: bool = False
    ) -> None:
        """Writes the true positions of people as Parquet, as ``cordon run export --to parquet`` does.

        Args:
            path: a file ``NAME.parquet``, which is GeoParquet, or a folder ``venue=V/date=D/part-*.parquet``.
            interval: the time between two positions.
            venue: the name of the venue's folder; by default there is none.
            force: whether an existing file is replaced, or the days of the run in an existing folder.

        Raises:
            InputError: a path that cannot be written, or exists.
        """
        from ._export import export
        from ._points import duration

        words = ["--interval", duration(interval, "interval")]
        export(self.path, os.fspath(path), venue=venue, words=words, force=force)

    def sql(self, query: str, parameters: Any = (), as_kind: Optional[str] = None) -> Any:
        """Asks ``run.sqlite``, which is opened for reading only.

        Raises:
            InputError: the query cannot be run.
        """
        address = (self.path / "run.sqlite").resolve().as_uri() + "?mode=ro"
        try:
            connection = sqlite3.connect(address, uri=True)
            try:
                cursor = connection.execute(query, parameters)
                names = [column[0] for column in cursor.description or ()]
                rows = cursor.fetchall()
            finally:
                connection.close()
        except sqlite3.Error as error:
            raise InputError(str(error), code="query", file=str(self.path / "run.sqlite")) from error
        columns = list(zip(*rows)) if rows else [()] * len(names)
        table = pa.table({name: pa.array(list(column)) for name, column in zip(names, columns)})
        return _frames.from_arrow(table, as_kind or _usual())


def _header(path: Path) -> list[str]:
    with path.open(encoding="utf-8") as file:
        return file.readline().rstrip("\n").split(",")


_TIMES = {"start", "end", "time", "arrival", "departure", "peak_time", "min_distance_time", "bin_start"}
_TEXTS = {
    "source", "device", "first_device", "second_device", "space", "first_space", "second_space", "floor_name", "kind",
    "population", "first_population", "second_population", "opening", "left_space", "right_space", "group", "groups",
    "space_name", "space_kind", "place", "place_name", "level_of_service", "opening_name", "entrance", "name", "spaces",
}  # fmt: skip


def _kind(name: str) -> Any:
    """The type of a column that its values may not show."""
    if name in _TIMES:
        return TIME
    if name in _TEXTS or name.endswith(("_name", "_local")):
        return TEXT
    return COUNT if name in ("person", "first_person", "second_person") else None


def _usual() -> str:
    import importlib.util

    return "pandas" if importlib.util.find_spec("pandas") else "arrow"
