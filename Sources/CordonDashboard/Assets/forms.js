// Forms of a venue: their versions, keys of collectors, charts of the answers, and records.

import { classOf, heatLimits, legendItems, limitTexts, make } from "./parts.js";
import { ask } from "./api.js";
import { dataTable, figures, section } from "./charts.js";
import { FloorPlan, spaceName } from "./floor-plan.js";
import { attempt, keep, linkTo, parameter, start } from "./frame.js";
import { grid } from "./grid.js";
import { ADDRESS, qrCode } from "./qr.js";
import { reasonField } from "./reason.js";
import { language, number, percent, t } from "./strings.js";

const textOf = (text) => (typeof text === "object" && text !== null ? text[language] ?? Object.values(text)[0] : text ?? "");
const button = (text, action, className = "", label = text) => {
  const element = make("button", { type: "button", className, textContent: text, "aria-label": label });
  element.addEventListener("click", () => attempt(action));
  return element;
};

/** The picture of a chart: the server draws it, and this page shows it as an image of its own. */
const picture = (chart) => {
  const parsed = new DOMParser().parseFromString(chart.svg, "image/svg+xml").documentElement;
  return document.importNode(parsed, true);
};

/** The rows of a chart of places: [space, number, name], without a space for one that the plan does not have; else `null`. */
const spacesIn = (chart, plan, lists) => {
  if (chart.kind !== "bar" || !plan || lists.some((entry) => entry.field === chart.field)) return null;
  const known = new Map(plan.spaces.map((space) => [space.space, space]));
  const floors = new Map(plan.floors.map((floor) => [floor.floor, floor.name]));
  const rows = chart.rows.map(([id, count]) => {
    const space = known.get(textOf(id));
    return [space, count, space ? `${spaceName(space)}${floors.size > 1 ? `, ${floors.get(space.floor)}` : ""}` : textOf(id)];
  });
  return rows.some(([space]) => space) ? rows : null;
};

/** Answers by space on the floor plan, with the table beside it. */
const mapOf = (chart, plan, rows, id) => {
  const [heading, unit] = chart.columns.map(textOf);
  const limits = [...new Set(heatLimits(Math.max(...rows.map(([, count]) => count), 1)).map(Math.ceil))];
  const here = rows.filter(([space]) => space);
  const readout = make("p", { className: "readout", role: "status", textContent: t("forms.map-note") });
  const floorPlan = new FloorPlan(plan, {
    onSpace: (space) => { readout.textContent = `${spaceName(space)}: ${number(here.find(([each]) => each === space)?.[1] ?? 0)}`; },
  });
  floorPlan.show(here[0][0].floor);
  floorPlan.colour(new Map(here.map(([space, count]) => [space.space, { level: classOf(count, limits), text: `${unit}: ${number(count)}` }])));
  const texts = limitTexts(limits).map(([level, text]) => [level, text.replace("up to", t("plan.to")).replace("more than", t("plan.more"))]);
  return make("div", { className: "beside" },
    make("div", {}, floorPlan.element, make("div", { className: "under" }, readout, make("ul", { className: "legend" }, ...legendItems(unit, texts)))),
    make("div", { className: "side", tabIndex: 0, role: "group", "aria-labelledby": id }, make("table", {},
      make("thead", {}, make("tr", {}, make("th", { scope: "col", textContent: heading }), make("th", { scope: "col", className: "n", textContent: unit }))),
      make("tbody", {}, ...rows.map(([, count, name]) => make("tr", {}, make("th", { scope: "row", className: "name", textContent: name }), make("td", { className: "n", textContent: number(count) })))))));
};

/** A chart with its table. */
const chartOf = (chart, index, plan, lists) => {
  const id = `form-chart-${index}`;
  const heads = chart.columns.map((name, column) => make("th", { scope: "col", className: column ? "n" : "", textContent: textOf(name) }));
  const rows = chart.rows.map((row) => make("tr", {}, ...row.map((cell, column) => make(column ? "td" : "th", {
    ...(column ? { className: "n" } : { scope: "row" }), textContent: typeof cell === "number" ? number(cell, 2) : textOf(cell),
  }))));
  const head = [make("h3", { id, textContent: textOf(chart.title) }),
    make("p", { textContent: t("forms.answered", { n: chart.answered, share: percent(chart.answered / Math.max(1, chart.records)) }) })];
  const places = spacesIn(chart, plan, lists);
  if (places) return make("figure", { className: "chart form-map", "aria-labelledby": id }, ...head, mapOf(chart, plan, places, id));
  return make("figure", { className: "chart form-chart", "aria-labelledby": id }, ...head,
    ...(chart.svg ? [picture(chart)] : []),
    make("details", { open: !chart.svg }, make("summary", { textContent: t("chart.values") }),
      make("div", { className: "scroll", tabIndex: 0, role: "group", "aria-labelledby": id },
        make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)))));
};

start(async ({ venue, clock, root, may, plan: getPlan }) => {
  const { forms } = await ask("/v1/operator/forms", { query: { venue: venue.venue } });
  const time = (text) => clock.short(Date.parse(text));
  const detail = make("div");
  const tableOfForms = dataTable(t("title.forms"), [t("forms.title"), t("forms.form"), [t("forms.version"), true], [t("forms.fields"), true], t("forms.since")], forms.map((one) => make("tr", {},
    make("th", { scope: "row", className: "name" }, button(textOf(one.title), () => open(one), "link")),
    make("td", { "data-l": t("forms.form"), textContent: one.form }), make("td", { className: "n", "data-l": t("forms.version"), textContent: number(one.version) }),
    make("td", { className: "n", "data-l": t("forms.fields"), textContent: number(one.fields) }), make("td", { "data-l": t("forms.since"), textContent: time(one.created) }))),
  { empty: t("forms.none") });
  root.append(section(t("title.forms"), t("forms.note"), tableOfForms,
    ...(may("operator") ? [make("p", {}, make("a", { className: "button", href: linkTo("designer"), textContent: t("forms.design") }))] : [])), detail);

  const open = async (one) => {
    keep({ form: one.form });
    const path = `/v1/operator/forms/${encodeURIComponent(one.form)}`;
    const [charts, keys, versions, records] = [chartsOf(one, path), keysOf(one, path), make("div"), recordsOf(one, path)];
    detail.replaceChildren(make("h2", { textContent: textOf(one.title) }),
      ...(may("operator") ? [make("p", {}, make("a", { className: "button", href: linkTo("designer", { form: one.form }), textContent: t("forms.change") }))] : []),
      charts.element, ...(may("operator") ? [section(t("forms.keys"), t("forms.keys-note"), keys.element)] : []),
      section(t("forms.records"), t("forms.records-note"), records), section(t("forms.versions"), "", versions));
    await charts.load();
    if (may("operator")) await keys.load();
    const known = await ask(path);
    versions.replaceChildren(dataTable(t("forms.versions"), [t("forms.version"), t("forms.since"), t("forms.changed")], known.versions.map((version) => make("tr", {},
      make("th", { scope: "row", textContent: number(version.version) }), make("td", { "data-l": t("forms.since"), textContent: time(version.created) }),
      make("td", { "data-l": t("forms.changed"), textContent: version.changes.map((change) => `${change.field} ${change.message}`).join("; ") || "–" })))));
  };

  // MARK: Charts

  const chartsOf = (one, path) => {
    const [counts, box] = [make("div"), make("div", { className: "charts" })];
    const [field, value, cross] = [make("select", { id: "filter-field" }), make("select", { id: "filter-value" }), make("select", { id: "filter-cross" })];
    const label = (text, element) => make("label", { htmlFor: element.id }, text, " ", element);
    let lists = [];
    const options = (select, entries) => select.replaceChildren(make("option", { value: "", textContent: t("forms.all") }), ...entries.map(([key, text]) => make("option", { value: key, textContent: text })));
    const load = async () => {
      const body = {};
      if (field.value && value.value) body.where = { [field.value]: value.value };
      if (cross.value) body.by = cross.value;
      const answer = await ask(`${path}/summary`, { body });
      lists = answer.lists;
      const names = lists.map((entry) => [entry.field, textOf(entry.label)]);
      for (const select of [field, cross]) { const kept = select.value; options(select, names); select.value = kept; }
      counts.replaceChildren(figures([[t("forms.records"), number(answer.records)], [t("forms.conflicts"), number(answer.conflicts), t("forms.conflicts-note")]]));
      const plan = await getPlan();
      box.replaceChildren(...answer.charts.map((chart, index) => chartOf(chart, index, plan, lists)));
    };
    field.addEventListener("change", () => {
      const entry = lists.find((each) => each.field === field.value);
      options(value, (entry?.options ?? []).map((option) => [option.value, textOf(option.label)]));
      if (!field.value) attempt(load);
    });
    for (const select of [value, cross]) select.addEventListener("change", () => attempt(load));
    options(value, []);
    return { load, element: section(t("forms.charts"), "", counts, make("div", { className: "fields" }, label(t("forms.filter"), field), label(t("forms.value"), value), label(t("forms.cross"), cross)), box) };
  };

  // MARK: Keys

  const keysOf = (one, path) => {
    const [list, made] = [make("div"), make("div", { "aria-live": "polite" })];
    const name = make("input", { id: "key-label", required: true, maxLength: 80, autocomplete: "off" });
    const load = async () => {
      const { keys } = await ask(`${path}/keys`);
      list.replaceChildren(dataTable(t("forms.keys"), [t("forms.collector"), t("forms.since"), t("devices.action")], keys.map((key) => make("tr", {},
        make("th", { scope: "row", className: "name", textContent: key.label }), make("td", { "data-l": t("forms.since"), textContent: time(key.created) }),
        make("td", { className: "actions" }, button(t("forms.withdraw"), async () => {
          await ask(`${path}/keys/${key.number}`, { method: "DELETE" });
          await load();
        }, "danger", t("forms.withdraw-of", { name: key.label }))))), { empty: t("forms.no-keys") }));
    };
    const form = make("form", { className: "fields" }, make("div", {}, make("label", { htmlFor: name.id, textContent: t("forms.collector") }), name), make("button", { className: "primary", textContent: t("forms.make-key") }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      attempt(async () => {
        const key = await ask(`${path}/keys`, { body: { label: name.value.trim() } });
        const link = `${location.origin}/forms/${one.form}/#key=${key.key}`;
        const code = make("input", { id: "key-link", value: link, readOnly: true });
        made.replaceChildren(make("div", { className: "card" }, make("h3", { textContent: key.label }), make("p", { className: "note", textContent: t("forms.key-note") }),
          make("label", { htmlFor: "key-link", textContent: t("forms.link") }), code, qrCode(link, t("forms.link"), ADDRESS) ?? ""));
        name.value = "";
        await load();
      });
    });
    return { load, element: make("div", {}, form, made, list) };
  };

  // MARK: Records

  const recordsOf = (one, path) => {
    const reason = reasonField();
    const box = make("div");
    const form = make("form", { className: "fields" }, reason.element, make("button", { className: "primary", textContent: t("forms.show-records") }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (reason.check()) attempt(load);
    });
    const load = async () => {
      const list = [];
      let after = "";
      for (;;) {
        const answer = await ask(`${path}/records`, { body: { reason: reason.value(), limit: 1000, ...(after ? { after } : {}) } });
        list.push(...answer.records);
        if (!answer.next || list.length >= 20000) break;
        after = answer.next;
      }
      const names = [...new Set(list.flatMap((record) => Object.keys(record.answers ?? {})))];
      const plain = (answer) => (answer === undefined || answer === null ? "" : typeof answer === "object" ? JSON.stringify(answer) : String(answer));
      const stateOf = (record) => (record.is_deleted ? "deleted" : record.has_conflict ? "conflict" : record.lost.length ? "lost" : "whole");
      const table = grid({
        caption: t("forms.records"), file: one.form, sortedBy: "time",
        columns: [
          { key: "time", name: t("table.time"), value: (row) => row.time, text: (row) => time(row.time) },
          { key: "state", name: t("alerts.state"), value: stateOf, text: (row) => t(`forms.state-${stateOf(row)}`, { fields: row.lost.join(", ") }) },
          ...names.map((name) => ({ key: name, name, value: (row) => plain(row.answers?.[name]), text: (row) => plain(row.answers?.[name]) })),
          { key: "record", name: t("forms.record"), value: (row) => row.record, text: (row) => row.record },
          ...(may("admin") ? [{
            key: "erase", name: t("devices.action"), value: () => "", text: () => "",
            node: (row) => button(t("forms.erase"), async () => {
              if (!window.confirm(t("forms.confirm-erase"))) return;
              await ask(`${path}/records/${row.record}`, { method: "DELETE", body: { reason: reason.value() } });
              await load();
            }, "danger", t("forms.erase-of", { name: row.record })),
          }] : []),
        ],
      });
      table.show(list);
      box.replaceChildren(table.element);
    };
    return make("div", {}, form, box);
  };

  const wanted = forms.find((one) => one.form === parameter("form")) ?? forms[0];
  if (wanted) await open(wanted);
}, { role: "contact-tracer" });
