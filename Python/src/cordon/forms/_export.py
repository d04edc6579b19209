"""Writes XLSForm."""

from __future__ import annotations

import os
import re
from typing import Any, Union

from .._errors import InputError
from ._expressions import Node, Scope, Unsupported, parse_native, to_xpath, write
from ._import import _openpyxl

_KINDS = {
    "text": "text", "long_text": "text", "number": "decimal", "integer": "integer", "date": "date", "scale": "range",
    "toggle": "select_one cordon_truth", "place": "geopoint", "photo": "image",
}  # fmt: skip
_COLUMNS = (
    "type", "name", "was", "label", "hint", "required", "relevant", "constraint", "calculation", "default", "appearance",
    "parameters", "repeat_count", "unit",
)  # fmt: skip


def write_xlsform(form: dict[str, Any], path: Union[str, "os.PathLike[str]"]) -> list[str]:
    """Writes a form as an XLSForm.

    Args:
        form: the document of a form, as ``cordon form check`` accepts it.
        path: the spreadsheet (``.xlsx``) to write.

    Returns:
        notes: one sentence for each thing that XLSForm holds in another way.

    Raises:
        InputError: the form has a condition that XLSForm cannot state; with the name of the field.
        MissingDependencyError: openpyxl is not installed.
    """
    openpyxl = _openpyxl()
    try:
        writer = _Writer(form)
        book = openpyxl.Workbook()
        survey = book.active
        survey.title = "survey"
        _fill(survey, writer.survey)
        _fill(book.create_sheet("choices"), writer.choices)
        _fill(book.create_sheet("settings"), [writer.settings])
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError("is not the document of a form; cordon form check names the fault", code="form") from error
    book.save(path)
    return writer.notes


def _fill(sheet: Any, rows: list[dict[str, str]]) -> None:
    heads: list[str] = []
    for row in rows:
        heads += [head for head in row if head not in heads]
    order = {name: index for index, name in enumerate(_COLUMNS)}
    heads.sort(key=lambda head: order.get(head.split("::")[0], -1))
    sheet.append(heads or ["list_name", "name", "label"])
    for row in rows:
        sheet.append([row.get(head) for head in heads])
        for cell in sheet[sheet.max_row]:
            # A text that begins with '=' is a text, not a formula of the spreadsheet.
            if isinstance(cell.value, str):
                cell.data_type = "s"


class _Writer:
    def __init__(self, form: dict[str, Any]) -> None:
        self.languages: list[str] = form.get("languages") or ["en"]
        self.notes: list[str] = []
        self.survey: list[dict[str, str]] = []
        self.choices: list[dict[str, str]] = []
        self.scope = Scope()
        self._collect(form["items"], [])
        title = form["title"]
        self.settings = {
            "form_title": title if isinstance(title, str) else title[self.languages[0]],
            "form_id": form["form"], "version": str(form["version"]), "default_language": self._column(self.languages[0]),
        }  # fmt: skip
        if not self._has_languages():
            del self.settings["default_language"]
        self._items(form["items"], [])
        if any(row["type"] == _KINDS["toggle"] for row in self.survey):
            for value, text in (("true", "Yes"), ("false", "No")):
                self.choices.append({"list_name": "cordon_truth", "name": value, **self._texts("label", text)})

    def _has_languages(self) -> bool:
        return len(self.languages) > 1

    def _column(self, code: str) -> str:
        return f"{code} ({code})"

    def _texts(self, column: str, text: Any) -> dict[str, str]:
        if not self._has_languages():
            return {column: text if isinstance(text, str) else text[self.languages[0]]}
        texts = {self.languages[0]: text} if isinstance(text, str) else text
        return {f"{column}::{self._column(code)}": texts[code] for code in self.languages if code in texts}

    def _collect(self, items: list[dict[str, Any]], around: list[str]) -> None:
        for item in items:
            name = item.get("group") or item["name"]
            if name in self.scope.kinds:
                raise InputError(f"the name '{name}' is used in two groups, which XLSForm does not permit", code="xlsform")
            self.scope.kinds[name] = ("repeat" if "repeat" in item else "group") if "group" in item else item["type"]
            self.scope.groups[name] = list(around)
            if "group" in item:
                self._collect(item["items"], around + [name])

    def _items(self, items: list[dict[str, Any]], around: list[str]) -> None:
        for item in items:
            name = item.get("group") or item["name"]
            try:
                if "group" in item:
                    self._group(item, around)
                else:
                    self.survey.append(self._field(item))
            except Unsupported as error:
                raise InputError(error.message, code="xlsform", place=error.place or name) from error

    def _group(self, item: dict[str, Any], around: list[str]) -> None:
        kind = "repeat" if "repeat" in item else "group"
        row = {"type": f"begin_{kind}", "name": item["group"], **self._texts("label", item.get("label", item["group"]))}
        if "show_if" in item:
            row["relevant"] = self._condition(item["show_if"])
        if kind == "repeat":
            least, most = item["repeat"].get("min", 0), item["repeat"].get("max", 200)
            if least == most:
                row["repeat_count"] = str(most)
            elif least > 0 or most < 200:
                self.notes.append(f"'{item['group']}': XLSForm does not limit the number of entries to {least} to {most}")
        self.survey.append(row)
        self._items(item["items"], around + [item["group"]])
        self.survey.append({"type": f"end_{kind}"})

    def _condition(self, text: str) -> str:
        return write(to_xpath(parse_native(text), self.scope, is_condition=True), native=False)

    def _field(self, item: dict[str, Any]) -> dict[str, str]:
        name, kind = item["name"], item["type"]
        row: dict[str, str] = {"type": _KINDS.get(kind, ""), "name": name}
        if "was" in item:
            row["was"] = item["was"]
        if "calculate" in item:
            row["type"] = "calculate"
            row["calculation"] = write(to_xpath(parse_native(item["calculate"]), self.scope), native=False)
        elif kind in ("choice", "choices"):
            row["type"] = ("select_one " if kind == "choice" else "select_multiple ") + f"{name}_list"
            self._options(item)
        label = item.get("label", name)
        if label != name:
            row.update(self._texts("label", label))
        elif "calculate" not in item:
            row["label"] = name
        if "help" in item:
            row.update(self._texts("hint", item["help"]))
        if item.get("required"):
            row["required"] = "yes"
        if "show_if" in item:
            row["relevant"] = self._condition(item["show_if"])
        if kind == "long_text":
            row["appearance"] = "multiline"
        if kind == "scale":
            row["parameters"] = f"start={item['min']} end={item['max']} step=1"
        elif constraint := self._constraint(item):
            row["constraint"] = constraint
        if "unit" in item:
            row["unit"] = item["unit"]
        if "default" in item:
            row["default"] = self._default(item)
        return row

    def _options(self, item: dict[str, Any]) -> None:
        for option in item["options"]:
            value = option if isinstance(option, str) else option["value"]
            label = value if isinstance(option, str) else option.get("label", value)
            if re.search(r"\s", value) and item["type"] == "choices":
                raise Unsupported(f"the option '{value}' has a space, which XLSForm does not permit")
            self.choices.append({"list_name": f"{item['name']}_list", "name": value, **self._texts("label", label)})

    def _constraint(self, item: dict[str, Any]) -> str:
        if "calculate" in item:
            return ""
        parts: list[Node] = []
        for key, sign in (("min", ">="), ("max", "<=")):
            bound = item.get(key)
            if bound is None:
                continue
            if bound == "today":
                value: Node = ("call", "today", [])
            elif isinstance(bound, str):
                value = ("call", "date", [("text", bound)])
            else:
                value = ("number", bound) if bound >= 0 else ("negative", ("number", -bound))
            parts.append(("binary", sign, ("self",), value))
        if "max_length" in item:
            parts.append(("binary", "<=", ("call", "string-length", [("self",)]), ("number", item["max_length"])))
        return " and ".join(write(part, native=False) for part in parts)

    def _default(self, item: dict[str, Any]) -> str:
        value = item["default"]
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, list):
            return " ".join(value)
        if isinstance(value, dict):
            if "lat" not in value:
                raise Unsupported("a default space has no counterpart")
            return f"{value['lat']} {value['lon']} 0 0"
        return str(value)
