"""Points of any kind, as the executable reads them."""

from __future__ import annotations

import math
import numbers
import os
import re
import uuid
from pathlib import Path
from typing import IO, Any, Mapping, Optional, Sequence, Union

import pyarrow as pa

from . import _columns, _files, _frames, _geometry, _values
from ._errors import InputError
from ._executable import Feed
from ._lazy import compute as pc
from ._lazy import parquet as pq

_UNITS = {"s": 1_000_000, "ms": 1_000, "us": 1}
_OFFSET = re.compile(r"^([+-])(\d\d):(\d\d)$")
_ZONED = r"(?i)(Z|[+-]\d\d(:?\d\d)?| ?UTC| ?GMT)\s*$"

#: An input: a frame, paths, or a run.
PointsLike = Any


class Input:
    """An input of the executable.

    Attributes:
        arguments: the words of the command line.
        feed: what to write to standard input, or ``None``.
        kind: the kind of table that results become.
    """

    def __init__(self, arguments: list[str], feed: Optional[Feed], kind: str) -> None:
        self.arguments = arguments
        self.feed = feed
        self.kind = kind


def prepare(
    points: PointsLike,
    *,
    columns: Optional[Mapping[str, str]] = None,
    time_unit: Optional[str] = None,
    time_zone: Optional[str] = None,
    metres: bool = False,
    strict: bool = True,
    as_kind: Optional[str] = None,
) -> Input:
    """Checks points and makes arguments of them; ``contacts`` describes the parameters.

    Raises:
        InputError: what is wrong with the points, with the column and the row.
    """
    if as_kind is not None and as_kind not in _frames.KINDS:
        raise InputError(f"as_kind must be one of {', '.join(_frames.KINDS)}, not {as_kind!r}")
    if time_unit not in (None, "auto", "s", "ms", "us", "ns"):
        raise InputError(f"time_unit must be auto, s, ms, us or ns, not {time_unit!r}")
    named = _named(columns)
    options = ["--strict"] if strict else []
    if time_zone is not None:
        options += ["--time-zone", time_zone]
    run_path = getattr(points, "path", None)
    if run_path is not None and type(points).__name__ == "Run":
        points = run_path
    if _frames.is_path(points) or (isinstance(points, (list, tuple)) and points and all(map(_frames.is_path, points))):
        paths = [os.fspath(points)] if _frames.is_path(points) else [os.fspath(path) for path in points]
        for path in paths:
            if not os.path.exists(path):
                raise InputError("the file does not exist", code="not-found", file=path)
        files = [file for path in paths for file in _files.in_folder(path)]
        for path, _ in files:
            if os.path.isdir(path) and not os.path.exists(os.path.join(path, "run.sqlite")):
                raise InputError("the folder holds neither a run nor Parquet files", code="not-a-run", file=path)
        if not any(_files.needs_pyarrow(path) for path, _ in files):
            words = [word for field, name in named.items() for word in ("--column", f"{field}={name}")]
            if metres:
                words.append("--metres")
            if time_unit is not None:
                words += ["--time-unit", time_unit]
            # A path that begins with a hyphen is not an option.
            paths = [f"./{path}" if path.startswith("-") else path for path in paths]
            return Input(paths + options + words, None, as_kind or "arrow")
        table, is_metres = _checked(_read_all(files, named, metres), time_unit, time_zone, metres, strict)
        kind = "arrow"
    else:
        table, is_metres, kind = from_frame(points, named, time_unit, time_zone, metres, strict)
    words = ["-", "--input-format", "arrow"]
    if is_metres:
        words.append("--metres")
    return Input(words + options, _stream(table), as_kind or kind)


def from_frame(
    points: Any, named: dict[str, str], time_unit: Optional[str], time_zone: Optional[str], metres: bool, strict: bool
) -> tuple[pa.Table, bool, str]:
    """Returns the points of a frame with a column for each field, whether places are metres, and the kind of the frame.

    Raises:
        InputError: what is wrong with the points, with the column and the row.
    """
    kind = _frames.kind_of(points)
    if kind is None:
        raise InputError(
            f"points must be a DataFrame, an Arrow table, paths or a Run, not {type(points).__name__}", code="wrong-type"
        )
    return *_checked(_frame(points, kind, named, metres), time_unit, time_zone, metres, strict), kind


def _read_all(files: Sequence[tuple[str, Optional[str]]], named: dict[str, str], metres: bool) -> pa.Table:
    """Reads files, each with the venue of its rows where they name none."""
    tables = []
    for path, venue in files:
        table = _read(path, named, metres)
        if venue is not None and "venue" not in table.column_names:
            table = table.append_column("venue", _values.repeated(venue, table.num_rows))
        tables.append(table)
    if len({tuple(table.schema.names) for table in tables}) > 1:
        raise InputError("the files have different columns", code="missing-column", file=files[0][0])
    return joined(tables, files[0][0])


def joined(tables: Sequence[Any], path: str) -> pa.Table:
    """Returns the rows of the tables of files.

    Raises:
        InputError: a column has types that do not fit together.
    """
    try:
        return pa.concat_tables(tables, promote_options="permissive")
    except pa.ArrowException as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise InputError(f"the files have columns of different types: {reason}", code="wrong-type", file=path) from error


def _checked(
    table: pa.Table, time_unit: Optional[str], time_zone: Optional[str], metres: bool, strict: bool
) -> tuple[pa.Table, bool]:
    if table.num_rows == 0:
        raise InputError("there are no points: the table is empty", code="empty")
    try:
        table, is_metres = _canonical(table, time_unit, time_zone, metres, strict)
    except pa.ArrowException as error:
        raise InputError(f"the table cannot be read: {str(error).splitlines()[0]}", code="wrong-type") from error
    if table.num_rows == 0:
        raise InputError("there are no points: no row can be used", code="empty")
    return table, is_metres


def _named(columns: Optional[Mapping[str, str]]) -> dict[str, str]:
    if columns is not None and not isinstance(columns, Mapping):
        raise InputError("columns must be a mapping of fields to columns, such as {'device': 'badge'}")
    # Columns of pandas may have numbers for names.
    named = {field: str(name) for field, name in dict(columns or {}).items()}
    for field in named:
        if field not in _columns.FIELDS:
            raise InputError(f"columns: '{field}' is not a field; the fields are {', '.join(_columns.FIELDS)}")
    return named


def _chosen(names: Sequence[str], named: Mapping[str, str], metres: bool) -> dict[str, str]:
    """Returns the column of each field that is used.

    Raises:
        InputError: a column that is needed is missing.
    """
    listed = ", ".join(names)
    for field, name in named.items():
        if name not in names:
            raise InputError(f"has no column '{name}' for {field}; its columns are {listed}", code="missing-column")
    found = _columns.guess(names, dict(named))
    has_metres = "x" in found and "y" in found
    has_degrees = "longitude" in found and "latitude" in found
    if "geometry" in named or ("geometry" in found and not has_metres and not has_degrees):
        place: tuple[str, ...] = ("geometry",)
    elif has_metres and (metres or "x" in named or not has_degrees):
        place = ("x", "y")
    elif has_degrees:
        place = ("longitude", "latitude")
    else:
        raise InputError(
            f"has no columns for longitude and latitude, x and y, or a geometry; its columns are {listed}; "
            "columns={'longitude': NAME, 'latitude': NAME} names them",
            code="missing-column",
        )
    for field in ("device", "time"):
        if field not in found:
            raise InputError(
                f"has no column for {field}; its columns are {listed}; columns={{'{field}': NAME}} names one",
                code="missing-column",
            )
    used = ("device", "time", *place, "floor", "accuracy", "still_until", "venue")
    return {field: found[field] for field in used if field in found}


def _frame(points: Any, kind: str, named: dict[str, str], metres: bool) -> pa.Table:
    if kind in ("pandas", "geopandas"):
        points = _frames.with_named_columns(_frames.with_index_as_columns(points))
    if kind == "geopandas" and not ({"longitude", "x", "geometry"} & set(named)):
        name = points.geometry.name
        if points.crs is None and not metres:
            raise InputError(
                "the GeoDataFrame has no coordinate system; set one with set_crs(), or pass metres=True",
                code="unclear-places",
            )
        if points.crs is not None and not metres:
            points = points.to_crs("EPSG:4326")
        named["geometry"] = name
    chosen = _chosen(_frames.columns_of(points), named, metres)
    table = _frames.to_arrow(points, list(chosen.values()))
    return _renamed(table, chosen)


def _renamed(table: pa.Table, chosen: Mapping[str, str]) -> pa.Table:
    """Names columns after their fields; a column of numbers keeps the unit that its name gives."""
    names = {}
    for field, name in chosen.items():
        unit = re.search(r"_(s|ms|us|ns)$", name.lower())
        names[field] = (table.column(name), f"{field}_{unit[1]}" if unit and field in ("time", "still_until") else field)
    return pa.table({name: column for column, name in names.values()})


def _read(path: str, named: dict[str, str], metres: bool) -> pa.Table:
    """Reads a file of Parquet or Arrow IPC, with a column for each field."""
    try:
        if _files.format_of(path) == "parquet":
            return _read_parquet(path, named, metres)
        if _files.format_of(path) is None:
            raise InputError("is neither Parquet nor Arrow IPC; pass files of other formats alone", code="foreign-format")
        table = _files.arrow_table(path)
        return _renamed(table, _chosen(table.schema.names, named, metres))
    except InputError as error:
        raise InputError(error.message, code=error.code, file=path, place=error.place) from error


def _read_parquet(path: str, named: dict[str, str], metres: bool) -> pa.Table:
    try:
        with pq.ParquetFile(path) as file:
            names = file.schema_arrow.names
            geo = _geometry.geoparquet(file.schema_arrow.metadata)
            named = dict(named)
            if geo is not None and not ({"longitude", "x", "geometry"} & set(named)):
                name, is_degrees = geo
                if not metres and is_degrees is False:
                    raise InputError(
                        "its geometries are in a projected coordinate system; convert it to WGS 84, or pass metres=True",
                        code="unclear-places",
                    )
                # Plain columns are read before geometries, and are of the same rows.
                if not {"longitude", "latitude"} <= set(_columns.guess(names, dict(named))):
                    named["geometry"] = name
            chosen = _chosen(names, named, metres)
            device = chosen["device"]
            if pa.types.is_string(file.schema_arrow.field(device).type):
                # Each name once, as it lies in the file, instead of once a row.
                with pq.ParquetFile(path, metadata=file.metadata, read_dictionary=[device]) as named_once:
                    return _renamed(named_once.read(columns=list(chosen.values()), use_threads=False), chosen)
            return _renamed(file.read(columns=list(chosen.values()), use_threads=False), chosen)
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise InputError(f"cannot be read as Parquet: {reason}", code="damaged") from error


def _canonical(
    table: pa.Table, time_unit: Optional[str], time_zone: Optional[str], metres: bool, strict: bool
) -> tuple[pa.Table, bool]:
    """Gives columns the types that the executable reads.

    Returns:
        the table, and whether places are metres.
    """
    result: dict[str, Any] = {}
    is_metres = metres
    for name, column in zip(table.schema.names, table.columns):
        if pa.types.is_dictionary(column.type) and name not in ("device", "venue"):
            column = column.cast(column.type.value_type)
        if isinstance(column.type, pa.BaseExtensionType) and name != "geometry":
            column = pa.chunked_array([chunk.storage for chunk in column.chunks], column.type.storage_type)
        field = re.sub(r"_(s|ms|us|ns)$", "", name) if name.startswith(("time_", "still_until_")) else name
        if field in ("time", "still_until"):
            suffix = name[len(field) + 1 :] or None
            unit = time_unit if time_unit not in (None, "auto") else suffix
            result[field] = _times(column, field, unit, time_zone, required=field == "time" and strict)
        elif field == "geometry":
            for place, numbers_ in zip(("x", "y") if metres else ("longitude", "latitude"), _geometry.coordinates(column, field)):
                if strict:
                    _fault(pc.invert(pc.fill_null(pc.is_finite(numbers_), False)), field, "has no place")
                result[place] = numbers_
        elif field in ("x", "y", "longitude", "latitude"):
            result[field] = _numbers(column, field, required=strict)
        elif field == "accuracy":
            result[field] = _numbers(column, field, required=False)
        elif field == "floor":
            result[field] = _floors(column)
        else:
            result[field] = _names(column, field, required=field == "device" and strict)
    for field in ("longitude", "latitude"):
        if field in result and strict:
            result[field] = _in_range(result[field], field)
    return pa.table(result), is_metres


def _fault(mask: Any, field: str, what: str, code: str = "bad-row") -> None:
    # Whether there is one is known much sooner than where.
    if pc.any(mask).as_py():
        row = pc.index(mask, True).as_py()
        raise InputError(f"{field}: row {row} {what}", code=code, place=f"row {row}")


def _numbers(column: Any, field: str, *, required: bool) -> Any:
    if pa.types.is_boolean(column.type) or pa.types.is_temporal(column.type):
        raise InputError(f"{field}: a column of {column.type} holds no numbers", code="wrong-type")
    extent = _values.extent(column)
    if extent is not None and all(map(math.isfinite, extent)):
        return column
    try:
        numbers = column.cast(pa.float64(), safe=False)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        # The reason of Arrow quotes the value, which may be somebody's place.
        row = _first_fault(column) if _is_text(column.type) else None
        detail = "" if row is None else f"; row {row} is the first without one"
        raise InputError(
            f"{field}: a column of {column.type} holds no numbers{detail}", code="wrong-type",
            place=None if row is None else f"row {row}",
        ) from error
    extent = _values.extent(numbers)
    if extent is not None and all(map(math.isfinite, extent)):
        return numbers
    finite = pc.fill_null(pc.is_finite(numbers), False)
    if required:
        _fault(pc.invert(finite), field, "is not a number")
    return pc.if_else(finite, numbers, pa.scalar(None, pa.float64())) if not required else numbers


def _first_fault(column: Any) -> int:
    """Returns the first row of a column of text that is not a number, by halves."""
    low, high = 0, len(column)
    while high - low > 1:
        middle = (low + high) // 2
        try:
            column.slice(low, middle - low).cast(pa.float64(), safe=False)
            low = middle
        except pa.ArrowInvalid:
            high = middle
    return low


def _in_range(column: Any, field: str) -> Any:
    limit = 180.0 if field == "longitude" else 89.9
    extent = _values.extent(column)
    if extent is not None and -limit <= extent[0] and extent[1] <= limit:
        return column
    _fault(pc.fill_null(pc.greater(pc.abs(column), limit), False), field, f"is beyond {limit:g} degrees")
    return column


def _names(column: Any, field: str, *, required: bool) -> Any:
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_floating(kind):
        # Pandas makes decimals of whole numbers where one is missing.
        try:
            column = column.cast(pa.int64())
        except pa.ArrowInvalid as error:
            raise InputError(f"{field}: a name is a number with decimals", code="wrong-type") from error
    elif kind == pa.binary(16):
        # Of type UUID in Parquet, in Arrow and in pandas.
        column = _uuids(column)
    elif not (pa.types.is_integer(kind) or _is_text(kind)):
        raise InputError(f"{field}: a column of {kind} holds no names", code="wrong-type")
    if not pa.types.is_dictionary(column.type) and not _is_plain_text(column.type):
        column = column.cast(pa.string())
    if required:
        # Of a dictionary the values are examined, unless one of them is not a name.
        is_short = pa.types.is_dictionary(column.type) and all(map(_all_named, column.chunks))
        text = column.cast(pa.string()) if pa.types.is_dictionary(column.type) and not is_short else column
        if is_short and column.null_count == 0:
            return column
        if not is_short and column.null_count == 0 and not _values.has_empty_text(text):
            return column
        empty = pc.is_null(column)
        _fault(empty if is_short else pc.or_kleene(empty, pc.equal(text, "")), field, "has no name")
    return column


def _uuids(column: Any) -> Any:
    """Returns the text of identifiers of 16 bytes."""
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    chunks = []
    for chunk in encoded.chunks:
        values = [None if value is None else str(uuid.UUID(bytes=value)) for value in chunk.dictionary.to_pylist()]
        chunks.append(pa.DictionaryArray.from_arrays(chunk.indices, pa.array(values, pa.string())))
    return pa.chunked_array(chunks)


def _all_named(chunk: Any) -> bool:
    values = chunk.dictionary
    return values.null_count == 0 and (not _is_text(values.type) or not _values.has_empty_text(values))


def _is_plain_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_text(kind: Any) -> bool:
    is_view = getattr(pa.types, "is_string_view", lambda kind: False)
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or is_view(kind) or pa.types.is_null(kind)


def _floors(column: Any) -> Any:
    kind = column.type
    if _is_text(kind):
        return column.cast(pa.string())
    if pa.types.is_boolean(kind) or pa.types.is_temporal(kind):
        raise InputError(f"floor: a column of {kind} holds neither ordinals nor names", code="wrong-type")
    return _numbers(column, "floor", required=False)


def _times(column: Any, field: str, unit: Optional[str], zone: Optional[str], *, required: bool) -> Any:
    """Returns microseconds since 1970, UTC; text stays as it is."""
    kind = column.type
    if pa.types.is_date(kind):
        column = column.cast(pa.timestamp("us"))
        kind = column.type
    if kind == pa.timestamp("us", "UTC"):
        result = column
    elif pa.types.is_timestamp(kind):
        times = column.cast(pa.timestamp("us", kind.tz), safe=False)
        if kind.tz is None and zone is not None:
            times = _in_zone(times, zone)
        result = times.cast(pa.timestamp("us", "UTC")) if times.type.tz else times
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind):
        if unit is None:
            unit = _unit_by_size(column, field)
        if unit == "ns":
            whole = column.cast(pa.int64(), safe=False)
            result = whole.cast(pa.timestamp("ns")).cast(pa.timestamp("us"), safe=False).cast(pa.int64())
        elif pa.types.is_floating(kind):
            result = pc.round(pc.multiply(column.cast(pa.float64()), float(_UNITS[unit]))).cast(pa.int64())
        else:
            result = pc.multiply_checked(column.cast(pa.int64()), _UNITS[unit])
        result = result.cast(pa.timestamp("us", "UTC"))
    elif _is_text(kind):
        result = column.cast(pa.string())
        zoned = pc.fill_null(pc.match_substring_regex(result, _ZONED), True)
        if field == "time" and pc.any(zoned).as_py() and not pc.all(zoned).as_py() and result.null_count < len(result):
            row = pc.index(zoned, False).as_py()
            raise InputError(
                f"{field}: some times have a zone and row {row} has none", code="mixed-zones", place=f"row {row}"
            )
    else:
        raise InputError(f"{field}: a column of {kind} holds no times", code="wrong-type")
    if required and result.null_count:
        _fault(pc.is_null(result), field, "has no time")
    return result


def _in_zone(times: Any, zone: str) -> Any:
    offset = _OFFSET.match(zone)
    if offset:
        minutes = (int(offset[2]) * 60 + int(offset[3])) * (-1 if offset[1] == "-" else 1)
        moved = pc.subtract(times, pa.scalar(minutes * 60_000_000, pa.duration("us")))
        return moved.cast(pa.timestamp("us", "UTC"))
    try:
        return pc.assume_timezone(times, zone, ambiguous="earliest", nonexistent="earliest")
    except pa.ArrowInvalid as error:
        raise InputError(f"time_zone: {str(error).splitlines()[0]}") from error


def _unit_by_size(column: Any, field: str) -> str:
    """The unit of times since 1970 by their size, as the executable decides it."""
    sizes = pc.min_max(pc.abs(column.cast(pa.float64(), safe=False)))
    least, most = sizes["min"].as_py(), sizes["max"].as_py()
    if least is None:
        return "us"
    if most < 1e8:
        raise InputError(
            f"{field}: {most:g} is not a time since 1970, and nothing says its unit; pass time_unit, or name the "
            "column t_s, t_ms, t_us or t_ns",
            code="unknown-unit",
        )
    if most >= 100 * max(least, 1e8) and least >= 1e8:
        raise InputError(f"{field}: times are in mixed units: {least:g} and {most:g}", code="mixed-units")
    return "s" if most < 1e11 else "ms" if most < 1e14 else "us" if most < 1e17 else "ns"


def _stream(table: pa.Table) -> Feed:
    """Writes a table as an Arrow stream, with each name of a device once."""
    place = table.schema.get_field_index("device")
    if place >= 0 and not pa.types.is_dictionary(table.field(place).type):
        table = table.set_column(place, "device", table.column(place).dictionary_encode())
    table = table.unify_dictionaries()

    def feed(pipe: IO[bytes]) -> None:
        with pa.ipc.new_stream(pipe, table.schema) as stream:
            stream.write_table(table, max_chunksize=1 << 16)

    return feed


def duration(value: Union[str, int, float, Any], name: str) -> str:
    """Returns a duration for the command line: text as it is, numbers in seconds, or a ``timedelta``.

    Raises:
        InputError: it is none of these.
    """
    if isinstance(value, str):
        return value
    seconds: Any = value
    if type(value).__name__ == "timedelta64":
        # Of numpy, which is asked without being imported.
        seconds = seconds.astype("timedelta64[us]").item()
    if hasattr(seconds, "total_seconds"):
        seconds = seconds.total_seconds()
    if isinstance(seconds, bool) or not isinstance(seconds, numbers.Real) or not math.isfinite(seconds):
        raise InputError(f"{name} must be a duration such as '30s', a number of seconds or a timedelta, not {value!r}")
    return f"{round(float(seconds) * 1_000)}ms"


def existing(path: Union[str, os.PathLike[str]]) -> str:
    """Returns a path as text, made safe for the command line.

    Raises:
        InputError: there is nothing at that path.
    """
    text = os.fspath(path)
    if not Path(text).exists():
        raise InputError("the file does not exist", code="not-found", file=text)
    return f"./{text}" if text.startswith("-") else text
