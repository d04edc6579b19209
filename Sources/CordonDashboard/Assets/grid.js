// A long table: sorted by its headings, filtered by words, in pages, with columns that can be left out, as CSV and on paper.

import { make } from "./parts.js";
import { csv, save } from "./api.js";
import { language, number, t } from "./strings.js";

let grids = 0;

/**
 * A table over `columns` ({ key, name, value(row), text(row), node?(row), isNumber }) and rows that `show(rows)` sets.
 * `text` is what a cell shows and what the filter searches; `value` is what rows are sorted by and what CSV has.
 */
const grid = ({ caption, columns, file, sortedBy, isDescending = true, sizes = [25, 50, 100], extra = [] }) => {
  let [rows, shown, page, size, key, down] = [[], [], 0, sizes[0], sortedBy, isDescending];
  const hidden = new Set();
  const id = `grid-${grids++}`;
  const filter = make("input", { type: "search", id: `${id}-filter`, placeholder: t("grid.filter") });
  const count = make("p", { role: "status" });
  const table = make("table", { className: "rows" });
  const pages = make("div", { className: "pager no-print" });
  const number_ = make("span", { role: "status" });
  const button = (text, label, action) => {
    const element = make("button", { type: "button", textContent: text, "aria-label": label });
    element.addEventListener("click", action);
    return element;
  };
  const back = button("‹", t("grid.back"), () => { page -= 1; draw(); });
  const forth = button("›", t("grid.forth"), () => { page += 1; draw(); });
  const choice = make("select", { "aria-label": t("grid.size") }, ...sizes.map((entry) => make("option", { value: String(entry), textContent: t("grid.rows", { n: entry }) })));
  choice.addEventListener("change", () => { size = Number(choice.value); page = 0; draw(); });
  pages.append(back, number_, forth, choice);
  const checks = columns.map((column, index) => {
    const box = make("input", { type: "checkbox", checked: true, disabled: index === 0 });
    box.addEventListener("change", () => { if (box.checked) hidden.delete(column.key); else hidden.add(column.key); draw(); });
    return make("label", {}, box, " ", column.name);
  });
  const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a ?? "").localeCompare(String(b ?? ""), language, { numeric: true }));
  const sorted = (list) => {
    const column = columns.find((entry) => entry.key === key);
    return column ? [...list].sort((a, b) => (down ? -1 : 1) * compare(column.value(a), column.value(b))) : list;
  };
  const apply = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    shown = sorted(rows.filter((row) => {
      const text = columns.map((column) => column.text(row)).join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    }));
    page = 0;
    draw();
  };
  const cellOf = (column, row, index) => {
    const cell = make(index ? "td" : "th", { className: column.isNumber ? "n" : index ? "" : "id", "data-l": column.name }, column.node ? column.node(row) : column.text(row));
    if (!index) cell.scope = "row";
    return cell;
  };
  const body = (list, visible) => make("tbody", {}, ...list.map((row) => make("tr", {}, ...visible.map((column, index) => cellOf(column, row, index)))));
  const draw = (isPaper = false) => {
    const visible = columns.filter((column) => !hidden.has(column.key));
    const heads = visible.map((column, index) => {
      const head = make("th", { scope: "col", className: column.isNumber && index ? "n" : "" });
      const press = make("button", { type: "button", className: "link sort", textContent: column.name });
      press.addEventListener("click", () => {
        down = key === column.key ? !down : Boolean(column.isNumber);
        key = column.key;
        shown = sorted(shown);
        draw();
        [...table.tHead.querySelectorAll("button")][index].focus();
      });
      head.append(press);
      if (column.key === key) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      return head;
    });
    const last = Math.max(0, Math.ceil(shown.length / size) - 1);
    page = Math.min(Math.max(0, page), last);
    const list = isPaper ? shown : shown.slice(page * size, (page + 1) * size);
    table.replaceChildren(make("caption", { textContent: caption }), make("thead", {}, make("tr", {}, ...heads)), body(list, visible));
    count.textContent = shown.length === rows.length ? t("grid.count", { n: rows.length }) : t("grid.filtered", { n: shown.length, all: rows.length });
    number_.textContent = t("grid.page", { page: page + 1, pages: last + 1 });
    back.disabled = page === 0;
    forth.disabled = page === last;
    pages.hidden = shown.length <= sizes[0];
    empty.hidden = shown.length > 0;
    scroll.hidden = shown.length === 0;
  };
  filter.addEventListener("input", apply);
  // Paper gets all rows.
  window.addEventListener("beforeprint", () => draw(true));
  window.addEventListener("afterprint", () => draw());
  const asCSV = make("button", { type: "button", textContent: "CSV" });
  asCSV.addEventListener("click", () => save(`${file}.csv`, "text/csv;charset=utf-8", csv([columns.map((column) => column.key), ...shown.map((row) => columns.map((column) => column.value(row)))])));
  const print = make("button", { type: "button", textContent: t("grid.print") });
  print.addEventListener("click", () => window.print());
  const empty = make("p", { className: "note", textContent: t("table.empty") });
  const scroll = make("div", { className: "scroll", tabIndex: 0, role: "group", "aria-label": caption }, table);
  const element = make("div", {},
    make("div", { className: "table-controls" }, make("label", { htmlFor: filter.id, className: "quiet-label", textContent: t("grid.filter-label") }), filter, count,
      make("details", { className: "columns no-print" }, make("summary", { textContent: t("grid.columns") }), make("div", {}, ...checks)), asCSV, ...extra, print),
    empty, scroll, pages);
  return { element, show: (list) => { rows = list; apply(); }, shown: () => shown, number };
};

export { grid };
