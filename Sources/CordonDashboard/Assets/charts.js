// Charts over time in the look of the reports, each with its values as a table.

import { draw, make } from "./parts.js";
import { number, percent, t } from "./strings.js";

let charts = 0;

/**
 * A line over time. `points` are [time, value] with equal steps; `null` values leave a gap.
 * Options: `title`, `note`, `from`, `to`, `clock`, `maximum` (a line across), `unit`.
 */
const timeChart = (points, { title, note = "", from, to, clock, maximum = null, unit = "" }) => {
  const known = points.filter(([, value]) => value !== null);
  const top = Math.max(1, maximum ?? 0, ...known.map(([, value]) => value));
  const [width, height] = [600, 84];
  const x = (time) => ((time - from) / Math.max(1, to - from)) * width;
  const y = (value) => height - (value / top) * (height - 8);
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  svg.append(draw("line", { class: "base", x1: 0, x2: width, y1: height, y2: height }));
  let run = [];
  const flush = () => {
    if (!run.length) return;
    const line = run.map(([time, value]) => `${x(time).toFixed(1)},${y(value).toFixed(1)}`);
    const [first, last] = [x(run[0][0]).toFixed(1), x(run.at(-1)[0]).toFixed(1)];
    svg.append(draw("polygon", { class: "area-truth", points: `${first},${height} ${line.join(" ")} ${last},${height}` }));
    svg.append(draw("polyline", { class: "line-truth", points: line.join(" ") }));
    run = [];
  };
  for (const point of points) {
    if (point[1] === null) flush();
    else run.push(point);
  }
  flush();
  if (maximum !== null) svg.append(draw("line", { class: "limit", x1: 0, x2: width, y1: y(maximum), y2: y(maximum) }));
  const id = `chart-${charts++}`;
  const rows = points.map(([time, value]) => make("tr", {},
    make("th", { scope: "row", textContent: clock.short(time) }),
    make("td", { className: "n", textContent: value === null ? t("value.unknown") : number(value, 1) })));
  const table = make("table", {},
    make("thead", {}, make("tr", {},
      make("th", { scope: "col", textContent: t("table.time") }), make("th", { scope: "col", className: "n", textContent: unit || t("table.devices") }))),
    make("tbody", {}, ...rows));
  return make("figure", { className: "chart", "aria-labelledby": id },
    make("h3", { id, textContent: title }),
    make("p", { textContent: note }),
    make("div", { className: "plot" }, svg, make("span", { className: "top", textContent: number(top, 1) })),
    make("div", { className: "ends" }, make("span", { textContent: clock.short(from) }), make("span", { textContent: clock.short(to) })),
    make("details", {}, make("summary", { textContent: t("chart.values") }), make("div", { className: "scroll", tabIndex: 0, role: "group", "aria-labelledby": id }, table)));
};

/** A bar with its amount; `share` is its filled part, and beyond 1 it is marked. */
const bar = (share, text) => {
  const fill = make("span");
  fill.style.setProperty("--v", `${Math.min(1, Math.max(0, share)) * 100}%`);
  return make("span", { className: share > 1 ? "bar over" : share > 0.8 ? "bar near" : "bar truth" },
    make("span", { className: "rail" }, fill), make("span", { className: "amount", textContent: text }));
};

/** The cells of a count against a capacity: the count, the capacity, and a bar. */
const loadCells = (count, capacity) => {
  const meter = make("td", { className: "meter", "data-l": t("table.load"), "data-v": capacity ? String((count ?? 0) / capacity) : "-1" });
  if (capacity && count !== null) meter.append(bar(count / capacity, percent(count / capacity)));
  return [
    make("td", { className: "n", "data-l": t("table.now"), "data-v": String(count ?? -1), textContent: count === null ? t("value.unknown") : number(count) }),
    make("td", { className: "n", "data-l": t("table.capacity"), "data-v": String(capacity ?? -1), textContent: capacity ? number(capacity) : "–" }),
    meter,
  ];
};

/** A table with headings and rows of elements; `texts` are the columns of words. */
const dataTable = (caption, heads, rows, { id = "", empty = t("table.empty"), className = "" } = {}) => {
  if (!rows.length) return make("p", { className: "note", textContent: empty });
  const head = heads.map((name, index) => {
    const [text, isNumber] = Array.isArray(name) ? name : [name, false];
    return make("th", { scope: "col", className: isNumber && index ? "n" : "", textContent: text });
  });
  const table = make("table", { className: `rows ${className}` }, make("caption", { textContent: caption }),
    make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
  if (id) table.id = id;
  return make("div", { className: "scroll", tabIndex: 0, role: "group", "aria-label": caption }, table);
};

/** A labelled part of a page. */
const section = (title, note, ...children) => {
  const id = `section-${charts++}`;
  const head = make("div", { className: "head" }, make("h2", { id, textContent: title }));
  if (note) head.append(make("p", { textContent: note }));
  return make("section", { "aria-labelledby": id }, head, ...children);
};

/** Figures with their names: [name, value, remark] each. */
const figures = (list) => make("dl", { className: "figures" }, ...list.map(([name, value, remark]) => {
  const text = make("dd", { textContent: value });
  if (remark) text.append(make("small", { textContent: remark }));
  return make("div", {}, make("dt", { textContent: name }), text);
}));

export { timeChart, bar, loadCells, dataTable, section, figures };
