// Small things that all scripts of pages use: elements, numbers, times, paper.

const byId = (id) => document.getElementById(id);
/** Makes an element; properties of the form aria-* and data-* become attributes. */
const make = (name, properties, ...children) => {
  const element = document.createElement(name);
  for (const key in properties) {
    if (key.includes("-")) element.setAttribute(key, properties[key]);
    else element[key] = properties[key];
  }
  element.append(...children);
  return element;
};
const draw = (name, attributes) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  return element;
};
document.documentElement.classList.add("js");

const limited = (value, low, high) => Math.max(low, Math.min(high, value));
const numberText = (value) => (value >= 9.95 || value === 0 ? Math.round(value) : Math.round(value * 10) / 10).toString();
const counted = (value, one, many) => `${value} ${value === 1 ? one : many}`;

/** The clocks of a run's zone: `data` has offsets from UTC and the times from which they apply. */
const clockOf = (data) => {
  const offset = (time) => data.offsets.findLast(([from]) => from <= time)?.[1] ?? data.offsets[0][1];
  const text = (time) => new Date(time + offset(time)).toISOString();
  const isLong = data.end - data.start > 86400000;
  return {
    isLong,
    zone: data.zone,
    offset,
    day: (time) => text(time).slice(0, 10),
    time: (time) => text(time).slice(11, 16),
    seconds: (time) => text(time).slice(11, 19),
    short: (time) => (isLong ? text(time).slice(5, 10) + " " : "") + text(time).slice(11, 16),
  };
};

/** The number of the class of a value, 1 ... limits.length; 0 for no value. */
const classOf = (value, limits) => {
  if (!(value > 0)) return 0;
  const place = limits.findIndex((limit) => value <= limit);
  return place < 0 ? limits.length : place + 1;
};
/** The limits of at most six classes up to a maximum: round numbers, finer at the low end. */
const heatLimits = (maximum) => {
  const limits = [];
  for (let index = 1; index <= 6 && maximum > 0; index++) {
    const value = maximum * (index / 6) ** 1.5;
    const scale = 10 ** Math.floor(Math.log10(Math.max(value, 0.001)));
    const limit = Number(([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((step) => value <= step * scale * 1.000001) * scale).toPrecision(3));
    if (limit > (limits.at(-1) ?? 0)) limits.push(limit);
  }
  return limits.length ? limits : [1];
};
/** The items of a legend: a sentence, and a swatch for each class. */
const legendItems = (what, classes) => [
  make("li", { textContent: what }),
  ...classes.map(([level, text]) => {
    const swatch = make("i");
    swatch.style.setProperty("--c", typeof level === "number" ? `var(--h${level})` : level);
    return make("li", {}, swatch, text);
  }),
];
const limitTexts = (limits) => limits.map((limit, index) => [
  index + 1, index === limits.length - 1 && limits.length > 1 ? "more than " + limits[index - 1] : "up to " + limit,
]);

const styleOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const isMotionReduced = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
const whenSchemeChanges = (action) => window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", action);

/** Calls `before` once before the page is laid out for paper, and `after` behind that. */
const whenPrinting = (before, after) => {
  let isOnPaper = false;
  const set = (isPaper) => {
    if (isPaper === isOnPaper) return;
    isOnPaper = isPaper;
    (isPaper ? before : after)();
  };
  window.addEventListener("beforeprint", () => set(true));
  window.addEventListener("afterprint", () => set(false));
  window.matchMedia("print").addEventListener("change", (event) => set(event.matches));
};

// Paper has no way to open a part.
let openedForPaper = [];
whenPrinting(() => {
  openedForPaper = [...document.querySelectorAll("details:not([open])")];
  for (const part of openedForPaper) part.open = true;
}, () => {
  for (const part of openedForPaper) part.open = false;
});

/** Marks the pressed one of a group of buttons. */
const press = (group, value) => {
  for (const button of group.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.value === String(value)));
};
/** A group of buttons of which one is pressed. */
const buttonGroup = (label, choices, chosen, action) => {
  const group = make("div", { className: "group", role: "group", "aria-label": label });
  for (const [value, text] of choices) {
    group.append(make("button", { type: "button", value: String(value), textContent: text, "aria-pressed": String(value === chosen) }));
  }
  group.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) action(choices.find(([value]) => String(value) === button.value)[0]);
  });
  return group;
};
