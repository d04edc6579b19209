"""Modules that are imported at their first use: importing those of pyarrow takes longer than most commands."""

from __future__ import annotations

import importlib
from typing import Any


class _Module:
    """A module whose attributes import it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        value = getattr(importlib.import_module(self._name), attribute)
        # Found without this method from now on.
        setattr(self, attribute, value)
        return value


#: ``pyarrow.compute``.
compute: Any = _Module("pyarrow.compute")
#: ``pyarrow.csv``.
csv: Any = _Module("pyarrow.csv")
#: ``pyarrow.json``.
json: Any = _Module("pyarrow.json")
#: ``pyarrow.parquet``.
parquet: Any = _Module("pyarrow.parquet")
