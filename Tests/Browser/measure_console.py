#!/usr/bin/env python3
"""Measures the console: weight and first paint of each page, the live plan with many devices, and the start of the demo.

  .build/browser/bin/python Tests/Browser/measure_console.py [DEVICES]

Needs a built `cordon-server` (CORDON_SERVER_BIN, or .build/debug). DEVICES, 2000 by default, move on the plan. Prints JSON.
"""
import base64
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time

from playwright.sync_api import sync_playwright

from console_server import SERVER

PAGES = ["overview", "plan", "utilisation", "alerts", "device", "cases", "devices", "venues", "quality", "status", "operators", "audit", "account"]
FRAMES = """async (seconds) => {
  const times = [];
  await new Promise((done) => {
    const end = performance.now() + seconds * 1000;
    const step = (now) => { times.push(now); if (now < end) requestAnimationFrame(step); else done(); };
    requestAnimationFrame(step);
  });
  return times;
}"""


class Demo:
    def __init__(self, devices):
        begin = time.monotonic()
        self.process = subprocess.Popen(
            [str(SERVER), "demo", "--port", "0", "--devices", str(devices)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        text = ""
        for line in self.process.stdout:
            text += line
            if "Ctrl-C" in line:
                break
        self.started = time.monotonic() - begin
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        self.address = re.search(r"http://127\.0\.0\.1:\d+", text)[0]
        self.operator, self.key = re.search(r"operator\s+(\S+)", text)[1], re.search(r"key\s+(\S+)", text)[1]

    def cpu(self):
        """Seconds of the processor that the server used so far."""
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.process.terminate()
        self.process.wait(60)


def signed_in(browser, demo):
    page = browser.new_context(viewport={"width": 1400, "height": 900}).new_page()
    page.set_default_timeout(60_000)
    page.goto(demo.address + "/console/sign-in?next=/console/status")
    page.get_by_role("textbox").first.fill(demo.operator)
    page.locator("input[type=password]").fill(demo.key)
    page.keyboard.press("Enter")
    page.wait_for_selector("body[data-page=status]")
    page.wait_for_selector("html[data-ready=true]", state="attached")
    return page


def weigh(page, demo, name):
    """The bytes that a page loads with an empty cache, as they are sent; without the document of the plan and streams of events."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.clearBrowserCache")
    sizes, urls = {}, {}
    session.on("Network.responseReceived", lambda event: urls.update({event["requestId"]: event["response"]["url"]}))
    session.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    page.goto("about:blank")
    page.goto(f"{demo.address}/console/{name}")
    page.wait_for_selector("html[data-ready=true]", state="attached")
    page.wait_for_timeout(300)
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null")
    parts = {number: size for number, size in sizes.items() if not re.search(r"/plan$|/events", urls.get(number, ""))}
    session.detach()
    return sum(parts.values()), paint


def filled(page, demo):
    """Whether every page has something to show: rows, figures or a plan."""
    empty = []
    for name in PAGES:
        page.goto(f"{demo.address}/console/{name}")
        page.wait_for_selector("html[data-ready=true]", state="attached")
        if not page.locator("main table tbody tr, main .figures dd, main svg, main form").count():
            empty.append(name)
    return empty


def main(devices):
    result = {"server": str(SERVER).split("/.build/")[-1], "cores": os.cpu_count()}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        begin = time.monotonic()
        demo = Demo(40)
        page = signed_in(browser, demo)
        result["demo"] = {"ready_s": round(demo.started, 2), "empty_pages": filled(page, demo), "all_pages_s": round(time.monotonic() - begin, 2)}
        pages = {}
        for name in PAGES:
            weights, paints = zip(*(weigh(page, demo, name) for _ in range(3)))
            pages[name] = {"bytes": max(weights), "first_paint_ms": round(statistics.median(paints))}
        result["pages"] = pages
        demo.end()
        # Half of the demo's phones are in the venue of the page.
        demo = Demo(2 * devices)
        page = signed_in(browser, demo)
        page.goto(demo.address + "/console/plan")
        page.wait_for_selector("html[data-ready=true]", state="attached")
        shown, end = "", time.monotonic() + 180
        while f"{devices:,} in the venue" not in shown:
            if time.monotonic() > end:
                sys.exit(f"measure_console: the plan never showed {devices} devices: {shown}")
            page.wait_for_timeout(1_000)
            shown = page.locator(".readout").first.inner_text()
        cpu, wall = demo.cpu(), time.monotonic()
        times = page.evaluate(FRAMES, 20)
        spent = (demo.cpu() - cpu) / (time.monotonic() - wall)
        gaps = sorted(b - a for a, b in zip(times, times[1:]))
        result["plan"] = {
            "devices": devices, "readout": shown, "frames_per_s": round(len(gaps) / (times[-1] - times[0]) * 1000, 1),
            "p95_frame_ms": round(gaps[int(len(gaps) * 0.95)], 1), "server_core_share": round(spent, 3)}
        page.close()
        cpu, wall = demo.cpu(), time.monotonic()
        time.sleep(20)
        # The demo's own phones run in the process of the server.
        result["plan"]["core_share_without_page"] = round((demo.cpu() - cpu) / (time.monotonic() - wall), 3)
        demo.end()
        browser.close()
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
