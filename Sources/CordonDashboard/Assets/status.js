// The server itself: readiness, store, retention, rows since it started. No data of devices.

import { make } from "./parts.js";
import { ask } from "./api.js";
import { dataTable, figures, section } from "./charts.js";
import { repeat, start } from "./frame.js";
import { duration, number, t, textOr } from "./strings.js";

const facts = (list) => make("dl", { className: "facts" }, ...list.flatMap(([name, value]) => [
  make("dt", { textContent: name }), make("dd", { textContent: value })]));

start(async ({ clock, root }) => {
  const box = make("div");
  root.append(box);
  await repeat(10, async () => {
    const status = await ask("/v1/operator/status");
    const { rows, contacts, retention, faults } = status;
    const refused = rows.refused.reduce((sum, entry) => sum + entry.rows, 0);
    box.replaceChildren(
      figures([
        [t("status.state"), t(status.is_ready ? "status.ready" : "status.not-ready"), status.causes.map((cause) => t(`gap.${cause}`)).join(" ")],
        [t("status.devices"), number(status.devices), t("status.devices-note", { n: status.venues })],
        [t("status.stored"), number(rows.stored), t("status.since-start")],
        [t("status.refused"), number(refused), t("status.since-start")],
      ]),
      section(t("status.retention"), t("status.retention-note"), facts([
        [t("status.positions"), duration(retention.positions_s)], [t("status.contacts"), duration(retention.contacts_s)],
        [t("status.silent"), duration(retention.devices_s)], [t("status.audit"), duration(retention.audit_s)],
        [t("status.last-run"), retention.last_run ? clock.full(retention.last_run) : t("status.not-yet")],
        [t("status.deleted"), t("status.deleted-text", { positions: retention.deleted_positions, contacts: retention.deleted_contacts })],
        [t("status.erased"), number(retention.erased_devices)],
      ])),
      section(t("status.contact-search"), "", facts([
        [t("status.distance"), `${number(contacts.distance_m, 2)} m`], [t("status.gap"), duration(contacts.gap_s)],
        [t("status.changes"), number(contacts.changes)], [t("status.in-memory"), number(contacts.points_in_memory)],
        [t("status.late"), number(contacts.late_stretches)],
      ])),
      section(t("status.rows"), t("status.rows-note"), dataTable(t("status.refused-by"), [t("table.reason"), [t("table.rows"), true]],
        rows.refused.map((entry) => make("tr", {}, make("th", { scope: "row", className: "name", textContent: textOr(`refusal.${entry.reason}`, entry.reason) }),
          make("td", { className: "n", "data-l": t("table.rows"), textContent: number(entry.rows) }))), { empty: t("status.none-refused") })),
      section(t("status.store"), "", facts([
        [t("status.batches"), number(rows.batches)], [t("status.commits"), number(rows.commits)],
        [t("status.faults"), number(faults.count)], [t("status.last-fault"), faults.last ?? t("overview.none")],
      ])));
  });
}, { needsVenue: false, role: "operator" });
