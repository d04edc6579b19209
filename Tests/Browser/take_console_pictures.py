#!/usr/bin/env python3
"""Takes pictures of all pages of the console: at 1400 and 390 pixels, light and dark, in one small WebP file a page.

  .build/browser/bin/python Tests/Browser/take_console_pictures.py docs/images/console [PAGE...]

Needs a built `cordon-server` (CORDON_SERVER_BIN, or .build/debug). Chromium scales and encodes; nothing else is needed.
"""
import base64
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import time
import urllib.parse

from playwright.sync_api import sync_playwright

from console_server import SERVER

PAGES = [
    "sign-in", "overview", "plan", "utilisation", "alerts", "device", "cases", "devices", "venues", "quality", "status", "operators",
    "audit", "account", "person", "forms", "designer",
]
# The width of the window, the height that is shown, and the width in the picture.
WINDOWS = [(1400, 900, 560), (390, 844, 160)]
COMPOSE = """async ([pictures, quality]) => {
  const images = await Promise.all(pictures.map(async ([source, width]) => {
    const image = new Image();
    image.src = `data:image/png;base64,${source}`;
    await image.decode();
    return [image, width, Math.round(image.height * width / image.width)];
  }));
  const gap = 10;
  const canvas = document.createElement('canvas');
  canvas.width = images.reduce((sum, [, width]) => sum + width + gap, gap);
  canvas.height = Math.max(...images.map(([, , height]) => height)) + 2 * gap;
  const context = canvas.getContext('2d');
  context.fillStyle = '#8a8f94';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  let x = gap;
  for (const [image, width, height] of images) {
    context.drawImage(image, x, gap, width, height);
    x += width + gap;
  }
  return canvas.toDataURL('image/webp', quality).split(',')[1];
}"""


class Console:
    def __init__(self, browser, text):
        self.browser = browser
        self.address = re.search(r"http://127\.0\.0\.1:\d+", text)[0]
        self.operator, self.key = re.search(r"operator\s+(\S+)", text)[1], re.search(r"key\s+(\S+)", text)[1]
        self.basic = "Basic " + base64.b64encode(f"{self.operator}:{self.key}".encode()).decode()

    def ask(self, page, method, path, body=None, authorization=None):
        answer = page.request.fetch(
            self.address + path, method=method, data=json.dumps(body) if body is not None else None,
            headers={"authorization": authorization or self.basic, "content-type": "application/json"})
        assert answer.ok, f"{path}: {answer.status} {answer.text()}"
        return answer.json() if answer.text() else None

    def page(self, width, height, scheme):
        context = self.browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce", locale="en-GB")
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.goto(self.address + "/console/sign-in?next=/console/status")
        return page

    def sign_in(self, page):
        page.get_by_role("textbox").first.fill(self.operator)
        page.locator("input[type=password]").fill(self.key)
        page.keyboard.press("Enter")
        page.wait_for_selector("body[data-page=status]")
        page.wait_for_selector("html[data-ready=true]", state="attached")
        page.evaluate("sessionStorage.setItem('cordon-reason', 'case 17')")

    def prepare(self, page, has_person):
        """A person with a notice, for the page of the person; the name of a device with contacts, for others."""
        found = [
            (entry["venue"], case["number"]) for entry in self.ask(page, "GET", "/v1/operator/venues")["venues"]
            for case in self.ask(page, "GET", f"/v1/operator/cases?venue={entry['venue']}")["cases"]]
        venue, number = found[0]
        found = self.ask(page, "POST", f"/v1/operator/cases/{number}/exposures", {"reason": "case 17"})
        self.case, self.device, self.venue = number, found["device"], venue
        if not has_person:
            return
        code = self.ask(page, "POST", "/v1/operator/invite-codes", {"venue": venue})["code"]
        path = "/v1/devices/person-7"
        secret = self.ask(page, "POST", path + "/activate", {"code": code, "type": "phone"})["secret"]
        token = "Bearer " + self.ask(page, "POST", path + "/token", {"secret": secret})["token"]
        now = int(time.time() * 1000)
        self.ask(page, "PUT", path + "/consent", {"version": "2026-11", "purposes": ["record", "share"], "time": now - 3_600_000}, token)
        self.ask(page, "POST", f"/v1/operator/cases/{number}/notices", {
            "devices": [path.split("/")[-1]], "advice": "Please call the health office: 555 01.", "template": "test", "reason": "case 17"})
        plan = self.ask(page, "GET", f"/v1/operator/venues/{venue}/plan")
        # The middle of a room with four corners is in it.
        rooms = [space for space in plan["spaces"] if space["recording"] == "full" and len(space["rings"]) == 1 and len(space["rings"][0]) <= 10]
        space = max(rooms, key=lambda space: space["area_m2"])
        ring = space["rings"][0]
        middle = [sum(axis) / len(axis) for axis in (ring[::2], ring[1::2])]
        metres = 111_320 * math.cos(math.radians(plan["origin"][1])), 111_130
        place = [round(plan["origin"][0] + middle[0] / 100 / metres[0], 7), round(plan["origin"][1] - middle[1] / 100 / metres[1], 7)]
        rows = [{"device": "person-7", "venue": venue, "time": now - minute * 60_000, "lonlat": place, "acc": 5, "floor": space["floor"]} for minute in range(50, 0, -2)]
        self.ask(page, "POST", "/v1/positions", {"rows": rows}, token)
        self.ask(page, "POST", "/v1/operator/devices/person-7/data", {"reason": "case 17"})
        self.code = lambda: self.ask(page, "POST", path + "/page-code", authorization=token)["code"]

    def open(self, page, name):
        target = f"{self.address}/console/{name}?venue={self.venue}"
        if name == "person":
            target = f"{self.address}/console/person#code={self.code()}"
        if name == "device":
            target += "#device=" + urllib.parse.quote(self.device)
        if name in ("forms", "designer"):
            target = f"{self.address}/console/{name}?form=viruses"
        if name == "cases":
            target += f"&case={self.case}"
        page.goto("about:blank")
        page.goto(target)
        page.wait_for_selector("html[data-ready=true]", state="attached")
        if name == "devices":
            page.get_by_role("button", name="Search").click()
        page.wait_for_timeout(1200)


def main(folder, names):
    folder.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen([str(SERVER), "demo", "--port", "0", "--devices", "40"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    text = ""
    for line in process.stdout:
        text += line
        if "Ctrl-C" in line:
            break
    total = 0
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            console = Console(browser, text)
            windows = [(console.page(width, height, scheme), shown) for width, height, shown in WINDOWS for scheme in ("light", "dark")]
            pictures = {}
            if "sign-in" in names:
                pictures["sign-in"] = [(page.screenshot(), shown) for page, shown in windows]
            for page, _ in windows:
                console.sign_in(page)
            console.prepare(windows[0][0], "person" in names)
            for name in names:
                if name != "sign-in":
                    pictures[name] = []
                    for page, shown in windows:
                        console.open(page, name)
                        pictures[name].append((page.screenshot(), shown))
            composer = browser.new_page()
            for name, parts in pictures.items():
                encoded = composer.evaluate(COMPOSE, [[[base64.b64encode(data).decode(), shown] for data, shown in parts], 0.42])
                data = base64.b64decode(encoded)
                (folder / f"{name}.webp").write_bytes(data)
                total += len(data)
                print(f"{name}.webp {len(data)} bytes")
            browser.close()
    finally:
        process.terminate()
        process.wait(30)
    print(f"{total} bytes in all")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2:] or PAGES)
