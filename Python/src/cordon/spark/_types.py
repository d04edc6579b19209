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


def ddl(schema: pa.Schema) -> str:
    """Returns a schema as Spark writes it."""
    return ", ".join(f"`{field.name}` {_NAMES[field.type]}" for field in schema)
