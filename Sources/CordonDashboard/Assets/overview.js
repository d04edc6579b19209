// A venue at a glance: devices now against capacity, the trend, the last fix, and why data may be missing.

import { make } from "./parts.js";
import { makeSortable } from "./tables.js";
import { ask } from "./api.js";
import { dataTable, figures, loadCells, section, timeChart } from "./charts.js";
import { linkTo, repeat, start } from "./frame.js";
import { duration, number, percent, t, textOr } from "./strings.js";

const HOURS = 4;
const sum = (list) => list.reduce((a, b) => a + b, 0);

/** Capacity and devices of spaces that have a property in common. */
const grouped = (spaces, counts, nameOf) => {
  const groups = new Map();
  for (const space of spaces) {
    const name = nameOf(space);
    const group = groups.get(name) ?? { name, count: 0, capacity: 0, spaces: 0 };
    group.count += counts.get(space.space) ?? 0;
    group.capacity += space.capacity ?? 0;
    group.spaces += 1;
    groups.set(name, group);
  }
  return [...groups.values()];
};

const row = (heading, cells) => make("tr", {}, make("th", { scope: "row", className: "name" }, heading), ...cells);

const tablesOf = (plan, overview) => {
  const counts = new Map(overview.spaces.map((entry) => [entry.space, entry.devices]));
  const heads = (name) => [name, [t("table.now"), true], [t("table.capacity"), true], t("table.load")];
  const spaces = plan?.spaces.filter((space) => space.recording === "full") ?? [];
  const floors = plan?.floors ?? [];
  const byFloor = new Map(overview.floors.map((entry) => [entry.floor, entry.devices]));
  const rows = [...floors].reverse().map((floor) => row(
    make("a", { href: linkTo("plan", { floor: floor.floor }), textContent: floor.name }),
    loadCells(byFloor.get(floor.floor) ?? 0, sum(spaces.filter((space) => space.floor === floor.floor).map((space) => space.capacity ?? 0)))));
  for (const entry of overview.floors.filter((known) => !floors.some((floor) => floor.floor === known.floor))) {
    rows.push(row(entry.floor === null ? t("floor.unknown") : t("floor.number", { floor: entry.floor }), loadCells(entry.devices, 0)));
  }
  const groups = grouped(spaces, counts, (space) => space.group ?? textOr(`kind.${space.kind}`, space.kind))
    .sort((a, b) => b.count - a.count || a.name.localeCompare(b.name));
  const nameOf = new Map(floors.map((floor) => [floor.floor, floor.name]));
  const rooms = spaces.map((space) => ({ space, count: counts.get(space.space) ?? 0 }))
    .filter(({ space, count }) => count > 0 || space.capacity)
    .sort((a, b) => (b.space.capacity ? b.count / b.space.capacity : 0) - (a.space.capacity ? a.count / a.space.capacity : 0)
      || b.count - a.count || a.space.name.localeCompare(b.space.name));
  const roomRows = rooms.map(({ space, count }) => {
    const cells = loadCells(count, space.capacity);
    cells.unshift(make("td", { "data-l": t("table.floor"), textContent: nameOf.get(space.floor) ?? "" }));
    return row(make("a", { href: linkTo("plan", { floor: space.floor, space: space.space }), textContent: space.name || space.space }), cells);
  });
  return [
    section(t("overview.floors"), "", dataTable(t("overview.by-floor"), heads(t("table.floor")), rows, { id: "floors" })),
    section(t("overview.groups"), t("overview.groups-note"), dataTable(t("overview.by-group"), heads(t("table.group")),
      groups.map((group) => row(group.name, loadCells(group.count, group.capacity))), { id: "groups" })),
    section(t("overview.spaces"), t("overview.spaces-note"), dataTable(t("overview.by-space"),
      [t("table.space"), t("table.floor"), [t("table.now"), true], [t("table.capacity"), true], t("table.load")], roomRows,
      { id: "spaces", empty: t("overview.no-spaces") })),
  ];
};

const openAlerts = async (venue) => {
  const { rules } = await ask("/v1/operator/alerts", { query: { venue: venue.venue } });
  return sum(rules.map((rule) => rule.alerts.filter((alert) => alert.ended === null).length));
};

/** Devices over the last hours, of all floors and of each. Viewers get closed bins of one rounded number. */
const trend = (answer, plan, clock) => {
  const width = answer.bin_s * 1000;
  const starts = [];
  for (let start = answer.from; start < answer.to; start += width) starts.push(start);
  const valueOf = (bin) => bin?.mean_devices ?? bin?.devices ?? null;
  const isViewer = answer.smallest_count > 0;
  const places = answer.places.map((place) => {
    const bins = new Map(place.bins.map((bin) => [bin.start, valueOf(bin)]));
    return { floor: place.floor, points: starts.map((start) => [start, bins.has(start) ? bins.get(start) : isViewer ? null : 0]) };
  });
  const total = starts.map((start, index) => {
    const values = places.map((place) => place.points[index][1]).filter((value) => value !== null);
    return [start, values.length ? sum(values) : isViewer ? null : 0];
  });
  const options = { from: answer.from, to: answer.to, clock };
  const nameOf = (floor) => plan?.floors.find((entry) => entry.floor === floor)?.name ?? (floor === null ? t("floor.unknown") : t("floor.number", { floor }));
  const note = isViewer ? t("overview.viewer-note", { n: answer.smallest_count }) : t("overview.trend-note", { minutes: answer.bin_s / 60 });
  const wide = make("div", { className: "wide" }, timeChart(total, { ...options, title: t("overview.all-floors") }));
  const small = make("div", { className: "charts" }, ...places.map((place) => timeChart(place.points, { ...options, title: nameOf(place.floor) })));
  return section(t("overview.trend"), note, wide, ...(places.length > 1 ? [small] : []));
};

start(async ({ venue, clock, root, may, plan: getPlan }) => {
  const plan = await getPlan();
  const [head, tables, chart] = [make("div", { "aria-live": "polite" }), make("div"), make("div")];
  root.append(head, chart, tables);
  let sorted = false;
  const capacity = sum((plan?.spaces ?? []).map((space) => space.capacity ?? 0));
  if (may("contact-tracer") || may("operator")) {
    await repeat(10, async () => {
      const overview = await ask("/v1/operator/overview", { query: { venue: venue.venue } });
      const open = may("operator") ? await openAlerts(venue) : null;
      const age = overview.last_fix === null ? null : (overview.time - overview.last_fix) / 1000;
      head.replaceChildren(figures([
        [t("overview.now"), number(overview.present), t("overview.now-note", { time: duration(overview.present_s) })],
        [t("overview.capacity"), capacity ? percent(overview.present / capacity) : "–", capacity ? t("overview.capacity-note", { n: capacity }) : t("overview.no-capacity")],
        [t("overview.last-fix"), age === null ? t("overview.none") : age < 1 ? t("overview.just-now") : t("overview.ago", { time: duration(age) }), overview.last_fix ? clock.short(overview.last_fix) : t("overview.last-fix-note")],
        [t("overview.hour"), number(overview.devices_last_hour), t("overview.hour-note")],
        ...(open === null ? [] : [[t("overview.alerts"), number(open), t("overview.alerts-note")]]),
      ]), ...(overview.gaps.length ? [make("div", { className: "warnings-box" },
        make("h2", { className: "quiet", textContent: t("overview.gaps") }),
        make("ul", {}, ...overview.gaps.map((gap) => make("li", { textContent: t(`gap.${gap}`) }))))] : []));
      // A table that somebody sorted keeps its order until the page is opened again.
      if (sorted) return;
      tables.replaceChildren(...tablesOf(plan, overview));
      for (const table of tables.querySelectorAll("table")) makeSortable(table);
      for (const button of tables.querySelectorAll(".sort")) button.addEventListener("click", () => { sorted = true; });
    });
  } else {
    head.append(make("p", { className: "note", textContent: t("overview.viewer") }));
  }
  await repeat(60, async () => {
    const query = { venue: venue.venue, from: Date.now() - HOURS * 3600000, to: Date.now() };
    chart.replaceChildren(trend(await ask("/v1/operator/occupancy", { query }), plan, clock));
  });
});
