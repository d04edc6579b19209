"""Tasks about persons: a device, its contacts, a case, a notice, invitations and erasure."""

import csv
import hashlib
import io
import json
import re


def open_device(console, **options):
    page = console("device", **options)
    page.get_by_label("Reason").fill("case 17")
    page.get_by_label("Name begins with").fill("week-")
    page.get_by_role("button", name="Search").click()
    page.wait_for_selector(".results button")
    return page


def with_contacts(page):
    """Opens the listed devices one after another until one has contacts."""
    names = page.locator(".results li button").all_inner_texts()
    for name in names:
        page.get_by_role("button", name=name, exact=True).first.click()
        page.wait_for_function("(name) => document.getElementById('device-name')?.textContent === name", arg=name)
        page.wait_for_function("() => document.querySelector('.figures')")
        page.wait_for_timeout(300)
        if page.locator("section:has(h2:text-is('Contacts')) tbody tr").count() > 0:
            return name
    raise AssertionError("no device has contacts")


def test_tables_hold_no_formulas(console):
    """As `CSVCell` writes them: programs and commands write the same cells."""
    cells = ["=1+1", "+1", "-2.5", "-a", "@x", "|x", "%x", "\tx", "\nx", "'=x", "'x", "a;b", 'q"', "-1+1", "plain"]
    page = console("overview")
    text = page.evaluate("async (cells) => (await import('/console/assets/api.js')).csv([[...cells, -3, null]])", cells)
    assert text == (
        "'=1+1,+1,-2.5,'-a,'@x,'|x,'%x,'\tx,\"'\nx\",''=x,'x,\"a;b\",\"q\"\"\",'-1+1,plain,-3,\r\n")


def test_a_search_without_a_reason_asks_for_one(console):
    page = console("device")
    page.get_by_label("Name begins with").fill("week-")
    page.get_by_role("button", name="Search").click()
    assert page.locator(".results button").count() == 0
    assert page.evaluate("document.activeElement.id").startswith("reason")


def test_a_device_has_profile_contacts_path_and_exports(console):
    page = open_device(console)
    name = with_contacts(page)
    # The name stays behind the mark, which browsers do not send.
    assert name not in page.url.split("#")[0] and name in page.url
    contacts = page.locator("section:has(h2:text-is('Contacts'))")
    count = int(re.search(r"([\d,]+) rows?", contacts.locator("p[role=status]").inner_text())[1].replace(",", ""))
    figure = page.locator(".figures div", has_text="Contacts").first.locator("dd").inner_text().split()[0]
    assert int(figure.replace(",", "")) == count
    with page.expect_download() as download:
        contacts.get_by_role("button", name="CSV").click()
    rows = list(csv.reader(io.StringIO(open(download.value.path()).read())))
    assert rows[0][0] == "device" and len(rows) == count + 1
    with page.expect_download() as download:
        contacts.get_by_role("button", name="GeoJSON").click()
    document = json.load(open(download.value.path()))
    assert len(document["features"]) == count and document["features"][0]["properties"]["device"] == name
    times = contacts.locator("tbody tr td:nth-child(3)")
    contacts.get_by_role("button", name="Duration").click()
    assert contacts.locator("th[aria-sort=descending]").inner_text() == "Duration"
    assert times.count() > 0
    contacts.get_by_label("Filter").fill("no such word")
    assert "0 of" in contacts.locator("p[role=status]").inner_text()


def test_today_is_the_day_of_the_venue_and_days_go_back_and_forth(console):
    page = open_device(console)
    with_contacts(page)
    page.get_by_role("button", name="Today").click()
    first, last = page.locator("section input[type=date]").nth(0), page.locator("section input[type=date]").nth(1)
    today = page.evaluate("new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(Date.now())")
    assert first.input_value() == last.input_value() == today
    page.get_by_role("button", name="Previous day").click()
    yesterday = first.input_value()
    assert yesterday < today and last.input_value() == yesterday
    page.get_by_role("button", name="Next day").click()
    assert first.input_value() == today


def test_a_case_from_its_making_to_its_end(console):
    page = open_device(console)
    name = with_contacts(page)
    page.goto(page.url.split("/console/")[0] + "/console/cases#device=" + name)
    page.wait_for_selector("html[data-ready=true]", state="attached")
    page.get_by_label("Reference").fill("Test 1")
    page.get_by_label("Minutes in 24 h").fill("1")
    page.get_by_role("button", name="Make the case").click()
    page.wait_for_selector("h2:has-text('Case Test 1')")
    rows = page.locator("section:has(h2:text-is('Exposures')) tbody tr")
    assert rows.count() > 0
    met = rows.first.locator("a").inner_text()
    rows.first.locator("select").select_option("reached")
    page.wait_for_function("() => [...document.querySelectorAll('.figures div')].some((box) => box.innerText.startsWith('Reached') && box.querySelector('dd').innerText.trim() === '1')")
    page.get_by_role("checkbox", name=f"Choose {met} for a notice").check()
    page.get_by_label("Advice").fill("Please take a test.")
    page.get_by_role("button", name="Send notices").click()
    page.wait_for_selector("#sent:has-text('1 device has a notice')")
    page.get_by_role("button", name="Show", exact=True).click()
    page.wait_for_selector(".tree li li")
    summary = page.locator(".tree summary").first
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator(".tree > li > details").get_attribute("open") is None
    page.emulate_media(media="print")
    assert page.locator("h2", has_text="Case Test 1").is_visible()
    assert page.get_by_role("button", name="Close the case").is_hidden()
    page.emulate_media(media="screen")
    page.get_by_role("button", name="Close the case").click()
    page.wait_for_selector("button:has-text('Open the case again')")
    page.get_by_text("Delete the case").first.click()
    page.get_by_role("button", name="Delete the case").click()
    page.wait_for_selector("h2:has-text('New case')")
    assert page.get_by_role("link", name="Test 1").count() == 0


def test_a_code_is_made_shown_once_and_revoked(console):
    page = console("devices")
    page.get_by_role("button", name="Make a code").click()
    code = page.locator(".invite code").inner_text()
    assert re.fullmatch(r"[0-9A-Z]{20}", code)
    assert page.locator(".invite svg[role=img]").get_attribute("aria-label") == f"QR code of {code}"
    page.get_by_role("button", name=f"Revoke the code {code[:4]}").click()
    page.locator("dialog").get_by_role("button", name="Revoke").click()
    page.wait_for_function("(start) => ![...document.querySelectorAll('th code')].some((cell) => cell.textContent.startsWith(start))", arg=code[:4])


def test_an_erasure_needs_a_yes_and_gives_a_receipt(console):
    page = console("devices")
    page.get_by_label("Reason").fill("case 17")
    page.get_by_label("Name begins with").fill("week-")
    page.get_by_role("button", name="Search").click()
    last = page.get_by_role("button", name=re.compile("^Erase week-")).last
    name = last.get_attribute("aria-label").split()[-1]
    last.click()
    page.locator("dialog").get_by_role("button", name="Cancel").click()
    assert page.get_by_role("button", name=f"Erase {name}").count() == 1
    last.click()
    page.locator("dialog").get_by_role("button", name="Erase").click()
    page.wait_for_selector("h3:has-text('Receipt of an erasure')")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the receipt").click()
    assert json.load(open(download.value.path()))["device"] == name
    assert page.get_by_role("button", name=f"Erase {name}").count() == 0


def test_utilisation_and_quality_show_the_week(console):
    page = console("utilisation")
    page.wait_for_selector(".matrix td.heat")
    assert page.locator(".matrix tbody tr").count() == 5
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    rows = list(csv.reader(io.StringIO(open(download.value.path()).read())))
    assert rows[0][:2] == ["place", "capacity"] and len(rows) > 5
    page = console("quality")
    page.wait_for_selector("section:has(h2:text-is('Days')) tbody tr")
    assert page.locator("section:has(h2:text-is('Days')) tbody tr").count() == 7


def test_the_qr_code_is_that_of_another_encoder(console):
    """segno 1.6 (PyPI) makes the same modules: version 2, level M, mask 0, alphanumeric."""
    page = console("devices")
    rows = page.evaluate("async () => (await import('/console/assets/qr.js')).modulesOf('7K3M9QX2ABCDEFGH0123').map((row) => row.map(Number).join(''))")
    assert hashlib.sha256("\n".join(rows).encode()).hexdigest() == "e432244bf89b7a418f0ad291572552e2015218f1186265a32018211c98d2db2d"
    assert page.evaluate("async () => (await import('/console/assets/qr.js')).modulesOf('lower case')") is None
    # qrcode 8 (PyPI) makes the same of an address: version 5, level L, mask 0, bytes.
    rows = page.evaluate("""async () => {
      const { ADDRESS, modulesOf } = await import('/console/assets/qr.js');
      const address = 'otpauth://totp/Cordon:ada?secret=XHVQKLPMT2IVPO672UPVWZ6Z5DP3AE3M&issuer=Cordon';
      return modulesOf(address, ADDRESS).map((row) => row.map(Number).join(''));
    }""")
    assert hashlib.sha256("\n".join(rows).encode()).hexdigest() == "67d478c1d241314e390d29a536a28f46d32ea02160cf82eadd63eca2e97d85c6"


def tab_to(page, condition, most=60):
    """Presses Tab until the focused element fulfils a condition."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(f"() => {{ const element = document.activeElement; return {condition}; }}"):
            return
    raise AssertionError(f"not reached by Tab: {condition}")


def test_a_device_is_found_and_sorted_without_a_mouse(console):
    page = console("overview")
    tab_to(page, "element.getAttribute('href')?.startsWith('/console/device?')")
    page.keyboard.press("Enter")
    page.wait_for_selector("body[data-page=device]")
    page.wait_for_selector("html[data-ready=true]", state="attached")
    tab_to(page, "element.id.startsWith('reason')")
    page.keyboard.type("case 17")
    tab_to(page, "element.id === 'prefix'")
    page.keyboard.type("week-")
    page.keyboard.press("Enter")
    page.wait_for_selector(".results button")
    tab_to(page, "element.closest('.results')")
    page.keyboard.press("Enter")
    page.wait_for_selector("#device-name")
    page.wait_for_selector(".sort")
    tab_to(page, "element.matches('.sort')")
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.closest('th').getAttribute('aria-sort')") in ("ascending", "descending")
