"""Types of Spark for types of Arrow."""

from __future__ import annotations

import pyarrow as pa

_NAMES = {
    pa.string(): "string",
    pa.float64(): "double",
    pa.int64(): "bigint",
    pa.bool_(): "boolean",
    pa.timestamp("us", tz="UTC"): "timestamp",
}


def kind(field: pa.Field) -> str:
    """Returns the type of a field as Spark names it."""
    return _NAMES[field.type]


def ddl(schema: pa.Schema) -> str:
    """Returns a schema as Spark writes it."""
    return ", ".join(f"`{field.name}` {kind(field)}" for field in schema)
