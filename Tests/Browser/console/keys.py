"""Walking through a page with the keyboard alone."""

NAME = """() => {
  const element = document.activeElement;
  const label = element.getAttribute('aria-label') ?? [...(element.labels ?? [])].map((entry) => entry.innerText).join(' ');
  return (label || element.innerText || element.value || '').trim();
}"""


def tab_to(page, name, most=900, key="Tab"):
    """Presses Tab until the focused element has a name (its beginning is enough) that a screen reader reads."""
    seen = []
    for _ in range(most):
        page.keyboard.press(key)
        found = page.evaluate(NAME)
        if found.startswith(name):
            outline = page.evaluate("() => { const style = getComputedStyle(document.activeElement); return style.outlineStyle !== 'none' || style.boxShadow !== 'none'; }")
            assert outline, f"the focus on {name!r} cannot be seen"
            return
        seen.append(found[:30])
    raise AssertionError(f"{name!r} is not reached by {key}: {seen}")


def fill(page, name, text):
    """Goes to a field and types in place of what is there."""
    tab_to(page, name)
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


def press(page, name, key="Enter"):
    tab_to(page, name)
    page.keyboard.press(key)
