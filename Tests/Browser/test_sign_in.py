"""Signing in to a server in a browser: with a password, with one-time codes, and at canaille, an OpenID Connect provider."""

import base64
import hmac
import importlib.util
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERVER = pathlib.Path(os.environ.get("CORDON_SERVER_BIN", ROOT / ".build" / "debug" / "cordon-server")).absolute()
# Hashes of passwords that take little time.
QUICK = {**os.environ, "CORDON_PASSWORD_MEMORY": "1"}


class Server:
    """A server with an operator who has a password, and a browser's context that keeps cookies."""

    def __init__(self, folder, browser):
        self.data, self.venues, self.folder = folder / "data", folder / "venues", folder
        self.browser = browser
        self.venues.mkdir()
        shutil.copy(ROOT / "venues" / "office.mvf.zip", self.venues)
        self.process = None
        self.faults = []
        self.contexts = []

    def add_operator(self, name, *roles):
        result = subprocess.run(
            [SERVER, "operator", "add", "--data", self.data, "--name", f"{name} <b>Example", "--sign-in-name", name, *roles],
            capture_output=True, text=True, env=QUICK, check=True)
        return result.stdout.split()[3]

    def start(self, port=0, **settings):
        environment = {**QUICK, **{f"CORDON_{name.upper()}": value for name, value in settings.items()}}
        self.process = subprocess.Popen(
            [SERVER, "serve", "--data", self.data, "--venues", self.venues, "--port", str(port)], stderr=subprocess.PIPE,
            text=True, env=environment)
        for line in self.process.stderr:
            record = json.loads(line)
            if record.get("message") == "listening":
                self.address = f"http://127.0.0.1:{record['port']}"
                threading.Thread(target=self.process.stderr.read, daemon=True).start()
                return
        pytest.fail("the server did not start")

    def page(self):
        context = self.browser.new_context()
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        own = ("http://127.0.0.1:",)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", lambda request: request.url.startswith(own) or self.faults.append(f"request: {request.url}"))
        # A refusal of the content security policy is reported on the console.
        page.on(
            "console", lambda message: "Content Security Policy" in message.text and message.text.find("Refused") >= 0
            and page.url.startswith(getattr(self, "address", "-")) and self.faults.append(message.text))
        return page

    def me(self, page):
        return page.request.get(self.address + "/v1/operator/me")

    def stop(self):
        for context in self.contexts:
            context.close()
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            assert self.process.wait(30) == 0
        assert self.faults == []


@pytest.fixture
def server(tmp_path, browser):
    if not SERVER.exists():
        pytest.skip(f"{SERVER} is not built")
    server = Server(tmp_path, browser)
    yield server
    server.stop()


@pytest.fixture
def provider(tmp_path):
    """Starts canaille for a server's address."""
    if importlib.util.find_spec("canaille") is None:
        pytest.skip("canaille is not installed; scripts/setup --tests installs it")
    processes = []

    def start(address, *arguments):
        process = subprocess.Popen(
            [sys.executable, str(pathlib.Path(__file__).with_name("openid_provider.py")), address, *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=(tmp_path / "canaille.log").open("w"), text=True)
        processes.append(process)
        line = process.stdout.readline()
        assert line, (tmp_path / "canaille.log").read_text()
        return json.loads(line)

    yield start
    for process in processes:
        process.stdin.close()
        process.wait(20)


def sign_in(page, server, name, password, code="", next="/openapi.json"):
    page.goto(server.address + "/console/sign-in?next=" + next)
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    if code:
        page.get_by_label("One-time code").fill(code)
    page.get_by_role("button", name="Sign in").click()


def sign_out(page, server):
    proof = server.me(page).json()["csrf_token"]
    answer = page.request.post(
        server.address + "/console/sign-out", headers={"x-csrf-token": proof, "accept": "application/json"})
    assert answer.status == 200
    return answer.json()["provider"]


def test_a_password_signs_in(server):
    password = server.add_operator("ada", "--role", "admin")
    server.start()
    page = server.page()
    sign_in(page, server, "ada", "a wrong password")
    assert page.get_by_role("alert").inner_text() == "The name, the password or the code is wrong."
    sign_in(page, server, "ada", password)
    page.wait_for_url("**/openapi.json")
    me = server.me(page).json()
    assert me["name"] == "ada <b>Example" and me["role"] == "admin" and me["method"] == "password"
    # Scripts see neither the session nor anything of it.
    assert page.evaluate("document.cookie") == ""
    cookie = next(cookie for cookie in page.context.cookies() if cookie["name"] == "cordon")
    assert cookie["httpOnly"] and cookie["sameSite"] == "Lax"
    # The password again, for what cannot be undone.
    page.goto(server.address + "/console/confirm?next=/openapi.json")
    assert "ada <b>Example" in page.get_by_role("main").inner_text(), "the name is text"
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url("**/openapi.json")
    renewed = next(cookie for cookie in page.context.cookies() if cookie["name"] == "cordon")
    assert renewed["value"] != cookie["value"]
    assert sign_out(page, server) is None
    assert server.me(page).status == 401
    page.goto(server.address + "/console/confirm")
    assert page.url.endswith("/console/sign-in")


def code_of(secret):
    """The one-time code of the moment (RFC 6238)."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, int(time.time() // 30).to_bytes(8, "big"), "sha1").digest()
    start = digest[19] & 15
    return f"{(int.from_bytes(digest[start:start + 4], 'big') & 0x7fffffff) % 1_000_000:06}"


def test_an_administrator_adds_an_operator_who_sets_up_codes(server):
    password = server.add_operator("ada", "--role", "admin")
    server.start()
    page = server.page()
    sign_in(page, server, "ada", password, next="/console/operators")
    page.get_by_role("button", name="New operator").click()
    evil = "Bob <img src=x onerror=alert(1)>"
    page.get_by_label("Name", exact=True).fill(evil)
    page.get_by_label("Sign-in name").fill("bob")
    page.get_by_label("At all venues").select_option("contact-tracer")
    page.get_by_role("button", name="Add", exact=True).click()
    first = page.locator(".card code").inner_text()
    row = page.get_by_role("row").filter(has_text="bob").first
    assert "contact tracer (all venues)" in row.inner_text()
    assert page.locator("main img").count() == 0, "a name is text"
    # Bob signs in, chooses a password and sets up one-time codes.
    other = server.page()
    sign_in(other, server, "bob", first, next="/console/account")
    other.get_by_label("Present password").fill(first)
    other.get_by_label("New password", exact=True).fill("correct horse battery")
    other.get_by_label("New password again").fill("correct horse battery")
    with other.expect_navigation():
        other.get_by_role("button", name="Change the password").click()
    other.get_by_role("button", name="Set up").click()
    other.get_by_role("img", name="QR code").wait_for()
    secret = other.locator("p.code code").inner_text().replace(" ", "")
    other.get_by_label("First code").fill(code_of(secret))
    with other.expect_navigation():
        other.get_by_role("button", name="Use codes from now on").click()
    other.get_by_role("button", name="End one-time codes").wait_for()
    third = server.page()
    sign_in(third, server, "bob", "correct horse battery")
    assert "is wrong" in third.get_by_role("alert").inner_text(), "without a code"
    # Bob is not an administrator.
    other.goto(server.address + "/console/operators")
    other.get_by_text("needs the role").wait_for()
    # What happened is on the page of operators, and locking ends the session.
    page.reload()
    page.get_by_role("cell", name="set up one-time codes").wait_for()
    page.get_by_role("button", name=f"Change {evil}").click()
    page.get_by_label("Locked").check()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("locked", exact=True).wait_for()
    assert server.me(other).status == 401


def test_the_audit_shows_who_looked_and_why(server):
    password = server.add_operator("ada", "--role", "admin")
    server.start()
    page = server.page()
    sign_in(page, server, "ada", password, next="/console/audit")
    page.wait_for_selector("html[data-ready=true]", state="attached")
    proof = server.me(page).json()["csrf_token"]
    venue = page.request.get(server.address + "/v1/venues").json()["venues"][0]["venue"]
    reason = "<script>alert('case 17')</script>"
    answer = page.request.post(
        server.address + "/v1/operator/devices", headers={"x-csrf-token": proof}, data={"venue": venue, "reason": reason})
    assert answer.status == 200
    page.reload()
    page.get_by_role("cell", name=reason).wait_for()


def test_no_other_page_frames_the_form(server):
    server.start()
    page = server.page()
    page.goto(server.address + "/openapi.json")
    page.set_content(f'<iframe src="{server.address}/console/sign-in"></iframe>')
    page.wait_for_load_state("networkidle")
    assert all(frame.evaluate("document.querySelector('form') === null") for frame in page.frames if frame.url != "")


@pytest.mark.parametrize("algorithm", ["RS256", "ES256"])
def test_a_provider_signs_in(server, provider, algorithm):
    server.add_operator("local", "--role", "admin")
    # The provider must know the address before the server starts.
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    known = provider(f"http://127.0.0.1:{port}", "--algorithm", algorithm)
    server.start(
        port, openid_issuer=known["issuer"], openid_client=known["client"], openid_secret=known["secret"],
        openid_roles="admins=admin, tracers=contact-tracer", openid_label="Hospital <b>account", passwords="no",
        public_address=f"http://127.0.0.1:{port}")
    page = server.page()

    def sign_in(user, start="/console/sign-in?next=/openapi.json"):
        page.goto(server.address + start)
        page.get_by_role("link", name=re.compile("Hospital <b>account")).click()
        if page.locator("input[name=login]").count():
            page.locator("input[name=login]").fill(user)
            page.locator("button[type=submit]").first.click()
        page.locator("input[name=password]").fill("correct horse battery")
        page.locator("input[name=password]").press("Enter")

    sign_in("tess")
    page.wait_for_url("**/openapi.json")
    me = server.me(page).json()
    assert me["role"] == "contact-tracer" and me["method"] == "openid" and me["name"].startswith("Tess")
    assert me["fresh_until"]
    # Signing out here leads to the provider, where the person signs out as well.
    address = sign_out(page, server)
    assert address.startswith(known["issuer"]) and "id_token_hint=" in address
    assert server.me(page).status == 401
    page.goto(address)
    answer = page.locator("button[name=answer][value=logout]")
    if answer.count():
        answer.click()
    # Another person, of no group with a role.
    page.context.clear_cookies()
    sign_in("olga")
    assert "You have no role here" in page.get_by_role("alert").inner_text()
    assert server.me(page).status == 401
    # An administrator, who is asked again for what cannot be undone.
    page.context.clear_cookies()
    sign_in("ada")
    page.wait_for_url("**/openapi.json")
    first = server.me(page).json()
    assert first["role"] == "admin"
    sign_in("ada", "/console/confirm?next=/openapi.json")
    page.wait_for_url("**/openapi.json")
    again = server.me(page).json()
    assert again["operator"] == first["operator"] and again["csrf_token"] != first["csrf_token"]
    assert again["fresh_until"] > first["fresh_until"]
    # An answer that was used, or made up, signs nobody in.
    page.goto(server.address + "/console/openid/callback?code=x&state=y")
    assert "began elsewhere" in page.get_by_role("alert").inner_text()
