"""``python -m cordon.forms``: converts forms from and to XLSForm."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from .._errors import CordonError
from . import read_xlsform, write_xlsform


def main(arguments: "list[str] | None" = None) -> int:
    """Runs a conversion, and returns the exit status: 0, or 2 with a message on the error output."""
    parser = argparse.ArgumentParser(prog="python -m cordon.forms", description="Convert forms from and to XLSForm.")
    commands = parser.add_subparsers(dest="command", required=True)
    reading = commands.add_parser("import", help="read an XLSForm and write the document of a form")
    writing = commands.add_parser("export", help="read the document of a form and write an XLSForm")
    for command, text in ((reading, "the spreadsheet, .xlsx"), (writing, "the document of the form, JSON")):
        command.add_argument("input", help=text)
        command.add_argument("-o", "--output", required=True, help="the file to write")
    options = parser.parse_args(arguments)
    try:
        if options.command == "import":
            form, notes = read_xlsform(options.input)
            Path(options.output).write_text(json.dumps(form, indent=2, ensure_ascii=False) + "\n", "utf-8")
        else:
            try:
                document = json.loads(Path(options.input).read_text("utf-8"))
            except (OSError, ValueError) as error:
                print(f"{options.input}: cannot be read as JSON: {error}", file=sys.stderr)
                return 2
            notes = write_xlsform(document, options.output)
    except CordonError as error:
        print(error, file=sys.stderr)
        return 2
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    print(options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
