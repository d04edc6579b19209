// The floor plan, live or at a moment of the past: devices, the load of spaces, and contacts as lines.

import { buttonGroup, classOf, heatLimits, legendItems, limitTexts, make, press } from "./parts.js";
import { ask, listen } from "./api.js";
import { dataTable, section, timeChart } from "./charts.js";
import { FloorPlan, spaceName } from "./floor-plan.js";
import { attempt, deviceMark, keep, linkTo, parameter, start } from "./frame.js";
import { reasonField } from "./reason.js";
import { number, percent, t, textOr } from "./strings.js";

const LOAD = [0.25, 0.5, 0.75, 0.9, 1];

/** The class of the heat scale of each space, its words, and the legend. */
const coloured = (mode, plan, counts, means) => {
  const figures = new Map();
  const spaces = plan.spaces.filter((space) => space.recording === "full");
  if (mode === "load") {
    for (const space of spaces) {
      if (!space.capacity) continue;
      const share = (counts.get(space.space) ?? 0) / space.capacity;
      figures.set(space.space, { level: share > 0 ? classOf(share, LOAD) + (share > 1 ? 1 : 0) : 0, text: t("plan.load-text", { share: percent(share), n: space.capacity }) });
    }
    return { figures, legend: [t("plan.load"), [1, 2, 3, 4, 5, 6].map((level) => [level, level > 5 ? t("plan.over") : t("plan.up-to", { value: percent(LOAD[level - 1]) })])] };
  }
  const valueOf = (space) => (mode === "density" ? ((means?.get(space.space) ?? 0) / Math.max(1, space.area_m2)) * 10 : counts.get(space.space) ?? 0);
  const exact = heatLimits(Math.max(...spaces.map(valueOf), 0));
  const limits = mode === "density" ? exact : [...new Set(exact.map(Math.ceil))];
  for (const space of spaces) {
    const value = valueOf(space);
    const text = mode === "density" ? t("plan.density-text", { value: number(value, 2) }) : t("plan.devices-text", { n: value });
    figures.set(space.space, { level: classOf(value, limits), text });
  }
  return { figures, legend: [t(`plan.${mode}`), limitTexts(limits).map(([level, text]) => [level, text.replace("up to", t("plan.to")).replace("more than", t("plan.more"))])] };
};

start(async ({ venue, clock, root, plan: getPlan, may }) => {
  const plan = await getPlan();
  if (!plan) {
    root.append(make("p", { className: "note", textContent: t("plan.none") }));
    return;
  }
  let [moment, means, mode, contacts, control] = [null, null, parameter("show") ?? "devices", null, null];
  const details = make("div", { className: "card", "aria-live": "polite", hidden: true });
  const list = make("div");
  const legend = make("ul", { className: "legend" });
  const readout = make("p", { className: "readout", role: "status" });
  const floorPlan = new FloorPlan(plan, {
    onSpace: (space) => attempt(() => showSpace(space)),
    onDot: (dot) => showDot(dot),
    onFloor: (floor) => { keep({ floor }); if (moment) showTable(); },
  });

  const counted = () => {
    const counts = new Map();
    for (const dot of moment?.devices ?? []) if (dot.space) counts.set(dot.space, (counts.get(dot.space) ?? 0) + 1);
    return counts;
  };
  const recolour = () => {
    const { figures, legend: [title, classes] } = coloured(mode, plan, counted(), means);
    floorPlan.colour(figures);
    legend.replaceChildren(...legendItems(title, classes));
  };
  const showTable = () => {
    const counts = counted();
    const here = plan.spaces.filter((space) => space.floor === floorPlan.floor && space.recording === "full")
      .sort((a, b) => (counts.get(b.space) ?? 0) - (counts.get(a.space) ?? 0) || spaceName(a).localeCompare(spaceName(b)));
    const rows = here.map((space) => {
      const button = make("button", { type: "button", className: "link", textContent: spaceName(space) });
      button.addEventListener("click", () => floorPlan.choose(space.space));
      const count = counts.get(space.space) ?? 0;
      return make("tr", {}, make("th", { scope: "row", className: "name" }, button),
        make("td", { className: "n", "data-l": t("table.devices"), textContent: number(count) }),
        make("td", { className: "n", "data-l": t("table.capacity"), textContent: space.capacity ? number(space.capacity) : "–" }));
    });
    list.replaceChildren(dataTable(t("plan.table"), [t("table.space"), [t("table.devices"), true], [t("table.capacity"), true]], rows));
  };
  const showMoment = (value, glide = 0) => {
    moment = value;
    const known = value.devices.filter((dot) => dot.floor !== null && dot.xy.length);
    floorPlan.place(known, glide);
    drawLines();
    recolour();
    showTable();
    const here = value.devices.filter((dot) => dot.floor === floorPlan.floor).length;
    readout.textContent = t("plan.readout", { time: clock.short(value.time), all: value.devices.length, here });
  };
  const drawLines = () => {
    const keys = new Map((moment?.devices ?? []).filter((dot) => dot.device).map((dot) => [dot.device, dot.key]));
    const lines = lineBox.checked && contacts ? contacts.filter((entry) => keys.has(entry.first) && keys.has(entry.second))
      .map((entry) => [keys.get(entry.first), keys.get(entry.second)]) : [];
    floorPlan.overlay({ lines });
  };

  const showSpace = async (space) => {
    details.hidden = false;
    const count = counted().get(space.space) ?? 0;
    const facts = [
      [t("plan.kind"), textOr(`kind.${space.kind}`, space.kind)], [t("table.devices"), number(count)],
      [t("table.capacity"), space.capacity ? number(space.capacity) : "–"], [t("plan.area"), `${number(space.area_m2, 1)} m²`],
      [t("plan.recording"), t(`recording.${space.recording}`)],
    ].flatMap(([name, value]) => [make("dt", { textContent: name }), make("dd", { textContent: value })]);
    details.replaceChildren(make("h2", { textContent: spaceName(space) }), make("dl", { className: "facts" }, ...facts));
    if (space.recording !== "full") return;
    const to = moment?.time ?? Date.now();
    const answer = await ask("/v1/operator/occupancy", { query: { venue: venue.venue, by: "space", bin_s: 900, from: to - 86400000, to } });
    const place = answer.places.find((entry) => entry.space === space.space);
    const bins = new Map((place?.bins ?? []).map((bin) => [bin.start, bin.peak_devices]));
    const points = [];
    for (let time = answer.from; time < answer.to; time += 900000) points.push([time, bins.get(time) ?? 0]);
    details.append(timeChart(points, { title: t("plan.day"), note: t("plan.day-note"), from: answer.from, to: answer.to, clock, maximum: space.capacity ?? null }));
  };
  const showDot = (dot) => {
    details.hidden = false;
    const space = plan.spaces.find((entry) => entry.space === dot.space);
    const facts = [
      [t("plan.place"), space ? spaceName(space) : t("plan.no-space")], [t("plan.accuracy"), `${number(dot.acc, 1)} m`],
      [t("plan.age"), `${number(dot.age_s)} s`],
    ].flatMap(([name, value]) => [make("dt", { textContent: name }), make("dd", { textContent: value })]);
    details.replaceChildren(make("h2", { textContent: dot.device ?? t("plan.unnamed") }), make("dl", { className: "facts" }, ...facts));
    if (dot.device) details.append(make("p", {}, make("a", { href: linkTo("device") + deviceMark(dot.device), textContent: t("plan.to-device") })));
    else details.append(make("p", { className: "note", textContent: t("plan.name-note") }));
  };

  const nameList = make("div");
  const showNames = async () => {
    const time = moment?.time ?? Date.now();
    const body = { venue: venue.venue, time: String(time), reason: reason.value() };
    const named = await ask("/v1/operator/moment", { body });
    contacts = (await ask("/v1/operator/contacts", { body: { venue: venue.venue, from: String(time - 30000), to: String(time), limit: 5000, reason: reason.value() } })).contacts;
    lineBox.disabled = false;
    lineBox.checked = true;
    setLive(false);
    showMoment(named);
    nameList.replaceChildren(dataTable(t("plan.named"), [t("table.device"), t("table.floor"), t("table.space")], named.devices.map((dot) => make("tr", {},
      make("th", { scope: "row", className: "id" }, make("a", { href: linkTo("device") + deviceMark(dot.device), textContent: dot.device })),
      make("td", { "data-l": t("table.floor"), textContent: plan.floors.find((floor) => floor.floor === dot.floor)?.name ?? t("floor.unknown") }),
      make("td", { "data-l": t("table.space"), textContent: dot.space ? spaceName(plan.spaces.find((space) => space.space === dot.space) ?? { name: dot.space }) : "" })))));
  };

  // Time: live, or a day and a minute of it.
  const retention = venue.retention_s ?? 14 * 86400;
  const day = make("input", { type: "date", id: "day", min: clock.day(Date.now() - retention * 1000), max: clock.day(Date.now()), value: clock.day(Date.now()) });
  const minute = make("input", { type: "range", id: "minute", min: "0", max: "1439", step: "1", value: "720", "aria-label": t("plan.minute") });
  const shown = make("output", { htmlFor: "minute" });
  const live = buttonGroup(t("plan.time"), [["live", t("plan.live")], ["past", t("plan.past")]], "live", (value) => setLive(value === "live", true));
  const past = make("div", { className: "timeline-fields", hidden: true });
  const step = (days) => { day.value = clock.shifted(day.value, days); if (day.value > day.max) day.value = day.max; if (day.value < day.min) day.value = day.min; look(); };
  const arrow = (text, label, days) => {
    const button = make("button", { type: "button", textContent: text, "aria-label": label });
    button.addEventListener("click", () => step(days));
    return button;
  };
  const time = () => clock.start(day.value) + Number(minute.value) * 60000;
  let waiting = null;
  const look = () => {
    shown.textContent = clock.short(time());
    minute.setAttribute("aria-valuetext", shown.textContent);
    clearTimeout(waiting);
    waiting = setTimeout(() => attempt(async () => {
      contacts = null;
      showMoment(await ask("/v1/operator/moment", { body: { venue: venue.venue, time: String(Math.min(time(), Date.now())) } }));
      if (mode === "density") await loadMeans();
    }), 120);
  };
  past.append(arrow("‹", t("date.previous"), -1), make("label", {}, t("date.day"), " ", day), arrow("›", t("date.next"), 1), minute, shown);
  day.addEventListener("change", look);
  minute.addEventListener("input", look);
  const loadMeans = async () => {
    const to = moment?.time ?? Date.now();
    const answer = await ask("/v1/operator/occupancy", { query: { venue: venue.venue, by: "space", bin_s: 3600, from: to - 3600000, to } });
    means = new Map(answer.places.map((place) => [place.space, Math.max(0, ...place.bins.map((bin) => bin.mean_devices))]));
    recolour();
  };
  const modes = buttonGroup(t("plan.show"), ["devices", "load", "density"].map((name) => [name, t(`plan.${name}`)]), mode, (value) => {
    mode = value;
    keep({ show: value });
    press(modes, value);
    if (value === "density") attempt(loadMeans); else recolour();
  });
  const lineBox = make("input", { type: "checkbox", disabled: true });
  lineBox.addEventListener("change", drawLines);
  const reason = reasonField();
  const nameForm = make("form", { className: "fields" }, reason.element, make("button", { textContent: t("plan.names") }));
  nameForm.addEventListener("submit", (event) => { event.preventDefault(); if (reason.check()) attempt(showNames); });

  const setLive = (isLive, isByHand = false) => {
    press(live, isLive ? "live" : "past");
    past.hidden = isLive;
    control?.abort();
    control = null;
    if (!isLive) {
      minute.value = String(Math.min(1439, Math.floor((Math.min(Date.now(), moment?.time ?? Date.now()) - clock.start(clock.day(moment?.time ?? Date.now()))) / 60000)));
      day.value = clock.day(moment?.time ?? Date.now());
      shown.textContent = clock.short(time());
      if (isByHand) look();
      return;
    }
    contacts = null;
    follow();
  };
  const follow = async () => {
    const own = new AbortController();
    control = own;
    while (!own.signal.aborted) {
      await attempt(() => listen("/v1/operator/events", { venue: venue.venue, devices: "true" }, own.signal, (name, value) => {
        if (name === "devices" && !own.signal.aborted) showMoment(value, 2000);
      }));
      if (!own.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 3000));
    }
  };

  root.append(
    make("div", { className: "controls" }, live, modes, make("label", {}, lineBox, " ", t("plan.lines"))), past,
    make("div", { className: "beside" },
      make("div", {}, floorPlan.element, make("div", { className: "under" }, readout, legend), make("p", { className: "note no-print", textContent: t("plan.keys") })),
      make("div", { className: "side" }, details, list)),
    section(t("plan.names-title"), t("plan.names-note"), nameForm, nameList));
  const floor = Number(parameter("floor"));
  if (parameter("floor") !== null && !Number.isNaN(floor)) floorPlan.show(floor);
  const wanted = plan.spaces.find((space) => space.space === parameter("space"));
  showMoment(await ask("/v1/operator/moment", { body: { venue: venue.venue } }));
  if (wanted) floorPlan.choose(wanted.space);
  if (mode === "density") await loadMeans();
  setLive(true);
}, { role: "contact-tracer" });
