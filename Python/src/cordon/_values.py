"""Small values and checks of columns, without pandas.

``pa.array`` and ``pa.scalar`` import pandas where it is installed. So do functions of ``pyarrow.compute`` that are given a plain
value. That takes as long as most commands; a column of the right type needs none of it.
"""

from __future__ import annotations

import sys
from typing import Any, Optional

import pyarrow as pa

from ._lazy import compute as pc


def extent(column: Any) -> Optional[tuple[float, float]]:
    """Returns the least and the greatest value of a column of ``float64``; NaN when it holds a NaN.

    Returns:
        ``None`` for columns of other types, without rows, or with nulls.
    """
    if column.type != pa.float64() or column.null_count or len(column) == 0:
        return None
    chunks = [chunk for chunk in (column.chunks if isinstance(column, pa.ChunkedArray) else [column]) if len(chunk)]
    # The modules of pyarrow load numpy where it is installed; ``pyarrow.compute`` is loaded only when it is missing.
    numpy = sys.modules.get("numpy")
    ends: list[float] = []
    for chunk in chunks:
        if numpy is not None:
            values = numpy.frombuffer(chunk.buffers()[1], numpy.float64, len(chunk), chunk.offset * 8)
            ends += (float(values.min()), float(values.max()))
        elif pc.any(pc.is_nan(chunk)).as_py():
            return float("nan"), float("nan")
        else:
            ends += (value.as_py() for value in pc.min_max(chunk).values())
    if any(value != value for value in ends):
        return float("nan"), float("nan")
    return min(ends), max(ends)


def has_empty_text(column: Any) -> bool:
    """Whether a value of a column of text is empty; nulls are not."""
    if len(column) <= _FEW:
        return "" in column.to_pylist()
    shortest = pc.min(pc.binary_length(column)).as_py()
    return bool(shortest == 0)


#: Values that Python looks at one by one.
_FEW = 10_000


def text(value: str) -> Any:
    """Returns an Arrow array of one text."""
    data = value.encode()
    offsets = (0).to_bytes(4, sys.byteorder) + len(data).to_bytes(4, sys.byteorder)
    return pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def repeated(value: str, count: int) -> Any:
    """Returns a dictionary array that holds one text in every row."""
    indices = pa.Array.from_buffers(pa.int32(), count, [None, pa.py_buffer(bytes(4 * count))])
    return pa.DictionaryArray.from_arrays(indices, text(value))
