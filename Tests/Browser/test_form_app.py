"""The app of a form on a server: offline, exchange between two browsers, conflicts that a person solves."""

import base64
import http.client
import json
import os
import re
import shutil
import subprocess

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from console_server import ROOT, SERVER

FORM = {
    "form": "visits", "version": 1, "languages": ["en", "de"], "title": {"en": "Visits", "de": "Besuche"}, "items": [
        {"name": "visitors", "type": "integer", "label": {"en": "Visitors", "de": "Besuchende"}, "min": 0, "max": 99, "required": True},
        {"name": "weather", "type": "number", "label": "Weather", "unit": "°C"},
        {"name": "note", "type": "text", "label": "Note"}]}


class FormServer:
    def __init__(self, folder):
        if not SERVER.exists():
            pytest.skip(f"{SERVER} is missing; build it first: swift build --product cordon-server")
        (folder / "venues").mkdir()
        shutil.copy(ROOT / "venues" / "office.mvf.zip", folder / "venues")
        made = subprocess.run(
            [SERVER, "operator", "add", "--data", folder / "data", "--name", "test", "--role", "admin"],
            check=True, capture_output=True, text=True).stdout.split()
        self.basic = "Basic " + base64.b64encode(f"{made[1]}:{made[3]}".encode()).decode()
        self.process = subprocess.Popen(
            [SERVER, "serve", "--data", folder / "data", "--venues", folder / "venues", "--port", "0"],
            stderr=subprocess.PIPE, text=True, env=dict(os.environ, CORDON_FORMS="yes"))
        self.port = next(int(json.loads(line)["port"]) for line in self.process.stderr if '"listening"' in line)
        self.address = f"http://127.0.0.1:{self.port}"
        self.venue = self.call("GET", "/v1/venues")["venues"][0]["venue"]
        self.publish(FORM)

    def call(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(method, path, None if body is None else json.dumps(body), {"authorization": self.basic})
        response = connection.getresponse()
        text = response.read()
        assert response.status < 300, text
        return json.loads(text) if text else {}

    def publish(self, document, **more):
        return self.call("POST", "/v1/operator/forms", {"venue": self.venue, "document": document, **more})

    def link(self, label):
        key = self.call("POST", "/v1/operator/forms/visits/keys", {"label": label})["key"]
        return f"{self.address}/forms/visits/#key={key}"

    def records(self):
        return self.call("POST", "/v1/operator/forms/visits/records", {"reason": "test"})["records"]


@pytest.fixture
def server(tmp_path):
    server = FormServer(tmp_path)
    yield server
    server.process.terminate()
    server.process.wait(30)


@pytest.fixture
def app(browser, server):
    """Opens the app in a browser of its own, with the link of a collector."""
    contexts, faults = [], []

    def app(label, width=390, scheme="light", is_checked=False, language="en-GB", browser=browser):
        context = browser.new_context(
            viewport={"width": width, "height": 844}, color_scheme=scheme, bypass_csp=is_checked, locale=language, reduced_motion="reduce")
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        # Without a network the browser itself reports requests that fail.
        page.on("console", lambda message: message.type == "error" and "Failed to load" not in message.text
                and "ERR_INTERNET_DISCONNECTED" not in message.text and faults.append(f"console: {message.text}"))
        page.on("request", lambda request: request.url.startswith(server.address) or faults.append(f"request: {request.url}"))
        page.goto(server.link(label))
        page.wait_for_selector("html[data-ready=true]", state="attached")
        page.wait_for_selector("html[data-offline=ready]", state="attached")
        return page

    yield app
    for context in contexts:
        context.close()
    assert faults == []


def answer(page, visitors, note=""):
    page.get_by_label("Visitors").fill(str(visitors))
    page.get_by_label("Note").fill(note)
    page.get_by_role("button", name="Save record").click()
    page.get_by_text("The record is saved on this device.").wait_for()


def exchange(page):
    with page.expect_response("**/sync"):
        page.get_by_role("button", name="Exchange now").click()
    page.get_by_text("Exchanging records").wait_for(state="detached")
    # The list is drawn once its records are read from the browser's database.
    page.wait_for_timeout(300)


def test_the_link_of_a_device_opens_the_form_for_it(app, server, browser):
    """An app shows the form of its venue at check-in: a code opens it, records are the device's, the token ends."""
    server.publish({**FORM, "form": "screening"}, for_devices=True, at_check_in=True)
    code = server.call("POST", "/v1/operator/invite-codes", {"venue": server.venue})["code"]
    secret = server.call("POST", "/v1/devices/phone-1/activate", {"code": code})["secret"]

    def link():
        token = server.call("POST", "/v1/devices/phone-1/token", {"secret": secret})["token"]
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("POST", "/v1/devices/phone-1/page-code", None, {"authorization": f"Bearer {token}"})
        return f"{server.address}/forms/screening/#code={json.loads(connection.getresponse().read())['code']}"

    def answers():
        found = server.call("POST", "/v1/operator/forms/screening/records", {"reason": "test"})["records"]
        return sorted((one["device"], one["answers"]["visitors"]) for one in found)

    # Records of a collector in the same browser stay apart, and are not the device's.
    page = app("North")
    answer(page, 1)
    page.get_by_text("All records are exchanged").wait_for()
    page.goto("about:blank")
    page.goto(link())
    page.get_by_role("heading", name="Visits").wait_for()
    assert "code" not in page.url
    answer(page, 7)
    page.get_by_text("All records are exchanged").wait_for()
    assert answers() == [("phone-1", 7)]
    assert len(server.records()) == 1
    # It opens again without a link; a token that ended is said, and a new link sends what waits.
    server.call("POST", "/v1/operator/devices/phone-1/revoke", {"reason": "test"})
    page.reload()
    answer(page, 8)
    page.get_by_text("Open the form again from the app that showed it").wait_for()
    page.goto("about:blank")
    page.goto(link())
    page.get_by_text("All records are exchanged").wait_for()
    assert answers() == [("phone-1", 7), ("phone-1", 8)]
    # A link that was used opens nothing elsewhere.
    used = link()
    server.call("POST", "/v1/page-code", {"code": used.split("=")[1]})
    other = browser.new_context()
    stranger = other.new_page()
    stranger.goto(used)
    stranger.get_by_text("The access has ended").wait_for()
    assert stranger.get_by_label("Visitors").count() == 0
    other.close()


def test_two_browsers_work_offline_and_a_person_solves_the_conflict(app, server):
    north, south = app("North"), app("South")
    assert "cf-" not in north.url
    answer(north, 3, "first")
    north.get_by_text("All records are exchanged").wait_for()
    south.get_by_role("button", name="Exchange now").click()
    south.get_by_role("button", name="Edit").wait_for()
    # Both change the record without a network; the app opens again without one.
    for page, visitors, note in ((north, 4, "first"), (south, 5, "from the south")):
        page.context.set_offline(True)
        page.reload()
        page.wait_for_selector("html[data-ready=true]", state="attached")
        page.get_by_role("button", name="Edit").click()
        expect(page.get_by_label("Visitors")).to_have_value("3")
        answer(page, visitors, note)
        page.get_by_text("One change waits to be sent.").wait_for()
    north.context.set_offline(False)
    north.get_by_role("button", name="Exchange now").click()
    north.get_by_text("All records are exchanged").wait_for()
    south.context.set_offline(False)
    south.get_by_role("button", name="Exchange now").click()
    south.get_by_role("button", name="Compare").click()
    # What only one device changed is chosen; the person decides the rest.
    south.get_by_role("heading", name="Two devices changed this record").wait_for()
    expect(south.get_by_role("group", name="Note").get_by_role("radio", checked=True)).to_have_count(1)
    south.get_by_role("button", name="Save this state").click()
    south.get_by_role("alert").get_by_text("Choose an answer for each question.").wait_for()
    south.get_by_role("group", name="Visitors").get_by_role("radio", name=re.compile(": 4$")).check()
    south.get_by_role("button", name="Save this state").click()
    south.get_by_text("The record has one state again.").wait_for()
    south.get_by_text("All records are exchanged").wait_for()
    exchange(north)
    north.get_by_role("button", name="Edit").click()
    expect(north.get_by_label("Note")).to_have_value("from the south")
    (record,) = server.records()
    assert record["answers"] == {"visitors": 4, "note": "from the south"} and not record["has_conflict"]


def test_an_erasure_reaches_the_browser_and_a_new_version_too(app, server):
    page = app("North")
    answer(page, 3, "to erase")
    page.get_by_text("All records are exchanged").wait_for()
    (record,) = server.records()
    server.call("DELETE", f"/v1/operator/forms/visits/records/{record['record']}", {"reason": "on request"})
    changed = dict(FORM, version=2, items=FORM["items"] + [{"name": "late", "type": "toggle", "label": "Late"}])
    server.publish(changed)
    page.get_by_role("button", name="Exchange now").click()
    page.get_by_text("No record yet.").wait_for()
    page.get_by_role("group", name="Late (optional)").wait_for()
    assert "to erase" not in page.evaluate("""async () => JSON.stringify(await new Promise((done) => {
        const open = indexedDB.open("cordon-form-visits");
        open.onsuccess = () => { const all = open.result.transaction("revisions").objectStore("revisions").getAll(); all.onsuccess = () => done(all.result); };
    }))""")


def test_a_withdrawn_key_and_a_wrong_one(browser, app, server):
    page = app("North")
    (key,) = server.call("GET", "/v1/operator/forms/visits/keys")["keys"]
    server.call("DELETE", f"/v1/operator/forms/visits/keys/{key['number']}")
    answer(page, 1)
    page.get_by_text("The server does not accept the key.").wait_for()
    context = browser.new_context(locale="de-DE")
    stranger = context.new_page()
    stranger.goto(f"{server.address}/forms/visits/")
    stranger.get_by_label("Schlüssel").fill("cf-wrong")
    stranger.get_by_role("button", name="Öffnen").click()
    stranger.get_by_text("Der Server nimmt den Schlüssel nicht an.").wait_for()
    context.close()


def test_identifiers_are_those_that_the_server_computes(app, server):
    page = app("North")
    # Numbers and texts whose text differs between languages of programming; the server refuses a wrong identifier.
    answers = ((1e-7, "<b>"), (-0.5, "\u2028 \u202e"), (1.5e21, "\"\\"), (36.6, "\u0001 \U0001f600"), (100000, "é e\u0301"))
    for count, (number, note) in enumerate(answers, start=1):
        page.get_by_label("Visitors").fill("1")
        page.get_by_label("Weather").fill(str(number))
        page.get_by_label("Note").fill(note)
        page.get_by_role("button", name="Save record").click()
        expect(page.get_by_role("button", name="Edit")).to_have_count(count)
        expect(page.get_by_text("not sent yet")).to_have_count(0)
        expect(page.get_by_text("refused by the server")).to_have_count(0)
    assert len(server.records()) == 5


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_it_fits_a_telephone(app, scheme):
    page = app("North", scheme=scheme, is_checked=True)
    answer(page, 3)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    violations = [f"{rule['id']}: {node['target']}" for rule in Axe().run(page).response["violations"] for node in rule["nodes"]]
    assert violations == []


def test_the_app_can_be_installed(app, whole_browser):
    page = app("North", browser=whole_browser)
    manifest = page.evaluate("fetch('manifest.webmanifest').then((answer) => answer.json())")
    assert manifest["display"] == "standalone" and manifest["start_url"] == "./" and manifest["icons"]
    session = page.context.new_cdp_session(page)
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A browser without windows of its own cannot install, which shows that it looked; nothing else may be wrong.
    found = {error["errorId"] for error in errors}
    assert "in-incognito" in found and found <= {"in-incognito", "no-acceptable-icon"}
