"""What holds for every page: axe-core finds nothing, nothing is off screen, and paper has everything."""

import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COUNTS = "time,count\n2026-01-05T09:00:00Z,3\n2026-01-05T09:05:00Z,12\n2026-01-05T09:10:00Z,25\n"
SCENARIO = """name: {name}
venue: clinic.geojson
time: {{start: 2026-01-05T09:00, duration: {duration}, zone: Europe/Berlin}}
populations:
  - name: staff
    size: 8
    arrival: {{window: [09:00, 09:05]}}
    activities: [work]
activities:
  - name: work
    kinds: [office, meeting-room]
    duration: {{min: 2m, max: 6m}}
phones: {{preset: rtt, interval: 10s}}
contacts: {{distance: 2, warning: 2m}}
seed: 3
"""

# The arguments that write each page, in a folder with the map, a run, head counts and two scenarios.
PAGES = {
    "report": [],
    "comparison": ["compare", "monday.yaml", "tuesday.yaml", "--replicas", "2", "-o", "comparison.html"],
    "measured": ["compare", "run", "--measured", "counts.csv", "-o", "measured.html"],
    "sweep": ["sweep", "monday.yaml", "--phones", "rtt,ble", "--interval", "10s", "-o", "sweep.html"],
    "movement": ["validate", "movement", "--only", "rimea-1", "--only", "rimea-4", "--only", "rimea-2",
                 "-o", "movement.html"],
    "contacts": ["validate", "contacts", "--scenario", "monday.yaml", "--replicas", "1", "-o", "contacts.html"],
    "replay": ["replay", "run", ROOT / "Tests/Traces/in-and-out.gpx", "--venue", ROOT / "venues/office.mvf.zip", "-o", "replay"],
    "editor": ["venue", "edit", "clinic.geojson", "-o", "editor.html"],
    "plans": ["venue", "render", "clinic.geojson", "-o", "plans"],
}
FILES = {"report": "run/report.html", "replay": "replay/replay.html", "plans": "plans/index.html"}


@pytest.fixture(scope="session")
def pages(clinic):
    """Returns the path of a page by its name; it is written when it is first asked for."""
    from conftest import Cordon

    run = Cordon(clinic)
    (clinic / "counts.csv").write_text(COUNTS)
    for name, duration in [("monday", "10m"), ("tuesday", "12m")]:
        (clinic / f"{name}.yaml").write_text(SCENARIO.format(name=name, duration=duration))

    def page(name):
        path = clinic / FILES.get(name, f"{name}.html")
        if not path.exists():
            result = run(*PAGES[name])
            # A validation whose figures lie outside of their bands also writes its page.
            assert result.returncode in (0, 1) and path.exists(), result.lines
        return path

    return page


def violations(page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is missing; scripts/setup --tests installs it")
    return [
        f"{rule['id']}: {node['target']}: {node.get('failureSummary')}"
        for rule in axe.Axe().run(page).response["violations"] for node in rule["nodes"]]


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_in_light_and_dark(pages, open_page, name):
    page = open_page(pages(name), is_checked=True)
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page) == []


@pytest.mark.parametrize("name", PAGES)
def test_pictures_have_words(pages, open_page, name):
    page = open_page(pages(name), width=390)
    assert page.locator("table, #log, #inspector").count() > 0, "a picture never stands without its table"
    unnamed = page.evaluate("""() => [...document.querySelectorAll('svg[role=img], canvas:not([aria-hidden])')]
      .filter((item) => !item.getAttribute('aria-label') && !item.getAttribute('aria-labelledby')).length""")
    assert unnamed == 0
    for figure in page.locator("figure:has(svg.linechart)").all():
        assert figure.locator("table").count() == 1


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_cut_on_a_phone_and_on_paper(pages, open_page, name):
    page = open_page(pages(name), width=390)
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    beyond = page.evaluate("""() => [...document.querySelectorAll('h1, h2, h3, p, td, th, button, select, input, figcaption')]
      .filter((item) => item.checkVisibility() && !item.closest('.scroll, [class*=skip]'))
      .filter((item) => item.getBoundingClientRect().right > 391 && getComputedStyle(item).position !== 'absolute')
      .map((item) => item.outerHTML.slice(0, 80))""")
    assert beyond == []
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = false")
    page.set_viewport_size({"width": 1000, "height": 1400})
    page.emulate_media(media="print")
    page.wait_for_function("matchMedia('print').matches")
    if name == "editor":
        return  # Its paper is a page of its own; test_map_editor.py looks at it.
    closed = page.evaluate("""() => [...document.querySelectorAll('details > :not(summary)')]
      .filter((item) => item.getBoundingClientRect().height === 0 && !item.closest('.player-keys'))
      .map((item) => item.outerHTML.slice(0, 80))""")
    assert closed == [], "parts that stay closed"
    cut = page.evaluate("""() => [...document.querySelectorAll('body *')].filter((item) => item.checkVisibility()
      && item.scrollHeight > item.clientHeight + 4 && ['auto', 'scroll', 'hidden'].includes(getComputedStyle(item).overflowY)
      && item.clientHeight > 2).map((item) => item.outerHTML.slice(0, 80))""")
    assert cut == [], "parts that scroll on the screen"


def test_tables_of_studies_are_sorted_by_keys(pages, open_page):
    page = open_page(pages("movement"))
    head = page.locator("table.sortable th .sort", has_text="value")
    head.focus()
    page.keyboard.press("Enter")
    cells = page.locator("table.sortable tbody td.n[data-l=value]").all_inner_texts()
    values = [float(cell.split()[0]) for cell in cells]
    assert len(values) > 2 and values == sorted(values, reverse=True)
    assert page.locator("th[aria-sort=descending]").inner_text().startswith("value")
    page.keyboard.press("Enter")
    assert page.locator("table.sortable tbody td.n[data-l=value]").first.inner_text() == cells[-1]
