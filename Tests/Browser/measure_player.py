#!/usr/bin/env python3
"""Measures the player of a report: its size, the time until people are shown, and frames while it plays.

  .build/browser/bin/python Tests/Browser/measure_player.py REPORT [--seconds 5] [--width 1400]
"""
import argparse
import os
import pathlib
import shutil
import statistics

from playwright.sync_api import sync_playwright

FRAMES = """async ({ seconds, speed, fill, follow, isSide }) => {
  const { player } = document.querySelector(".player");
  player.state.speed = speed;
  player.state.fill = fill;
  player.state.isSide = isSide;
  player.showAll();
  player.follow(follow);
  if (follow < 0) player.camera.fit();
  player.seek(player.from + (player.to - player.from) * 0.4);
  player.play(true);
  for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
  const deltas = [];
  let last = await new Promise(requestAnimationFrame);
  const end = last + seconds * 1000;
  while (last < end) {
    const now = await new Promise(requestAnimationFrame);
    deltas.push(now - last);
    last = now;
    if (!player.playing) {
      player.seek(player.from + (player.to - player.from) * 0.3);
      player.play(true);
    }
  }
  player.play(false);
  return { deltas, inside: player.found.count };
}"""


def processor_seconds():
    """The processor time of all processes of the browser, which are the children of this one."""
    processes = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        processes[int(folder.name)] = (int(fields[1]), int(fields[11]) + int(fields[12]))
    ours, total = {os.getpid()}, 0
    for _ in range(8):
        ours |= {process for process, (parent, _) in processes.items() if parent in ours}
    for process in ours - {os.getpid()}:
        total += processes.get(process, (0, 0))[1]
    return total / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("report", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--width", type=int, default=1400)
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        print(f"Chromium {browser.version}, page of {options.report.stat().st_size / 1e6:.2f} MB, {options.width} pixels wide")
        page = browser.new_page(viewport={"width": options.width, "height": 1000})
        page.goto(options.report.resolve().as_uri())
        page.wait_for_selector("html[data-ready=true]", state="attached")
        ready = page.evaluate("performance.now()")
        facts = page.evaluate("""() => { const { player } = document.querySelector(".player");
          return { people: player.tracks.people, share: player.tracks.share, tolerance: player.tracks.tolerance,
            packed: document.getElementById("data").textContent.length }; }""")
        print(f"shown after {ready:.0f} ms; {facts['people']} people (1 of {facts['share']}), within {facts['tolerance']} m; "
              f"data of {facts['packed'] / 1e6:.2f} MB")
        page.locator(".player").scroll_into_view_if_needed()
        for name, speed, fill, follow, is_side in [
            ("10 times", 10, "count", -1, False), ("200 times", 200, "count", -1, False), ("200 times, no colours", 200, "none", -1, False),
            ("200 times, people per m²", 200, "ground", -1, False), ("200 times, all floors", 200, "count", -1, True),
            ("10 times, following", 10, "count", 7, False),
        ]:
            before = processor_seconds()
            result = page.evaluate(
                FRAMES, {"seconds": options.seconds, "speed": speed, "fill": fill, "follow": follow, "isSide": is_side})
            used = processor_seconds() - before
            deltas = sorted(result["deltas"])
            print(f"{name}: {1000 * len(deltas) / sum(deltas):.1f} frames a second, median {statistics.median(deltas):.1f} ms, 95 % within "
                  f"{deltas[int(len(deltas) * 0.95)]:.1f} ms; {result['inside']} people inside, {1000 * used / len(deltas):.1f} ms of processor time a frame")
        browser.close()


main()
