"""The floor plan: live, at a minute of the past, by keys, with names only for a reason."""

import pytest


def devices(page):
    text = page.locator(".readout").first.inner_text()
    return int(text.split(":")[-1].split("devices")[0].strip().replace(",", "")), text


def test_dots_move_live_and_floors_change_by_keys(console):
    page = console("plan")
    page.wait_for_function("() => document.querySelector('.readout').textContent.includes('devices on this floor')")
    first = page.locator(".readout").first.inner_text()
    picture = page.evaluate("document.querySelector('.sheet canvas').toDataURL()")
    page.wait_for_function("(old) => document.querySelector('.sheet canvas').toDataURL() !== old", arg=picture)
    label = page.locator(".sheet svg").get_attribute("aria-label")
    page.keyboard.press("2")
    assert page.locator(".sheet svg").get_attribute("aria-label") != label
    assert "floor=" in page.url and first
    page.keyboard.press("+")
    box = page.locator(".sheet svg").get_attribute("viewBox")
    page.keyboard.press("0")
    assert page.locator(".sheet svg").get_attribute("viewBox") != box


def test_spaces_are_reached_and_opened_by_keys(console):
    page = console("plan")
    page.locator(".sheet [data-space][tabindex='0']").focus()
    first = page.evaluate("document.activeElement.dataset.space")
    for key in ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"]:
        page.keyboard.press(key)
        if page.evaluate("document.activeElement.dataset.space") != first:
            break
    reached = page.evaluate("document.activeElement.dataset.space")
    assert reached and reached != first
    page.keyboard.press("Enter")
    page.wait_for_selector(".side .card:not([hidden]) .facts")
    assert "m²" in page.locator(".side .card").inner_text()


def test_the_past_shows_the_devices_of_that_minute(console, demo):
    page = console("plan")
    page.get_by_role("button", name="Earlier").click()
    page.get_by_role("button", name="Previous day").click()
    page.locator("#minute").fill(str(11 * 60))
    page.wait_for_function("() => document.querySelector('.readout').textContent.includes('11:00')")
    asked = page.evaluate("""async () => {
      const day = document.getElementById('day').value;
      const time = document.querySelector('.readout').textContent;
      return [day, time];
    }""")
    assert asked[0] and "11:00" in asked[1]


def test_names_need_a_reason_and_bring_contacts(console):
    page = console("plan")
    assert page.get_by_role("checkbox", name="Contacts as lines").is_disabled()
    page.get_by_role("button", name="Show names and contacts").click()
    assert page.locator("table", has_text="Devices at this moment").count() == 0
    page.get_by_label("Reason").fill("case 17")
    page.get_by_role("button", name="Show names and contacts").click()
    page.wait_for_selector("table:has-text('demo-')")
    assert page.get_by_role("checkbox", name="Contacts as lines").is_enabled()


@pytest.mark.parametrize("mode", ["Load", "Devices per 10 m²"])
def test_colours_state_what_they_mean(console, mode):
    page = console("plan")
    page.get_by_role("button", name=mode).click()
    page.wait_for_timeout(300)
    assert page.locator(".legend li").count() >= 2
    assert page.locator(".sheet [data-space]").first.get_attribute("aria-label")
