// The quality of the data of a venue, day by day: fixes, accuracy, gaps, floors, and refused rows by reason.

import { make } from "./parts.js";
import { ask } from "./api.js";
import { dataTable, figures, section, timeChart } from "./charts.js";
import { attempt, start } from "./frame.js";
import { grid } from "./grid.js";
import { spanField } from "./span.js";
import { duration, number, percent, t, textOr } from "./strings.js";

start(async ({ venue, clock, root }) => {
  const span = spanField(clock, { preset: "week", retentionSeconds: venue.retention_s, onChange: () => attempt(load) });
  const [head, chart, refused] = [make("div", { "aria-live": "polite" }), make("div", { className: "charts" }), make("div")];
  const share = (key, name, value) => ({ key, name, value: (row) => (row.rows ? value(row) : -1), text: (row) => (row.rows ? percent(value(row)) : "–"), isNumber: true });
  const metres = (key, name) => ({ key, name, value: (row) => row[key] ?? -1, text: (row) => (row[key] === null ? "–" : `${number(row[key], 1)} m`), isNumber: true });
  const table = grid({
    caption: t("quality.days"), file: "data-quality", sortedBy: "day", isDescending: false,
    columns: [
      { key: "day", name: t("quality.day"), value: (row) => clock.day(row.start), text: (row) => clock.date(row.start) },
      { key: "rows", name: t("quality.fixes"), value: (row) => row.rows, text: (row) => number(row.rows), isNumber: true },
      { key: "devices", name: t("table.devices"), value: (row) => row.devices, text: (row) => number(row.devices), isNumber: true },
      metres("accuracy_median_m", t("quality.median")), metres("accuracy_p90_m", t("quality.p90")),
      share("usable_share", t("quality.usable"), (row) => row.usable / row.rows),
      share("floor_share", t("quality.with-floor"), (row) => row.with_floor / row.rows),
      share("space_share", t("quality.with-space"), (row) => row.with_space / row.rows),
      { key: "gaps", name: t("quality.gaps"), value: (row) => row.gaps, text: (row) => number(row.gaps), isNumber: true },
      { key: "gap_s", name: t("quality.gap-time"), value: (row) => row.gap_s, text: (row) => duration(row.gap_s), isNumber: true },
    ],
  });
  const load = async () => {
    const days = [];
    for (let day = span.days()[0]; day <= span.days()[1]; day = clock.shifted(day, 1)) days.push([clock.start(day), Math.min(clock.end(day) + 1, Date.now())]);
    const found = [];
    for (const [from, to] of days.filter(([from, to]) => from < to)) {
      const answer = await ask("/v1/operator/quality", { query: { venue: venue.venue, from, to } });
      found.push({ start: from, ...answer });
    }
    table.show(found);
    const rows = found.reduce((sum, day) => sum + day.rows, 0);
    const sum = (key) => found.reduce((total, day) => total + day[key], 0);
    head.replaceChildren(figures([
      [t("quality.fixes"), number(rows), ""], [t("quality.usable"), rows ? percent(sum("usable") / rows) : "–", t("quality.usable-note", { accuracy: number(found[0]?.contact_accuracy_m ?? 0) })],
      [t("quality.with-floor"), rows ? percent(sum("with_floor") / rows) : "–", ""], [t("quality.gaps"), number(sum("gaps")), t("quality.gaps-note")],
    ]));
    const options = { from: span.from(), to: span.to(), clock };
    chart.replaceChildren(timeChart(found.map((day) => [day.start, day.rows]), { ...options, title: t("quality.fixes"), unit: t("quality.fixes") }),
      timeChart(found.map((day) => [day.start, day.accuracy_median_m]), { ...options, title: t("quality.median"), note: t("quality.metres"), unit: t("quality.median") }),
      timeChart(found.map((day) => [day.start, day.gaps]), { ...options, title: t("quality.gaps"), unit: t("quality.gaps") }));
    const reasons = new Map();
    for (const day of found) for (const entry of day.refused) reasons.set(entry.reason, (reasons.get(entry.reason) ?? 0) + entry.rows);
    refused.replaceChildren(dataTable(t("status.refused-by"), [t("table.reason"), [t("table.rows"), true]], [...reasons].sort((a, b) => b[1] - a[1]).map(([reason, count]) => make("tr", {},
      make("th", { scope: "row", className: "name", textContent: textOr(`refusal.${reason}`, reason) }), make("td", { className: "n", "data-l": t("table.rows"), textContent: number(count) }))), { empty: t("status.none-refused") }));
  };
  root.append(span.element, head, section(t("quality.course"), "", chart), section(t("quality.days"), t("quality.days-note"), table.element), section(t("quality.refused"), t("quality.refused-note"), refused));
  await load();
}, { role: "operator" });
