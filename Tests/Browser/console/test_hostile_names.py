"""Names that devices and operators choose are shown as text, wherever they are shown."""

import json
import math
import re
import time
import urllib.parse

import pytest

from console_pages import PAGES

EVIL = "<img src=x onerror=alert(1)>"
NAMES = [f"a\"'>{EVIL}", f"b</script><script>alert(2)</script>{EVIL}"]


class Client:
    """Requests to the server with the credentials of the administrator."""

    def __init__(self, page, demo):
        self.request, self.address, self.admin = page.request, demo.address, demo.admin

    def __call__(self, method, path, body=None, token=None):
        import base64

        basic = base64.b64encode(":".join(self.admin).encode()).decode()
        headers = {"authorization": f"Bearer {token}" if token else f"Basic {basic}", "content-type": "application/json"}
        answer = self.request.fetch(self.address + path, method=method, headers=headers, data=json.dumps(body) if body is not None else None)
        assert answer.ok, f"{method} {path}: {answer.status} {answer.text()}"
        return answer.json() if answer.text() else None


@pytest.fixture
def hostile(console, demo):
    """Two devices with hostile names that are beside each other, a case, a rule and a note with such texts."""
    page = console("overview")
    client = Client(page, demo)
    venue = client("GET", "/v1/operator/venues")["venues"][0]["venue"]
    plan = client("GET", f"/v1/operator/venues/{venue}/plan")
    space = max((space for space in plan["spaces"] if space["recording"] == "full"), key=lambda space: space["area_m2"])
    ring = space["rings"][0]
    # The middle of the first edge, moved a metre towards the middle of the space.
    points = list(zip(ring[::2], ring[1::2]))
    middle = [sum(axis) / len(points) for axis in zip(*points)]
    radians = math.radians(plan["origin"][1])
    east, north = 111412.84 * math.cos(radians) - 93.5 * math.cos(3 * radians), 111132.92 - 559.82 * math.cos(2 * radians)
    lonlat = [plan["origin"][0] + middle[0] / 100 / east, plan["origin"][1] - middle[1] / 100 / north]
    code = client("POST", "/v1/operator/invite-codes", {"venue": venue, "maximum_uses": 10})["code"]
    for name in NAMES:
        path = "/v1/devices/" + urllib.parse.quote(name, safe="")
        secret = client("POST", path + "/activate", {"code": code, "type": EVIL[:32]})["secret"]
        token = client("POST", path + "/token", {"secret": secret})["token"]
        now = int(time.time() * 1000)
        client("PUT", path + "/consent", {"version": "1", "purposes": ["record", "share"], "time": now - 5000}, token)
        rows = [{"device": name, "venue": venue, "time": now - 1_200_000, "lonlat": [round(x, 7) for x in lonlat], "acc": 2, "floor": space["floor"], "still_until": now - 1000}]
        answer = client("POST", "/v1/positions", {"rows": rows}, token)
        assert "stored" in json.dumps(answer), answer
    number = client("POST", "/v1/operator/cases", {
        "venue": venue, "device": NAMES[0], "label": EVIL, "note": EVIL, "reason": EVIL, "threshold_minutes": 1,
        "from": str(int(time.time() * 1000) - 86_400_000), "to": str(int(time.time() * 1000))})["number"]
    client("PUT", f"/v1/operator/cases/{number}/status", {"device": NAMES[1], "status": "reached", "note": EVIL, "reason": EVIL})
    client("POST", "/v1/operator/alerts", {"venue": venue, "kind": "more-than", "name": EVIL, "threshold": 0, "lasting_s": 0})
    page.evaluate("sessionStorage.setItem('cordon-reason', '<img src=x onerror=alert(3)>')")
    page.on("dialog", lambda dialog: page.faults.append(f"dialog: {dialog.message}"))
    return page, number, venue


def clean(page):
    assert page.locator("img").count() == 0, "markup from a name"
    assert page.evaluate("[...document.scripts].filter((script) => !script.src).length") == 0


def test_hostile_names_stay_text(hostile, demo):
    page, number, venue = hostile

    def go(path):
        page.goto(f"{demo.address}/console/{path}{'&' if '?' in path else '?'}venue={venue}")
        page.wait_for_selector("html[data-ready=true]", state="attached")
        page.wait_for_timeout(300)
        clean(page)

    go("plan")
    page.get_by_role("button", name="Show names and contacts").click()
    page.wait_for_selector("table:has-text('onerror')")
    clean(page)
    for name in ["overview", "alerts", "cases", "utilisation", "venues"]:
        go(name)
    assert EVIL in page.evaluate("fetch('/v1/operator/cases?venue=" + venue + "').then((answer) => answer.json()).then((value) => JSON.stringify(value))")
    go(f"cases?case={number}")
    page.wait_for_selector("table:has-text('onerror')")
    page.get_by_role("button", name="Show", exact=True).click()
    page.wait_for_selector(".tree")
    clean(page)
    go("devices")
    page.get_by_role("button", name="Search").click()
    page.wait_for_selector("table:has-text('onerror')")
    clean(page)
    page.goto(f"{demo.address}/console/device?venue={venue}#device={urllib.parse.quote(NAMES[0], safe='')}")
    page.wait_for_function("(name) => document.getElementById('device-name')?.textContent === name", arg=NAMES[0])
    page.wait_for_timeout(500)
    clean(page)
    page.goto(f"{demo.address}/console/overview?venue=%22%3E%3Cimg%20src%3Dx%3E&lang=%3Cimg%3E")
    page.wait_for_selector("html[data-ready=true]", state="attached")
    clean(page)


# Texts that scripts compare, look up or send back to the server. Every other text of an answer is only shown.
KEPT = {
    "venue", "space", "time_zone", "role", "kind", "state", "status", "recording", "delivery", "csrf_token", "device", "operator", "group", "form", "cause",
    "reason_code", "template", "type", "source", "id", "code", "record", "chart",
    # Charts of forms are drawings that the server makes; FormChartDrawing escapes what is in them.
    "svg", "created", "received", "published", "changed", "since", "time",
}


def corrupted(value, key=""):
    if isinstance(value, dict):
        return {name: corrupted(entry, name) for name, entry in value.items()}
    if isinstance(value, list):
        return [corrupted(entry, key) for entry in value]
    return f"{value}{EVIL}" if isinstance(value, str) and key not in KEPT else value


def test_every_text_of_every_answer_is_shown_as_text(console, demo):
    """Names of venues, floors, spaces, accounts, rules, findings, notes, reasons and versions."""
    page = console("overview")
    page.set_default_timeout(60_000)
    page.on("dialog", lambda dialog: page.faults.append(f"dialog: {dialog.message}"))
    page.evaluate("sessionStorage.setItem('cordon-reason', 'hostile <img src=x>')")
    changed = []

    def corrupt(route):
        answer = route.fetch()
        if "application/json" not in answer.headers.get("content-type", "") or not answer.ok:
            return route.fulfill(response=answer)
        changed.append(route.request.url)
        route.fulfill(response=answer, json=corrupted(answer.json()))

    page.route(re.compile(r"/v1/(?!operator/events)"), corrupt)
    for name in [*PAGES, "forms?form=viruses", "designer?form=viruses"]:
        changed.clear()
        page.goto(f"{demo.address}/console/{name}")
        page.wait_for_selector("html[data-ready=true]", state="attached")
        for button in page.locator("#page").get_by_role("button", name=re.compile("^(Search|Show|Show names and contacts|Show records)$")).all():
            if button.is_visible():
                button.click()
        page.wait_for_timeout(300)
        clean(page)
        assert changed and EVIL in page.locator("body").inner_text(), (name, changed)
        assert page.locator("#error").is_hidden(), (name, page.locator("#error").inner_text())
    page.unroute_all(behavior="ignoreErrors")
