// When and how much spaces are used: weekday by hour, mean, peak, against capacity, over several weeks.

import { classOf, heatLimits, legendItems, limitTexts, make } from "./parts.js";
import { ask } from "./api.js";
import { section, timeChart } from "./charts.js";
import { spaceName } from "./floor-plan.js";
import { attempt, keep, parameter, start } from "./frame.js";
import { grid } from "./grid.js";
import { spanField } from "./span.js";
import { language, number, percent, t, textOr } from "./strings.js";

const HOUR = 3600000;
const WEEK = 7 * 86400000;
const weekdays = [...Array(7).keys()].map((day) => new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" }).format(Date.UTC(2024, 0, 1 + day)));

/** Hourly counts of a span by place, asked for week by week. */
const hours = async (venue, by, from, to) => {
  const places = new Map();
  for (let begin = from; begin < to; begin += WEEK) {
    const query = { venue, by, bin_s: 3600, from: begin, to: Math.min(to, begin + WEEK) };
    const answer = await ask("/v1/operator/occupancy", { query });
    for (const place of answer.places) {
      const key = by === "space" ? place.space : String(place.floor);
      const bins = places.get(key) ?? new Map();
      for (const bin of place.bins) bins.set(bin.start, { mean: bin.mean_devices, peak: bin.peak_devices });
      places.set(key, bins);
    }
  }
  return places;
};

start(async ({ venue, clock, root, plan: getPlan }) => {
  const plan = await getPlan();
  const spaces = (plan?.spaces ?? []).filter((space) => space.recording === "full");
  const nameOfFloor = (floor) => plan?.floors.find((entry) => String(entry.floor) === floor)?.name ?? (floor === "null" ? t("floor.unknown") : t("floor.number", { floor }));
  const field = (id, label, value, options) => {
    const select = make("select", { id }, ...options.map(([key, text]) => make("option", { value: String(key), textContent: text })));
    select.value = String(value);
    return [make("div", {}, make("label", { htmlFor: id, textContent: label }), select), select];
  };
  const clocks = [...Array(25).keys()].map((hour) => [hour, `${String(hour).padStart(2, "0")}:00`]);
  const [openBox, open] = field("open", t("utilisation.open"), parameter("open") ?? 8, clocks.slice(0, 24));
  const [closeBox, close] = field("close", t("utilisation.close"), parameter("close") ?? 18, clocks.slice(1));
  const [daysBox, days] = field("days", t("utilisation.days"), parameter("days") ?? "weekdays", [["weekdays", t("utilisation.weekdays")], ["all", t("utilisation.all-days")]]);
  const [byBox, by] = field("by", t("utilisation.by"), parameter("by") ?? "space", [["space", t("table.space")], ["group", t("table.group")], ["floor", t("table.floor")]]);
  const span = spanField(clock, { preset: "fortnight", retentionSeconds: venue.retention_s, onChange: () => attempt(load) });
  const heat = make("div");
  const table = grid({
    caption: t("utilisation.table"), file: "utilisation", sortedBy: "mean_open",
    columns: [
      { key: "place", name: t("utilisation.place"), value: (row) => row.name, text: (row) => row.name, node: (row) => {
        const button = make("button", { type: "button", className: "link", textContent: row.name });
        button.addEventListener("click", () => showHeat(row));
        return button;
      } },
      { key: "capacity", name: t("table.capacity"), value: (row) => row.capacity || 0, text: (row) => (row.capacity ? number(row.capacity) : "–"), isNumber: true },
      { key: "mean_open", name: t("utilisation.mean"), value: (row) => row.mean, text: (row) => number(row.mean, 2), isNumber: true },
      { key: "mean_used", name: t("utilisation.mean-used"), value: (row) => row.meanUsed, text: (row) => number(row.meanUsed, 2), isNumber: true },
      { key: "used_share", name: t("utilisation.used"), value: (row) => row.used, text: (row) => percent(row.used), isNumber: true },
      { key: "peak", name: t("utilisation.peak"), value: (row) => row.peak, text: (row) => number(row.peak, 1), isNumber: true },
      { key: "peak_time", name: t("utilisation.peak-time"), value: (row) => (row.peakTime ? new Date(row.peakTime).toISOString() : ""), text: (row) => (row.peakTime ? clock.short(row.peakTime) : "–") },
      { key: "peak_of_capacity", name: t("utilisation.of-capacity"), value: (row) => (row.capacity ? row.peak / row.capacity : -1), text: (row) => (row.capacity ? percent(row.peak / row.capacity) : "–"), isNumber: true },
    ],
  });
  const isOpen = (time) => {
    const hour = clock.hour(time);
    return hour >= Number(open.value) && hour < Number(close.value) && (days.value === "all" || clock.weekday(time) < 5);
  };
  const showHeat = (row) => {
    const sums = new Map();
    for (const time of row.times) {
      const key = clock.weekday(time) * 24 + clock.hour(time);
      const cell = sums.get(key) ?? { sum: 0, count: 0 };
      cell.sum += row.bins.get(time)?.mean ?? 0;
      cell.count += 1;
      sums.set(key, cell);
    }
    const means = new Map([...sums].map(([key, cell]) => [key, cell.sum / cell.count]));
    const limits = heatLimits(Math.max(0, ...means.values()));
    const [first, last] = days.value === "all" ? [0, 24] : [Number(open.value), Number(close.value)];
    const range = [...Array(Math.max(1, last - first)).keys()].map((hour) => hour + first);
    const heads = range.map((hour) => make("th", { scope: "col", className: "n", textContent: String(hour) }));
    const body = weekdays.slice(0, days.value === "all" ? 7 : 5).map((name, day) => make("tr", {}, make("th", { scope: "row", textContent: name }), ...range.map((hour) => {
      const value = means.get(day * 24 + hour);
      const level = value === undefined ? 0 : classOf(value, limits);
      return make("td", { className: level ? `n heat l${level}` : "n", textContent: value === undefined ? "–" : number(value, 1) });
    })));
    const caption = t("utilisation.heat", { place: row.name });
    const matrix = make("table", { className: "matrix" }, make("caption", { textContent: caption }), make("thead", {}, make("tr", {}, make("th", { scope: "col", textContent: t("utilisation.day") }), ...heads)), make("tbody", {}, ...body));
    const points = row.times.map((time) => [time, row.bins.get(time)?.peak ?? 0]);
    const legend = make("ul", { className: "legend" });
    legend.replaceChildren(...legendItems(t("utilisation.legend"), limitTexts(limits).map(([level, text]) => [level, text.replace("up to", t("plan.to")).replace("more than", t("plan.more"))])));
    heat.replaceChildren(make("div", { className: "scroll wide-scroll", tabIndex: 0, role: "group", "aria-label": caption }, matrix), legend,
      make("div", { className: "wide" }, timeChart(points, { title: t("utilisation.course", { place: row.name }), note: t("utilisation.course-note"), from: span.from(), to: span.to(), clock, maximum: row.capacity || null })));
  };
  const rowOf = (name, capacity, bins, times) => {
    const opened = times.filter(isOpen);
    const values = opened.map((time) => bins.get(time)?.mean ?? 0);
    const used = values.filter((value) => value > 0.05);
    const sum = values.reduce((a, b) => a + b, 0);
    let [peak, peakTime] = [0, null];
    for (const time of opened) if ((bins.get(time)?.peak ?? 0) > peak) [peak, peakTime] = [bins.get(time).peak, time];
    return { name, capacity, bins, times, mean: values.length ? sum / values.length : 0, meanUsed: used.length ? sum / used.length : 0, used: values.length ? used.length / values.length : 0, peak, peakTime };
  };
  const merged = (list) => {
    const bins = new Map();
    for (const part of list) {
      for (const [time, bin] of part) {
        const known = bins.get(time) ?? { mean: 0, peak: 0 };
        // The peaks of spaces need not be at one moment, so the peak of a group is that of its hourly means.
        bins.set(time, { mean: known.mean + bin.mean, peak: Math.round((known.mean + bin.mean) * 10) / 10 });
      }
    }
    return bins;
  };
  const load = async () => {
    keep({ open: open.value, close: close.value, days: days.value, by: by.value });
    const [from, to] = [span.from(), span.to()];
    const times = [];
    for (let time = Math.floor(from / HOUR) * HOUR; time < to; time += HOUR) times.push(time);
    let rows;
    const floors = await hours(venue.venue, "floor", from, to);
    const whole = rowOf(t("overview.all-floors"), spaces.reduce((sum, space) => sum + (space.capacity ?? 0), 0), merged(floors.values()), times);
    const capacityOf = (list) => list.reduce((sum, space) => sum + (space.capacity ?? 0), 0);
    if (by.value === "floor") {
      rows = [...floors].map(([floor, bins]) => rowOf(nameOfFloor(floor), capacityOf(spaces.filter((space) => String(space.floor) === floor)), bins, times));
    } else {
      const counts = await hours(venue.venue, "space", from, to);
      if (by.value === "space") {
        rows = spaces.filter((space) => counts.has(space.space) || space.capacity).map((space) => rowOf(spaceName(space), space.capacity ?? 0, counts.get(space.space) ?? new Map(), times));
      } else {
        const groups = new Map();
        for (const space of spaces) {
          const name = space.group ?? textOr(`kind.${space.kind}`, space.kind);
          groups.set(name, [...(groups.get(name) ?? []), space]);
        }
        rows = [...groups].map(([name, list]) => rowOf(name, capacityOf(list), merged(list.map((space) => counts.get(space.space)).filter(Boolean)), times));
      }
    }
    table.show([whole, ...rows]);
    showHeat(whole);
  };
  for (const select of [open, close, days, by]) select.addEventListener("change", () => attempt(load));
  root.append(span.element, make("div", { className: "fields" }, byBox, daysBox, openBox, closeBox),
    section(t("utilisation.when"), t("utilisation.when-note"), heat), section(t("utilisation.table"), t("utilisation.table-note"), table.element));
  await load();
}, { role: "contact-tracer" });
