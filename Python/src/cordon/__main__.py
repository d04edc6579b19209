"""Runs the executable of the package, and what only Python can: ``cordon ...`` and ``python -m cordon ...``."""

from __future__ import annotations

import os
import sys

from ._errors import CordonError
from ._executable import executable


def main() -> None:
    """Replaces this process with the executable; exports as Parquet are written here, through pyarrow."""
    from ._export import exports_parquet, run

    words = sys.argv[1:]
    try:
        if exports_parquet(words):
            sys.exit(run(words))
        path = executable()
    except CordonError as error:
        print(f"cordon: {error}", file=sys.stderr)
        sys.exit(error.exit_status)
    os.execv(path, [path, *words])


if __name__ == "__main__":
    main()
