"""The page of a form, as a person answers it."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

FORM = {
    "form": "screening", "version": 1, "languages": ["en", "de"],
    "title": {"en": "Screening </script><b>at the door</b>", "de": "Eingangsfragen"},
    "items": [
        {"name": "temperature", "type": "number", "label": {"en": "Temperature", "de": "Temperatur"}, "unit": "°C",
         "min": 30, "max": 45, "required": True, "help": "Measured today"},
        {"name": "symptoms", "type": "choices", "label": "Symptoms", "options": ["cough", "fever"]},
        {"name": "since", "type": "date", "label": "Since", "max": "today", "required": True, "show_if": "count(symptoms) > 0"},
        {"name": "days", "type": "integer", "label": "Days", "calculate": "days(since, '2026-02-01')"},
        {"name": "mood", "type": "scale", "label": "Mood", "min": 1, "max": 5},
        {"name": "vaccinated", "type": "toggle", "label": "Vaccinated"},
        {"name": "clinic", "type": "choice", "label": "Clinic", "options": [f"clinic {number}" for number in range(9)]},
        {"name": "room", "type": "place", "label": "Room"},
        {"name": "remark", "type": "long_text", "label": "Remark", "max_length": 20},
        {"group": "contacts", "label": "People met", "repeat": {"max": 2}, "items": [
            {"name": "minutes", "type": "integer", "label": "Minutes", "min": 1, "required": True},
            {"name": "mask", "type": "toggle", "label": "Mask", "show_if": "minutes > 15"}]},
        {"name": "total", "type": "integer", "label": "Minutes in all", "calculate": "sum(contacts.minutes)"},
    ],
}


@pytest.fixture
def form(cordon):
    (cordon.folder / "form.json").write_text(json.dumps(FORM))
    result = cordon("form", "page", "form.json", "-o", "form.html")
    assert result.returncode == 0, result.lines
    return cordon.folder / "form.html"


def exported(page, folder):
    with page.expect_download() as download:
        page.get_by_role("button", name="Export all").click()
    path = folder / "records.jsonl"
    download.value.save_as(path)
    return path


def test_answers_are_kept_and_exported_as_the_check_reads_them(open_page, cordon, form):
    page = open_page(form)
    assert page.get_by_role("heading", level=1).inner_text() == FORM["title"]["en"]
    page.get_by_label("Temperature (°C)").fill("38.5")
    # The date is asked only of people with symptoms.
    assert page.get_by_label("Since").count() == 0
    page.get_by_role("checkbox", name="fever").check()
    page.get_by_label("Since").fill("2026-01-28")
    expect(page.locator("#field-days")).to_have_text("4")
    page.get_by_role("radio", name="4", exact=True).check()
    page.get_by_role("radio", name="Yes").first.check()
    page.get_by_label("Clinic (optional)").select_option("clinic 7")
    page.get_by_label("Room (optional)").fill("room-12")
    page.get_by_role("button", name="Add an entry").click()
    page.get_by_label("Minutes", exact=True).fill("20")
    page.get_by_role("group", name="Mask (optional)").wait_for()
    expect(page.locator("#field-total")).to_have_text("20")
    page.get_by_role("button", name="Save record").click()
    page.get_by_text("The record is saved on this device.").wait_for()
    path = exported(page, cordon.folder)
    answers = json.loads(path.read_text())
    assert answers == {
        "temperature": 38.5, "symptoms": ["fever"], "since": "2026-01-28", "days": 4, "mood": 4, "vaccinated": True,
        "clinic": "clinic 7", "room": {"space": "room-12"}, "contacts": [{"minutes": 20}], "total": 20}
    # Everything that the page accepts, the command accepts too. The formula has a fixed day.
    result = cordon("form", "check", "form.json", "--answers", path)
    assert result.returncode == 0, result.lines


def test_faults_are_named_at_their_field(open_page, form):
    page = open_page(form)
    page.get_by_role("button", name="Save record").click()
    assert page.get_by_text("Please answer this question.").count() == 1
    temperature = page.get_by_label("Temperature (°C)")
    assert temperature.get_attribute("aria-invalid") == "true"
    assert temperature.evaluate("node => node === document.activeElement")
    temperature.fill("50")
    page.get_by_text("At most 45 °C.").wait_for()
    page.get_by_label("Remark").fill("x" * 21)
    page.get_by_text("At most 20 characters.").wait_for()
    temperature.fill("37")
    expect(page.get_by_text("At most 45 °C.")).to_have_count(0)
    page.get_by_label("Remark").fill("fine")
    expect(page.get_by_text("At most 20 characters.")).to_have_count(0)
    page.get_by_role("button", name="Save record").click()
    page.get_by_text("The record is saved on this device.").wait_for()


def test_a_draft_survives_a_reload_without_a_network(open_page, form):
    page = open_page(form)
    page.context.set_offline(True)
    page.get_by_label("Temperature (°C)").fill("37.2")
    page.get_by_text("A draft is kept.").wait_for()
    page.reload()
    page.wait_for_selector("html[data-ready=true]", state="attached")
    assert page.get_by_label("Temperature (°C)").input_value() == "37.2"
    page.get_by_role("button", name="Save record").click()
    page.get_by_text("The record is saved on this device.").wait_for()
    # A record can be changed and deleted.
    page.get_by_role("button", name="Edit").click()
    expect(page.get_by_label("Temperature (°C)")).to_have_value("37.2")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete").click()
    page.get_by_text("No record yet.").wait_for()


def test_the_language_changes(open_page, form):
    page = open_page(form)
    page.get_by_label("Language").select_option("de")
    assert page.get_by_role("heading", level=1).inner_text() == "Eingangsfragen"
    page.get_by_label("Temperatur (°C)").fill("60")
    page.get_by_text("Höchstens 45 °C.").wait_for()
    assert page.locator("html").get_attribute("lang") == "de"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 390])
def test_the_page_is_accessible(open_page, form, scheme, width):
    page = open_page(form, width=width, scheme=scheme, is_checked=True)
    page.get_by_role("checkbox", name="fever").check()
    page.get_by_label("Since").wait_for()
    page.get_by_role("button", name="Add an entry").click()
    page.get_by_role("button", name="Save record").click()
    page.get_by_text("answers need a change").wait_for()
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_page_works_by_keyboard(open_page, form):
    page = open_page(form)
    page.get_by_label("Temperature (°C)").focus()
    # Typing is not disturbed by the page that shows what depends on it.
    page.keyboard.type("36.", delay=20)
    expect(page.locator("#status")).not_to_be_empty()
    page.keyboard.type("9")
    assert page.get_by_label("Temperature (°C)").input_value() == "36.9"
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.wait_for_selector("#field-since")
    assert page.get_by_role("checkbox", name="cough").is_checked()
    # The focus stays where it was when the page shows another field.
    assert page.evaluate("document.activeElement.id") == "field-symptoms"
