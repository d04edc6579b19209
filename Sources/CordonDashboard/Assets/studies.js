// Studies for researchers: making and changing them, invitations, participants, quality of data, rewards, exports, audit.

import { make } from "./parts.js";
import { ask, request, save } from "./api.js";
import { bar, dataTable, figures, section } from "./charts.js";
import { attempt, keep, parameter, start } from "./frame.js";
import { grid } from "./grid.js";
import { reasonField } from "./reason.js";
import { number, percent, t } from "./strings.js";
import { studyForm } from "./study-form.js";

const TABLES = ["locations", "events", "quality", "ledger"];

start(async ({ clock, root, may }) => {
  const [listBox, detail] = [make("div"), make("div", { "aria-live": "polite" })];
  const button = (text, className, action) => {
    const element = make("button", { type: "button", className, textContent: text });
    element.addEventListener("click", () => attempt(action));
    return element;
  };
  const list = async () => {
    const { studies } = await ask("/v1/studies");
    listBox.replaceChildren(dataTable(t("studies.list"), [t("studies.title"), t("studies.code"), t("studies.state"), [t("studies.present"), true], t("studies.ends")], studies.map(({ study, present }) => {
      const open = make("button", { type: "button", className: "link", textContent: study.title });
      open.addEventListener("click", () => attempt(() => show(study.code)));
      return make("tr", {}, make("th", { scope: "row", className: "name" }, open), make("td", { "data-l": t("studies.code"), textContent: study.code }),
        make("td", { "data-l": t("studies.state") }, make("span", { className: study.state === "open" ? "tag good" : "tag", textContent: t(`studies.is-${study.state}`) })),
        make("td", { className: "n", "data-l": t("studies.present"), textContent: number(present) }), make("td", { "data-l": t("studies.ends"), textContent: study.ends.slice(0, 10) }));
    }), { empty: t("studies.none") }));
  };
  const edit = (study) => {
    const form = studyForm(study, (document_) => attempt(async () => {
      const saved = await ask("/v1/studies", { method: "POST", body: document_ });
      await list();
      await show(saved.code);
    }));
    detail.replaceChildren(form);
    form.querySelector("input").focus();
  };

  const invitations = (code) => {
    const uses = make("input", { id: "uses", type: "number", min: "1", max: "10000", value: "1", required: true });
    const days = make("input", { id: "days", type: "number", min: "1", max: "365", value: "30", required: true });
    const made = make("div", { "aria-live": "polite" });
    const form = make("form", { className: "fields" }, make("div", {}, make("label", { htmlFor: "uses", textContent: t("studies.uses") }), uses),
      make("div", {}, make("label", { htmlFor: "days", textContent: t("studies.days") }), days), make("button", { textContent: t("studies.invite") }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      attempt(async () => {
        const answer = await ask(`/v1/studies/${code}/invitations`, { method: "POST", body: { uses: Number(uses.value), days: Number(days.value) } });
        made.replaceChildren(make("div", { className: "card" }, make("p", { className: "code" }, make("code", { id: "invitation", textContent: location.origin + answer.link })),
          make("p", { className: "note", textContent: t("studies.once") })));
      });
    });
    return section(t("studies.enrolment"), t("studies.enrolment-note", { link: `${location.origin}/console/participate?study=${code}` }), form, made);
  };

  const participants = async (code) => {
    const [{ participants: people }, quality] = await Promise.all([ask(`/v1/studies/${code}/participants`), ask(`/v1/studies/${code}/quality`)]);
    const found = new Map(quality.participants.map((entry) => [entry.participant, entry]));
    const column = (key, name, value, text = value, isNumber = true) => ({ key, name: t(name), value, text: (row) => String(text(row)), isNumber });
    const radius = (entry) => (entry ? `${number(entry.median_m ?? 0, 1)} m (${number(entry.count)})` : "–");
    const table = grid({ caption: t("studies.participants"), file: `${code}-participants`, sortedBy: "enrolled", columns: [
      column("participant", "studies.participant", (row) => row.participant, undefined, false),
      column("state", "studies.state", (row) => row.state, (row) => t(`participant.is-${row.state}`), false),
      column("enrolled", "studies.enrolled", (row) => row.enrolled, (row) => clock.short(row.enrolled), false),
      column("valid_minutes", "studies.valid", (row) => row.quality.valid_minutes, (row) => number(row.quality.valid_minutes)),
      { ...column("coverage", "studies.coverage", (row) => row.quality.coverage ?? 0, (row) => percent(row.quality.coverage ?? 0)), node: (row) => bar(row.quality.coverage ?? 0, percent(row.quality.coverage ?? 0)) },
      column("gaps", "studies.gaps", (row) => row.quality.gaps, (row) => number(row.quality.gaps)),
      column("indoors_m", "studies.indoors", (row) => row.quality.indoors?.median_m ?? 0, (row) => radius(row.quality.indoors)),
      column("outdoors_m", "studies.outdoors", (row) => row.quality.outdoors?.median_m ?? 0, (row) => radius(row.quality.outdoors)),
      column("missing", "studies.missing", (row) => row.missing.join(" "), (row) => row.missing.map((name) => t(`participant.permission-${name}`)).join(", ") || "–", false),
      column("reminders", "studies.reminders", (row) => row.reminders, (row) => `${number(row.reminders)} (${number(row.reminders_failed)})`),
    ], extra: [button(t("studies.quality-csv"), "", async () => {
      const response = await request(`/v1/studies/${code}/quality`, { query: { format: "csv" } });
      save(`${code}-quality.csv`, "text/csv", await response.blob());
    })] });
    table.show(people.map((row) => ({ ...row, quality: found.get(row.participant) ?? { valid_minutes: 0, gaps: 0 } })));
    return section(t("studies.participants"), t("studies.participants-note"),
      figures([[t("studies.present"), number(people.filter((row) => row.left === null).length)], [t("studies.coverage"), quality.coverage === null ? "–" : percent(quality.coverage)]]), table.element);
  };

  const rewards = async (code) => {
    const ledger = await ask(`/v1/studies/${code}/ledger`);
    const decide = (payout, approve) => button(t(approve ? "studies.approve" : "studies.refuse"), approve ? "" : "danger", async () => {
      await ask(`/v1/studies/${code}/payouts/${payout.payout}`, { method: "PUT", body: { approve } });
      await show(code);
    });
    return section(t("studies.rewards"), t("studies.rewards-note", { hash: ledger.last_hash.slice(0, 16), n: ledger.entries }),
      figures([[t("participant.earned"), number(ledger.earned)], [t("studies.settled"), number(ledger.settled)], [t("studies.committed"), `${number(ledger.committed / 100, 2)} ${ledger.currency ?? ""}`]]),
      dataTable(t("participant.payouts"), [t("studies.payout"), t("participant.day"), [t("participant.credits"), true], [t("participant.amount"), true], t("studies.state"), t("devices.action")],
        ledger.payouts.map((payout) => make("tr", {}, make("th", { scope: "row", textContent: number(payout.payout) }), make("td", { "data-l": t("participant.day"), textContent: clock.short(payout.time) }),
          make("td", { className: "n", "data-l": t("participant.credits"), textContent: number(payout.credits) }), make("td", { className: "n", "data-l": t("participant.amount"), textContent: number(payout.amount / 100, 2) }),
          make("td", { "data-l": t("studies.state"), textContent: t(`participant.payout-${payout.state}`) + (payout.delay ? ` (${payout.delay})` : "") }),
          make("td", { className: "actions" }, ...(payout.state === "reserved" && may("admin") ? [decide(payout, true), " ", decide(payout, false)] : [])))), { empty: t("participant.no-payouts") }));
  };

  const exports_ = (code) => {
    const reason = reasonField();
    const form = make("div", { className: "fields" }, reason.element, ...TABLES.map((table) => button(t(`studies.table-${table}`), "", async () => {
      if (!reason.check()) return;
      const response = await request(`/v1/studies/${code}/exports/${table}`, { method: "POST", body: { reason: reason.value() } });
      save(`${code}-${table}.csv`, "text/csv", await response.blob());
      await audit(code);
    })));
    return section(t("studies.exports"), t("studies.exports-note"), form);
  };
  const auditBox = make("div");
  const audit = async (code) => {
    const { entries } = await ask(`/v1/studies/${code}/audit`);
    auditBox.replaceChildren(dataTable(t("studies.audit"), [t("table.time"), t("studies.actor"), t("devices.action"), t("reason.label")], entries.slice(0, 100).map((entry) => make("tr", {},
      make("th", { scope: "row", textContent: clock.short(entry.time) }), make("td", { "data-l": t("studies.actor"), textContent: entry.actor }),
      make("td", { "data-l": t("devices.action"), textContent: entry.action }), make("td", { "data-l": t("reason.label"), textContent: entry.reason || "–" })))));
  };

  const show = async (code) => {
    keep({ study: code });
    const study = await ask(`/v1/studies/${encodeURIComponent(code)}`);
    const parts = await Promise.all([participants(code), rewards(code)]);
    await audit(code);
    detail.replaceChildren(make("h2", { textContent: study.title, tabIndex: -1 }), make("p", { className: "note", textContent: study.summary }),
      button(t("studies.edit"), "", async () => edit(study)), invitations(code), parts[0], ...(study.rewards ? [parts[1]] : []), exports_(code), section(t("studies.audit"), "", auditBox));
    detail.querySelector("h2").focus();
  };
  root.append(section(t("studies.list"), t("studies.list-note"), button(t("studies.new"), "primary", async () => edit(null)), listBox), detail);
  await list();
  if (parameter("study")) await show(parameter("study"));
}, { needsVenue: false, role: "operator" });
