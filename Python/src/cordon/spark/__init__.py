"""Cordon on Apache Spark (PySpark 4): contacts of more points than one machine holds.

Executors read files of points and run the executable of the package; Spark distributes, repeats and commits::

    import cordon.spark
    contacts = cordon.spark.contacts(spark, "s3://bucket/points")
    contacts.write.parquet("s3://bucket/contacts")
"""

from ._backtrace import backtrace
from ._contacts import contacts, count, plan, run
from ._exposures import exposures
from ._layout import write_points
from ._occupancy import occupancy
from ._plan import Plan
from ._sweep import sweep


def register(spark: object) -> None:
    """Makes ``spark.read.format("cordon-contacts")`` known to a session."""
    from ._source import ContactsSource

    spark.dataSource.register(ContactsSource)  # type: ignore[attr-defined]


__all__ = [
    "Plan",
    "backtrace",
    "contacts",
    "count",
    "exposures",
    "occupancy",
    "plan",
    "register",
    "run",
    "sweep",
    "write_points",
]
