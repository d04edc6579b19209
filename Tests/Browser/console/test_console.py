"""What holds for every page of the console, and the tasks of each page."""

import json

import pytest

from console_pages import PAGES, violations


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_in_light_and_dark(console, name):
    page = console(name, is_checked=True)
    page.wait_for_timeout(500)
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page) == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_a_telephone_and_is_whole_in_german(console, name):
    page = console(name, width=390, height=844, language="de-DE")
    assert page.locator("html").get_attribute("lang") == "de"
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390, f"{name} is {wide} pixels wide"
    # A key without a text is shown as the key.
    assert page.evaluate("document.body.innerText.match(/\\b[a-z]+\\.[a-z-]+\\b/g)?.filter((text) => !text.includes('cordon'))") in (None, [])


@pytest.mark.parametrize("name", PAGES)
def test_four_hundred_per_cent_need_no_sideways_scrolling(console, name):
    # 1280 pixels at 400 %.
    page = console(name, width=320, height=256)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("name", PAGES)
def test_the_keyboard_reaches_the_main_part_and_the_navigation(console, name):
    # Every page leads to the form for signing in, and the form leads to the page.
    page = console(name, by_form=True)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    reached = set()
    for _ in range(40):
        page.keyboard.press("Shift+Tab")
        reached.add(page.evaluate("document.activeElement.getAttribute('href') ?? ''").split("?")[0])
    assert "/console/status" in reached and "/console/overview" in reached


def test_language_and_colours_are_kept_and_lead_back(console):
    page = console("overview")
    venue = page.url
    page.get_by_role("link", name="Deutsch").click()
    page.wait_for_selector("html[lang=de][data-ready=true]", state="attached")
    assert page.url == venue
    page.get_by_role("link", name="Dunkel").click()
    page.wait_for_selector("link[href$='console-dark.css']", state="attached")
    page.wait_for_selector("html[data-ready=true]", state="attached")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(19, 23, 27)"
    assert page.locator("h1").inner_text() == "Überblick"


def test_signing_out_forgets_the_key(console):
    page = console("overview", by_form=True)
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/console/sign-in**")
    assert page.evaluate("sessionStorage.getItem('cordon-credentials')") is None


def test_another_site_is_no_target_of_signing_in(console, demo):
    page = console("sign-in?next=//evil.example/console", signs_in=False)
    page.get_by_role("textbox").first.fill(demo.admin[0])
    page.locator("input[type=password]").fill(demo.admin[1])
    page.keyboard.press("Enter")
    page.wait_for_url("**/console/overview**")


def test_a_lost_server_is_stated_and_found_again(console):
    page = console("overview")
    page.context.set_offline(True)
    page.wait_for_selector("#offline:not([hidden])")
    assert "cannot be reached" in page.locator("#offline").inner_text()
    page.context.set_offline(False)
    page.wait_for_selector("#offline", state="hidden")
    page.faults.clear()


def test_files_have_tags_and_no_page_has_inline_code(console, demo):
    page = console("overview")
    answer = page.request.get(f"{demo.address}/console/assets/frame.js")
    assert answer.status == 200 and answer.headers["etag"]
    again = page.request.get(f"{demo.address}/console/assets/frame.js", headers={"if-none-match": answer.headers["etag"]})
    assert again.status == 304
    document = page.request.get(f"{demo.address}/console/overview")
    assert "frame-ancestors 'none'" in document.headers["content-security-policy"]
    assert "unsafe" not in document.headers["content-security-policy"]


def test_the_overview_counts_the_devices_that_the_server_counts(console, demo):
    page = console("overview")
    page.wait_for_selector("#floors")
    text = page.locator(".figures dd").first.inner_text().split()[0]
    overview = page.evaluate("""async () => (await fetch('/v1/operator/overview?venue=' + new URL(location.href).searchParams.get('venue'),
      {})).json()""")
    assert abs(int(text.replace(",", "")) - overview["present"]) <= 3
    assert sum(entry["devices"] for entry in overview["floors"]) == overview["present"]
    assert page.locator("#floors tbody tr").count() == len(overview["floors"]) >= 2
    zone = page.locator("#zone").inner_text()
    assert "Times are those of the venue" in zone


def test_a_viewer_sees_rounded_counts_only(console):
    page = console("overview", who="viewer")
    assert "rounded counts" in page.locator("#page").inner_text()
    assert page.locator("#floors").count() == 0
    page = console("status", who="viewer")
    assert "needs the role operator" in page.locator("#page").inner_text()


def test_paper_has_the_page_without_its_controls(console):
    page = console("overview")
    page.emulate_media(media="print")
    assert page.locator("nav").is_hidden() and page.locator("#sign-out").is_hidden()
    assert page.locator("h1").is_visible() and page.locator("#floors").is_visible()
