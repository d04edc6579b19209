// Elements of the page. Texts of maps are only ever set as text, never as markup.

const element = (id) => document.getElementById(id);

/** Makes an element. Keys of `properties` are attributes, except `text` and `onclick`. */
function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "text") made.textContent = value;
    else if (key === "onclick") made.addEventListener("click", value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Replaces the children of an element, and keeps the focus on the one with the same id. */
function fill(parent, ...children) {
  const focused = parent.contains(document.activeElement) ? document.activeElement.id : "";
  parent.replaceChildren(...children.filter(Boolean));
  if (!focused) return;
  const again = element(focused);
  if (again) again.focus();
  else canvas.focus({ preventScroll: true });
}

/** Shows a sentence below the plan; screen readers read it out. */
function announce(text, isFault = false) {
  const status = element("status");
  status.textContent = text;
  status.classList.toggle("fault", isFault);
}

/** Returns a number with its noun. */
const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
