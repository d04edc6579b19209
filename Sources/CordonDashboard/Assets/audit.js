// The accesses of operators to persons, with their reasons.

import { make } from "./parts.js";
import { ask } from "./api.js";
import { section } from "./charts.js";
import { attempt, start } from "./frame.js";
import { grid } from "./grid.js";
import { reasonField } from "./reason.js";
import { number, t } from "./strings.js";

const PAGE = 200;

start(async ({ venues, clock, root }) => {
  const nameOf = (id) => venues.find((venue) => venue.venue === id)?.name || id || "–";
  const table = grid({
    caption: t("audit.list"), file: "audit", sortedBy: "time",
    columns: [
      { key: "time", name: t("audit.time"), value: (row) => row.time, text: (row) => clock.short(row.time) },
      { key: "operator", name: t("audit.operator"), value: (row) => row.operator, text: (row) => row.operator },
      { key: "role", name: t("audit.role"), value: (row) => row.role, text: (row) => t(`role.${row.role}`) },
      { key: "action", name: t("audit.action"), value: (row) => row.action, text: (row) => row.action },
      { key: "venue", name: t("audit.venue"), value: (row) => nameOf(row.venue), text: (row) => nameOf(row.venue) },
      { key: "device", name: t("audit.device"), value: (row) => row.device ?? "", text: (row) => row.device ?? "–" },
      { key: "reason", name: t("audit.reason"), value: (row) => row.reason, text: (row) => row.reason || "–" },
      { key: "count", name: t("audit.count"), value: (row) => row.count, text: (row) => number(row.count), isNumber: true },
    ],
  });
  let rows = [];
  let next = null;
  const more = make("button", { type: "button", textContent: t("audit.more"), hidden: true });
  const load = async (body) => {
    const answer = await ask("/v1/operator/audit", { body: { limit: PAGE, ...body } });
    next = answer.next_before;
    more.hidden = next === null;
    rows = [...rows, ...answer.entries];
    table.show(rows);
  };
  const device = make("input", { id: "audit-device", type: "search", autocomplete: "off" });
  const reason = reasonField();
  // Only a look at one device needs a reason; without one the field is not required.
  reason.input.required = false;
  const chosen = () => (device.value.trim() ? { device: device.value.trim(), reason: reason.value() } : {});
  const form = make("form", { className: "fields" },
    make("div", { className: "grow" }, make("label", { htmlFor: "audit-device", textContent: t("audit.one-device") }), device), reason.element,
    make("button", { textContent: t("audit.show") }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    reason.input.required = device.value.trim() !== "";
    if (!reason.check()) return;
    rows = [];
    attempt(() => load(chosen()));
  });
  more.addEventListener("click", () => attempt(() => load({ before: next, ...chosen() })));
  root.append(section(t("audit.list"), t("audit.note"), form, table.element, more));
  await load({});
}, { needsVenue: false, role: "admin" });
