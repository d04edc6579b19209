"""A browser for the tests of pages, and the cordon program."""

import contextlib
import os
import pathlib
import shutil
import subprocess

import pytest
from playwright.sync_api import sync_playwright

import hospital
from console_server import console, demo, sessions  # noqa: F401 (fixtures of Tests/Browser/console)

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORDON = pathlib.Path(os.environ.get("CORDON_BIN", ROOT / ".build" / "debug" / "cordon")).absolute()
WHOLE = shutil.which("chromium") or shutil.which("chromium-browser")
# The shell has no windows of its own, and needs half of the processor time.
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or WHOLE


class Cordon:
    """Runs the built program in a folder."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, *arguments):
        result = subprocess.run(
            [str(CORDON), *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=120)
        result.lines = result.stdout + result.stderr
        return result


@pytest.fixture
def cordon(tmp_path):
    assert CORDON.exists(), f"{CORDON} is missing; build it first: swift build"
    return Cordon(tmp_path)


@pytest.fixture(scope="session")
def clinic(tmp_path_factory):
    """A folder with a map of two floors (clinic.geojson) and a short run on it (run), which the tests share."""
    folder = tmp_path_factory.mktemp("clinic")
    hospital.clinic(folder / "clinic.geojson")
    result = Cordon(folder)("simulate", "clinic.geojson", "--people", "24", "--duration", "20m", "--seed", "7", "-o", "run")
    assert result.returncode == 0, result.lines
    return folder


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as playwright:
        yield playwright


@contextlib.contextmanager
def launched(playwright, program):
    """A running browser."""
    if not program:
        pytest.skip("Chromium is not installed; scripts/setup --tests installs it")
    # A container has no user namespaces for the sandbox.
    browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-background-networking"])
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def browser(playwright):
    with launched(playwright, CHROMIUM) as browser:
        yield browser


@pytest.fixture
def whole_browser(playwright):
    """A browser with what only windows have, such as the installation of apps."""
    with launched(playwright, WHOLE) as browser:
        yield browser


@pytest.fixture
def open_page(browser):
    """Opens a file; errors on the console and requests beyond the file fail the test at its end."""
    contexts = []
    faults = []

    def open_page(path, width=1400, height=900, scheme="light", touch=False, motion="reduce", is_checked=False):
        # The content policy of the pages refuses the script of axe-core, so that a checked page is opened without it.
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, accept_downloads=True,
            reduced_motion=motion, has_touch=touch, bypass_csp=is_checked)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        own = pathlib.Path(path).resolve().as_uri()
        # A page of floor plans shows the drawings beside it; all others are one file.
        drawings = [file.resolve().as_uri() for file in pathlib.Path(path).parent.glob("*.svg")]
        page.on("console", lambda message: message.type in ("error", "warning") and faults.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on(
            "request",
            lambda request: request.url not in (own, *drawings) and not request.url.startswith("blob:") and faults.append(f"request: {request.url}"))
        page.goto(own)
        if page.locator("script").count():
            page.wait_for_selector("html[data-ready=true]", state="attached")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []
