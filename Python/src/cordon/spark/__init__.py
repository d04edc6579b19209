"""Cordon on Apache Spark (PySpark 4): contacts of more points than one machine holds.

Executors read files of points and run the executable of the package; Spark distributes, repeats and commits::

    import cordon.spark
    contacts = cordon.spark.contacts(spark, "s3://bucket/points")
    contacts.write.parquet("s3://bucket/contacts")
"""

from ._contacts import contacts, plan, run
from ._layout import write_points
from ._plan import Plan


def register(spark: object) -> None:
    """Makes ``spark.read.format("cordon-contacts")`` known to a session."""
    from ._source import ContactsSource

    spark.dataSource.register(ContactsSource)  # type: ignore[attr-defined]


__all__ = ["Plan", "contacts", "plan", "register", "run", "write_points"]
