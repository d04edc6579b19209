#!/usr/bin/env python3
"""Measures the page of `cordon venue edit` for a floor of 1 010 spaces: the time until it is drawn, and frames while panning.

  .build/browser/bin/python Tests/Browser/measure_map_editor.py [PAGE] [--runs 5]

Without PAGE, the map is generated and the page is written by .build/debug/cordon.
"""
import argparse
import pathlib
import shutil
import statistics
import subprocess
import tempfile

from playwright.sync_api import sync_playwright

from hospital import rooms

ROOT = pathlib.Path(__file__).resolve().parents[2]

PAN = """async (seconds) => {
  const plan = document.getElementById("plan");
  const box = plan.getBoundingClientRect();
  const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, pointerId: 1, bubbles: true, button: 0 };
  plan.setPointerCapture = () => {};
  plan.dispatchEvent(new PointerEvent("pointerdown", at));
  const deltas = [];
  let last = await new Promise(requestAnimationFrame);
  const end = last + seconds * 1000;
  for (let step = 0; last < end; step += 1) {
    const angle = step / 20;
    at.clientX += Math.cos(angle) * 12;
    at.clientY += Math.sin(angle) * 12;
    plan.dispatchEvent(new PointerEvent("pointermove", at));
    const now = await new Promise(requestAnimationFrame);
    deltas.push(now - last);
    last = now;
  }
  plan.dispatchEvent(new PointerEvent("pointerup", at));
  return deltas;
}"""


def measure(browser, page_file, zooms):
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.goto(page_file.resolve().as_uri())
    page.wait_for_selector("html[data-ready=true]", state="attached")
    ready = page.evaluate("performance.getEntriesByName('cordon-ready')[0].startTime")
    page.wait_for_timeout(300)
    painted = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    for _ in range(zooms):
        page.click("#zoom-in")
    deltas = page.evaluate(PAN, 3)
    page.close()
    return max(ready, painted), deltas


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page", nargs="?", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = options.page
        if page is None:
            rooms(pathlib.Path(folder) / "rooms.geojson")
            subprocess.run([ROOT / ".build/debug/cordon", "venue", "edit", "rooms.geojson"], cwd=folder, check=True)
            page = pathlib.Path(folder) / "rooms.edit.html"
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        print(f"Chromium {browser.version}, page of {page.stat().st_size / 1e6:.2f} MB")
        for name, zooms in [("whole floor", 0), ("enlarged 4 times", 6)]:
            opened, deltas = zip(*(measure(browser, page, zooms) for _ in range(options.runs)))
            frames = sorted(delta for run in deltas for delta in run)
            rate = 1000 * len(frames) / sum(frames)
            print(
                f"{name}: opened in {statistics.median(opened):.0f} ms (at most {max(opened):.0f}), "
                f"{rate:.1f} frames a second, 95 % of frames within {frames[int(len(frames) * 0.95)]:.1f} ms")
        browser.close()


main()
