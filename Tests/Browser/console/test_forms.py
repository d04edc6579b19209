"""Forms in the console: the designer, charts, keys and records."""

import pytest
from playwright.sync_api import expect

from console_pages import violations

PAGES = ["forms", "designer"]


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(console, name, scheme):
    page = console(name, is_checked=True, scheme=scheme)
    page.wait_for_timeout(800)
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    assert violations(page) == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_a_telephone_and_is_whole_in_german(console, name):
    page = console(name, width=390, height=844, language="de-DE")
    page.wait_for_timeout(800)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate("document.body.innerText.match(/\\b(forms|designer)\\.[a-z_-]+\\b/g)") is None


def test_a_form_is_designed_published_and_changed(console):
    page = console("designer")
    page.get_by_label("Name of the form").fill("door-check")
    page.get_by_label("Name of the form").press("Tab")
    page.get_by_label("Type of the new field").select_option("choices")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_label("Question", exact=True).fill("Symptoms")
    page.get_by_label("Options").fill("cough = Cough\nfever = Fever")
    page.get_by_label("Options").press("Tab")
    page.get_by_label("Type of the new field").select_option("date")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_label("Show only if").fill("count(choices) > 0")
    page.get_by_label("Show only if").press("Tab")
    preview = page.locator(".form-preview")
    expect(preview.get_by_role("checkbox", name="Fever")).to_have_count(1)
    expect(preview.get_by_label("date")).to_have_count(0)
    preview.get_by_role("checkbox", name="Fever").check()
    expect(preview.get_by_label("date")).to_have_count(1)
    # A fault is named at its field.
    page.get_by_label("Show only if").fill("count(choice) > 0")
    page.get_by_label("Show only if").press("Tab")
    page.get_by_text("date.show_if:").wait_for()
    expect(page.get_by_role("button", name="Publish version 1")).to_be_disabled()
    page.get_by_label("Show only if").fill("count(choices) > 0")
    page.get_by_label("Show only if").press("Tab")
    page.get_by_text("The form is valid").wait_for()
    page.get_by_role("button", name="Publish version 1").click()
    page.wait_for_url("**/console/forms?**")
    page.get_by_role("link", name="Change this form").click()
    page.wait_for_url("**/console/designer?**")
    page.wait_for_selector("html[data-ready=true]", state="attached")
    # Without the field, its answers are lost: the operator has to accept that.
    page.get_by_role("button", name="Change date").click()
    page.get_by_role("button", name="Remove date").click()
    page.get_by_text("was removed").wait_for()
    page.get_by_role("button", name="Publish version 2").click()
    page.get_by_text("answers would be lost").wait_for()
    page.faults.clear()
    page.get_by_label("The marked answers are lost in this version; I accept that.").check()
    page.get_by_role("button", name="Publish version 2").click()
    page.wait_for_url("**/console/forms?**")


def test_the_keyboard_and_the_mouse_move_fields(console):
    page = console("designer?form=viruses")
    names = lambda: page.locator(".form-rows b").all_inner_texts()  # noqa: E731
    before = names()
    assert before[:3] == ["Clinic", "Virus", "Age"]
    page.get_by_role("button", name="Change age").focus()
    page.keyboard.press("Alt+ArrowUp")
    assert names()[:3] == ["Clinic", "Age", "Virus"]
    # The focus stays with the field.
    page.keyboard.press("Alt+ArrowUp")
    assert names()[:3] == ["Age", "Clinic", "Virus"]
    page.get_by_role("button", name="Move age down").click()
    assert names()[:3] == ["Clinic", "Age", "Virus"]
    page.locator(".form-rows li").nth(4).drag_to(page.locator(".form-rows li").nth(0))
    assert names()[0] == before[4]
    # A draft stays in the browser.
    page.reload()
    page.wait_for_selector("html[data-ready=true]", state="attached")
    assert names()[0] == before[4]
    page.evaluate("localStorage.clear()")


def test_charts_have_tables_filters_and_a_split(console):
    page = console("forms?form=viruses")
    figure = page.get_by_role("figure", name="Clinic")
    expect(figure.locator("svg")).to_have_count(1)
    figure.get_by_text("Values as a table").click()
    rows = figure.get_by_role("row").all_inner_texts()
    assert len(rows) == 5 and sum(int(row.split()[-1]) for row in rows[1:]) == 240
    page.get_by_label("Only records with").select_option("clinic")
    page.get_by_label("equal to").select_option("north")
    expect(page.locator("dd").first).to_have_text("60")
    page.get_by_label("Split by").select_option("state")
    page.get_by_role("figure", name="Virus × State").wait_for()


def test_a_collector_gets_a_link_and_records_need_a_reason(console):
    page = console("forms?form=viruses")
    page.get_by_label("Collector", exact=True).fill("North clinic")
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_label("Link of the collector").first.input_value()
    assert "/forms/viruses/#key=cf-" in link
    page.get_by_role("button", name="Withdraw the key of North clinic").click()
    page.get_by_text("There is no collector yet.").wait_for()
    page.get_by_label("Reason").fill("weekly report")
    page.get_by_role("button", name="Show records").click()
    page.get_by_text("240").first.wait_for()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Erase record").first.click()
    page.get_by_text("239").first.wait_for()
