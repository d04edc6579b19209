"""The player in the report of a run: positions, controls, keys, paper."""

import csv
import math
import sqlite3

import conftest
import pytest

PLACES = """(times) => {
  const { tracks } = document.querySelector(".player").player;
  return times.map((time) => Array.from({ length: tracks.people }, (_, person) => {
    const spot = {};
    return tracks.place(person, time, spot) ? [spot.x, spot.y, spot.storey] : null;
  }));
}"""


def state(page, expression):
    """A value of the page's player."""
    return page.evaluate(f"(() => {{ const player = document.querySelector('.player').player; return {expression}; }})()")


def focus_plan(page):
    page.locator(".player .s[tabindex='0']:visible").first.focus()


@pytest.fixture
def report(clinic, open_page):
    return open_page(clinic / "run" / "report.html", motion="no-preference")


def test_people_are_where_the_run_has_them(report, clinic):
    rows = sqlite3.connect(clinic / "run" / "run.sqlite").execute(
        "SELECT person, start_ms, end_ms, x0_tenth_mm, y0_tenth_mm, x1_tenth_mm, y1_tenth_mm, ordinal FROM truth").fetchall()
    first, last = min(row[1] for row in rows), max(row[2] for row in rows)
    # Forwards and backwards, so that both ways of finding a vertex are used.
    times = list(range(first + 500, last, 9_700))
    times += times[::-7]
    tolerance = state(report, "player.tracks.tolerance")
    assert tolerance <= 0.1
    compared = missing = 0
    for time, places in zip(times, report.evaluate(PLACES, times)):
        there = {}
        for person, start, end, x0, y0, x1, y1, ordinal in rows:
            if start <= time <= end:
                share = (time - start) / max(end - start, 1)
                there[person] = (x0 + (x1 - x0) * share) / 1e4, (y0 + (y1 - y0) * share) / 1e4, ordinal
        for person, place in enumerate(places):
            if place is None or person not in there:
                # Only within a tick of a person's way in or out.
                missing += (place is None) != (person not in there)
                continue
            x, y, ordinal = there[person]
            assert math.dist((x, y), place[:2]) <= tolerance, (person, time)
            assert place[2] == ordinal
            compared += 1
    assert compared > 2_000 and missing <= 3


def test_people_move_smoothly_and_stop(report):
    focus_plan(report)
    report.select_option(".tools select", "20")
    before = state(report, "player.state.time")
    report.keyboard.press("k")
    assert report.get_attribute(".play", "aria-label") == "Pause"
    times = report.evaluate("""async () => {
      const times = [];
      for (let frame = 0; frame < 20; frame++) {
        await new Promise(requestAnimationFrame);
        times.push(document.querySelector(".player").player.state.time);
      }
      return times;
    }""")
    assert len(set(times)) > 10, "a new time with every frame"
    report.keyboard.press("k")
    assert report.get_attribute(".play", "aria-label") == "Play"
    after = state(report, "player.state.time")
    assert after > before
    assert state(report, "player.playing") is None


def test_reduced_motion_plays_in_steps(clinic, open_page):
    page = open_page(clinic / "run" / "report.html", motion="reduce")
    assert state(page, "player.playing") is None, "nothing moves before somebody asks"
    page.click(".play")
    assert state(page, "player.playing.frame") is None and state(page, "player.playing.timer") > 0
    page.click(".play")


def test_every_key_works(report):
    focus_plan(report)
    keys = report.keyboard

    def after(key, expression):
        keys.press(key)
        return state(report, expression)

    report.evaluate("document.querySelector('.player').player.seek(document.querySelector('.player').player.from + 900000)")
    time = state(report, "player.state.time")
    assert after("l", "player.state.time") == time + 10_000
    assert after("j", "player.state.time") == time
    assert after("Shift+L", "player.state.time") == time + 300_000
    assert after("Shift+J", "player.state.time") == time
    assert after(".", "player.state.speed") == 100 and after(",", "player.state.speed") == 50
    assert after("+", "player.camera.zoom") == 1.5
    x = state(report, "player.camera.x")
    assert after("d", "player.camera.x") > x and after("a", "player.camera.x") == pytest.approx(x)
    y = state(report, "player.camera.y")
    assert after("s", "player.camera.y") > y and after("w", "player.camera.y") == pytest.approx(y)
    assert after("-", "player.camera.zoom") == 1
    assert after("+", "player.camera.zoom") == 1.5 and after("0", "player.camera.zoom") == 1
    assert after("1", "player.state.storey") == 0
    focus_plan(report)
    assert after("g", "player.visible().length") == 2 and after("g", "player.visible().length") == 1
    fills = [after("c", "player.state.fill") for _ in range(5)]
    assert sorted(fills) == ["count", "density", "ground", "level", "none"]
    assert after("f", "player.state.follow") >= 0
    assert "Following person" in report.inner_text(".readout")
    first = state(report, "player.state.follow")
    assert after("f", "player.state.follow") != first and after("Shift+F", "player.state.follow") == first
    assert after("Escape", "player.state.follow") == -1
    shown = report.inner_text("details.player-keys")
    for name in ["Space or K", "J and L", "W A S D", "1 to 9", "Escape", "Arrow keys"]:
        assert name in shown
    # Keys of the page outside the player stay those of the browser.
    report.focus("#place-filter")
    keys.press("g")
    assert state(report, "player.visible().length") == 1 and report.input_value("#place-filter") == "g"


@pytest.mark.parametrize("width", [1400, 390])
def test_rooms_are_reached_and_read_by_keys(clinic, open_page, width):
    page = open_page(clinic / "run" / "report.html", width=width)
    focus_plan(page)
    names = set()
    for key in ["End", "ArrowLeft", "ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight", "Home"]:
        page.keyboard.press(key)
        label = page.evaluate("document.activeElement.getAttribute('aria-label')")
        name = label.split(":")[0]
        assert "people on average, at most" in label and page.inner_text(".readout").startswith(name), label
        assert "m²" in page.inner_text(".readout")
        names.add(name)
    assert len(names) >= 5
    # A room out of sight comes into view.
    for _ in range(6):
        page.keyboard.press("+")
    page.keyboard.press("End")
    chosen = state(page, "[player.chosen.left, player.chosen.right, player.camera.x]")
    assert chosen[0] <= chosen[2] <= chosen[1]


def test_a_click_follows_a_person(report):
    report.locator(".player").scroll_into_view_if_needed()
    spot = state(report, """(() => {
      const floor = player.visible()[0];
      const index = player.found.storey.findIndex((storey, at) => at < player.found.count && storey === floor.storey);
      const box = floor.canvas.getBoundingClientRect();
      const scale = Math.min(box.width / floor.view.width, box.height / floor.view.height);
      return { person: player.found.person[index],
        x: box.x + box.width / 2 + (player.found.x[index] * 100 - player.camera.x) * scale,
        y: box.y + box.height / 2 + (-player.found.y[index] * 100 - player.camera.y) * scale };
    })()""")
    report.mouse.click(spot["x"], spot["y"])
    followed = state(report, "player.state.follow")
    assert followed >= 0 and report.input_value(".tools input[type=number]") == str(followed)
    assert state(report, "player.camera.zoom") > 1
    report.fill(".tools input[type=number]", "3")
    report.press(".tools input[type=number]", "Enter")
    assert state(report, "player.state.follow") == 3


def test_the_table_counts_whom_the_picture_shows(report):
    rows = report.locator(".now-table tbody tr").all_inner_texts()
    counts = [int(row.split("\t")[1]) for row in rows]
    assert counts == sorted(counts, reverse=True) and counts[0] > 0
    inside = state(report, "player.found.count")
    assert sum(counts) <= inside and f"{inside} people inside" in report.inner_text(".clock")
    title = rows[0].split("\t")[0]
    text = state(report, f"""(() => {{
      const space = player.data.spaces.findIndex((one) => one.title === {title!r});
      player.choose(player.floors.flatMap((floor) => floor.spaces).find((one) => one.number === space));
      return player.root.querySelector('.readout').textContent;
    }})()""")
    assert f"{counts[0]} " in text.split(":")[1].split("here")[0]


def test_paper_has_a_still_with_its_time(report):
    inside = state(report, "player.found.count")
    time = report.inner_text(".clock b")
    report.emulate_media(media="print")
    report.wait_for_selector(".still.caption")
    assert report.inner_text(".still.caption").startswith(f"At {time}: {inside} people inside")
    assert report.locator(".still circle").count() == inside
    assert report.locator(".floor:visible").count() == 2
    assert report.locator("canvas.ink:visible").count() == 0
    assert report.locator("details:not([open])").count() == 0
    report.emulate_media(media="screen")
    report.wait_for_selector(".still.caption", state="detached")
    assert report.locator("details:not([open])").count() > 0


def test_a_video_is_recorded(report, tmp_path):
    focus_plan(report)
    report.keyboard.press("r")
    assert report.inner_text(".tools .text") == "End recording"
    report.wait_for_function("document.querySelector('.player').player.recorder?.state === 'recording'")
    report.evaluate("(async () => { for (let frame = 0; frame < 15; frame++) await new Promise(requestAnimationFrame); })()")
    with report.expect_download() as download:
        report.keyboard.press("r")
    assert download.value.suggested_filename == "cordon.webm"
    download.value.save_as(tmp_path / "film.webm")
    film = (tmp_path / "film.webm").read_bytes()
    assert film[:4] == b"\x1a\x45\xdf\xa3" and b"webm" in film[:64] and len(film) > 1_000


def test_days_are_chosen(clinic, cordon, open_page):
    result = cordon("simulate", clinic / "clinic.geojson", "--people", "3", "--duration", "26h", "--seed", "7", "-o", "run")
    assert result.returncode == 0, result.lines
    page = open_page(cordon.folder / "run" / "report.html")
    days = page.locator(".tools select", has_text="All days").locator("option").all_inner_texts()
    assert days[0] == "All days" and len(days) == 3 and days == sorted(days, key=lambda day: (day != "All days", day))
    focus_plan(page)
    for key, day in [("]", days[2]), ("[", days[1])]:
        page.keyboard.press(key)
        page.wait_for_function(f"document.querySelector('.clock b').textContent.startsWith('{day}')")
        assert state(page, "player.to - player.from") <= 86_400_000
    page.locator(".tools select", has_text="All days").select_option("all")
    assert state(page, "player.to - player.from") == 26 * 3_600_000


@pytest.fixture(scope="module")
def drill(clinic):
    result = conftest.Cordon(clinic)(
        "evacuate", "clinic.geojson", "--load", "40", "--alarm-delay", "20s", "--pre-movement", "uniform:2s,15s", "-o", "leave")
    assert result.returncode == 0, result.lines
    return clinic / "leave"


def test_people_leave_in_the_page_of_an_evacuation(drill, open_page):
    page = open_page(drill / "report.html", motion="no-preference")
    rows = list(csv.DictReader((drill / "people.csv").open()))
    assert len(rows) == 40
    assert "(+00:00:00)" in page.inner_text(".clock"), "it begins at the alarm"
    assert "40 people inside" in page.inner_text(".clock")
    ends = sorted(float(row["out_s"]) for row in rows)
    for at in [0, ends[0] - 1, ends[10] + 0.2, ends[30] + 0.2, ends[-1] + 0.2]:
        inside = state(page, f"""(() => {{
          let count = 0;
          for (let person = 0; person < 40; person++) count += player.tracks.place(person, player.data.start + {at} * 1000, {{}});
          return count;
        }})()""")
        assert inside == sum(end > at for end in ends), at
    assert state(page, "player.floors.map((floor) => floor.exits.length)") == [1, 0]
    focus_plan(page)
    page.keyboard.press("End")
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert "at the start, at most" in label and "min; " in label
    page.keyboard.press("k")
    passed = page.evaluate("""async () => {
      const { player } = document.querySelector(".player");
      for (let frame = 0; frame < 600 && player.state.time < player.data.origin + 1000; frame++) await new Promise(requestAnimationFrame);
      return player.state.time - player.data.origin;
    }""")
    page.keyboard.press("k")
    assert passed >= 1_000
