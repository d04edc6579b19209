"""The first page of the server: axe-core finds nothing, nothing is off screen, and keys reach the form."""

import os
import pathlib
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

import pytest

from conftest import CORDON, ROOT
from test_pages import violations

SERVER = pathlib.Path(os.environ.get("CORDON_SERVER_BIN", CORDON.with_name("cordon-server")))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The address of a server with the sample office."""
    if not SERVER.exists():
        pytest.skip(f"{SERVER} is missing; build it first: swift build --product cordon-server")
    folder = tmp_path_factory.mktemp("server")
    (folder / "maps").mkdir()
    shutil.copy(ROOT / "venues/office.mvf.zip", folder / "maps")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [SERVER, "serve", "--data", folder / "data", "--venues", folder / "maps", "--port", str(port)], stderr=log, stdout=log)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(100):
            if process.poll() is not None:
                raise AssertionError((folder / "log").read_text())
            try:
                urllib.request.urlopen(address + "/readyz", timeout=1)
                break
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        else:
            raise AssertionError((folder / "log").read_text())
        yield address
    finally:
        process.terminate()
        process.wait(20)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_page_is_accessible(server, browser, scheme):
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme, bypass_csp=True)
    try:
        page = context.new_page()
        faults = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(server + "/")
        page.wait_for_load_state("networkidle")
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement !== document.body"), "the first key reaches something"
        page.set_viewport_size({"width": 1400, "height": 900})
        assert violations(page) == [] and faults == []
    finally:
        context.close()
