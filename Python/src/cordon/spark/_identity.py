"""Identifiers of contacts: UUIDs of version 5, so that the same contact has the same one wherever and whenever it is found."""

from __future__ import annotations

import hashlib
import uuid
from typing import Any

import pyarrow as pa

#: The namespace of contacts.
NAMESPACE = uuid.uuid5(uuid.NAMESPACE_DNS, "contacts.cordon")
_SEPARATOR = "\x1f"


def identifiers(table: pa.Table) -> pa.Array:
    """Returns the identifier of each contact: of its venue, devices, floor and start."""
    parts = [table[name].to_pylist() for name in ("venue", "device_a", "device_b", "floor")]
    starts = table["start"].cast(pa.int64()).to_pylist()
    prefix = NAMESPACE.bytes
    found = []
    for venue, first, second, floor, start in zip(*parts, starts):
        name = _SEPARATOR.join((venue or "", first, second, "" if floor is None else str(round(floor * 1000)), str(start)))
        digest = hashlib.sha1(prefix + name.encode()).hexdigest()
        variant = "89ab"[int(digest[16], 16) & 3]
        found.append(f"{digest[:8]}-{digest[8:12]}-5{digest[13:16]}-{variant}{digest[17:20]}-{digest[20:32]}")
    return pa.array(found, pa.string())


def column() -> Any:
    """Returns the same as a column of Spark, which computes it only where it is used."""
    from pyspark.sql import functions as F

    floor = F.coalesce(F.round(F.col("floor") * 1000).cast("bigint").cast("string"), F.lit(""))
    name = F.concat_ws(
        _SEPARATOR, F.coalesce(F.col("venue"), F.lit("")), "device_a", "device_b", floor, F.unix_micros("start").cast("string")
    )
    digest = F.sha1(F.concat(F.unhex(F.lit(NAMESPACE.hex)), F.encode(name, "UTF-8")))
    variant = F.translate(F.substring(digest, 17, 1), "0123456789abcdef", "89ab89ab89ab89ab")
    return F.concat_ws(
        "-",
        F.substring(digest, 1, 8),
        F.substring(digest, 9, 4),
        F.concat(F.lit("5"), F.substring(digest, 14, 3)),
        F.concat(variant, F.substring(digest, 18, 3)),
        F.substring(digest, 21, 12),
    )
