"""The commands that write Parquet: ``cordon run export --to parquet`` and ``cordon write-points``."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from typing import Any, Optional, Sequence, Union

import pyarrow as pa

from . import _executable
from ._errors import CordonError, InputError
from ._layout import write_points
from ._parquet import to_parquet
from ._points import existing


def exports_parquet(words: Sequence[str]) -> bool:
    """Whether a command line is one that this module runs, and not the executable."""
    if words[:1] == ["write-points"]:
        return True
    if list(words[:2]) != ["run", "export"]:
        return False
    pairs = list(zip(words, [*words[1:], ""]))
    return any(
        word in ("--to", "--to=parquet", "--output-format=parquet")
        or word == "--output-format" and value == "parquet"
        or word in ("-o", "--output") and value.endswith(".parquet")
        or word.startswith(("--output=", "-o=")) and word.endswith(".parquet")
        for word, value in pairs
    )


def run(words: Sequence[str]) -> int:
    """Runs such a command line; returns its exit status.

    Raises:
        CordonError: what the command cannot do.
    """
    is_export = words[0] == "run"
    parser = _export_parser() if is_export else _points_parser()
    given = parser.parse_args(words[2:] if is_export else words[1:])
    try:
        summary = _export(given) if is_export else _write_points(given)
    except CordonError as error:
        if not given.json:
            raise
        fault = {
            "schema": "cordon.error/1", "code": error.code, "message": error.message, "file": error.file,
            "place": error.place, "exit_status": error.exit_status,
        }  # fmt: skip
        print(json.dumps({key: value for key, value in fault.items() if value is not None}), file=sys.stderr)
        return error.exit_status
    if given.json:
        print(json.dumps(summary))
    elif not given.quiet:
        rows, size = summary["rows"], summary["bytes"]
        print(f"{given.output}: parquet, {rows} row{'' if rows == 1 else 's'}, {size} byte{'' if size == 1 else 's'}")
    return 0


def positions(run: Union[str, "os.PathLike[str]"], words: Sequence[str] = ()) -> tuple[pa.Table, dict[str, Any]]:
    """Returns the true positions of a run as a table, and the summary of the export.

    Args:
        run: the folder.
        words: more words of ``cordon run export``.

    Raises:
        InputError: a folder or an option that cannot be used.
    """
    with tempfile.TemporaryDirectory(prefix="cordon-") as folder:
        path = os.path.join(folder, "positions.arrow")
        summary = _executable.run(
            ["run", "export", existing(run), *words, "--output-format", "arrow", "-o", path, "--quiet"]
        ).summary
        with pa.OSFile(path) as file:
            return pa.ipc.open_file(file).read_all(), summary


def export(
    run: Union[str, "os.PathLike[str]"],
    output: str,
    *,
    venue: Optional[str] = None,
    words: Sequence[str] = (),
    force: bool = False,
) -> dict[str, Any]:
    """Writes the positions of a run; ``Run.to_parquet`` describes the parameters. Returns the summary."""
    if not force and os.path.exists(output):
        raise InputError("exists already; --force replaces it", code="exists", file=output)
    table, summary = positions(run, words)
    if output.endswith(".parquet"):
        to_parquet(table, output)
        size = os.path.getsize(output)
    else:
        # A folder with other days in it stays; the days of the run are replaced.
        files = write_points(table, output, venue=venue, mode="replace" if force else "error")
        size = sum(map(os.path.getsize, files))
    return {**summary, "format": "parquet", "output": output, "bytes": size}


def _export(given: argparse.Namespace) -> dict[str, Any]:
    words = []
    for name in ("interval", "floor", "device"):
        value = getattr(given, name)
        if value is not None:
            # A floor may be negative.
            words.append(f"--{name}={value}")
    return export(given.run, given.output, venue=given.venue, words=words, force=given.force)


def _write_points(given: argparse.Namespace) -> dict[str, Any]:
    source: Any = given.points
    if source == "-":
        try:
            source = pa.ipc.open_stream(sys.stdin.buffer).read_all()
        except (pa.ArrowException, OSError) as error:
            reason = str(error).splitlines()[0]
            raise InputError(f"cannot be read as an Arrow stream: {reason}", code="damaged", file="standard input") from error
    files = write_points(
        source, given.output, venue=given.venue, metres=given.metres, geometry=given.geometry,
        time_zone=given.time_zone, mode="replace" if given.replace else "error",
    )  # fmt: skip
    import pyarrow.parquet as pq

    rows = sum(pq.read_metadata(file).num_rows for file in files)
    return {
        "schema": "cordon.write-points/1", "format": "parquet", "output": given.output, "files": len(files), "rows": rows,
        "bytes": sum(map(os.path.getsize, files)),
    }  # fmt: skip


def _parser(name: str, description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"cordon {name}", description=description, allow_abbrev=False)
    parser.add_argument("-o", "--output", required=True, help="The file NAME.parquet or the folder to write.")
    parser.add_argument("--venue", help="The venue of all points, for the names of folders.")
    parser.add_argument("--json", action="store_true", help="Print a JSON object.")
    parser.add_argument("-q", "--quiet", action="store_true", help="Print nothing but errors.")
    return parser


def _export_parser() -> argparse.ArgumentParser:
    parser = _parser("run export", "Export the trajectories of a run as Parquet, or as GeoParquet to a file.")
    parser.add_argument("run", help="The folder of a run.")
    parser.add_argument("--to", "--output-format", choices=["parquet"], help="The output format.")
    parser.add_argument("--interval", help="The time between two positions. (default: 1s)")
    parser.add_argument("--floor", help="Only this floor: its ordinal, name or identifier.")
    parser.add_argument("--device", help="Only this device, or the person of this number.")
    parser.add_argument("--force", action="store_true", help="Replace the file, or the days of the run.")
    return parser


def _points_parser() -> argparse.ArgumentParser:
    parser = _parser("write-points", "Write points as Parquet in folders of venues and days.")
    parser.add_argument("points", help="Parquet, Arrow IPC or CSV; - for an Arrow stream on standard input.")
    parser.add_argument("--metres", action="store_true", help="Read places as metres.")
    parser.add_argument("--geometry", action="store_true", help="Write GeoParquet.")
    parser.add_argument("--time-zone", help="The zone of times without one. (default: UTC)")
    parser.add_argument("--replace", action="store_true", help="Replace the days of the points in an existing folder.")
    return parser
