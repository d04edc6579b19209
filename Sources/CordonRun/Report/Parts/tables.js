// Tables that are sorted by their headings. Cells state the value to sort by in data-v; others sort by their number or text.

/**
 * Makes a table sortable. `options` may hold a `select` for narrow screens, a `filter` field with the number of `columns` whose
 * words count, a `count` element, and the name of the heading by which the rows are sorted already. `first` is the number of
 * rows that a long table shows until its button is pressed; paper has all rows.
 */
const makeSortable = (table, options = {}) => {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  const names = heads.map((head) => head.textContent);
  const { select, filter, count, first } = options;
  let isWhole = !first || rows.length <= first + 5;
  const more = isWhole ? null : make("button", { type: "button", className: "text more" });
  const valueIn = (row, column) => {
    const cell = row.cells[column];
    if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
    const number = cell.classList.contains("n") ? parseFloat(cell.textContent.replace("−", "-").replace(/[\s\u202f](?=\d{3})/g, "")) : NaN;
    return Number.isNaN(number) ? cell.textContent : number;
  };
  const sort = (column, isDescending) => {
    const sign = isDescending ? -1 : 1;
    rows.sort((a, b) => {
      const [x, y] = [valueIn(a, column), valueIn(b, column)];
      return sign * (typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true }));
    });
    body.append(...rows);
    heads.forEach((head, index) => {
      if (index === column) head.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    if (select) select.value = String(column);
    show();
  };
  heads.forEach((head, column) => {
    select?.append(make("option", { value: String(column), textContent: names[column] }));
    // Not a button element: browsers leave those out of the headings that they repeat on every sheet of paper.
    const button = make("span", { className: "sort", tabIndex: 0, role: "button", textContent: names[column] });
    const change = () => {
      const sorted = head.getAttribute("aria-sort");
      sort(column, sorted ? sorted === "ascending" : head.classList.contains("n"));
    };
    button.addEventListener("click", change);
    button.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      change();
    });
    head.replaceChildren(button);
  });
  select?.addEventListener("change", () => sort(Number(select.value), heads[Number(select.value)].classList.contains("n")));
  const show = () => {
    const words = (filter?.value ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = [...row.cells].slice(0, options.columns ?? 1).map((cell) => cell.textContent).join(" ").toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      row.classList.toggle("beyond", !isWhole && shown >= first);
      shown += row.hidden ? 0 : 1;
    }
    if (more) {
      more.hidden = shown <= first;
      more.textContent = isWhole ? `Show the first ${first}` : `Show all ${shown} rows`;
    }
    if (count) count.textContent = `${shown} of ${rows.length}`;
  };
  filter?.addEventListener("input", show);
  more?.addEventListener("click", () => {
    isWhole = !isWhole;
    show();
  });
  if (more) (table.closest(".scroll") ?? table).after(more);
  show();
  const sorted = names.indexOf(options.sortedBy);
  heads[sorted]?.setAttribute("aria-sort", "descending");
  if (select && sorted >= 0) select.value = String(sorted);
};

/** The number of rows that long tables of reports show at first. */
const firstRows = 20;
for (const table of document.querySelectorAll("table.sortable")) makeSortable(table, { first: firstRows });
