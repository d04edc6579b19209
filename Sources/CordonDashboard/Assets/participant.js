// The view of a participant: progress, data on a plan and as figures, rewards, settings, pause, leaving, privacy.

import { draw as svg, make } from "./parts.js";
import { save } from "./api.js";
import { bar, dataTable, figures, section } from "./charts.js";
import { FloorPlan } from "./floor-plan.js";
import { language, number, percent, t } from "./strings.js";

const money = (units, currency) => {
  try {
    return (units / 100).toLocaleString(language, { style: "currency", currency });
  } catch {
    return `${number(units)} ${currency}`;
  }
};

/** Asks before something that cannot be undone. */
const confirmed = (text, label) => new Promise((resolve) => {
  const dialog = make("dialog", { className: "card" }, make("p", { textContent: text }),
    make("form", { method: "dialog", className: "fields" }, make("button", { className: "danger", value: "yes", textContent: label }),
      make("button", { value: "no", textContent: t("devices.cancel"), autofocus: true })));
  dialog.addEventListener("close", () => { resolve(dialog.returnValue === "yes"); dialog.remove(); });
  document.body.append(dialog);
  dialog.showModal();
});

/** Positions as a drawing without a map from elsewhere: metres around their middle, with a scale. */
const plan = (locations) => {
  const [width, height] = [600, 360];
  if (!locations.length) return make("p", { className: "note", textContent: t("participant.no-data") });
  const middle = locations[Math.floor(locations.length / 2)];
  const metres = locations.map((entry) => [
    (entry.lon - middle.lon) * 111320 * Math.cos((middle.lat * Math.PI) / 180), (entry.lat - middle.lat) * 110540, entry]);
  const [xs, ys] = [metres.map(([x]) => x), metres.map(([, y]) => y)];
  const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = Math.min((width - 40) / Math.max(east - west, 50), (height - 40) / Math.max(north - south, 50));
  const at = ([x, y]) => [20 + (x - west) * scale, height - 20 - (y - south) * scale];
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": t("participant.plan", { n: locations.length }) });
  drawing.append(svg("polyline", { class: "line-truth", points: metres.map((entry) => at(entry).map((value) => value.toFixed(1)).join(",")).join(" "), fill: "none" }));
  for (const entry of metres) {
    const [cx, cy] = at(entry).map((value) => value.toFixed(1));
    drawing.append(svg("circle", { class: "area-truth", cx, cy, r: Math.max(2, Math.min(40, (entry[2].accuracy ?? 50) * scale)).toFixed(1), "fill-opacity": 0.25 }));
  }
  const step = [10, 50, 100, 500, 1000, 5000, 10000, 50000].find((length) => length * scale > 60) ?? 100000;
  drawing.append(svg("line", { class: "base", x1: 20, x2: 20 + step * scale, y1: height - 6, y2: height - 6 }));
  return make("figure", { className: "study-plan card" }, drawing, make("p", { className: "note", textContent: t("participant.scale", { metres: step }) }));
};

/** Positions on the plan of a venue. Phones of studies know no floor, so that each floor shows all of them. */
const venuePlan = ({ plan: map, positions }) => {
  const drawing = new FloorPlan(map);
  drawing.place(map.floors.flatMap(({ floor }) => positions.map(([time, x, y]) => ({ key: `${floor} ${time}`, floor, xy: [x, y] }))));
  return make("div", { className: "card" }, make("h3", { textContent: t("participant.venue", { venue: map.name, n: positions.length }) }),
    drawing.element, make("p", { className: "note", textContent: t("participant.no-floor") }));
};

/** Draws everything. `tools`: call, attempt, clock, again (asks anew), forget (removes the key). */
const draw = (root, progress, { call, attempt, clock, again, forget }) => {
  const { rewards, settings } = progress;
  const act = (label, className, action) => {
    const button = make("button", { type: "button", className, textContent: label });
    button.addEventListener("click", () => attempt(action));
    return button;
  };
  const total = progress.days.reduce((sum, day) => sum + day.valid_minutes, 0);
  const overview = section(progress.title, t("participant.state", { state: t(`participant.is-${progress.state}`) }),
    figures([[t("participant.progress"), percent(progress.progress)], [t("participant.days-left"), number(progress.days_left)],
      [t("participant.minutes"), number(total), t("participant.minutes-note")], ...(rewards ? [[t("participant.credits"), number(rewards.balance), money(rewards.balance * rewards.units_per_credit, rewards.currency)]] : [])]),
    bar(progress.progress, percent(progress.progress)));

  const locations = make("div");
  const load = act(t("participant.show-plan"), "", async () => {
    const [copy, { plans }] = await Promise.all([call("/v1/studies/me/data"), call("/v1/studies/me/plans")]);
    locations.replaceChildren(...plans.map(venuePlan), plan(copy.locations.slice(-2000)));
  });
  const copyButton = act(t("participant.copy"), "", async () => {
    const copy = await call("/v1/studies/me/data");
    save("my-data.json", "application/json", JSON.stringify(copy, null, 1) + "\n");
  });
  const days = dataTable(t("participant.days"), [t("participant.day"), [t("participant.minutes"), true], [t("participant.positions"), true], [t("participant.distance"), true]],
    [...progress.days].reverse().slice(0, 60).map((day) => make("tr", {}, make("th", { scope: "row", textContent: day.date }),
      make("td", { className: "n", "data-l": t("participant.minutes"), textContent: number(day.valid_minutes) }),
      make("td", { className: "n", "data-l": t("participant.positions"), textContent: number(day.positions) }),
      make("td", { className: "n", "data-l": t("participant.distance"), textContent: `${number(day.distance_m / 1000, 1)} km` }))), { empty: t("participant.no-data") });
  const data = section(t("participant.data"), t("participant.data-note"), make("div", { className: "fields" }, load, copyButton), locations, days);

  const paid = rewards && section(t("participant.rewards"), t("participant.rewards-note", { n: rewards.minutes_per_credit, worth: money(rewards.units_per_credit, rewards.currency), minimum: rewards.minimum_payout }),
    figures([[t("participant.earned"), number(rewards.earned)], [t("participant.balance"), number(rewards.balance)],
      [t("participant.pending"), money(rewards.pending, rewards.currency)], [t("participant.paid"), money(rewards.paid, rewards.currency)]]),
    dataTable(t("participant.payouts"), [t("participant.day"), [t("participant.credits"), true], [t("participant.amount"), true], t("participant.status")],
      rewards.payouts.map((payout) => make("tr", {}, make("th", { scope: "row", textContent: clock.day(payout.time) }),
        make("td", { className: "n", "data-l": t("participant.credits"), textContent: number(payout.credits) }),
        make("td", { className: "n", "data-l": t("participant.amount"), textContent: money(payout.amount, rewards.currency) }),
        make("td", { "data-l": t("participant.status"), textContent: t(`participant.payout-${payout.state}`) }))), { empty: t("participant.no-payouts") }));

  const help = make("p", { className: "note", role: "status" });
  const permissions = dataTable(t("participant.permissions"), [t("participant.permission"), t("participant.status"), t("devices.action")],
    progress.permissions.filter((entry) => entry.is_needed || entry.state !== "unknown").map((entry) => make("tr", {},
      make("th", { scope: "row", textContent: t(`participant.permission-${entry.permission}`) }),
      make("td", { "data-l": t("participant.status") }, make("span", { className: entry.state === "given" ? "tag good" : entry.state === "lost" ? "tag bad" : "tag", textContent: t(`participant.permission-${entry.state}`) })),
      make("td", {}, ...(entry.state === "lost" ? [act(t("participant.resolve"), "", async () => { help.textContent = t(`participant.resolve-${entry.permission}`); })] : [])))));
  const input = (id, label, attributes) => [make("div", {}, make("label", { htmlFor: id, textContent: label }), make("input", { id, autocomplete: "off", ...attributes })), id];
  const [hoursBox] = input("hours", t("participant.interval"), { type: "number", min: "1", max: "720", value: settings.reminder_interval_hours ?? "" });
  const [payBox] = input("payment", t("participate.payment"), { maxLength: 200, placeholder: settings.has_payment ? t("participant.kept") : "" });
  const [mailBox] = input("email", t("participate.email"), { type: "email", maxLength: 254, placeholder: settings.has_email ? t("participant.kept") : "" });
  const form = make("form", { className: "fields" }, hoursBox, mailBox, ...(rewards ? [payBox] : []), make("button", { textContent: t("participant.save") }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async () => {
      const value = (id) => form.querySelector(`#${id}`)?.value.trim() ?? "";
      const identity = Object.fromEntries(["payment", "email"].filter((id) => value(id)).map((id) => [id, value(id)]));
      await call("/v1/studies/me", { method: "PUT", body: { language, ...(value("hours") ? { reminder_interval_hours: Number(value("hours")) } : {}),
        ...(Object.keys(identity).length ? { identity } : {}) } });
      again();
    });
  });
  const post = (name) => async () => { await call(`/v1/studies/me/${name}`, { method: "POST" }); again(); };
  const hasLeft = progress.state === "left";
  const choices = make("div", { className: "fields" },
    ...(hasLeft ? [] : [progress.state === "paused" ? act(t("participant.resume"), "primary", post("resume")) : act(t("participant.pause"), "", post("pause")),
      act(t("participant.leave"), "danger", async () => { if (await confirmed(t("participant.leave-text"), t("participant.leave"))) await post("leave")(); })]),
    act(t("participant.erase"), "danger", async () => {
      if (!(await confirmed(t("participant.erase-text"), t("participant.erase")))) return;
      await call("/v1/studies/me", { method: "DELETE" });
      forget();
    }), act(t("participant.sign-out"), "", async () => forget()));
  const settingsPart = section(t("participant.settings"), "", permissions, help, form, choices);

  const isOld = progress.consent !== progress.consent_current && !hasLeft;
  const privacy = section(t("participant.privacy"), t("participant.privacy-note", { n: progress.retention_days }),
    make("h3", { textContent: t("participate.consent", { version: String(progress.consent) }) }), make("p", { textContent: progress.consent_text }),
    ...(progress.purposes.length ? [make("h3", { textContent: t("participate.purposes") }), make("ul", {}, ...progress.purposes.map((text) => make("li", { textContent: text })))] : []),
    ...(isOld ? [make("p", { className: "warning", textContent: t("participant.consent-old") }),
      act(t("participant.consent-again"), "primary", async () => { await call("/v1/studies/me/consent", { method: "POST", body: { consent: progress.consent_current } }); again(); })] : []));
  root.replaceChildren(overview, data, ...(paid ? [paid] : []), settingsPart, privacy);
};

export { draw };
