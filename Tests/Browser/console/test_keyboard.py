"""Every task of the console without a mouse: each element is reached by Tab, has a name, and shows its focus."""

import re

import pytest

from console_pages import PAGES
from keys import fill, press, tab_to


def test_pages_are_opened_from_the_navigation(console):
    page = console("overview")
    for title, name in [("Floor plan", "plan"), ("Utilisation", "utilisation"), ("Data quality", "quality"), ("Server status", "status")]:
        press(page, title)
        page.wait_for_selector(f"body[data-page={name}]")
        page.wait_for_selector("html[data-ready=true]", state="attached")


def test_a_code_is_made_and_revoked(console):
    page = console("devices")
    fill(page, "Devices", "3")
    press(page, "Make a code")
    page.wait_for_selector(".invite code")
    code = page.locator(".invite code").inner_text()
    press(page, f"Revoke the code {code[:4]}")
    # The dialog begins at the button that changes nothing.
    assert page.evaluate("document.activeElement.innerText") == "Cancel"
    press(page, "Revoke")
    page.wait_for_function("(start) => ![...document.querySelectorAll('th code')].some((cell) => cell.textContent.startsWith(start))", arg=code[:4])


def test_a_rule_is_made_turned_off_and_deleted(console):
    page = console("alerts")
    fill(page, "Name", "By keys")
    tab_to(page, "Condition" if page.get_by_label("Condition").count() else page.locator("label[for=alert-kind]").inner_text())
    page.keyboard.press("ArrowDown")
    assert page.locator("#alert-kind").input_value() == "more-than"
    tab_to(page, page.locator("label[for=alert-limit]").inner_text())
    page.keyboard.press("Control+a")
    page.keyboard.type("0")
    press(page, page.locator("form.fields button.primary").inner_text())
    page.wait_for_selector("th:has-text('By keys')")
    turn_off = page.get_by_role("button", name=re.compile(": By keys$")).first.get_attribute("aria-label")
    press(page, turn_off)
    page.wait_for_function("(label) => !document.querySelector(`[aria-label='${label}']`)", arg=turn_off)
    delete = page.get_by_role("button", name=re.compile(": By keys$")).last.get_attribute("aria-label")
    press(page, delete)
    page.wait_for_function("() => ![...document.querySelectorAll('th')].some((cell) => cell.innerText.includes('By keys') && cell.closest('section').innerText.includes('Delete'))")


def test_a_case_is_made_and_a_notice_is_sent(console):
    page = console("device")
    fill(page, "Reason", "case 17")
    fill(page, "Name begins with", "week-")
    page.keyboard.press("Enter")
    page.wait_for_selector(".results button")
    for index in range(page.locator(".results button").count()):
        press(page, page.locator(".results button").nth(index).inner_text())
        page.wait_for_selector("#device-name")
        page.wait_for_timeout(500)
        if page.locator("section:has(h2:text-is('Contacts')) tbody tr").count():
            break
    name = page.locator("#device-name").inner_text()
    page.goto(page.url.split("/console/")[0] + "/console/cases#device=" + name)
    page.wait_for_selector("html[data-ready=true]", state="attached")
    fill(page, "Reference", "Keys 1")
    fill(page, "Minutes in 24 h", "1")
    press(page, "Make the case")
    page.wait_for_selector("h2:has-text('Case Keys 1')")
    rows = page.locator("section:has(h2:text-is('Exposures')) tbody tr")
    met = rows.first.locator("a").inner_text()
    choice = rows.first.locator("select")
    tab_to(page, choice.get_attribute("aria-label") or "Status")
    page.keyboard.type("Rea")
    page.wait_for_function("() => document.querySelector('tbody select').value === 'reached'")
    press(page, f"Choose {met} for a notice", "Space")
    fill(page, "Advice", "Please take a test.")
    press(page, "Send notices")
    page.wait_for_selector("#sent:has-text('1 device has a notice')")
    press(page, "Close the case")
    page.wait_for_selector("button:has-text('Open the case again')")


def test_an_account_is_added_and_its_operator_changes_the_password(console, demo):
    page = console("operators")
    press(page, "New account" if page.get_by_role("button", name="New account").count() else page.locator("section button.primary").first.inner_text())
    page.wait_for_selector("form.card input")
    page.keyboard.type("Ada by keys")
    page.keyboard.press("Tab")
    page.keyboard.type("ada-keys")
    tab_to(page, page.locator("form.card fieldset select").first.get_attribute("aria-label"))
    page.keyboard.type("Oper")
    press(page, page.locator("form.card button.primary").inner_text())
    page.wait_for_selector(".card .code code")
    password = page.locator(".card .code code").inner_text()
    page.get_by_role("row", name=re.compile("^Ada by keys")).wait_for()

    other = console("sign-in", signs_in=False)
    fill(other, "Name", "ada-keys")
    fill(other, "Password", password)
    other.keyboard.press("Enter")
    other.wait_for_url("**/console/overview**")
    other.goto(f"{demo.address}/console/account")
    other.wait_for_selector("html[data-ready=true]", state="attached")
    labels = other.locator("form.card label").all_inner_texts()
    fill(other, labels[0], password)
    fill(other, labels[1], "a much better password")
    fill(other, labels[2], "a much better password")
    with other.expect_navigation():
        other.keyboard.press("Enter")
    other.wait_for_selector("html[data-ready=true]", state="attached")
    press(other, "Sign out")
    other.wait_for_url("**/console/sign-in**")
    fill(other, "Name", "ada-keys")
    fill(other, "Password", "a much better password")
    other.keyboard.press("Enter")
    other.wait_for_url("**/console/overview**")


def test_the_audit_shows_one_device_for_a_reason(console):
    page = console("devices")
    fill(page, "Reason", "who looked")
    fill(page, "Name begins with", "week-")
    page.keyboard.press("Enter")
    page.wait_for_selector("table a")
    name = page.locator("section:has(h2:text-is('Devices')) table a").first.inner_text()
    page = console("audit")
    fill(page, page.locator("label[for=audit-device]").inner_text(), name)
    fill(page, "Reason", "who looked")
    page.keyboard.press("Enter")
    page.wait_for_function("(name) => [...document.querySelectorAll('tbody tr')].every((row) => row.innerText.includes(name))", arg=name)


@pytest.mark.parametrize("name", PAGES)
def test_everything_that_can_be_used_has_a_name(console, name):
    """As a screen reader reads it: the names of roles that take part in the tree of accessibility."""
    page = console(name)
    page.wait_for_timeout(300)
    nameless = page.evaluate("""() => [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
      .filter((element) => element.checkVisibility())
      .filter((element) => {
        const by = (element.getAttribute('aria-labelledby') ?? '').split(' ').filter(Boolean).map((id) => document.getElementById(id)?.innerText).join('');
        const label = [...(element.labels ?? [])].map((entry) => entry.innerText).join('');
        return !(by || element.getAttribute('aria-label') || label || element.innerText || element.querySelector('[aria-label], title')).toString().trim();
      }).map((element) => element.outerHTML.slice(0, 120))""")
    assert nameless == []
