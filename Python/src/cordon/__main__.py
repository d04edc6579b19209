"""Runs the executable of the package: ``cordon ...`` and ``python -m cordon ...``."""

from __future__ import annotations

import os
import sys

from ._errors import CordonError
from ._executable import executable


def main() -> None:
    """Replaces this process with the executable."""
    try:
        path = executable()
    except CordonError as error:
        sys.exit(f"cordon: {error}")
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
