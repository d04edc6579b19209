"""What holds for every page: axe-core finds nothing, nothing is off screen, and paper has everything."""

import csv
import datetime
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CO2 = "space,time,co2\n" + "".join(
    f"Room {floor}.{room},2026-01-05T08:0{minute}:00Z,{500 + 20 * minute}\n" for floor in (0, 1) for room in range(1, 7) for minute in (4, 8))
COUNTS = "time,count\n2026-01-05T09:00:00Z,3\n2026-01-05T09:05:00Z,12\n2026-01-05T09:10:00Z,25\n"
# A day: at home, a walk outdoors, a visit, a gap, and home again.
DAY = "time,longitude,latitude,accuracy\n" + "".join(
    f"2026-01-{5 + minute // 1440:02}T{minute // 60 % 24:02}:{minute % 60:02}:00Z,"
    f"{11.58 + 0.02 * max(0, min(1, (minute - 500) / 20, (1300 - minute) / 20)):.6f},48.14,{5 if minute % 7 else 30}\n"
    for minute in range(2400) if not 700 < minute < 800)
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

# Head counts of four days, in bins of two hours.
HEADS = "time,count\n" + "".join(
    f"2026-01-{day:02}T{hour:02}:00:00Z,{10 + day - abs(13 - hour) if 8 <= hour <= 16 else 0}\n"
    for day in (5, 6, 7, 8) for hour in range(0, 24, 2))
AIR = "air: {air_changes: 2, index_cases: 1, bin: 1m}\n"

# The arguments that write each page, in a folder with the map, a run, head counts and scenarios.
PAGES = {
    "report": [],
    "comparison": ["compare", "monday.yaml", "tuesday.yaml", "--replicas", "2", "-o", "comparison.html"],
    "measured": ["compare", "run", "--measured", "counts.csv", "-o", "measured.html"],
    "sweep": ["sweep", "monday.yaml", "--phones", "rtt,ble", "--interval", "10s", "-o", "sweep.html"],
    "movement": ["validate", "movement", "--only", "rimea-1", "--only", "rimea-4", "--only", "rimea-2",
                 "-o", "movement.html"],
    "contacts": ["validate", "contacts", "--scenario", "monday.yaml", "--replicas", "1", "-o", "contacts.html"],
    "phones": ["validate", "phones", "-o", "phones.html"],
    "cases": ["validate", "evacuation", "--only", "pre-movement", "--only", "corridor", "-o", "cases.html"],
    "evacuation": ["evacuate", "clinic.geojson", "--load", "60", "--replicas", "2", "--pre-movement", "uniform:2s,15s", "-o", "drill"],
    "air": ["simulate", "air.yaml", "-o", "air"],
    "measured-air": ["compare", "air", "--measured", "co2.csv", "-o", "measured-air.html"],
    "fit": ["fit", "monday.yaml", "--measured", "heads.csv", "--hold-out", "2026-01-08", "--bin", "2h",
            "--replicas", "2", "--corrections", "1", "--set", "movement.model=meso", "-o", "fitted.yaml", "--page", "fit.html"],
    "replay": ["replay", "run", ROOT / "Tests/Traces/in-and-out.gpx", "--venue", ROOT / "venues/office.mvf.zip", "-o", "replay"],
    "presence": ["presence", "day.csv", "--home", "11.58,48.14,100", "--time-zone", "Europe/Berlin", "-o", "presence.html"],
    "editor": ["venue", "edit", "clinic.geojson", "-o", "editor.html"],
    "plans": ["venue", "render", "clinic.geojson", "-o", "plans"],
}
FILES = {"report": "run/report.html", "evacuation": "drill/report.html", "air": "air/report.html",
         "replay": "replay/replay.html", "plans": "plans/index.html"}


@pytest.fixture(scope="session")
def pages(clinic):
    """Returns the path of a page by its name; it is written when it is first asked for."""
    from conftest import Cordon

    run = Cordon(clinic)
    (clinic / "counts.csv").write_text(COUNTS)
    (clinic / "co2.csv").write_text(CO2)
    (clinic / "heads.csv").write_text(HEADS)
    (clinic / "air.yaml").write_text(SCENARIO.format(name="air", duration="10m") + AIR)
    (clinic / "day.csv").write_text(DAY)
    for name, duration in [("monday", "10m"), ("tuesday", "12m")]:
        (clinic / f"{name}.yaml").write_text(SCENARIO.format(name=name, duration=duration))

    def page(name):
        path = clinic / FILES.get(name, f"{name}.html")
        if not path.exists():
            if name == "measured-air":
                page("air")
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
    # Curves are drawn by the part that brings the table; the ways of a replay have the list of decisions.
    if name != "replay":
        assert page.locator("main svg:has(polyline):not(.linechart, .trackmap)").count() == 0


PICTURES = "[...document.querySelectorAll('svg[role=img]')].filter((item) => item.checkVisibility()).length"


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
    small = page.evaluate("""() => [...document.querySelectorAll('svg text')].filter((item) => item.checkVisibility())
      .filter((item) => item.getScreenCTM().a * parseFloat(getComputedStyle(item).fontSize) < 8)
      .map((item) => [item.textContent, item.closest('svg').outerHTML.slice(0, 80)])""")
    assert small == [], "text that nobody can read"
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = false")
    pictures = page.evaluate(PICTURES)
    page.set_viewport_size({"width": 1000, "height": 1400})
    page.emulate_media(media="print")
    page.wait_for_function("matchMedia('print').matches")
    if name == "editor":
        return  # Its paper is a page of its own; test_map_editor.py looks at it.
    assert page.evaluate(PICTURES) >= pictures, "paper has every picture"
    closed = page.evaluate("""() => [...document.querySelectorAll('details > :not(summary)')]
      .filter((item) => item.getBoundingClientRect().height === 0 && !item.closest('.player-keys, .more'))
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


def test_rows_of_a_table_have_different_names(pages, open_page):
    for name in ("report", "evacuation", "air"):
        page = open_page(pages(name))
        for table in page.locator("table.rows").all():
            names = table.evaluate("(table) => [...table.tBodies[0].rows].map((row) => row.cells[0].textContent)")
            assert len(set(names)) == len(names), (name, names)


@pytest.mark.parametrize("width", [1400, 390])
def test_long_tables_begin_with_their_first_rows(pages, open_page, width):
    page = open_page(pages("comparison"), width=width)
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    tables = page.locator("table.sortable").evaluate_all("(all) => all.map((table) => table.tBodies[0].rows.length)")
    place = next(index for index, rows in enumerate(tables) if rows > 25)
    rows = page.locator("table.sortable").nth(place).locator("tbody tr")
    shown = lambda: rows.evaluate_all("(all) => all.filter((row) => row.checkVisibility()).length")
    button = page.locator(".scroll:has(table.sortable) + .more").first
    assert shown() == 20
    # The rows that are shown first follow the order of the table.
    first = rows.first.inner_text()
    page.locator("table.sortable").nth(place).evaluate("(table) => table.querySelector('.sort').click()")
    assert shown() == 20 and rows.first.inner_text() != first
    button.focus()
    page.keyboard.press("Enter")
    assert shown() == tables[place] and button.inner_text() == "Show the first 20"
    page.keyboard.press("Enter")
    assert shown() == 20 and button.inner_text() == f"Show all {tables[place]} rows"
    page.emulate_media(media="print")
    page.wait_for_function("matchMedia('print').matches")
    assert shown() == tables[place] and not button.is_visible(), "paper has all rows"


def test_names_on_plans_lie_in_their_spaces(pages, open_page):
    page = open_page(pages("report"))
    painted = page.evaluate("""async () => {
      const { player } = document.querySelector(".player");
      const floor = player.floors[player.state.floor ?? 0] ?? player.floors[0];
      const { x, y, width, height } = floor.view;
      const shape = (number, left, top, right, bottom, path) => Object.assign({}, floor.spaces[0], {
        number, isVoid: false, left, top, right, bottom, path: new Path2D(path),
        middle: undefined, hasMiddle: undefined, width: undefined,
      });
      const box = (number, left, top, right, bottom) => shape(
        number, x + left * width, y + top * height, x + right * width, y + bottom * height,
        `M${x + left * width} ${y + top * height}H${x + right * width}V${y + bottom * height}H${x + left * width}z`);
      // A platform from one corner of the plan to the other, a hall with a kiosk in its middle, and a shop.
      const platform = `M${x} ${y}L${x + width} ${y + 0.97 * height}V${y + height}L${x} ${y + 0.03 * height}z`;
      floor.spaces = [shape(0, x, y, x + width, y + height, platform), box(1, 0.5, 0, 1, 0.4), box(2, 0.6, 0.1, 0.9, 0.3), box(3, 0, 0.6, 0.4, 1)];
      player.names = ["Platform 1", "Hall", "Kiosk", "Shop"];
      const painted = [];
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text) { painted.push(text); };
      for (const one of player.floors) one.backKey = "";
      player.refresh();
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      CanvasRenderingContext2D.prototype.fillText = fillText;
      return painted;
    }""")
    assert painted == ["Hall", "Shop"]


def test_the_air_is_a_colour_of_the_player(pages, open_page):
    path = pages("air")
    page = open_page(path)
    rows = list(csv.DictReader((path.parent / "air.csv").open()))
    row = max(rows, key=lambda one: float(one["co2_ppm"]))
    texts = page.evaluate("""({ name, at }) => {
      const { player } = document.querySelector(".player");
      const shown = (fill, mode) => {
        Object.assign(player.state, { fill, mode, time: at });
        player.showAll();
        player.choose(player.floors.flatMap((floor) => floor.spaces).find((one) => player.data.spaces[one.number].name === name));
        return player.root.querySelector(".readout").textContent;
      };
      return [shown("co2", "time"), shown("co2", "peak"), shown("quanta", "time")];
    }""", {"name": row["space_name"], "at": int(datetime.datetime.fromisoformat(row["bin_start"]).timestamp() * 1000) + 30_000})
    co2 = f"{round(float(row['co2_ppm']))} ppm"
    assert co2 + " around this time" in texts[0] and co2 + " at most" in texts[1], (texts, row)
    assert "quanta in 1000 m³ around this time" in texts[2]
    labels = page.locator(".controls [aria-label='Colour shows'] button").all_inner_texts()
    assert labels == ["Per space", "Per 10 m²", "CO₂", "Quanta", "People per m²", "Level of service", "Nothing"]
    assert "CO₂ in ppm" in page.evaluate("""() => {
      const { player } = document.querySelector(".player");
      player.state.fill = "co2";
      player.showAll();
      return player.root.querySelector(".legend").textContent;
    }""")
