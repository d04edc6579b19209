"""The page of the person: opened by a code or the secret, with a notice, a copy, and the end of it all."""

import json
import time

import pytest

from console_pages import violations
from keys import fill, press
from test_hostile_names import Client, EVIL

DEVICE = f"person\"'>{EVIL}"


@pytest.fixture
def person(console, demo):
    """A device with a hostile name, consent, a position and a notice whose advice is hostile too."""
    import urllib.parse

    client = Client(console("overview"), demo)
    venue = client("GET", "/v1/operator/venues")["venues"][0]["venue"]
    plan = client("GET", f"/v1/operator/venues/{venue}/plan")
    code = client("POST", "/v1/operator/invite-codes", {"venue": venue})["code"]
    name = f"{DEVICE}{time.time_ns()}"
    path = "/v1/devices/" + urllib.parse.quote(name, safe="")
    secret = client("POST", path + "/activate", {"code": code, "type": "test"})["secret"]
    token = client("POST", path + "/token", {"secret": secret})["token"]
    now = int(time.time() * 1000)
    client("PUT", path + "/consent", {"version": "2026-11", "purposes": ["record", "share"], "time": now - 5000}, token)
    rows = [{"device": name, "venue": venue, "time": now - 60_000, "lonlat": [round(x, 7) for x in plan["origin"]], "acc": 5, "floor": 0}]
    client("POST", "/v1/positions", {"rows": rows}, token)
    number = client("POST", "/v1/operator/cases", {"venue": venue, "device": name, "label": "P", "reason": "test of the page"})["number"]
    client("POST", f"/v1/operator/cases/{number}/notices", {"devices": [name], "advice": f"Call 555. {EVIL}", "template": "test", "reason": "test of the page"})

    def new_code():
        return client("POST", path + "/page-code", token=token)["code"]

    return name, secret, new_code, client, path, token


def open_with_code(console, code):
    page = console("person", signs_in=False)
    fill(page, "Code", f"{code[:4].lower()}-{code[4:]}")
    page.keyboard.press("Enter")
    page.wait_for_selector("h2:has-text('What is stored')")
    return page


def test_a_code_opens_the_page_and_a_notice_is_acknowledged_by_keys(console, person):
    name, _, new_code, client, path, token = person
    page = open_with_code(console, new_code())
    assert page.locator("img").count() == 0, "markup from a name"
    text = page.locator("#page").inner_text()
    assert name in text and "Please take a test." in text and EVIL in text and "2026-11" in text
    assert "test of the page" in text, "who looked and why"
    press(page, "I have read this")
    page.wait_for_selector("text=Read on")
    assert client("GET", path + "/notices", token=token)["notices"][0]["acknowledged"]
    with page.expect_download() as download:
        press(page, "Save the copy")
    copy = json.load(open(download.value.path()))
    assert copy["device"] == name and copy["notices"][0]["template"] == "test" and "consents" in copy
    # Nothing stays in the browser.
    assert page.evaluate("JSON.stringify([{...sessionStorage}, {...localStorage}, document.cookie])") == '[{},{},""]'


def test_a_link_opens_the_page_and_its_code_leaves_the_address(console, person):
    page = console(f"person#code={person[2]()}", signs_in=False)
    page.wait_for_selector("h2:has-text('What is stored')")
    assert "code" not in page.url
    page.reload()
    page.wait_for_selector("h2:has-text('With a code')")


def test_a_wrong_code_is_stated(console):
    page = console("person", signs_in=False, language="de-DE")
    fill(page, "Code", "nonsense")
    page.keyboard.press("Enter")
    page.wait_for_selector("#error:not([hidden])")
    assert "unbekannt" in page.locator("#error").inner_text()
    # The refusal is expected.
    page.faults[:] = [fault for fault in page.faults if "403" not in fault]


def test_the_person_erases_the_device(console, person):
    name, secret, _, client, path, token = person
    page = console("person", signs_in=False)
    fill(page, "Device", name)
    fill(page, "Secret", secret)
    page.keyboard.press("Enter")
    page.wait_for_selector("h2:has-text('What is stored')")
    press(page, "Withdraw and erase")
    assert page.evaluate("document.activeElement.innerText") == "Cancel"
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    press(page, "Withdraw and erase", "Enter")
    press(page, "Withdraw and erase")
    page.wait_for_selector("h2:has-text('Erased')")
    answer = page.request.get(page.url.split("/console")[0] + path + "/data", headers={"authorization": f"Bearer {token}"})
    assert answer.status == 410


@pytest.mark.parametrize("width, height", [(390, 844), (320, 256)])
def test_the_page_fits_small_windows_and_axe_finds_nothing(console, person, width, height):
    page = console(f"person#code={person[2]()}", signs_in=False, width=width, height=height, is_checked=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.wait_for_selector("h2:has-text('What is stored')")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page) == []


def test_an_administrator_saves_a_copy_and_sees_consents(console, person):
    name = person[0]
    page = console("devices")
    fill(page, "Reason", "asked for a copy")
    fill(page, "Name begins with", "person")
    page.keyboard.press("Enter")
    page.wait_for_selector("table:has-text('person')")
    page.get_by_role("button", name=f"Consents of {name}").click()
    page.wait_for_selector(".card:has-text('2026-11')")
    page.get_by_role("button", name=f"Save a copy of the data of {name}").click()
    with page.expect_download() as download:
        page.locator("dialog").get_by_role("button", name="Copy of the data").click()
    assert json.load(open(download.value.path()))["device"] == name
