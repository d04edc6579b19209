// One device: profile, path on the plan, contacts as a table and as marks. Each access needs a reason.

import { byId, buttonGroup, make, press } from "./parts.js";
import { ask, save } from "./api.js";
import { figures, section } from "./charts.js";
import { FloorPlan, spaceName } from "./floor-plan.js";
import { attempt, deviceInMark, deviceMark, linkTo, start } from "./frame.js";
import { grid } from "./grid.js";
import { reasonField } from "./reason.js";
import { spanField } from "./span.js";
import { duration, number, percent, t } from "./strings.js";

const other = (contact, device) => (contact.first === device ? contact.second : contact.first);
const sum = (list) => list.reduce((a, b) => a + b, 0);
const CONTACTS = 20000;

/** Contacts as RFC 7946. */
const geoJSON = (contacts, device) => JSON.stringify({
  type: "FeatureCollection",
  features: contacts.map((contact) => ({
    type: "Feature", geometry: { type: "Point", coordinates: contact.lonlat },
    properties: {
      device, other: other(contact, device), start: contact.start, end: contact.end, duration_s: contact.duration_s,
      minimum_distance_m: contact.minimum_distance_m, floor: contact.floor, wall_share: contact.wall_share,
    },
  })),
}) + "\n";

/** The path in pieces without gaps, one floor each. */
const pathsOf = (positions, gapSeconds) => {
  const paths = [];
  let last = null;
  for (const position of positions) {
    if (!position.xy.length || position.floor === null) { last = null; continue; }
    const isNext = last && last.floor === position.floor && position.time - Math.max(last.time, last.still_until ?? 0) <= gapSeconds * 1000;
    if (isNext) paths.at(-1).points.push(position.xy);
    else paths.push({ floor: position.floor, points: [position.xy] });
    last = position;
  }
  return paths;
};

/** The places of contacts in the frame of the plan: an equirectangular projection, exact to centimetres in a venue. */
const projection = (plan) => {
  const [longitude, latitude] = plan.origin;
  const radians = (latitude * Math.PI) / 180;
  const east = (111412.84 * Math.cos(radians) - 93.5 * Math.cos(3 * radians)) * 100;
  const north = (111132.92 - 559.82 * Math.cos(2 * radians)) * 100;
  return ([x, y]) => [(x - longitude) * east, -(y - latitude) * north];
};

start(async ({ venue, clock, root, plan: getPlan }) => {
  const plan = await getPlan();
  const nameOfFloor = (floor) => plan?.floors.find((entry) => entry.floor === floor)?.name ?? (floor === null ? t("floor.unknown") : t("floor.number", { floor }));
  let device = deviceInMark();
  const reason = reasonField();
  const prefix = make("input", { id: "prefix", type: "search", autocomplete: "off", value: device });
  const results = make("ul", { className: "results" });
  const form = make("form", { className: "fields card" }, reason.element,
    make("div", { className: "grow" }, make("label", { htmlFor: "prefix", textContent: t("device.prefix") }), prefix, make("small", { className: "note", textContent: t("device.prefix-note") })),
    make("button", { className: "primary", textContent: t("device.search") }));
  const box = make("div");
  root.append(form, results, box);

  const search = async (after = "") => {
    const answer = await ask("/v1/operator/devices", { body: { venue: venue.venue, prefix: prefix.value.trim(), after, limit: 50, reason: reason.value() } });
    if (!after) results.replaceChildren();
    for (const entry of answer.devices) {
      const button = make("button", { type: "button", className: "link", textContent: entry.device });
      button.addEventListener("click", () => choose(entry.device));
      results.append(make("li", {}, button, make("span", { className: "note", textContent: ` ${entry.type} · ${t("device.seen", { time: clock.short(entry.last_seen) })}${entry.may_record ? "" : " · " + t("device.no-consent")}` })));
    }
    if (answer.next_after) {
      const more = make("button", { type: "button", textContent: t("device.more") });
      more.addEventListener("click", () => { more.parentElement.remove(); attempt(() => search(answer.next_after)); });
      results.append(make("li", {}, more));
    }
    if (!results.children.length) results.append(make("li", { className: "note", textContent: t("device.nothing") }));
  };
  form.addEventListener("submit", (event) => { event.preventDefault(); if (reason.check()) attempt(() => search()); });

  // The part below is made once, when a device is chosen.
  let view = null;
  const makeView = () => {
    const title = make("h2", { id: "device-name", tabIndex: -1 });
    const profile = make("div", { "aria-live": "polite" });
    const span = spanField(clock, { preset: "week", retentionSeconds: Math.max(venue.retention_s ?? 0, 14 * 86400), onChange: () => attempt(load) });
    const contacts = { rows: [] };
    const geo = make("button", { type: "button", textContent: "GeoJSON" });
    const table = grid({
      caption: t("device.contacts"), file: "contacts", sortedBy: "start", extra: [geo],
      columns: [
        { key: "device", name: t("device.with"), value: (row) => row.other, text: (row) => row.other, node: (row) => link(row.other) },
        { key: "start", name: t("device.start"), value: (row) => row.start, text: (row) => clock.short(Date.parse(row.start)) },
        { key: "duration_s", name: t("device.duration"), value: (row) => row.duration_s, text: (row) => duration(row.duration_s), isNumber: true },
        { key: "minimum_distance_m", name: t("device.nearest"), value: (row) => row.minimum_distance_m, text: (row) => `${number(row.minimum_distance_m, 2)} m`, isNumber: true },
        { key: "floor", name: t("table.floor"), value: (row) => row.floor ?? "", text: (row) => nameOfFloor(row.floor) },
        { key: "wall_share", name: t("device.wall"), value: (row) => row.wall_share ?? -1, text: (row) => (row.wall_share === null ? t("value.unknown") : percent(row.wall_share)), isNumber: true },
      ],
    });
    geo.addEventListener("click", () => save("contacts.geojson", "application/geo+json", geoJSON(table.shown(), device)));
    const met = grid({
      caption: t("device.met"), file: "devices-met", sortedBy: "times",
      columns: [
        { key: "device", name: t("table.device"), value: (row) => row.other, text: (row) => row.other, node: (row) => link(row.other) },
        { key: "times", name: t("device.times"), value: (row) => row.times, text: (row) => number(row.times), isNumber: true },
        { key: "total_s", name: t("device.total"), value: (row) => row.total, text: (row) => duration(row.total), isNumber: true },
        { key: "average_s", name: t("device.average"), value: (row) => row.total / row.times, text: (row) => duration(row.total / row.times), isNumber: true },
        { key: "longest_s", name: t("device.longest"), value: (row) => row.longest, text: (row) => duration(row.longest), isNumber: true },
        { key: "minimum_distance_m", name: t("device.nearest"), value: (row) => row.nearest, text: (row) => `${number(row.nearest, 2)} m`, isNumber: true },
        { key: "first", name: t("device.first"), value: (row) => row.first, text: (row) => clock.short(Date.parse(row.first)) },
        { key: "last", name: t("device.last"), value: (row) => row.last, text: (row) => clock.short(Date.parse(row.last)) },
      ],
    });
    const readout = make("p", { className: "readout", role: "status" });
    const floorPlan = plan ? new FloorPlan(plan, { onSpace: (space) => { readout.textContent = spaceName(space); } }) : null;
    const layers = buttonGroup(t("device.layers"), [["both", t("device.both")], ["path", t("device.path")], ["contacts", t("device.marks")]], "both", (value) => { press(layers, value); layer = value; overlay(); });
    let layer = "both";
    const project = plan ? projection(plan) : null;
    const state = { positions: [], isCut: false };
    const overlay = () => floorPlan?.overlay({
      paths: layer === "contacts" ? [] : pathsOf(state.positions, 60),
      marks: layer === "path" ? [] : contacts.rows.map((row) => ({ floor: row.floor, xy: project(row.lonlat), seconds: row.duration_s })),
    });
    const places = make("div");
    box.replaceChildren(make("section", { "aria-labelledby": "device-name" }, title, span.element, profile),
      section(t("device.met"), "", met.element), section(t("device.contacts"), t("device.contacts-note", { distance: number(venue.contact_distance_m ?? 2, 1) }), table.element));
    if (floorPlan) box.append(section(t("device.map"), t("device.map-note"), layers, floorPlan.element, readout, places));
    return { title, profile, span, table, met, contacts, state, overlay, places, floorPlan };
  };
  const link = (name) => {
    const button = make("button", { type: "button", className: "link", textContent: name });
    button.addEventListener("click", () => choose(name));
    return button;
  };
  const load = async () => {
    const body = { venue: venue.venue, device, from: String(view.span.from()), to: String(view.span.to()), reason: reason.value() };
    const found = (await ask("/v1/operator/contacts", { body: { ...body, limit: CONTACTS } }));
    const rows = found.contacts.map((contact) => ({ ...contact, other: other(contact, device) }));
    view.contacts.rows = rows;
    const groups = new Map();
    for (const row of rows) {
      const group = groups.get(row.other) ?? { other: row.other, times: 0, total: 0, longest: 0, nearest: Infinity, first: row.start, last: row.start };
      group.times += 1;
      group.total += row.duration_s;
      group.longest = Math.max(group.longest, row.duration_s);
      group.nearest = Math.min(group.nearest, row.minimum_distance_m);
      if (row.start < group.first) group.first = row.start;
      if (row.start > group.last) group.last = row.start;
      groups.set(row.other, group);
    }
    view.met.show([...groups.values()]);
    view.table.show(rows);
    const positions = [];
    let after = "";
    do {
      const answer = await ask("/v1/operator/track", { body: { ...body, limit: 20000, ...(after ? { after } : {}) } });
      positions.push(...answer.positions);
      after = answer.next_after;
    } while (after && positions.length < 100000);
    view.state.positions = positions;
    const durations = rows.map((row) => row.duration_s);
    const days = new Set(positions.map((position) => clock.day(position.time))).size;
    view.profile.replaceChildren(figures([
      [t("device.total-contacts"), number(rows.length), found.is_complete ? "" : t("device.cut", { n: CONTACTS })],
      [t("device.devices-met"), number(groups.size), ""],
      [t("device.average"), rows.length ? duration(sum(durations) / rows.length) : "–", t("device.of-contact")],
      [t("device.longest"), rows.length ? duration(Math.max(...durations)) : "–", t("device.of-contact")],
      [t("device.first"), positions.length ? clock.short(positions[0].time) : "–", t("device.in-span")],
      [t("device.last"), positions.length ? clock.short(Math.max(positions.at(-1).time, positions.at(-1).still_until ?? 0)) : "–", t("device.in-span")],
      [t("device.activity"), t("device.days", { n: days }), t("device.fixes", { n: positions.length })],
    ]), ...(positions.length ? [] : [make("p", { className: "note", textContent: t("device.no-data") })]));
    view.overlay();
    const stays = new Map();
    positions.forEach((position, index) => {
      if (!position.space) return;
      const end = Math.max(position.still_until ?? position.time, Math.min(positions[index + 1]?.time ?? 0, position.time + 60000));
      stays.set(position.space, (stays.get(position.space) ?? 0) + Math.max(0, end - position.time) / 1000);
    });
    const spaces = [...stays].sort((a, b) => b[1] - a[1]).slice(0, 20).map(([id, seconds]) => {
      const space = plan?.spaces.find((entry) => entry.space === id);
      return make("tr", {}, make("th", { scope: "row", className: "name", textContent: space ? spaceName(space) : id }),
        make("td", { "data-l": t("table.floor"), textContent: space ? nameOfFloor(space.floor) : "" }), make("td", { className: "n", "data-l": t("device.dwell"), textContent: duration(seconds) }));
    });
    const { dataTable } = await import("./charts.js");
    view.places.replaceChildren(dataTable(t("device.places"), [t("table.space"), t("table.floor"), [t("device.dwell"), true]], spaces));
    if (view.floorPlan && positions.length && !positions.some((position) => position.floor === view.floorPlan.floor)) view.floorPlan.show(positions.at(-1).floor);
  };
  const choose = (name) => {
    if (!reason.check()) return;
    device = name;
    // Behind the mark #, so that the name is not sent in the address.
    history.replaceState(null, "", linkTo("device") + deviceMark(name));
    view ??= makeView();
    view.title.textContent = name;
    view.title.focus();
    attempt(load);
  };
  window.addEventListener("hashchange", () => { if (deviceInMark()) choose(deviceInMark()); });
  if (device && reason.value().length >= 3) choose(device);
  else if (device) byId(reason.input.id).focus();
}, { role: "contact-tracer" });
