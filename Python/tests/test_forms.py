"""Forms from and to XLSForm."""

import json
import subprocess

import pytest

import cordon
from cordon import forms
from cordon.forms import __main__ as command
from cordon.forms._expressions import parse_native, parse_xpath, write

openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is missing; scripts/setup --tests installs it")

SURVEY = [
    ["type", "name", "label::English (en)", "label::Deutsch (de)", "hint::English (en)", "required", "relevant", "constraint",
     "calculation", "default", "parameters", "appearance"],
    ["start", "start"],
    ["decimal", "temperature", "Temperature", "Temperatur", "Measured today", "yes", "", ". >= 30 and . <= 45"],
    ["select_multiple symptoms", "symptoms", "Symptoms", "Symptome"],
    ["date", "Since", "Since", "Seit", "", "yes", "count-selected(${symptoms}) > 0 and ${temperature} != ''", ". <= today()"],
    ["select_one yes_no", "tested", "Tested", "Getestet", "", "", "", "", "", "yes"],
    ["text", "result", "Result", "Ergebnis", "", "", "${tested} = 'yes'", "string-length(.) < 21"],
    ["select_one clinics", "clinic", "Clinic", "Klinik"],
    ["range", "mood", "Mood", "Laune", "", "", "selected(${clinic}, 'n')", "", "", "", "start=1 end=5 step=1"],
    ["begin repeat", "contacts", "People met", "Kontakte"],
    ["integer", "minutes", "Minutes", "Minuten", "", "", "", ". > 0"],
    ["text", "where", "Where", "Wo", "", "", "${minutes} > 15", "", "", "", "", "multiline"],
    ["end repeat"],
    ["calculate", "total", "", "", "", "", "", "", "sum(${minutes}) div 2"],
    ["calculate", "days", "", "", "", "", "", "", "decimal-date-time(today()) - decimal-date-time(${Since})"],
]  # fmt: skip
CHOICES = [
    ["list_name", "name", "label::English (en)", "label::Deutsch (de)"],
    ["symptoms", "cough", "Cough", "Husten"], ["symptoms", "fever", "Fever", "Fieber"],
    ["yes_no", "yes", "Yes", "Ja"], ["yes_no", "no", "No", "Nein"],
    ["clinics", "n", "North", "Nord"], ["clinics", "s", "South", "Süd"],
]  # fmt: skip
SETTINGS = [["form_title", "form_id", "version", "default_language"], ["Screening", "Screening 2026", "3", "English (en)"]]


def spreadsheet(path, survey=SURVEY, choices=CHOICES, settings=SETTINGS):
    book = openpyxl.Workbook()
    for name, rows in (("survey", survey), ("choices", choices), ("settings", settings)):
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    del book["Sheet"]
    book.save(path)
    return path


def checked(form, folder):
    path = folder / "form.json"
    path.write_text(json.dumps(form))
    result = subprocess.run([cordon.executable(), "form", "check", str(path)], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return path


def test_a_survey_becomes_a_form_that_the_executable_accepts(tmp_path):
    form, notes = forms.read_xlsform(spreadsheet(tmp_path / "survey.xlsx"))
    checked(form, tmp_path)
    assert form["form"] == "screening_2026" and form["version"] == 3 and form["languages"] == ["en", "de"]
    assert notes == ["row 5: 'Since' is named 'since'", "row 2: 'start' is left out"]
    items = {item.get("name") or item["group"]: item for item in form["items"]}
    assert items["temperature"] == {
        "name": "temperature", "type": "number", "label": {"en": "Temperature", "de": "Temperatur"}, "help": {"en": "Measured today"}, "required": True,
        "min": 30, "max": 45}  # fmt: skip
    assert items["since"]["show_if"] == "count(symptoms) > 0 and answered(temperature)" and items["since"]["max"] == "today"
    assert items["tested"]["type"] == "toggle" and items["tested"]["default"] is True and "options" not in items["tested"]
    assert items["result"]["show_if"] == "tested = true" and items["result"]["max_length"] == 20
    assert items["mood"]["show_if"] == "clinic = 'n'" and (items["mood"]["min"], items["mood"]["max"]) == (1, 5)
    assert items["symptoms"]["options"][1] == {"value": "fever", "label": {"en": "Fever", "de": "Fieber"}}
    assert items["contacts"]["repeat"] == {"max": 200} and items["contacts"]["items"][0]["min"] == 1
    assert items["contacts"]["items"][1]["type"] == "long_text"
    assert items["total"]["calculate"] == "sum(contacts.minutes) / 2" and items["total"]["type"] == "number"
    assert items["days"] == {"name": "days", "type": "number", "label": "days", "calculate": "days(since, today())"} or (
        items["days"]["calculate"] == "days(since, today())")


def test_a_form_survives_the_spreadsheet(tmp_path):
    form, _ = forms.read_xlsform(spreadsheet(tmp_path / "survey.xlsx"))
    form["items"][0]["unit"] = "°C"
    notes = forms.write_xlsform(form, tmp_path / "again.xlsx")
    again, _ = forms.read_xlsform(tmp_path / "again.xlsx")
    checked(again, tmp_path)
    assert again == form and notes == []


def test_other_programs_read_what_is_written(tmp_path):
    pyxform = pytest.importorskip("pyxform.xls2xform", reason="pyxform is missing; scripts/setup --tests installs it")
    form, _ = forms.read_xlsform(spreadsheet(tmp_path / "survey.xlsx"))
    forms.write_xlsform(form, tmp_path / "again.xlsx")
    xform = pyxform.convert(str(tmp_path / "again.xlsx")).xform
    assert "count-selected( /data/symptoms )" in xform
    assert "Temperatur" in xform


@pytest.mark.parametrize(
    "row, message",
    [
        (["time", "at", "When"], "row 2.*|the type 'time' has no counterpart"),
        (["text", "a", "A", "", "", "", "regex(${a}, 'x')"], "the function 'regex' has no counterpart"),
        (["text", "a", "A", "", "", "", "${b} = 1"], "there is no field 'b'"),
        (["text", "a", "A", "", "", "", "${a} = "], "not complete"),
        (["select_one nothing", "a", "A"], "has no choices"),
        (["begin group", "a", "A"], "does not end"),
        (["end group"], "did not begin"),
    ],
)
def test_what_forms_do_not_have_is_an_error_with_its_row(tmp_path, row, message):
    path = spreadsheet(tmp_path / "survey.xlsx", [SURVEY[0], row])
    with pytest.raises(cordon.InputError, match=message) as caught:
        forms.read_xlsform(path)
    assert "survey" in str(caught.value.place)


def test_a_part_of_a_constraint_that_is_left_out_is_noted(tmp_path):
    survey = [SURVEY[0], ["integer", "a", "A", "", "", "", "", ". >= 1 and . mod 2 = 0"], ["integer", "b", "B", "", "", "", "", ". > 0 and . != 5"]]
    form, notes = forms.read_xlsform(spreadsheet(tmp_path / "survey.xlsx", survey))
    assert "min" not in form["items"][0] and form["items"][1]["min"] == 1
    assert len(notes) == 2 and all("constraint" in note for note in notes)


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "survey.xlsx"
    path.write_bytes(b"PK nonsense")
    with pytest.raises(cordon.InputError, match="not a spreadsheet"):
        forms.read_xlsform(path)
    with pytest.raises(cordon.InputError, match="not the document of a form"):
        forms.write_xlsform({"form": "x"}, tmp_path / "out.xlsx")


@pytest.mark.parametrize(
    "text", ["a > 1 and (b = 2 or not (c < 3))", "-(a + b) * 2", "if(a = 1, 'it''s', 'x')", "round(a / b, 2)", "a - (b - c)"])
def test_expressions_keep_their_meaning(text):
    node = parse_native(text)
    assert parse_native(write(node, native=True)) == node


def test_xpath_precedence():
    assert write(parse_xpath("1 + 2 * 3 > 4 or 5 = 5 and 6 < 7"), native=True) == "1 + 2 * 3 > 4 or 5 = 5 and 6 < 7"
    assert write(parse_xpath("(1 + 2) * 3 div (4 - 1)"), native=True) == "(1 + 2) * 3 / (4 - 1)"


def test_the_command_converts_and_names_faults(tmp_path, capsys):
    source, target = spreadsheet(tmp_path / "survey.xlsx"), tmp_path / "form.json"
    assert command.main(["import", str(source), "-o", str(target)]) == 0
    assert command.main(["export", str(target), "-o", str(tmp_path / "again.xlsx")]) == 0
    assert "note: row 2" in capsys.readouterr().err
    assert command.main(["import", str(target), "-o", str(source)]) == 2
    assert "form.json: is not a spreadsheet" in capsys.readouterr().err
