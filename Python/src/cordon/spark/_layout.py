"""Points as files that the planner likes: ``venue=V/date=D/part-*.parquet``, each of a span of time."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from .. import _points
from .._errors import InputError

#: Rows of a file: an eighth of those of a slab, which also reads the files before and after it.
PART = 250_000
#: The most tasks that write.
TASKS = 2_000
_DAY = 86_400_000_000
_PER_SECOND = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}


def write_points(
    points: Any,
    path: str,
    *,
    columns: Optional[Mapping[str, str]] = None,
    time_unit: Optional[str] = None,
    time_zone: Optional[str] = None,
    rows_per_file: int = PART,
    mode: str = "error",
) -> None:
    """Writes the points of a DataFrame as Parquet in the layout that ``contacts`` reads best.

    The folders are ``venue=V/date=D`` (of UTC). Files of a day are spans of time, and sorted by device and time. The points are
    counted and sorted, so all rows pass through Spark twice. Spark commits the files: they appear whole, once.

    Args:
        points: a DataFrame of Spark with a device, a time and a place.
        path: the folder to write.
        columns: the columns of fields, such as ``{"device": "badge"}``; the others are found by common names.
        time_unit: the unit of times that are numbers: ``s``, ``ms``, ``us`` or ``ns``.
        time_zone: the zone of times without one, by default UTC.
        rows_per_file: about how many rows a file has. A slab also reads the files before and after it, so they should be
            small beside a slab.
        mode: what happens when ``path`` exists: ``error``, ``overwrite`` or ``append``.

    Raises:
        InputError: a column that is missing or of a wrong type.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    spark = points.sparkSession
    table = _canonical(points, dict(columns or {}), time_unit, time_zone)
    micros = F.unix_micros("time")
    # Integer division rounds down before 1970 too.
    day = F.floor(micros / F.lit(_DAY)).cast("int")
    table = table.withColumn("date", F.date_from_unix_date(day))
    spans = (
        table.groupBy("venue", "date")
        .agg(F.count("*").alias("rows"), F.min(micros).alias("first"), F.max(micros).alias("last"))
        .withColumn("parts", F.ceil(F.col("rows") / F.lit(max(rows_per_file, 1))).cast("bigint"))
    )
    files = spans.agg(F.sum("parts")).first()[0]
    if not files:
        raise InputError("there are no points: the table is empty", code="empty")
    tasks = min(int(files), TASKS)
    before = F.sum("parts").over(Window.orderBy("venue", "date")) - F.col("parts")
    spans = spans.select(F.col("venue").alias("v"), F.col("date").alias("d"), "first", "last", "parts", before.alias("before"))
    part = F.floor((micros - F.col("first")) * F.col("parts") / (F.col("last") - F.col("first") + 1))
    table = (
        table.join(F.broadcast(spans), F.col("venue").eqNullSafe(F.col("v")) & (F.col("date") == F.col("d")))
        .withColumn("part", F.col("before") + part)
        .withColumn("task", F.floor(F.col("part") * tasks / F.lit(files)).cast("int"))
        .drop("v", "d", "first", "last", "parts", "before")
    )
    # Each file of one task; before Spark 4.1 several may share one, and a file then has several spans.
    if hasattr(table, "repartitionById"):
        table = table.repartitionById(tasks, F.col("task"))
    else:
        table = table.repartition(tasks, "task")
    table = table.sortWithinPartitions("venue", "date", "part", "device", "time").drop("part", "task")
    keys = ["venue", "date"] if "venue" in _fields(points, columns) else ["date"]
    if keys == ["date"]:
        table = table.drop("venue")
    # The default type of timestamps has no least and greatest value in footers.
    name = "spark.sql.parquet.outputTimestampType"
    earlier = spark.conf.get(name, None)
    spark.conf.set(name, "TIMESTAMP_MICROS")
    try:
        table.write.mode(mode).partitionBy(*keys).parquet(path)
    finally:
        spark.conf.set(name, earlier) if earlier is not None else spark.conf.unset(name)


def _fields(points: Any, columns: Optional[Mapping[str, str]]) -> dict[str, str]:
    named = _points._named(columns)
    return _points._chosen(points.columns, named, False)


def _canonical(points: Any, columns: dict[str, str], unit: Optional[str], zone: Optional[str]) -> Any:
    from pyspark.sql import functions as F

    chosen = _fields(points, columns)
    if "geometry" in chosen:
        raise InputError("places must be longitude and latitude, or x and y, in columns of numbers", code="wrong-type")
    kinds = {field.name: field.dataType.simpleString() for field in points.schema}
    selected = []
    for field, name in chosen.items():
        kind, column = kinds[name], F.col(f"`{name}`")
        if field in ("time", "still_until"):
            column = _time(column, kind, name, unit, zone)
        elif field in ("device", "venue"):
            if kind not in ("string", "bigint", "int", "smallint") and not kind.startswith("varchar"):
                raise InputError(f"{field}: a column of {kind} holds no names", code="wrong-type")
            column = column.cast("string")
        elif kind not in ("double", "float", "bigint", "int", "smallint", "tinyint") and not kind.startswith("decimal"):
            raise InputError(f"{field}: a column of {kind} holds no numbers", code="wrong-type")
        else:
            column = column.cast("double")
        selected.append(column.alias(field))
    if "venue" not in chosen:
        selected.append(F.lit(None).cast("string").alias("venue"))
    return points.select(*selected)


def _time(column: Any, kind: str, name: str, unit: Optional[str], zone: Optional[str]) -> Any:
    from pyspark.sql import functions as F

    if kind == "timestamp":
        return column
    if kind == "timestamp_ntz":
        # A cast alone would take the zone of the session.
        return F.concat(column.cast("string"), F.lit(zone or "Z")).cast("timestamp")
    lower = name.lower()
    unit = unit if unit not in (None, "auto") else next((each for each in _PER_SECOND if lower.endswith("_" + each)), None)
    if unit is None or kind not in ("bigint", "int", "double", "float"):
        raise InputError(f"time: a column of {kind} has times only with time_unit, or as timestamps", code="unknown-unit")
    per_second = _PER_SECOND[unit]
    if per_second > 1_000_000:
        return F.timestamp_micros(F.floor(column / F.lit(per_second // 1_000_000)).cast("bigint"))
    return F.timestamp_micros(F.round(column * F.lit(1_000_000 // per_second)).cast("bigint"))

