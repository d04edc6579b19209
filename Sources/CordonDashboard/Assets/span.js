// A span of days in the time zone of the venue: presets, two fields, and steps of a day.

import { make } from "./parts.js";
import { presets } from "./dates.js";
import { t } from "./strings.js";

/** The controls of a span: `element`, `from()` and `to()` in milliseconds. `onChange` is called behind each change. */
const spanField = (clock, { preset = "week", retentionSeconds = 30 * 86400, from = null, to = null, onChange }) => {
  const now = Date.now();
  const known = presets(clock, now);
  const [low, high] = [clock.day(now - retentionSeconds * 1000), clock.day(now)];
  const bounded = (day) => (day < low ? low : day > high ? high : day);
  const first = make("input", { type: "date", min: low, max: high, value: bounded(from ?? known[preset][0]) });
  const last = make("input", { type: "date", min: low, max: high, value: bounded(to ?? known[preset][1]) });
  const buttons = make("div", { className: "group", role: "group", "aria-label": t("date.presets") });
  const mark = () => {
    for (const button of buttons.children) {
      const [start, end] = known[button.value].map(bounded);
      button.setAttribute("aria-pressed", String(start === first.value && end === last.value));
    }
  };
  const set = (start, end) => {
    if (!start || !end) return;
    [first.value, last.value] = start <= end ? [bounded(start), bounded(end)] : [bounded(end), bounded(start)];
    mark();
    onChange();
  };
  for (const name of Object.keys(known)) {
    const button = make("button", { type: "button", value: name, textContent: t(`date.${name}`) });
    button.addEventListener("click", () => set(...known[name]));
    buttons.append(button);
  }
  const step = (text, label, days) => {
    const button = make("button", { type: "button", textContent: text, "aria-label": label, title: label });
    button.addEventListener("click", () => {
      const next = clock.shifted(days < 0 ? first.value : last.value, days);
      if (next >= low && next <= high) set(next, next);
    });
    return button;
  };
  first.addEventListener("change", () => set(first.value, last.value));
  last.addEventListener("change", () => set(first.value, last.value));
  mark();
  return {
    element: make("div", { className: "timeline-fields" }, buttons, step("‹", t("date.previous"), -1),
      make("label", {}, t("date.from"), " ", first), make("label", {}, t("date.to"), " ", last), step("›", t("date.next"), 1)),
    from: () => clock.start(first.value),
    to: () => Math.min(clock.end(last.value), Date.now()),
    days: () => [first.value, last.value],
    set,
  };
};

export { spanField };
