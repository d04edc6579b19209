"""A study with a form, from the researcher who makes both to the erasure of a participant everywhere."""

import base64
import json
import pathlib
import re
import time
import urllib.request
import uuid

import pytest
from playwright.sync_api import expect

from console_pages import violations
from console_server import SERVER
from test_studies import StudyServer

NAME, ANSWER = "Grace Example", "a cough since Tuesday"
DAY = 86_400_000


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    if not SERVER.exists():
        pytest.skip(f"{SERVER} is missing; build it first: swift build --product cordon-server")
    server = StudyServer(tmp_path_factory.mktemp("study-and-form"), CORDON_FORMS="yes")
    yield server
    server.process.terminate()
    server.process.wait(30)


@pytest.fixture
def window(browser, server):
    """Opens a browser of one person; errors of scripts and requests to other servers fail the test at its end."""
    contexts, faults = [], []

    def window(width=1400, **options):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, locale="en-GB", accept_downloads=True, reduced_motion="reduce", bypass_csp=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("request", lambda request: request.url.startswith((server.address, "blob:")) or faults.append(f"request: {request.url}"))
        return page

    yield window
    for context in contexts:
        context.close()
    assert faults == []


def ready(page):
    page.wait_for_selector("html[data-ready=true]", state="attached")


def signed_in(page, server, path):
    page.goto(f"{server.address}/console/{path}")
    page.wait_for_url("**/console/sign-in?**")
    page.get_by_role("textbox").first.fill(server.operator)
    page.locator("input[type=password]").fill(server.key)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/console/{path}**")
    ready(page)


def ask(server, path, body=None):
    basic = base64.b64encode(f"{server.operator}:{server.key}".encode()).decode()
    request = urllib.request.Request(
        server.address + path, json.dumps(body).encode() if body else None, {"authorization": f"Basic {basic}", "content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def make_study(page):
    page.get_by_role("button", name="New study").click()
    page.get_by_label("Code", exact=True).fill("coughs")
    page.get_by_label("Title", exact=True).fill("Coughs in the hall")
    page.get_by_label("State").select_option("open")
    page.get_by_label("Begins").fill("2020-01-01")
    page.get_by_label("Ends").fill("2029-12-31")
    page.get_by_label("Consent text in English").fill("I agree that my positions are recorded.")
    page.get_by_label("Participants earn rewards").check()
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Make an invitation").click()
    return page.locator("#invitation").inner_text()


def make_form(page, server):
    page.goto(f"{server.address}/console/designer")
    ready(page)
    page.get_by_label("Name of the form").fill("symptoms")
    page.get_by_label("Name of the form").press("Tab")
    for kind in ("place", "text"):
        page.get_by_label("Type of the new field").select_option(kind)
        page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_text("The form is valid").wait_for()
    page.get_by_role("button", name="Publish version 1").click()
    page.wait_for_url("**/console/forms?**")
    ready(page)
    page.get_by_label("Collector", exact=True).fill("participants of the study")
    page.get_by_role("button", name="Make a link").click()
    return page.get_by_label("Link of the collector").first.input_value()


def found(server, *texts):
    """The files of the server that contain a text."""
    files = [file for file in pathlib.Path(server.data).rglob("*") if file.is_file()]
    return [(file.name, text) for file in files for text in texts if text.encode() in file.read_bytes()]


def weigh(page, server, name):
    """The bytes of a page on their way, without the plan of the venue."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sizes, plans = {}, set()
    session.on("Network.responseReceived", lambda event: event["response"]["url"].endswith("/plan") and plans.add(event["requestId"]))
    session.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    page.goto(f"{server.address}/console/{name}")
    ready(page)
    weight = sum(size for request, size in sizes.items() if request not in plans)
    session.detach()
    print(f"{name}: {weight / 1000:.0f} kB")
    return weight


def test_a_participant_from_the_invitation_to_the_erasure(window, server):
    researcher, participant = window(), window(width=390)
    signed_in(researcher, server, "studies")
    invitation = make_study(researcher)
    link = make_form(researcher, server)

    # A credit for each minute of a day that is over.
    study = ask(server, "/v1/studies/coughs")
    study["rewards"].update(minutes_per_credit=1, minimum_minutes=1, closes_after_hours=0)
    ask(server, "/v1/studies", study)

    # The participant enrols, and the phone delivers yesterday's minutes late.
    participant.goto(invitation)
    ready(participant)
    participant.get_by_label("Name").fill(NAME)
    participant.get_by_label("Where rewards go").fill("acct-42")
    participant.get_by_label("I have read this and agree.").check()
    participant.get_by_role("button", name="Take part").click()
    key = participant.locator("#key").inner_text()
    midnight = int(time.time() * 1000) // DAY * DAY
    if time.time() * 1000 - midnight > DAY - 900_000:
        pytest.skip("no minutes of yesterday are within a day of the enrolment; run it again after midnight in UTC")
    server.post("/v1/studies/me/events", key, {"events": [{"id": str(uuid.uuid4()), "time": midnight - 700_000, "type": "TRACKING_STARTED"}]})
    receipt = server.post("/v1/studies/me/locations", key, {"locations": [
        {"id": str(uuid.uuid4()), "time": midnight - 600_000 + 60_000 * minute, "lon": 8.5403, "lat": 47.3702, "accuracy": 8} for minute in range(10)]})
    assert receipt["stored"] == 10

    # The form works without a network, and its record arrives later.
    app = participant.context.new_page()
    app.goto(link)
    app.wait_for_selector("html[data-offline=ready]", state="attached")
    participant.context.set_offline(True)
    app.reload()
    ready(app)
    for field in app.locator("form input[type=text], form textarea").all():
        field.fill("r" if field.get_attribute("placeholder") else ANSWER)
    app.get_by_role("button", name="Save record").click()
    app.get_by_text("One change waits to be sent.").wait_for()
    participant.context.set_offline(False)
    app.get_by_role("button", name="Exchange now").click()
    app.get_by_text("All records are exchanged").wait_for()

    # The rewards of these days.
    server.command("study", "reward", "coughs", "--data", server.data)
    participant.get_by_role("button", name="Continue").click()
    rewards = participant.locator("section", has=participant.get_by_role("heading", name="Rewards"))
    assert int(rewards.locator("dd").first.inner_text()) >= 9
    assert participant.evaluate("document.documentElement.scrollWidth") <= 390
    assert not violations(participant)

    # The researcher reads the answers: spaces are on the plan of the venue, with the table beside it.
    researcher.goto(f"{server.address}/console/forms?form=symptoms")
    ready(researcher)
    figure = researcher.locator(".form-map")
    expect(figure.locator("path[data-space=r]")).to_have_attribute("aria-label", re.compile("^hall; Answers: 1; "))
    expect(figure.locator("path[data-space=r].h1")).to_have_count(1)
    assert figure.locator("tbody tr").all_inner_texts() == ["hall\t1"]
    figure.locator("path[data-space=r]").focus()
    researcher.keyboard.press("Enter")
    expect(figure.locator(".readout")).to_have_text("hall: 1")
    assert not violations(researcher)
    for name in ("studies?study=coughs", "forms?form=symptoms", "designer?form=symptoms"):
        assert weigh(researcher, server, name) <= 250_000
    # Names of people are in the vault only.
    researcher.goto(f"{server.address}/console/studies?study=coughs")
    ready(researcher)
    assert NAME not in researcher.content()

    assert found(server, ANSWER), "the search finds what is there"
    # The participant leaves, and is erased; the operator erases the record of the form.
    participant.get_by_role("button", name="Leave the study").click()
    participant.get_by_role("dialog").get_by_role("button", name="Leave the study").click()
    participant.get_by_text("no longer in the study").wait_for()
    with participant.expect_download() as download:
        participant.get_by_role("button", name="Save a copy").click()
    pseudonym = json.loads(pathlib.Path(download.value.path()).read_text())["participant"]
    participant.get_by_role("button", name="Erase my data").click()
    participant.get_by_role("dialog").get_by_role("button", name="Erase my data").click()
    participant.get_by_role("heading", name="Join a study").wait_for()
    researcher.goto(f"{server.address}/console/forms?form=symptoms")
    ready(researcher)
    researcher.get_by_label("Reason").fill("on request")
    researcher.get_by_role("button", name="Show records").click()
    researcher.on("dialog", lambda dialog: dialog.accept())
    erase = researcher.get_by_role("button", name="Erase record")
    record = erase.get_attribute("aria-label").split()[-1]
    erase.click()
    expect(erase).to_have_count(0)
    app.get_by_role("button", name="Exchange now").click()
    app.get_by_text("No record yet.").wait_for()

    server.process.terminate()
    server.process.wait(30)
    assert found(server, NAME, ANSWER, pseudonym, "acct-42") == [], record
