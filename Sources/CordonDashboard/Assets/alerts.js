// Alerts: rules, what holds now, what was raised before.

import { make } from "./parts.js";
import { ask } from "./api.js";
import { dataTable, section } from "./charts.js";
import { spaceName } from "./floor-plan.js";
import { attempt, repeat, start } from "./frame.js";
import { grid } from "./grid.js";
import { reasonField } from "./reason.js";
import { duration, number, t } from "./strings.js";

const KINDS = ["over-capacity", "more-than", "no-data", "device-silent", "retention-late"];

start(async ({ venue, clock, root, plan: getPlan, may }) => {
  const plan = await getPlan();
  const nameOf = (id) => { const space = plan?.spaces.find((entry) => entry.space === id); return space ? spaceName(space) : id; };
  const place = (rule) => (rule.space ? nameOf(rule.space) : rule.floor !== null ? plan?.floors.find((floor) => floor.floor === rule.floor)?.name ?? t("floor.number", { floor: rule.floor }) : t("alerts.everywhere"));
  const limit = (rule) => (rule.kind === "over-capacity" ? `${number(rule.threshold)} %` : rule.kind === "more-than" ? number(rule.threshold) : "–");
  const value = (rule, alert) => (rule.kind === "over-capacity" ? `${number(alert.peak)} %` : rule.kind === "more-than" ? number(alert.peak) : rule.kind === "retention-late" ? duration(alert.peak) : "–");
  const [now, rulesBox] = [make("div", { "aria-live": "polite" }), make("div")];
  const history = grid({
    caption: t("alerts.history"), file: "alerts", sortedBy: "raised",
    columns: [
      { key: "rule", name: t("alerts.rule"), value: (row) => row.rule.name, text: (row) => row.rule.name },
      { key: "raised", name: t("alerts.raised"), value: (row) => new Date(row.raised).toISOString(), text: (row) => clock.short(row.raised) },
      { key: "lasted_s", name: t("alerts.lasted"), value: (row) => ((row.ended ?? Date.now()) - row.began) / 1000, text: (row) => duration(((row.ended ?? Date.now()) - row.began) / 1000), isNumber: true },
      { key: "peak", name: t("alerts.peak"), value: (row) => row.peak, text: (row) => value(row.rule, row), isNumber: true },
      { key: "space", name: t("table.space"), value: (row) => row.space ?? "", text: (row) => (row.space ? nameOf(row.space) : "–") },
      { key: "state", name: t("alerts.state"), value: (row) => (row.ended === null ? "open" : "ended"), text: (row) => t(row.ended === null ? "alerts.open" : "alerts.ended") },
      { key: "delivery", name: t("alerts.delivery"), value: (row) => row.delivery, text: (row) => (row.sent === null ? t(`alerts.delivery-${row.delivery}`) : t("alerts.sent", { time: clock.short(row.sent) })) },
      { key: "acknowledged", name: t("alerts.acknowledged"), value: (row) => row.acknowledged ?? "", text: (row) => row.acknowledged ?? "–" },
    ],
  });
  const button = (text, label, action, className = "") => {
    const element = make("button", { type: "button", className, textContent: text, "aria-label": label });
    element.addEventListener("click", () => attempt(async () => { await action(); await load(); }));
    return element;
  };
  const change = (rule, body) => ask(`/v1/operator/alerts/${rule.number}`, { method: "PUT", body });
  const load = async () => {
    const { rules } = await ask("/v1/operator/alerts", { query: { venue: venue.venue } });
    const all = rules.flatMap((rule) => rule.alerts.map((alert) => ({ ...alert, rule })));
    const open = all.filter((alert) => alert.ended === null);
    now.replaceChildren(open.length ? dataTable(t("alerts.now"), [t("alerts.rule"), t("table.space"), t("alerts.since"), [t("alerts.peak"), true], t("devices.action")], open.map((alert) => make("tr", {},
      make("th", { scope: "row", className: "name" }, make("span", { className: "tag bad", textContent: t("alerts.open") }), " ", alert.rule.name),
      make("td", { "data-l": t("table.space"), textContent: alert.space ? nameOf(alert.space) : place(alert.rule) }), make("td", { "data-l": t("alerts.since"), textContent: clock.short(alert.began) }),
      make("td", { className: "n", "data-l": t("alerts.peak"), textContent: value(alert.rule, alert) }),
      make("td", {}, alert.acknowledged ? make("span", { className: "note", textContent: t("alerts.by", { operator: alert.acknowledged }) })
        : button(t("alerts.acknowledge"), t("alerts.acknowledge-of", { rule: alert.rule.name }), () => change(alert.rule, { acknowledge: alert.number }))))))
      : make("p", { className: "note", textContent: t("alerts.none") }));
    rulesBox.replaceChildren(dataTable(t("alerts.rules"), [t("alerts.rule"), t("alerts.kind"), t("utilisation.place"), [t("alerts.limit"), true], [t("alerts.lasting"), true], t("alerts.state"), t("devices.action")], rules.map((rule) => make("tr", {},
      make("th", { scope: "row", className: "name", textContent: rule.name }), make("td", { "data-l": t("alerts.kind"), textContent: t(`alerts.kind-${rule.kind}`) }),
      make("td", { "data-l": t("utilisation.place"), textContent: place(rule) }), make("td", { className: "n", "data-l": t("alerts.limit"), textContent: limit(rule) }),
      make("td", { className: "n", "data-l": t("alerts.lasting"), textContent: duration(rule.lasting_s) }),
      make("td", { "data-l": t("alerts.state") }, make("span", { className: rule.is_on ? "tag good" : "tag", textContent: t(rule.is_on ? "alerts.on" : "alerts.off") })),
      make("td", { className: "actions" }, button(t(rule.is_on ? "alerts.turn-off" : "alerts.turn-on"), `${t(rule.is_on ? "alerts.turn-off" : "alerts.turn-on")}: ${rule.name}`, () => change(rule, { state: rule.is_on ? "off" : "on" })), " ",
        button(t("alerts.delete"), `${t("alerts.delete")}: ${rule.name}`, () => ask(`/v1/operator/alerts/${rule.number}`, { method: "DELETE" }), "danger")))), { empty: t("alerts.no-rules") }));
    history.show(all);
  };
  const field = (id, label, element) => { element.id = id; return make("div", {}, make("label", { htmlFor: id, textContent: label }), element); };
  const name = make("input", { required: true, maxLength: 80 });
  const kind = make("select", {}, ...KINDS.map((entry) => make("option", { value: entry, textContent: t(`alerts.kind-${entry}`) })));
  const places = make("select", {}, make("option", { value: "", textContent: t("alerts.everywhere") }),
    ...(plan?.floors ?? []).map((floor) => make("option", { value: `floor ${floor.floor}`, textContent: floor.name })),
    ...(plan?.spaces ?? []).filter((space) => space.recording === "full").map((space) => make("option", { value: `space ${space.space}`, textContent: spaceName(space) })));
  const threshold = make("input", { type: "number", min: "0", max: "100000", value: "100", required: true });
  const lasting = make("input", { type: "number", min: "0", max: "1440", value: "1", required: true });
  const device = make("input", { maxLength: 128, autocomplete: "off" });
  const reason = reasonField();
  const [deviceBox, limitBox, placeBox] = [field("alert-device", t("table.device"), device), field("alert-limit", t("alerts.limit-percent"), threshold), field("alert-place", t("utilisation.place"), places)];
  const arrange = () => {
    const isSilent = kind.value === "device-silent";
    deviceBox.hidden = reason.element.hidden = !isSilent;
    device.required = reason.input.required = isSilent;
    limitBox.hidden = !["over-capacity", "more-than"].includes(kind.value);
    placeBox.hidden = limitBox.hidden;
    limitBox.querySelector("label").textContent = t(kind.value === "more-than" ? "alerts.limit-devices" : "alerts.limit-percent");
  };
  kind.addEventListener("change", arrange);
  const form = make("form", { className: "fields" }, field("alert-name", t("alerts.name"), name), field("alert-kind", t("alerts.kind"), kind), placeBox, limitBox,
    field("alert-lasting", t("alerts.minutes"), lasting), deviceBox, reason.element, make("button", { className: "primary", textContent: t("alerts.make") }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async () => {
      const [what, id] = placeBox.hidden ? ["", ""] : [places.value.split(" ")[0], places.value.slice(6)];
      await ask("/v1/operator/alerts", { body: {
        venue: venue.venue, name: name.value.trim(), kind: kind.value, threshold: Number(threshold.value), lasting_s: Number(lasting.value) * 60,
        ...(what === "space" ? { space: id } : {}), ...(what === "floor" ? { floor: id } : {}),
        ...(kind.value === "device-silent" ? { device: device.value.trim(), reason: reason.value() } : {}) } });
      name.value = "";
      await load();
    });
  });
  arrange();
  root.append(section(t("alerts.now"), "", now), section(t("alerts.rules"), t("alerts.rules-note"), ...(may("operator") ? [form] : []), rulesBox), section(t("alerts.history"), "", history.element));
  await repeat(15, load);
}, { role: "operator" });
