"""A server with simulated devices, and pages of its console that must report no error."""

import os
import pathlib
import re
import subprocess
import threading

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERVER = pathlib.Path(os.environ.get("CORDON_SERVER_BIN", ROOT / ".build" / "debug" / "cordon-server")).absolute()


class Demo:
    """A running `cordon-server demo`: its address and the credentials of its operators."""

    def __init__(self, text):
        self.address = re.search(r"http://127\.0\.0\.1:\d+", text)[0]
        self.admin = (re.search(r"operator\s+(\S+)", text)[1], re.search(r"key\s+(\S+)", text)[1])
        viewer = re.search(r"viewer\s+(\S+)\s+key\s+(\S+)", text)
        self.viewer = (viewer[1], viewer[2])


@pytest.fixture(scope="session")
def demo():
    if not SERVER.exists():
        pytest.skip(f"{SERVER} is missing; build it first: swift build --product cordon-server")
    process = subprocess.Popen(
        [str(SERVER), "demo", "--port", "0", "--devices", "40"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = []
    ready = threading.Event()

    def read():
        for line in process.stdout:
            lines.append(line)
            if "Ctrl-C" in line:
                ready.set()
        ready.set()

    threading.Thread(target=read, daemon=True).start()
    assert ready.wait(120) and process.poll() is None, "".join(lines)
    yield Demo("".join(lines))
    process.terminate()
    process.wait(30)


@pytest.fixture(scope="module")
def sessions():
    """The cookies of operators who signed in, by role: the tests of a module share them."""
    return {}


@pytest.fixture
def console(browser, demo, sessions):
    """Opens a page of the console, signed in; errors on the console and requests to other origins fail the test at its end.

    With `by_form` the operator signs in for this page, which asks for that; a test that ends the session needs one of its own.
    """
    contexts = []
    faults = []

    def console(path="overview", who="admin", width=1400, height=900, scheme="light", language="en-GB", is_checked=False, signs_in=True,
                by_form=False):
        # The content policy of the pages refuses the script of axe-core, so that a checked page is opened without it.
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce", locale=language,
            accept_downloads=True, bypass_csp=is_checked, timezone_id="America/New_York")
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda message: message.type in ("error", "warning") and faults.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("request", lambda request: request.url.startswith((demo.address, "blob:")) or faults.append(f"request: {request.url}"))
        page.faults = faults
        if signs_in and who in sessions and not by_form:
            context.add_cookies(sessions[who])
            page.goto(f"{demo.address}/console/{path}")
        elif signs_in:
            page.goto(f"{demo.address}/console/{path}")
            page.wait_for_url("**/console/sign-in?**")
            operator, key = demo.admin if who == "admin" else demo.viewer
            page.get_by_role("textbox").first.fill(operator)
            page.locator("input[type=password]").fill(key)
            page.keyboard.press("Enter")
            page.wait_for_url(f"**/console/{path.split('?')[0]}**")
            # The answer 401 that led to the form is expected.
            faults[:] = [fault for fault in faults if "401" not in fault]
            if not by_form:
                sessions[who] = context.cookies()
        else:
            page.goto(f"{demo.address}/console/{path}")
        page.wait_for_selector("html[data-ready=true]", state="attached")
        return page

    yield console
    for context in contexts:
        context.close()
    assert faults == []
