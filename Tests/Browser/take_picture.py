#!/usr/bin/env python3
"""Takes the picture of a report for the README: its beginning in a window of 1 280 by 1 460 pixels.

  cordon simulate venues/office.mvf.zip --people 300 --duration 2h --seed 7 -o run
  .build/browser/bin/python Tests/Browser/take_picture.py run/report.html docs/images/report.png

The picture in the README has a palette of 256 colours, which makes it a third as large.
"""
import pathlib
import shutil
import sys

from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
    page = browser.new_page(viewport={"width": 1280, "height": 1460}, reduced_motion="reduce")
    page.goto(pathlib.Path(sys.argv[1]).resolve().as_uri())
    page.wait_for_selector("html[data-ready=true]", state="attached")
    page.wait_for_timeout(300)
    page.screenshot(path=sys.argv[2])
    browser.close()
