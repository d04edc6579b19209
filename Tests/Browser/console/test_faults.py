"""What pages show when the server refuses or cannot be reached, and that they go on afterwards."""

import json
import re
import signal
import subprocess
import threading

import pytest
from playwright.sync_api import expect

from console_pages import PAGES
from console_server import SERVER, Demo

DATA = re.compile(r"/v1/(?!operator/(me|venues)$)")
# What makes an open page ask the server again: the names of buttons, a selector, or the seconds after which it asks by itself.
ACTIONS = {
    "overview": 20, "alerts": 20, "status": 20, "plan": "Show names and contacts", "utilisation": "css=.group button[aria-pressed=false]",
    "device": "Search", "cases": "Make the case", "devices": "Search", "quality": "css=.group button[aria-pressed=false]", "audit": "Show",
    "operators": ["New operator", "Add"], "account": "css=form.card button.primary", "forms": "Make a link",
    "designer": "css=.form-rows button[aria-label$=down]", "person": "Open",
}


def without_network(page):
    """Lets every request fail as that to a server that has ended; the browser itself notes those requests."""
    page.route("**/v1/**", lambda route: route.abort("connectionrefused"))


def only_expected(page):
    """Leaves out what the browser notes about requests that this test lets fail; errors of scripts stay."""
    page.faults[:] = [fault for fault in page.faults if not re.search(r"Failed to load resource|net::ERR_", fault)]


@pytest.mark.parametrize("name", [*PAGES, "forms", "designer"])
def test_a_refused_request_is_stated(console, name):
    page = console("overview")
    asked = []

    def refuse(route):
        asked.append(route.request.url)
        route.fulfill(status=503, content_type="application/problem+json", body=json.dumps({"code": "busy", "detail": "the store is busy <img src=x>"}))

    page.route(DATA, refuse)
    page.goto(re.sub(r"/console/overview", f"/console/{name}", page.url))
    page.wait_for_selector("html[data-ready=true]", state="attached")
    if asked:
        expect(page.locator("#error")).to_contain_text("the store is busy <img src=x>")
    assert page.locator("#loading").count() == 0 and page.locator("#page").get_attribute("aria-busy") == "false"
    assert page.locator("img").count() == 0
    only_expected(page)
    # The next answer of the server ends the message.
    page.unroute(DATA)
    page.reload()
    page.wait_for_selector("html[data-ready=true]", state="attached")
    expect(page.locator("#error")).to_be_hidden()
    only_expected(page)


@pytest.mark.parametrize("name", ACTIONS)
def test_a_server_that_ended_is_stated(console, name):
    path = f"{name}?form=viruses" if name in ("forms", "designer") else name
    page = console(path, signs_in=name != "person")
    action = ACTIONS[name]
    if isinstance(action, int):
        page.clock.install()
        page.reload()
        page.wait_for_selector("html[data-ready=true]", state="attached")
        without_network(page)
        page.clock.run_for(action * 1000)
    else:
        without_network(page)
        for step in action if isinstance(action, list) else [action]:
            for field in page.locator("#page input:enabled:visible:not([type=date], [type=number], [type=checkbox], [type=file], [type=radio])").all():
                if name != "designer":
                    field.fill("2026-11-20T10:00" if field.get_attribute("type") == "datetime-local" else "pages-17-password")
            inside = page.locator("#page")
            (inside.locator(step) if step.startswith("css=") else inside.get_by_role("button", name=step, exact=True)).first.click()
    expect(page.locator("#offline")).to_be_visible()
    expect(page.locator("#offline")).to_contain_text("cannot be reached")
    expect(page.locator("#error")).to_be_hidden()
    only_expected(page)


def test_the_live_plan_states_that_its_server_ended(browser):
    """A server of its own, which ends while the plan shows its events."""
    if not SERVER.exists():
        pytest.skip(f"{SERVER} is missing; build it first: swift build --product cordon-server")
    process = subprocess.Popen([str(SERVER), "demo", "--port", "0", "--devices", "5"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = []
    try:
        for line in process.stdout:
            lines.append(line)
            if "Ctrl-C" in line:
                break
        threading.Thread(target=process.stdout.read, daemon=True).start()
        demo = Demo("".join(lines))
        context = browser.new_context(viewport={"width": 1400, "height": 900}, locale="en-GB")
        page = context.new_page()
        page.set_default_timeout(30_000)
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{demo.address}/console/plan")
        page.get_by_role("textbox").first.fill(demo.admin[0])
        page.locator("input[type=password]").fill(demo.admin[1])
        page.keyboard.press("Enter")
        page.wait_for_url("**/console/plan**")
        page.wait_for_selector("html[data-ready=true]", state="attached")
        process.send_signal(signal.SIGKILL)
        expect(page.locator("#offline")).to_be_visible(timeout=30_000)
        expect(page.locator("#error")).to_be_hidden()
        assert errors == []
        context.close()
    finally:
        process.kill()
        process.wait(30)
