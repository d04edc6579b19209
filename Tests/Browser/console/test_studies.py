"""Studies: a researcher makes one, a participant enrols, sees data and rewards, leaves, and is erased everywhere."""

import json
import os
import pathlib
import re
import subprocess
import time
import urllib.request
import uuid

import pytest

from console_server import ROOT, SERVER
from console_pages import violations

HALL = json.dumps({"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": properties, "geometry": {"type": "Polygon", "coordinates": [
        [[8.54, 47.37], [8.5407, 47.37], [8.5407, 47.3705], [8.54, 47.3705], [8.54, 47.37]]]}}
    for properties in ({"id": "b", "building": "yes"}, {"id": "l", "indoor": "level", "level": "0"},
                       {"id": "r", "indoor": "room", "level": "0", "name": "hall"})]})


class StudyServer:
    """A running server with studies and an administrator."""

    def __init__(self, folder, **settings):
        self.data = folder / "data"
        (folder / "venues").mkdir()
        (folder / "venues" / "hall.geojson").write_text(HALL)
        made = self.command("operator", "add", "--data", self.data, "--name", "Ada", "--role", "admin").split()
        self.operator, self.key = made[1], made[3]
        self.process = subprocess.Popen(
            [str(SERVER), "serve", "--data", str(self.data), "--venues", str(folder / "venues"), "--port", "0"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, "CORDON_STUDIES": "yes", **settings})
        for line in self.process.stdout:
            if '"listening"' in line:
                self.address = "http://127.0.0.1:" + re.search(r'"port":\s*"?(\d+)', line)[1]
                break

    def command(self, *arguments):
        return subprocess.run([str(SERVER), *map(str, arguments)], capture_output=True, text=True, check=True, timeout=60).stdout

    def post(self, path, key, body):
        request = urllib.request.Request(
            self.address + path, json.dumps(body).encode(), {"authorization": f"Bearer {key}", "content-type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)


@pytest.fixture(scope="module")
def studies(tmp_path_factory):
    if not SERVER.exists():
        pytest.skip(f"{SERVER} is missing; build it first: swift build --product cordon-server")
    server = StudyServer(tmp_path_factory.mktemp("studies"))
    yield server
    server.process.terminate()
    server.process.wait(30)


@pytest.fixture
def page(browser, studies):
    context = browser.new_context(locale="en-GB", accept_downloads=True, bypass_csp=True, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(15_000)
    faults = []
    page.on("console", lambda message: message.type in ("error", "warning") and "401" not in message.text and "404" not in message.text and faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: request.url.startswith((studies.address, "blob:")) or faults.append(request.url))
    yield page
    context.close()
    assert faults == []


def ready(page):
    page.wait_for_selector("html[data-ready=true]", state="attached")


def test_a_study_from_its_making_to_an_erasure(page, studies):
    # The researcher makes a study.
    page.goto(f"{studies.address}/console/studies")
    page.wait_for_url("**/console/sign-in?**")
    page.get_by_role("textbox").first.fill(studies.operator)
    page.locator("input[type=password]").fill(studies.key)
    page.keyboard.press("Enter")
    page.wait_for_url("**/console/studies**")
    ready(page)
    page.get_by_role("button", name="New study").click()
    page.get_by_label("Code", exact=True).fill("air-quality")
    page.get_by_label("Title", exact=True).fill("Air and activity")
    page.get_by_label("State").select_option("open")
    page.get_by_label("Begins").fill("2020-01-01")
    page.get_by_label("Ends").fill("2029-12-31")
    page.get_by_label("Consent text in English").fill("I agree that my positions are recorded.")
    page.get_by_label("Participants earn rewards").check()
    page.get_by_role("button", name="Save").click()
    page.get_by_role("heading", name="Air and activity").wait_for()
    page.get_by_role("button", name="Make an invitation").click()
    link = page.locator("#invitation").inner_text()
    assert not violations(page)

    # The participant enrols.
    page.goto(link)
    page.reload()
    ready(page)
    page.get_by_label("Name").fill("Grace Example")
    page.get_by_label("Where rewards go").fill("acct-42")
    page.get_by_label("I have read this and agree.").check()
    page.get_by_role("button", name="Take part").click()
    key = page.locator("#key").inner_text()
    assert len(key) == 52 and "#" not in page.url
    assert not violations(page)

    # The phone records; some data are a few days old, as after a time without a network.
    now = int(time.time() * 1000)
    studies.post("/v1/studies/me/events", key, {"events": [
        {"id": str(uuid.uuid4()), "time": now - 7_200_000, "type": "TRACKING_STARTED"},
        {"id": str(uuid.uuid4()), "time": now - 7_000_000, "type": "PERMISSIONS_UPDATE", "permission": "background", "value": False}]})
    receipt = studies.post("/v1/studies/me/locations", key, {"locations": [
        {"id": str(uuid.uuid4()), "time": now - 7_100_000 + 60_000 * minute, "lon": 8.54 + minute * 1e-4, "lat": 47.3702, "accuracy": 8}
        for minute in range(110)]})
    assert receipt == {"stored": 110, "known": 0, "outside": 0}

    page.get_by_role("button", name="Continue").click()
    page.get_by_role("heading", name="My data").wait_for()
    assert "Days left" in page.locator(".figures").first.inner_text()
    minutes = page.locator(".figures div", has_text="Valid minutes").first.locator("dd").inner_text()
    assert int(re.match(r"\d+", minutes)[0]) >= 109
    page.get_by_role("button", name="Show on a plan").click()
    page.locator("svg circle").nth(109).wait_for(state="attached")
    assert page.locator("svg circle").count() == 110
    # Those in the hall are on its plan too.
    page.get_by_text("each floor shows all of them").wait_for()
    assert page.locator(".plan svg [data-space]").count() == 1
    assert re.search(r": [678] positions", page.locator("#page").inner_text())
    assert page.get_by_role("heading", name="Rewards").count() == 1
    page.get_by_role("button", name="Resolve").click()
    page.get_by_text("choose Always").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save a copy").click()
    copy = json.load(open(download.value.path()))
    assert len(copy["locations"]) == 110 and copy["identity"]["name"] == "Grace Example"
    assert not violations(page)

    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Resume").click()
    page.get_by_role("button", name="Pause").wait_for()
    page.get_by_role("button", name="Leave the study").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave the study").click()
    page.get_by_text("no longer in the study").wait_for()

    # The researcher sees quality under a pseudonym, and no name.
    researcher = page.context.new_page()
    researcher.goto(f"{studies.address}/console/studies?study=air-quality")
    researcher.get_by_text(copy["participant"]).first.wait_for()
    assert "Grace" not in researcher.content()
    researcher.get_by_label("Reason").fill("the paper")
    with researcher.expect_download() as download:
        researcher.get_by_role("button", name="Locations").click()
    assert len(open(download.value.path()).read().splitlines()) == 111
    researcher.get_by_text("export locations").wait_for()

    # The participant is erased everywhere.
    page.get_by_role("button", name="Erase my data").click()
    page.get_by_role("dialog").get_by_role("button", name="Erase my data").click()
    page.get_by_role("heading", name="Join a study").wait_for()
    assert page.evaluate("localStorage.length") == 0
    for file in pathlib.Path(studies.data).iterdir():
        if file.is_file():
            contents = file.read_bytes()
            assert copy["participant"].encode() not in contents and b"Grace Example" not in contents, file
    researcher.close()


def test_the_pages_are_in_german_and_small(page, studies):
    answers = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(f"{studies.address}/console/participate?lang=de")
    ready(page)
    assert page.get_by_role("heading", name="An einer Studie teilnehmen").count() == 1
    page.get_by_label("Code der Studie").fill("no-such-study")
    page.get_by_role("button", name="Weiter").click()
    page.locator("#error").wait_for()
    weight = sum(len(answer.body()) for answer in answers if answer.status == 200)
    print(f"participate: {weight / 1000:.0f} kB")
    assert weight <= 250_000
    assert not violations(page)
