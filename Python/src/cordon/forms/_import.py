"""Reads XLSForm."""

from __future__ import annotations

import os
import re
from typing import Any, Optional, Union

from .._errors import InputError, MissingDependencyError
from ._expressions import Node, Scope, Unsupported, from_xpath, parse_xpath, write

_KINDS = {
    "text": "text", "string": "text", "barcode": "text", "integer": "integer", "int": "integer", "decimal": "number",
    "date": "date", "range": "scale", "geopoint": "place", "image": "photo", "photo": "photo", "acknowledge": "toggle",
    "trigger": "toggle", "calculate": "calculate",
}  # fmt: skip
_META = {
    "start", "end", "today", "deviceid", "phonenumber", "username", "email", "audit", "subscriberid", "simserial", "note",
    "start-geopoint", "background-audio",
}  # fmt: skip
_TRUTHS = ({"true", "false"}, {"yes", "no"})
_OPERATORS = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}


def _openpyxl() -> Any:
    try:
        import openpyxl  # type: ignore[import-untyped,unused-ignore]
    except ImportError as error:
        raise MissingDependencyError("XLSForm needs openpyxl: pip install 'cordon[forms]'", code="dependency") from error
    return openpyxl


def read_xlsform(path: Union[str, "os.PathLike[str]"]) -> tuple[dict[str, Any], list[str]]:
    """Reads a form from an XLSForm.

    Returns:
        the document of a form as ``cordon form check`` reads it, and notes: one sentence for each thing that was left out
        or changed.

    Raises:
        InputError: the file is not an XLSForm, or holds a question that forms do not have; with the sheet and row.
        MissingDependencyError: openpyxl is not installed.
    """
    openpyxl = _openpyxl()
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        sheets = {name.lower(): _rows(book[name]) for name in book.sheetnames if name.lower() in ("survey", "choices", "settings")}
        book.close()
    except MissingDependencyError:
        raise
    except Exception as error:
        raise InputError("is not a spreadsheet that can be read", code="format", file=str(path)) from error
    if not sheets.get("survey"):
        raise InputError("has no sheet 'survey' with rows", code="format", file=str(path))
    try:
        return _Reader(sheets).form()
    except Unsupported as error:
        raise InputError(error.message, code="xlsform", file=str(path), place=error.place) from error


def _rows(sheet: Any) -> list[tuple[int, dict[str, str]]]:
    """The rows of a sheet by the names of their columns, each with its number; empty rows are left out."""
    heads: list[str] = []
    found = []
    for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        texts = ["" if value is None else _text(value) for value in row]
        if not heads:
            heads = [re.sub(r"\s*::?\s*", "::", text.strip()) for text in texts] if any(texts) else []
            continue
        entry = {head: text for head, text in zip(heads, texts) if head and text}
        if entry:
            found.append((number, entry))
    return found


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    if hasattr(value, "isoformat"):
        return str(value.isoformat())[:10]
    return str(value).strip()


class _Reader:
    def __init__(self, sheets: dict[str, list[tuple[int, dict[str, str]]]]) -> None:
        self.survey = sheets["survey"]
        self.notes: list[str] = []
        self.settings: dict[str, str] = next((row for _, row in sheets.get("settings", [])), {})
        self.lists: dict[str, list[dict[str, str]]] = {}
        for _, row in sheets.get("choices", []):
            name = row.get("list_name") or row.get("list name") or ""
            self.lists.setdefault(name, []).append(row)
        self.languages = self._languages([row for _, row in self.survey] + [row for rows in self.lists.values() for row in rows])
        self.scope = Scope()
        self.names: dict[str, str] = {}

    def _languages(self, rows: list[dict[str, str]]) -> list[tuple[str, str]]:
        """The languages as their columns state them, each with its code, the default one first."""
        found: list[str] = []
        for row in rows:
            for head in row:
                part = head.split("::")
                if part[0] in ("label", "hint") and len(part) == 2 and part[1] not in found:
                    found.append(part[1])
        default = self.settings.get("default_language", "")
        # The order of the columns, but for the default language.
        found.sort(key=lambda name: name != default)
        used: list[tuple[str, str]] = []
        for name in found:
            match = re.search(r"\(([A-Za-z-]{2,12})\)\s*$", name)
            code = match[1] if match else name.strip().lower()[:12]
            used.append((name, re.sub(r"[^A-Za-z-]", "", code) or "en"))
        return used or [("", "en")]

    def form(self) -> tuple[dict[str, Any], list[str]]:
        title = self.settings.get("form_title") or self.settings.get("form_id") or "form"
        version = re.sub(r"\D", "", self.settings.get("version", "")) or "1"
        self._collect()
        items = self._items(iter(self.survey), None, [])
        if not items:
            raise Unsupported("the form has no question that forms have", place="sheet survey")
        identifier = _identifier(self.settings.get("form_id") or title, "form").replace("__", "_")
        document = {
            "form": identifier, "version": min(max(int(version[-6:]), 1), 1_000_000),
            "languages": [code for _, code in self.languages], "title": title, "items": items,
        }  # fmt: skip
        return document, self.notes

    # The names and types of all fields come first: an expression may name a later one.
    def _collect(self) -> None:
        around: list[str] = []
        for number, row in self.survey:
            kind, _ = self._type(row)
            name = row.get("name", "")
            if kind in ("end_group", "end_repeat"):
                if not around:
                    raise Unsupported("a group ends that did not begin", place=f"sheet survey, row {number}")
                around.pop()
                continue
            if not name:
                continue
            own = _identifier(name, "field")
            if own != name:
                self.notes.append(f"row {number}: '{name}' is named '{own}'")
            if own in self.names.values() and kind is not None:
                raise Unsupported(f"the name '{own}' is used twice", place=f"sheet survey, row {number}")
            self.names[name] = own
            self.scope.groups[own] = list(around)
            known = {"begin_group": "group", "begin_repeat": "repeat"}.get(kind or "", kind)
            self.scope.kinds[own] = None if known == "meta" else known
            if kind in ("begin_group", "begin_repeat"):
                around.append(own)
        if around:
            raise Unsupported(f"the group '{around[-1]}' does not end", place="sheet survey")

    def _type(self, row: dict[str, str]) -> tuple[Optional[str], str]:
        """The type of a row as forms name it, and the list of its options."""
        words = row.get("type", "").replace("_from_file", " _from_file").split()
        if not words:
            return None, ""
        head = words[0].lower().replace("-", "_")
        if head in ("begin", "end") and len(words) > 1:
            head = f"{head}_{words[1].lower()}"
        if head in ("begin_group", "end_group", "begin_repeat", "end_repeat"):
            return head, ""
        if head in ("select_one", "select_multiple", "select1", "select") and len(words) > 1:
            options = {entry.get("name", "") for entry in self.lists.get(words[1], [])}
            if head in ("select_one", "select1"):
                return ("toggle" if options in _TRUTHS else "choice"), words[1]
            return "choices", words[1]
        if words[0] in _META:
            return "meta", ""
        if head == "text" and "multiline" in row.get("appearance", ""):
            return "long_text", ""
        return _KINDS.get(head, f"?{row['type']}"), ""

    def _items(self, rows: Any, end: Optional[str], around: list[str]) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = []
        for number, row in rows:
            kind, options = self._type(row)
            place = f"sheet survey, row {number}"
            try:
                if kind == end and end is not None:
                    return items
                if kind is None:
                    continue
                if kind == "meta":
                    self.notes.append(f"row {number}: '{row.get('type')}' is left out")
                    continue
                if kind.startswith("?"):
                    raise Unsupported(f"the type '{kind[1:]}' has no counterpart")
                name = self.names.get(row.get("name", ""), "")
                if not name:
                    raise Unsupported("the name is missing")
                if kind in ("begin_group", "begin_repeat"):
                    items.append(self._group(row, name, kind, rows, around))
                else:
                    items.append(self._field(number, row, name, kind, options, around))
            except Unsupported as error:
                raise Unsupported(error.message, place=error.place or place) from None
        return items

    def _group(self, row: dict[str, str], name: str, kind: str, rows: Any, around: list[str]) -> dict[str, Any]:
        group: dict[str, Any] = {"group": name, "label": self._label(row, "label", name)}
        if kind == "begin_repeat":
            count = row.get("repeat_count", "")
            group["repeat"] = {"min": int(count), "max": int(count)} if count.isdigit() and 0 < int(count) <= 200 else {"max": 200}
            if count and not count.isdigit():
                self.notes.append(f"'{name}': the number of entries '{count}' is left out; people add entries")
        if row.get("relevant"):
            group["show_if"] = self._expression(row["relevant"], around)
        group["items"] = self._items(rows, "end_group" if kind == "begin_group" else "end_repeat", around + [name])
        if not group["items"]:
            raise Unsupported(f"the group '{name}' has no question")
        return group

    def _label(self, row: dict[str, str], column: str, default: str) -> Any:
        texts = {code: row.get(f"{column}::{name}") or (row.get(column) if index == 0 else None) for index, (name, code) in enumerate(self.languages)}
        texts = {code: text for code, text in texts.items() if text}
        if not texts:
            return row.get(column) or default
        if self.languages[0][1] not in texts:
            texts = {self.languages[0][1]: next(iter(texts.values())), **texts}
        return next(iter(texts.values())) if len(self.languages) == 1 else texts

    def _expression(self, text: str, around: list[str]) -> str:
        return write(self._node(text, around), native=True)

    def _node(self, text: str, around: list[str]) -> Node:
        self.scope.here = around
        return from_xpath(self._renamed(parse_xpath(text)), self.scope)

    def _renamed(self, node: Any) -> Any:
        if isinstance(node, tuple) and node and node[0] == "field":
            return ("field", [self.names.get(name, name) for name in node[1]])
        if isinstance(node, (tuple, list)):
            return type(node)(self._renamed(one) for one in node)
        return node

    def _field(self, number: int, row: dict[str, str], name: str, kind: str, options: str, around: list[str]) -> dict[str, Any]:
        field: dict[str, Any] = {"name": name}
        if row.get("was"):
            field["was"] = row["was"]
        formula = self._node(row["calculation"], around) if row.get("calculation") else None
        if kind == "calculate" and formula is None:
            raise Unsupported("a calculated field needs a calculation")
        field["type"] = _formula_kind(formula, self.scope) if kind == "calculate" and formula else kind
        field["label"] = self._label(row, "label", name)
        hint = self._label(row, "hint", "")
        if hint:
            field["help"] = hint
        if formula is not None:
            field["calculate"] = write(formula, native=True)
        elif row.get("required", "").lower() in ("yes", "true", "true()"):
            field["required"] = True
        if row.get("unit"):
            field["unit"] = row["unit"]
        if options and kind != "toggle":
            field["options"] = [
                {"value": entry.get("name", ""), "label": self._label(entry, "label", entry.get("name", ""))}
                for entry in self.lists.get(options, [])
            ]
            if not field["options"]:
                raise Unsupported(f"the list '{options}' has no choices")
        if kind == "scale":
            bounds = dict(re.findall(r"(start|end|step)\s*=\s*(-?[\d.]+)", row.get("parameters", "")))
            if float(bounds.get("step", 1)) != 1:
                raise Unsupported("a range needs whole steps")
            field["min"], field["max"] = int(float(bounds.get("start", 0))), int(float(bounds.get("end", 10)))
        if row.get("constraint"):
            self._constraint(field, row["constraint"], number)
        if row.get("relevant"):
            field["show_if"] = self._expression(row["relevant"], around)
        if row.get("default") and formula is None:
            self._default(field, row["default"], number)
        return field

    def _constraint(self, field: dict[str, Any], text: str, number: int) -> None:
        """Takes bounds out of a constraint; the rest of it is a note."""
        try:
            parts = _conjunction(parse_xpath(text))
        except Unsupported:
            parts = [("other",)]
        for part in parts:
            bound = _bound(part, str(field["type"]))
            if bound is None:
                self.notes.append(f"row {number}: the constraint of '{field['name']}' is left out, or a part of it")
                continue
            field[bound[0]] = bound[1]

    def _default(self, field: dict[str, Any], text: str, number: int) -> None:
        value: Any = text
        try:
            if field["type"] in ("number", "integer", "scale"):
                value = float(text) if field["type"] == "number" else int(text)
            elif field["type"] == "toggle":
                value = {"true": True, "yes": True, "false": False, "no": False}[text.lower()]
            elif field["type"] == "choices":
                value = text.split()
            elif field["type"] in ("place", "photo") or "(" in text or "$" in text:
                raise ValueError
        except (KeyError, ValueError):
            self.notes.append(f"row {number}: the default of '{field['name']}' is left out")
            return
        field["default"] = value


def _identifier(text: str, default: str) -> str:
    name = re.sub(r"[^a-z0-9_]+", "_", text.strip().lower()).strip("_") or default
    name = name if name[0].isalpha() else f"{default}_{name}"
    return (f"{name}_" if name in ("and", "or", "not", "true", "false") else name)[:64]


def _formula_kind(node: Node, scope: Scope) -> str:
    """The type of the value of a formula."""
    kind = node[0]
    if kind == "truth" or kind == "not":
        return "toggle"
    if kind == "text":
        return "date" if re.fullmatch(r"\d{4}-\d{2}-\d{2}", node[1]) else "text"
    if kind == "field":
        known = scope.kind(node) or "number"
        return {"calculate": "number", "scale": "integer", "choice": "text", "choices": "text", "long_text": "text"}.get(known, known)
    if kind == "binary":
        if node[1] in ("and", "or", "=", "!=", "<", "<=", ">", ">="):
            return "toggle"
        return "date" if node[1] in "+-" and _formula_kind(node[2], scope) == "date" else "number"
    if kind == "call":
        if node[1] == "if":
            return _formula_kind(node[2][1], scope)
        return {"today": "date", "contains": "toggle", "answered": "toggle", "count": "integer", "length": "integer", "days": "integer"}.get(
            node[1], "number"
        )
    return "number"


def _conjunction(node: Node) -> list[Node]:
    if node[0] == "binary" and node[1] == "and":
        return _conjunction(node[2]) + _conjunction(node[3])
    return [node]


def _bound(node: Node, kind: str) -> Optional[tuple[str, Any]]:
    """A bound as a key of a field and its value; `None` for other constraints."""
    if node[0] != "binary" or node[1] not in _OPERATORS:
        return None
    sign, left, right = node[1:]
    length: Node = ("call", "string-length", [("self",)])
    if right in (("self",), length):
        sign, left, right = _OPERATORS[sign], right, left
    if left == length and right[0] == "number" and kind in ("text", "long_text") and sign in ("<", "<="):
        return "max_length", int(right[1]) - (1 if sign == "<" else 0)
    if left != ("self",):
        return None
    if kind == "date" and sign in ("<=", ">="):
        key = "min" if sign == ">=" else "max"
        if right == ("call", "today", []):
            return key, "today"
        if right[0] == "call" and right[1] == "date" and right[2][0][0] == "text":
            return key, right[2][0][1]
    if kind in ("number", "integer", "scale"):
        value = -right[1][1] if right[0] == "negative" and right[1][0] == "number" else right[1] if right[0] == "number" else None
        if value is None or sign in ("<", ">") and kind == "number":
            return None
        step = {"<": -1, ">": 1}.get(sign, 0)
        return ("min" if sign in (">", ">=") else "max", value + step) if sign != "=" else None
    return None
