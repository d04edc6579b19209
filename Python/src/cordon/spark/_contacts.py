"""Contacts as a DataFrame of Spark."""

from __future__ import annotations

import os
import pickle
import tempfile
from typing import Any, Iterator, Optional

import pyarrow as pa

from .._errors import InputError
from . import _identity
from ._border import merge
from ._layout import write_points
from ._options import Question, milliseconds
from ._plan import ROWS, Plan, plan as _plan
from ._slab import CONTACTS, MARK, OF_MAP, PIECES, completed, pieces, tally
from ._types import ddl, kind

#: Slabs whose borders one task of the second stage joins.
_BORDERS_PER_TASK = 64


def contacts(
    spark: Any,
    points: Any,
    distance: float = 2.0,
    max_gap: Any = "30s",
    venue: Any = None,
    *,
    line_of_sight: bool = False,
    unknown_floors: str = "flagged",
    origin: Optional[tuple[float, float]] = None,
    columns: Optional[dict[str, str]] = None,
    time_unit: Optional[str] = None,
    time_zone: Optional[str] = None,
    slabs: Optional[int] = None,
    rows_per_slab: int = ROWS,
    memory_per_task: Optional[str] = None,
    devices_roam: bool = True,
    staging: Optional[str] = None,
    persist: bool = True,
) -> Any:
    """Finds the contacts of all pairs of devices, of as many points as there are machines for.

    The rows are those of ``cordon contacts find`` on one machine, to the last bit, for any number of slabs and executors.

    Args:
        spark: the session.
        points: paths to Parquet files or folders of them, as ``write_points`` writes them; or a DataFrame, which is written to
            ``staging`` first.
        distance: the contact distance in metres, inclusive.
        max_gap: the longest time between two fixes that are joined: ``"30s"``, seconds or a ``timedelta``.
        venue: the map of the points, for spaces and walls: a path that every executor can read.
        line_of_sight: whether ``wall_share`` is computed.
        unknown_floors: ``flagged`` (devices on unknown floors can meet) or ``never``.
        origin: longitude and latitude of the origin of the plane; by default the middle of the points of each venue.
        columns: the columns of fields, such as ``{"device": "badge"}``; the others are found by common names.
        time_unit: the unit of times that are numbers.
        time_zone: the zone of times without one, by default UTC.
        slabs: about how many tasks are wanted; by default four for each core, and enough for ``rows_per_slab``.
        rows_per_slab: about the most rows of a task; a few per cent more do not make another one.
        memory_per_task: what the executable and Python may take in a task, such as ``"1g"``. It makes slabs shorter, and
            divides a minute that does not fit into tiles of the plane.
        devices_roam: whether a device may be in several venues. ``False`` saves the comparison of their devices.
        staging: the folder for the points of a DataFrame; every executor reads and writes it. It is not removed.
        persist: whether the result of the first stage is kept when there is a second one, so that it is computed once.

    Returns:
        One row a contact, in no order: ``id`` (a UUID of version 5) and the columns of ``cordon.contacts``.

    Raises:
        InputError: points or arguments that cannot be used. Faults of rows appear when Spark computes, with this in their text.
    """
    if not isinstance(points, (str, list, tuple)) and not hasattr(points, "__fspath__"):
        points, columns = _staged(spark, points, staging, columns, time_unit, time_zone), None
    made = plan(
        spark, points, distance=distance, max_gap=max_gap, venue=venue, line_of_sight=line_of_sight,
        unknown_floors=unknown_floors, origin=origin, columns=columns, time_unit=time_unit, time_zone=time_zone, slabs=slabs,
        rows_per_slab=rows_per_slab, memory_per_task=memory_per_task, devices_roam=devices_roam,
    )  # fmt: skip
    return run(spark, made, persist=persist)


def plan(spark: Any, points: Any, **options: Any) -> Plan:
    """Plans the tasks of ``contacts`` without running them, from the footers of the files.

    ``print(plan)`` shows the number of tasks and the memory of the largest one. ``run`` computes a plan.

    Args:
        points: paths to Parquet files or folders of them.
        **options: those of ``contacts``.

    Raises:
        InputError: files or arguments that cannot be used.
    """
    own = ("slabs", "rows_per_slab", "devices_roam", "align", "tiles", "parts", "fitting")
    limits: dict[str, Any] = {name: options.pop(name) for name in own if name in options}
    memory = options.pop("memory_per_task", None)
    if memory is not None:
        limits["memory_per_task"] = size(memory)
    paths = [str(path) for path in points] if isinstance(points, (list, tuple)) else str(points)
    cores = options.pop("cores", None) or _cores(spark)
    return _plan(paths, Question.of(options), cores=cores, **limits)


def run(spark: Any, made: Plan, *, persist: bool = True) -> Any:
    """Returns the contacts of a plan as a DataFrame; see ``contacts``."""
    from pyspark import StorageLevel
    from pyspark.sql import functions as F

    job = made.job
    # Text for each slab: a task reads only its own.
    tasks = [pickle.dumps(slab) for slab in made.slabs]

    # Columns with one value in all rows pass neither from the executable nor from Python.
    venues = {file.venue for files in made.components for file in files}
    constants: dict[str, Optional[str]] = {} if job.question.map else dict.fromkeys(OF_MAP)
    if len(venues) == 1:
        constants["venue"] = venues.pop()
    shared = {name: value for name, value in constants.items() if value is not None}
    sent = pa.schema([field for field in PIECES if field.name not in constants and (field.name != "border" or made.has_borders)])

    def solve(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from _batches(pieces(job, pickle.loads(tasks[number])).select(sent.names))

    found = spark.range(0, len(tasks), 1, len(tasks)).mapInArrow(solve, ddl(sent))
    names = CONTACTS.names
    columns = [
        F.lit(constants[field.name]).cast(kind(field)).alias(field.name) if field.name in constants else F.col(field.name)
        for field in CONTACTS
    ]
    if not made.has_borders:
        whole = found.select(*columns)
        return whole.select(_identity.column().alias("id"), *names)
    if persist:
        found = found.persist(StorageLevel.MEMORY_AND_DISK)
    components = {
        slab.component: made.components[slab.component] for slab in made.slabs if slab.has_border
    }
    parts = max(1, len(tasks) // _BORDERS_PER_TASK)

    def join(table: pa.Table) -> pa.Table:
        if table.num_rows == 0:
            return CONTACTS.empty_table()
        component = table["border"][0].as_py() // MARK
        return merge(job, components[component], completed(table, shared).append_column("border", table["border"]))

    bucket = F.abs(F.hash("device_a", "device_b")) % parts
    component = F.shiftright("border", 32)
    joined = found.where("border IS NOT NULL").groupBy(component, bucket).applyInArrow(join, ddl(CONTACTS))
    whole = found.where("border IS NULL").select(*columns).unionByName(joined)
    return whole.select(_identity.column().alias("id"), *names)


def count(spark: Any, made: Plan) -> int:
    """Counts the contacts of a plan, as ``run(spark, made).count()`` does.

    No row passes from Python to Spark, and Spark runs one stage: each contact is counted in the slab in which it begins.

    Args:
        spark: the session.
        made: a plan of ``plan``.

    Returns:
        the number of contacts.
    """
    job = made.job
    tasks = [pickle.dumps(slab) for slab in made.slabs]
    context = _context(spark)
    if context is not None:
        # Each task gets its own slab, and no query is planned.
        return sum(context.parallelize(tasks, len(tasks)).map(lambda task: tally(job, pickle.loads(task))).collect())

    def solve(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                found = pa.array([tally(job, pickle.loads(tasks[number]))], pa.int64())
                yield pa.RecordBatch.from_arrays([found], names=["contacts"])

    counted = spark.range(0, len(tasks), 1, len(tasks)).mapInArrow(solve, "contacts bigint")
    return sum(row.contacts for row in counted.collect())


def size(text: Any) -> int:
    """Returns a number of bytes: a whole number, or text such as ``512m`` or ``2g``.

    Raises:
        InputError: it is neither.
    """
    if isinstance(text, int) and not isinstance(text, bool):
        return text
    letters = {"k": 10, "m": 20, "g": 30, "t": 40}
    plain = str(text).strip().lower().rstrip("b").rstrip("i")
    scale = letters.get(plain[-1:], 0)
    digits = plain[:-1] if scale else plain
    if not digits.isdigit():
        raise InputError(f"memory_per_task must be bytes such as '1g', not {text!r}")
    return int(digits) << scale


def _batches(table: pa.Table) -> Iterator[pa.RecordBatch]:
    # Without a batch Spark has no columns to read.
    yield from table.to_batches(max_chunksize=1 << 16) or [
        pa.RecordBatch.from_arrays([pa.array([], field.type) for field in table.schema], schema=table.schema)
    ]


def _cores(spark: Any) -> int:
    """How many tasks run at once, as far as the session knows."""
    context = _context(spark)
    return 8 if context is None else int(context.defaultParallelism)


def _context(spark: Any) -> Any:
    """The context of a session; ``None`` for one of Spark Connect, which has none."""
    try:
        return spark.sparkContext
    except Exception:  # noqa: BLE001 - the kind of the error depends on the version
        return None


def _staged(
    spark: Any, frame: Any, staging: Optional[str], columns: Any, time_unit: Optional[str], time_zone: Optional[str]
) -> str:
    if not hasattr(frame, "sparkSession"):
        raise InputError(f"points must be paths or a DataFrame of Spark, not {type(frame).__name__}", code="wrong-type")
    if staging is None:
        master = spark.conf.get("spark.master", "")
        if not master.startswith("local"):
            raise InputError("staging is needed for a DataFrame: a folder that every executor reads and writes")
        staging = tempfile.mkdtemp(prefix="cordon-")
    path = (staging if "://" in staging else os.path.abspath(staging)).rstrip("/") + "/points"
    write_points(frame, path, columns=columns, time_unit=time_unit, time_zone=time_zone)
    return path


__all__ = ["contacts", "count", "milliseconds", "plan", "run"]
