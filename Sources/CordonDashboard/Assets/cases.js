// Cases: an index device, a window, the exposures by a rule, whom to notify, and what became of them.

import { make } from "./parts.js";
import { ask, save } from "./api.js";
import { dataTable, figures, section } from "./charts.js";
import { attempt, deviceInMark, deviceMark, keep, linkTo, parameter, start } from "./frame.js";
import { grid } from "./grid.js";
import { reasonField } from "./reason.js";
import { duration, number, percent, t } from "./strings.js";

const DAY = 86400000;
const STATUSES = ["open", "notified", "reached", "declined", "closed"];
const TEMPLATES = ["exposure", "test", "quarantine", "all-clear"];

const labelled = (label, element, note) => make("div", {}, make("label", { htmlFor: element.id, textContent: label }), element, ...(note ? [make("small", { className: "note", textContent: note })] : []));
const button = (text, action, className = "") => {
  const element = make("button", { type: "button", className, textContent: text });
  element.addEventListener("click", () => attempt(action));
  return element;
};

/** The fields of a case: `element`, `values()`. The window follows the onset: from two days before it to ten days behind it. */
const caseFields = (clock, file) => {
  const input = (id, type, value, more = {}) => make("input", { id, type, value, ...more });
  const text = (time) => (time === null || time === undefined ? "" : clock.field(time));
  const label = input("case-label", "text", file?.label ?? "", { required: true, maxLength: 80 });
  const onset = input("case-onset", "datetime-local", text(file?.onset));
  const from = input("case-from", "datetime-local", text(file?.from ?? Date.now() - 2 * DAY), { required: true });
  const to = input("case-to", "datetime-local", text(file?.to ?? Date.now()), { required: true });
  const minutes = input("case-minutes", "number", String(file?.threshold_minutes ?? 15), { min: "1", max: "1440", required: true });
  const walls = input("case-walls", "number", String(file?.wall_percent ?? 100), { min: "0", max: "100", required: true });
  const note = make("textarea", { id: "case-note", rows: 3, maxLength: 5000, value: file?.note ?? "" });
  onset.addEventListener("change", () => {
    if (!onset.value) return;
    const time = clock.fromField(onset.value);
    from.value = clock.field(time - 2 * DAY);
    to.value = clock.field(Math.min(Date.now(), time + 10 * DAY));
  });
  return {
    element: make("div", { className: "fields" }, labelled(t("cases.label"), label), labelled(t("cases.onset"), onset, t("cases.onset-note")),
      labelled(t("cases.from"), from), labelled(t("cases.to"), to), labelled(t("cases.minutes"), minutes), labelled(t("cases.walls"), walls),
      make("div", { className: "grow" }, make("label", { htmlFor: "case-note", textContent: t("cases.note") }), note)),
    values: () => ({
      label: label.value.trim(), onset: onset.value ? String(clock.fromField(onset.value)) : "", from: String(clock.fromField(from.value)),
      to: String(clock.fromField(to.value)), threshold_minutes: Number(minutes.value), wall_percent: Number(walls.value), note: note.value,
    }),
  };
};

/** A list whose generations open by click. */
const treeList = (devices, clock) => {
  const children = new Map();
  for (const device of devices) if (device.parent !== null) children.set(device.parent, [...(children.get(device.parent) ?? []), device]);
  const item = (device) => {
    const below = children.get(device.device) ?? [];
    const words = device.parent === null ? t("cases.index")
      : t("cases.tree-text", { time: clock.short(device.start), duration: duration(device.duration_s), distance: number(device.minimum_distance_m, 1) });
    const head = [make("b", { textContent: device.device }), " ", make("span", { className: "note", textContent: words })];
    if (!below.length) return make("li", {}, ...head);
    return make("li", {}, make("details", { open: device.generation === 0 },
      make("summary", {}, ...head, " ", make("span", { className: "tag", textContent: t("cases.passed", { n: below.length }) })), make("ul", {}, ...below.map(item))));
  };
  return make("ul", { className: "tree" }, ...devices.filter((device) => device.parent === null).map(item));
};

start(async ({ venue, clock, root }) => {
  const reason = reasonField();
  const box = make("div");
  root.append(box);
  const open = (id) => { keep({ case: id }); return draw(); };
  const draw = () => (parameter("case") ? drawCase(parameter("case")) : drawList());

  const drawList = async () => {
    const { cases } = await ask("/v1/operator/cases", { query: { venue: venue.venue } });
    const device = make("input", { id: "case-device", required: true, maxLength: 128, autocomplete: "off", value: deviceInMark() });
    const fields = caseFields(clock, null);
    const form = make("form", {}, make("div", { className: "fields" }, labelled(t("cases.device"), device, t("cases.device-note")), reason.element), fields.element,
      make("button", { className: "primary", textContent: t("cases.make") }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!reason.check()) return;
      attempt(async () => {
        const made = await ask("/v1/operator/cases", { body: { venue: venue.venue, device: device.value.trim(), reason: reason.value(), ...fields.values() } });
        await open(made.number);
      });
    });
    const rows = cases.map((file) => {
      const link = make("a", { href: linkTo("cases", { case: file.number }), textContent: file.label });
      link.addEventListener("click", (event) => { event.preventDefault(); attempt(() => open(file.number)); });
      const waiting = Object.entries(file.statuses).filter(([, count]) => count > 0).map(([status, count]) => `${t(`cases.status-${status}`)}: ${number(count)}`).join(", ");
      return make("tr", {}, make("th", { scope: "row", className: "name" }, link),
        make("td", { "data-l": t("cases.onset"), textContent: file.onset === null ? "–" : clock.date(file.onset) }),
        make("td", { "data-l": t("cases.window"), textContent: `${clock.short(file.from)} – ${clock.short(file.to)}` }),
        make("td", { "data-l": t("cases.statuses"), textContent: waiting || "–" }),
        make("td", { "data-l": t("cases.state") }, make("span", { className: file.closed === null ? "tag bad" : "tag", textContent: file.closed === null ? t("cases.state-open") : t("cases.state-closed", { time: clock.date(file.closed) }) })));
    });
    box.replaceChildren(section(t("cases.list"), t("cases.list-note"), dataTable(t("cases.list"), [t("cases.label"), t("cases.onset"), t("cases.window"), t("cases.statuses"), t("cases.state")], rows, { empty: t("cases.none") })),
      section(t("cases.new"), t("cases.new-note"), form));
  };

  const drawCase = async (id) => {
    if (reason.value().length < 3) {
      const form = make("form", { className: "fields card" }, reason.element, make("button", { className: "primary", textContent: t("cases.open") }));
      form.addEventListener("submit", (event) => { event.preventDefault(); if (reason.check()) attempt(() => drawCase(id)); });
      box.replaceChildren(form, make("p", {}, button(t("cases.back"), () => open(null))));
      return;
    }
    const path = `/v1/operator/cases/${encodeURIComponent(id)}`;
    const why = () => ({ reason: reason.value() });
    const file = await ask(`${path}/exposures`, { body: why() });
    const exposures = file.exposures.filter((entry) => entry.is_exposure);
    const chosen = new Set();
    const change = (entry, values) => attempt(async () => {
      Object.assign(entry, values);
      await ask(`${path}/status`, { method: "PUT", body: { ...why(), device: entry.device, holder: entry.is_of_former_holder ? "former" : "present", status: entry.status, note: entry.note } });
      entry.changed = Date.now();
      refresh();
    });
    const statusNode = (entry) => {
      const select = make("select", { "aria-label": t("cases.status-of", { device: entry.device }) }, ...STATUSES.map((status) => make("option", { value: status, textContent: t(`cases.status-${status}`) })));
      select.value = entry.status;
      select.addEventListener("change", () => change(entry, { status: select.value }));
      return select;
    };
    const noteNode = (entry) => {
      const input = make("input", { "aria-label": t("cases.note-of", { device: entry.device }), value: entry.note, maxLength: 2000 });
      input.addEventListener("change", () => change(entry, { note: input.value }));
      return input;
    };
    const pickNode = (entry) => {
      // Only the present holder of a device gets notices there.
      if (entry.is_of_former_holder) return make("span", { textContent: t("cases.former", { device: entry.device }) });
      const check = make("input", { type: "checkbox", checked: chosen.has(entry.device), "aria-label": t("cases.pick", { device: entry.device }) });
      check.addEventListener("change", () => { if (check.checked) chosen.add(entry.device); else chosen.delete(entry.device); });
      const link = make("a", { href: linkTo("device") + deviceMark(entry.device), textContent: entry.device });
      return make("span", {}, make("label", { className: "no-print" }, check, " "), link);
    };
    const known = (value, text) => (value === null || value === undefined ? "–" : text(value));
    const table = grid({
      caption: t("cases.exposures"), file: `case-${id}`, sortedBy: "maximum_in_window_s",
      columns: [
        { key: "device", name: t("table.device"), value: (row) => row.device, text: (row) => (row.is_of_former_holder ? t("cases.former", { device: row.device }) : row.device), node: pickNode },
        { key: "maximum_in_window_s", name: t("cases.in-a-day"), value: (row) => row.maximum_in_window_s ?? 0, text: (row) => known(row.maximum_in_window_s, duration), isNumber: true },
        { key: "contacts", name: t("device.contacts"), value: (row) => row.contacts ?? 0, text: (row) => known(row.contacts, number), isNumber: true },
        { key: "minimum_distance_m", name: t("device.nearest"), value: (row) => row.minimum_distance_m ?? 99, text: (row) => known(row.minimum_distance_m, (value) => `${number(value, 2)} m`), isNumber: true },
        { key: "last_contact", name: t("cases.last"), value: (row) => (row.last_contact ? new Date(row.last_contact).toISOString() : ""), text: (row) => known(row.last_contact, clock.short) },
        { key: "wall_share", name: t("device.wall"), value: (row) => row.wall_share ?? -1, text: (row) => known(row.wall_share, percent), isNumber: true },
        { key: "probability", name: t("cases.probability"), value: (row) => row.probability ?? -1, text: (row) => known(row.probability, percent), isNumber: true },
        { key: "assertable", name: t("cases.assertable"), value: (row) => String(row.assertable ?? ""), text: (row) => known(row.assertable, (value) => t(value ? "cases.yes" : "cases.no")) },
        { key: "is_exposure", name: t("cases.exposure"), value: (row) => String(row.is_exposure ?? ""), text: (row) => known(row.is_exposure, (value) => t(value ? "cases.yes" : "cases.no")) },
        { key: "status", name: t("cases.status"), value: (row) => row.status, text: (row) => t(`cases.status-${row.status}`), node: statusNode },
        { key: "note", name: t("cases.note"), value: (row) => row.note, text: (row) => row.note, node: noteNode },
        { key: "notice", name: t("cases.notice"), value: (row) => row.notice ?? "", text: (row) => (row.notice ? t(`cases.notice-${row.notice}`) : "–") },
      ],
    });
    const head = make("div", { "aria-live": "polite" });
    const refresh = () => {
      const waiting = exposures.filter((entry) => entry.status === "open").length;
      const reached = file.exposures.filter((entry) => entry.status === "reached").length;
      head.replaceChildren(figures([
        [t("cases.exposures"), number(exposures.length), t("cases.rule", { minutes: file.threshold_minutes, distance: number(file.distance_m, 1) })],
        [t("cases.to-notify"), number(waiting), t("cases.status-open")], [t("cases.reached"), number(reached), ""],
        [t("cases.window"), clock.date(file.from), t("cases.until", { time: clock.date(file.to) })],
      ]));
    };
    refresh();
    table.show(file.exposures);
    const facts = [[t("cases.device"), file.device], [t("cases.onset"), known(file.onset, clock.short)], [t("cases.made"), `${clock.short(file.created)} (${file.creator})`],
      [t("cases.state"), file.closed === null ? t("cases.state-open") : t("cases.state-closed", { time: clock.short(file.closed) })], [t("cases.printed"), clock.full(Date.now())]];
    const only = make("input", { type: "checkbox", id: "only", checked: false });
    only.addEventListener("change", () => table.show(only.checked ? exposures : file.exposures));
    const put = async (values) => { await ask(path, { method: "PUT", body: { ...why(), ...values } }); await drawCase(id); };

    const template = make("select", { id: "template" }, ...TEMPLATES.map((name) => make("option", { value: name, textContent: t(`cases.template-${name}`) })));
    const advice = make("textarea", { id: "advice", rows: 2, maxLength: 1000 });
    const notices = make("form", { className: "fields" }, labelled(t("cases.template"), template),
      make("div", { className: "grow" }, make("label", { htmlFor: "advice", textContent: t("cases.advice") }), advice), make("button", { className: "primary", textContent: t("cases.send") }));
    const sent = make("p", { className: "note", role: "status" });
    notices.addEventListener("submit", (event) => {
      event.preventDefault();
      attempt(async () => {
        const devices = [...chosen];
        if (!devices.length) { sent.textContent = t("cases.pick-first"); return; }
        let made = 0;
        for (let k = 0; k < devices.length; k += 100) {
          const part = devices.slice(k, k + 100);
          made += (await ask(`${path}/notices`, { body: { ...why(), devices: part, template: template.value, advice: advice.value } })).made;
        }
        await drawCase(id);
        box.querySelector("#sent").textContent = t("cases.sent", { n: made });
      });
    });
    sent.id = "sent";
    const tree = make("div", { "aria-live": "polite" });
    const generations = make("select", { id: "generations" }, ...[1, 2, 3, 4].map((n) => make("option", { value: String(n), textContent: String(n) })));
    generations.value = "2";
    const showTree = async () => {
      const found = await ask(`${path}/tree`, { body: { ...why(), generations: Number(generations.value) } });
      const counts = [...new Set(found.devices.map((device) => device.generation))].filter(Boolean).map((n) => t("cases.generation", { generation: n, n: found.devices.filter((device) => device.generation === n).length }));
      tree.replaceChildren(make("p", { className: "readout", textContent: counts.join(" · ") || t("cases.no-tree") }), treeList(found.devices, clock),
        ...(found.is_complete ? [] : [make("p", { className: "note", textContent: t("cases.tree-cut") })]));
    };
    const fields = caseFields(clock, file);
    const edit = make("form", {}, fields.element, make("button", { className: "primary", textContent: t("cases.save") }));
    edit.addEventListener("submit", (event) => { event.preventDefault(); attempt(() => put(fields.values())); });
    const remove = make("details", { className: "no-print" }, make("summary", { textContent: t("cases.delete") }), make("p", { textContent: t("cases.delete-note") }),
      button(t("cases.delete"), async () => { await ask(path, { method: "DELETE", body: why() }); await open(null); }, "danger"));
    box.replaceChildren(
      make("p", { className: "no-print" }, button(t("cases.back"), () => open(null))),
      make("h2", { textContent: t("cases.title", { label: file.label }) }),
      ...(file.is_device_known ? [] : [make("p", { className: "warning", textContent: t("cases.unknown") })]), head,
      make("dl", { className: "facts" }, ...facts.flatMap(([name, value]) => [make("dt", { textContent: name }), make("dd", { textContent: value })])),
      section(t("cases.exposures"), t("cases.exposures-note"), make("p", { className: "no-print" }, make("label", { htmlFor: "only" }, only, " ", t("cases.only"))), table.element,
        make("p", { className: "no-print fields" }, button(t("cases.export"), () => save(`case-${id}.json`, "application/json", JSON.stringify(file, null, 1) + "\n")), button(t("cases.report"), () => window.print()))),
      // The answers of an interview are records of a form; a server without forms has no such page.
      ...(document.querySelector('nav a[href^="/console/forms"]') ? [section(t("cases.interview"), t("cases.interview-note"),
        make("p", { className: "no-print" }, make("a", { className: "button", href: linkTo("forms", { form: "interview" }), textContent: t("title.forms") })))] : []),
      make("div", { className: "no-print" }, section(t("cases.notices"), t("cases.notices-note"), notices, sent)),
      section(t("cases.tree"), t("cases.tree-note"), make("div", { className: "fields no-print" }, labelled(t("cases.generations"), generations), button(t("cases.show-tree"), showTree)), tree),
      make("div", { className: "no-print" }, section(t("cases.edit"), "", edit,
        make("p", { className: "fields" }, button(t(file.closed === null ? "cases.close" : "cases.reopen"), () => put({ state: file.closed === null ? "closed" : "open" }))), make("p", { className: "note", textContent: t("cases.retention") }), remove)));
  };
  await draw();
}, { role: "contact-tracer" });
