"""The page of `cordon venue edit` in a browser, from a map with a fault to an overlay that mends it."""

import re

import pytest

from hospital import hospital, tower

LOOKS = [(1400, "light"), (1400, "dark"), (390, "light"), (390, "dark")]


def place_on_plan(page, x, y):
    """Returns the pixel of a place of the map, in metres from its south-west corner, by the page's own scale."""
    box = page.locator("#plan").bounding_box()
    west, south, east, north = 0, -9, 60, 12
    scale = min((box["width"] - 48) / (east - west), (box["height"] - 48) / (north - south))
    return (
        box["x"] + box["width"] / 2 + (x - (west + east) / 2) * scale,
        box["y"] + box["height"] / 2 - (y - (south + north) / 2) * scale)


def edit(cordon, map, *options):
    """Writes the page of a map and returns its path."""
    result = cordon("venue", "edit", map, *options)
    assert result.returncode == 0, result.lines
    return cordon.folder / f"{map.split('.')[0]}.edit.html"


def save(page, cordon):
    """Saves the overlay beside the map and returns its text."""
    with page.expect_download() as download:
        page.click("#save")
    name = download.value.suggested_filename
    download.value.save_as(cordon.folder / name)
    return (cordon.folder / name).read_text()


@pytest.fixture
def island(cordon):
    hospital(cordon.folder / "hospital.geojson")
    result = cordon("venue", "validate", "hospital.geojson")
    assert result.returncode == 1
    assert "disconnected-part" in result.stdout and "space-unreachable" in result.stdout
    return edit(cordon, "hospital.geojson")


def assert_mended(cordon):
    """The overlay is accepted, and nothing is left to report."""
    result = cordon("venue", "validate", "hospital.geojson")
    assert result.returncode == 0, result.lines
    assert "0 error, 0 warning, 0 info" in result.stdout, result.stdout


@pytest.mark.parametrize("width, scheme", LOOKS)
def test_a_door_drawn_with_the_mouse_mends_the_island(island, cordon, open_page, width, scheme):
    page = open_page(island, width=width, scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.click("text=no way to the largest part")
    assert page.locator("#space-name").inner_text() == "Food Court"
    assert "no entrance reaches it" in page.locator("#facts").inner_text()
    page.click("#fit")
    page.click("button[data-tool=door]")
    page.mouse.move(*place_on_plan(page, 20, -5))
    page.mouse.down()
    page.mouse.move(*place_on_plan(page, 21, -3))
    page.mouse.move(*place_on_plan(page, 22, 2))
    page.mouse.up()
    assert "Door between Food Court and Main Corridor added." in page.locator("#status").inner_text()
    assert "by your changes" in page.locator("#facts").inner_text()
    assert page.locator("#count-problems").inner_text() == "0"
    text = save(page, cordon)
    assert re.search(r'between: \["food-court", "corridor"\]  # Food Court, Main Corridor\n    at: \[11\.580\d+, 48\.1[34]\d+\]', text), text
    assert page.locator("#unsaved").is_hidden()
    assert_mended(cordon)


@pytest.mark.parametrize("width", [1400, 390])
def test_a_door_drawn_with_the_keyboard_mends_the_island(island, cordon, open_page, width):
    page = open_page(island, width=width)
    page.focus("#plan")
    page.keyboard.press("n")
    assert page.locator("#space-name").inner_text() == "Food Court"
    page.keyboard.press("d")
    for _ in range(8):
        if "to Main Corridor" in page.locator("#status").inner_text():
            break
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert "Door between Food Court and Main Corridor added." in page.locator("#status").inner_text()
    with page.expect_download() as download:
        page.keyboard.press("Control+s")
    download.value.save_as(cordon.folder / download.value.suggested_filename)
    assert "at:" not in (cordon.folder / "hospital.overlay.yaml").read_text()
    assert_mended(cordon)


def test_the_keyboard_reaches_everything(island, open_page):
    page = open_page(island)
    page.focus("#plan")
    page.keyboard.press("ArrowRight")
    first = page.locator("#space-name").inner_text()
    page.keyboard.press("ArrowUp")
    assert page.locator("#space-name").inner_text() not in ("", first)
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "kind"
    seen = set()
    for _ in range(80):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.id || document.activeElement.dataset.tool || ''"))
        style = page.evaluate(
            "(() => { const s = getComputedStyle(document.activeElement); return s.outlineStyle + s.outlineWidth })()")
        assert page.evaluate("document.activeElement === document.body") or style == "solid3px"
    assert {"capacity", "closed", "add-entrance", "save", "plan", "floor", "door", "tab-problems"} <= seen
    unnamed = page.evaluate(
        """[...document.querySelectorAll('button, input, select, canvas')].filter((item) => !item.closest('[hidden]')
        && !item.textContent.trim() && !item.getAttribute('aria-label') && !(item.labels || []).length).map((item) => item.id)""")
    assert unnamed == []


def test_properties_are_set_undone_and_saved(island, cordon, open_page):
    page = open_page(island)
    page.click("#tab-spaces")
    page.fill("#search", "kitchen")
    page.click("#space-list li:visible")
    page.select_option("#kind", "storage")
    for field, value in [("name", "Großküche: \"A\" # 1"), ("group", "Catering"), ("capacity", "12"), ("ceiling", "3,5")]:
        page.fill(f"#{field}", value)
        page.press(f"#{field}", "Tab")
    page.select_option("#record", "floor")
    page.check("#closed")
    page.click("#undo")
    assert not page.is_checked("#closed")
    page.click("#redo")
    assert page.is_checked("#closed")
    page.fill("#capacity", "many")
    page.press("#capacity", "Tab")
    assert not page.evaluate("document.getElementById('capacity').validity.valid")
    text = save(page, cordon)
    for line in ["kind: storage", "group: \"Catering\"", "capacity: 12", "ceiling: 3.5m", "record: floor", "closed: true"]:
        assert f"    {line}\n" in text, text
    info = cordon("venue", "info", "hospital.geojson")
    assert "floor only: 1 storage (Großküche: \"A\" # 1)" in info.stdout, info.lines


def test_an_entrance_is_added_and_a_door_removed(island, cordon, open_page):
    page = open_page(island, width=390, touch=True)
    page.click("text=no way to the largest part")
    page.click("#fit")
    page.click("button[data-tool=entrance]")
    page.touchscreen.tap(*place_on_plan(page, 10, -8.6))
    assert "Entrance to Food Court added." in page.locator("#status").inner_text()
    assert "new entrance" in page.locator("#facts").inner_text()
    name = page.locator("#doors .new input[aria-label^=Name]")
    name.fill("main")
    name.press("Tab")
    assert not page.evaluate("document.querySelector('#doors .new input').validity.valid"), "the id of another entrance"
    name.fill("South entrance")
    name.press("Tab")
    page.click("button[aria-label='Remove Door to Kitchen']")
    assert "removed" in page.locator("#doors").inner_text()
    text = save(page, cordon)
    assert "name: \"South entrance\"" in text and "remove: \"kitchen-door\"" in text
    result = cordon("venue", "validate", "hospital.geojson", "--json")
    assert "\"id\":\"South entrance\"" in result.stdout and "kitchen-door" not in result.stdout


def test_floors_are_connected(cordon, open_page):
    tower(cordon.folder / "tower.geojson")
    assert "4 spaces in 2 parts" in cordon("venue", "validate", "tower.geojson").stdout
    page = open_page(edit(cordon, "tower.geojson"))
    page.focus("#plan")
    page.keyboard.press("PageUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("c")
    page.select_option("#link-kind", "lift")
    page.select_option("#link-target", label=page.locator("#link-target option", has_text="Hall 0").inner_text())
    page.click("text=Add connection")
    assert "reachable from entrances 0, 1" in page.locator("#facts").inner_text()
    assert "kind: lift" in save(page, cordon)
    result = cordon("venue", "validate", "tower.geojson")
    assert result.returncode == 0 and "4 spaces in 1 part" in result.stdout, result.lines


def test_an_overlay_is_kept_with_its_comments(cordon, open_page):
    hospital(cordon.folder / "hospital.geojson")
    overlay = """# Changes of the facility office
overlay: 1
spaces:
  # The survey of spring
  - space: Kitchen     # measured
    capacity: 8
  - space: "Consultation ?"
    group: Outpatients
floors:
  - floor: "0"
    move: [0.5m, 0m]
doors:
  - between: [Food Court, Main Corridor]
    width: 1.4m
"""
    (cordon.folder / "hospital.overlay.yaml").write_text(overlay)
    page = open_page(edit(cordon, "hospital.geojson"))
    assert page.locator("#count-changes").inner_text() == "4"
    page.click("#tab-spaces")
    page.click("text=Consultation 2")
    assert page.input_value("#group") == "Outpatients"
    page.fill("#group", "Surgery")
    page.press("#group", "Tab")
    text = save(page, cordon)
    for part in overlay.split("\n"):
        assert part in text, f"{part} is missing in {text}"
    assert text.startswith("# Changes of the facility office\noverlay: 1\nspaces:\n  # The survey of spring\n")
    assert "  - space: \"room-1\"  # Consultation 2\n    group: \"Surgery\"\n" in text
    assert_mended(cordon)
    page.click("#tab-changes")
    page.click("button[aria-label='Remove the change Door between Food Court and Main Corridor']")
    assert "between" not in save(page, cordon)
    assert cordon("venue", "validate", "hospital.geojson").returncode == 1


HOSTILE = "</script><script>document.title='x'</script><img src=x onerror=\"document.title='x'\">\n- remove: \"a\" {{data}} \u2028 é 🚪"


def test_names_of_a_map_are_only_text(cordon, open_page):
    hospital(cordon.folder / "hospital.geojson", name_of_corridor=HOSTILE)
    page = open_page(edit(cordon, "hospital.geojson"))
    page.focus("#plan")
    page.keyboard.press("n")
    page.click("button[aria-label^='Add door to </script>']")
    text = save(page, cordon)
    assert text.count("\n  - ") == 1, "a name adds no line"
    assert "x" != page.title()
    assert cordon("venue", "validate", "hospital.geojson").returncode == 0
    page.emulate_media(media="print")
    assert "Food Court" in page.locator("#print table").inner_text()


def test_paper_has_the_plan_and_the_tables(island, open_page):
    page = open_page(island, scheme="dark")
    page.emulate_media(media="print")
    page.wait_for_selector("#print svg path", state="attached")
    assert page.locator("#print svg path").count() > 8
    rows = page.locator("#print table tbody tr")
    assert rows.count() == 9
    assert "no entrance reaches it" in page.locator("#print").inner_text()
    assert page.locator("#stage").is_hidden()
