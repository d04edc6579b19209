// The designer of forms: a list of fields, their properties, a live preview, the check of the server, and versions.

import { make } from "./parts.js";
import { ask, save } from "./api.js";
import { section } from "./charts.js";
import { attempt, keep, linkTo, parameter, start } from "./frame.js";
import { PROPERTIES, TYPES, changeType, move, moveBefore, nameOf, newItem, optionLines, optionsOf, remove, rowsOf, textIn, withText } from "./form-items.js";
import { t } from "./strings.js";

const EMPTY = { form: "new-form", version: 1, languages: ["en"], title: "New form", items: [{ name: "text", type: "text" }] };
const STEPS = { ArrowUp: "up", ArrowDown: "down", ArrowRight: "in", ArrowLeft: "out" };

start(async ({ venue, root }) => {
  const { forms } = await ask("/v1/operator/forms", { query: { venue: venue.venue } });
  const { preview } = await import("/forms/designer/preview.js");
  let [form, chosen, published, isForDevices, language, checks] = [null, null, null, false, "en", 0];
  const [list, properties, view, state, changes] = ["ol", "div", "div", "p", "div"].map((name) => make(name, {}));
  list.className = "form-rows";
  state.setAttribute("role", "status");
  view.className = "form-preview card";
  const keyOfDraft = () => `cordon-form-draft ${venue.venue} ${form.form}`;

  const button = (text, action, { label = text, className = "", isOff = false } = {}) => {
    const element = make("button", { type: "button", className, textContent: text, "aria-label": label, disabled: isOff });
    element.addEventListener("click", () => attempt(action));
    return element;
  };

  // MARK: Changes

  /** Shows everything after a change, keeps the draft, and lets the server check it. */
  const changed = (focus) => {
    localStorage.setItem(keyOfDraft(), JSON.stringify(form));
    drawList(focus);
    check();
  };

  let waiting;
  const check = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => attempt(async () => {
      const number = ++checks;
      const answer = await ask("/v1/operator/form-check", { body: { document: form } });
      if (number !== checks) return;
      for (const row of list.children) row.classList.toggle("wrong", !answer.valid && answer.path.startsWith(row.dataset.path));
      if (!answer.valid) {
        state.className = "warning";
        state.textContent = t("designer.invalid", { place: placeOf(answer.path), message: answer.message });
        publish.disabled = true;
        return;
      }
      state.className = "note";
      state.textContent = t("designer.valid");
      publish.disabled = false;
      preview(answer.definition, view);
      drawChanges(answer.changes ?? []);
    }), 300);
  };

  /** A place in the document with the name of its field. */
  const placeOf = (path) => {
    const row = rowsOf(form.items).filter((one) => path.startsWith(one.path)).pop();
    return row ? `${nameOf(row.item)}${path.slice(row.path.length)}` : path;
  };

  // MARK: The list

  let dragged = null;
  const drawList = (focus) => {
    list.replaceChildren(...rowsOf(form.items).map((row) => {
      const { item, depth, path } = row;
      const name = nameOf(item);
      const step = (direction, text) => button(text, () => { if (move(form.items, item, direction)) changed(`${name} ${direction}`); },
        { label: t(`designer.${direction}`, { name }), className: "small" });
      const pick = button("", () => select(item), { label: t("designer.select", { name }), className: "link" });
      pick.append(make("b", { textContent: textIn(item.label, language) || name }), " ", make("small", { textContent: t(`designer.type-${item.type ?? "group"}`) }));
      if (item === chosen) pick.setAttribute("aria-current", "true");
      pick.addEventListener("keydown", (event) => {
        if (!event.altKey || !STEPS[event.key]) return;
        event.preventDefault();
        if (move(form.items, item, STEPS[event.key])) changed(`${name} pick`);
      });
      const entry = make("li", { draggable: true }, pick, make("span", { className: "steps" }, step("up", "↑"), step("down", "↓"), step("in", "→"), step("out", "←")));
      entry.dataset.path = path;
      entry.dataset.depth = String(depth);
      pick.dataset.focus = `${name} pick`;
      [...entry.querySelectorAll(".steps button")].forEach((each, index) => { each.dataset.focus = `${name} ${["up", "down", "in", "out"][index]}`; });
      entry.addEventListener("dragstart", (event) => { dragged = item; event.dataTransfer.effectAllowed = "move"; event.dataTransfer.setData("text/plain", name); });
      entry.addEventListener("dragover", (event) => { if (dragged) { event.preventDefault(); entry.classList.add("target"); } });
      entry.addEventListener("dragleave", () => entry.classList.remove("target"));
      entry.addEventListener("drop", (event) => {
        event.preventDefault();
        if (dragged && moveBefore(form.items, dragged, item)) changed(`${nameOf(dragged)} pick`);
        else drawList();
        dragged = null;
      });
      return entry;
    }));
    if (focus) list.querySelector(`[data-focus="${CSS.escape(focus)}"]`)?.focus();
  };

  const select = (item) => {
    chosen = item;
    drawList(`${nameOf(item)} pick`);
    drawProperties();
  };

  // MARK: Properties

  let fields = 0;
  const labelled = (text, element, note) => {
    element.id ||= `property-${fields++}`;
    return make("div", {}, make("label", { htmlFor: element.id, textContent: text }), element, ...(note ? [make("small", { className: "note", textContent: note })] : []));
  };
  /** An input of a property; an empty one takes it away. */
  const property = (item, key, { type = "text", note, read = (text) => text } = {}) => {
    const input = make(type === "lines" ? "textarea" : "input", type === "lines" ? { rows: 5, value: item[key] ?? "" } : { type, value: item[key] ?? "", autocomplete: "off", step: "any" });
    input.addEventListener("change", () => {
      const value = input.value.trim() === "" ? undefined : read(input.value.trim());
      if (value === undefined) delete item[key]; else item[key] = value;
      changed();
    });
    return labelled(t(`designer.${key}`), input, note);
  };
  const text = (item, key) => {
    const input = make("input", { value: textIn(item[key], language), lang: language, maxLength: 500 });
    input.addEventListener("change", () => {
      if (input.value.trim() === "" && language === form.languages[0]) delete item[key];
      else item[key] = withText(item[key], input.value.trim(), language, form.languages);
      changed();
    });
    return labelled(t(`designer.${key}`), input);
  };
  const flag = (item, key) => {
    const box = make("input", { type: "checkbox", checked: Boolean(item[key]) });
    box.addEventListener("change", () => { if (box.checked) item[key] = true; else delete item[key]; changed(); });
    return make("label", {}, box, " ", t(`designer.${key}`));
  };

  const drawProperties = () => {
    const item = chosen;
    if (!item) { properties.replaceChildren(make("p", { className: "note", textContent: t("designer.choose") })); return; }
    const isGroup = item.group !== undefined;
    const key = isGroup ? "group" : "name";
    const name = make("input", { value: item[key], pattern: "[a-z][a-z0-9_]*", maxLength: 64, autocomplete: "off" });
    name.addEventListener("change", () => { if (name.reportValidity() && name.value) { item[key] = name.value; changed(); } });
    const parts = [labelled(t("designer.name"), name, t("designer.name-note")), text(item, "label")];
    if (isGroup) {
      const repeats = make("input", { type: "checkbox", checked: item.repeat !== undefined });
      repeats.addEventListener("change", () => { if (repeats.checked) item.repeat = { max: 10 }; else delete item.repeat; changed(); drawProperties(); });
      parts.push(make("label", {}, repeats, " ", t("designer.repeat")));
      if (item.repeat) for (const end of ["min", "max"]) parts.push(property(item.repeat, end, { type: "number", read: Number }));
    } else {
      const type = make("select", {}, ...TYPES.map((each) => make("option", { value: each, textContent: t(`designer.type-${each}`) })));
      type.value = item.type;
      type.addEventListener("change", () => { changeType(item, type.value); changed(); drawProperties(); });
      parts.push(labelled(t("designer.type"), type), text(item, "help"), flag(item, "required"));
      for (const each of PROPERTIES[item.type] ?? []) parts.push(each === "options" ? optionField(item) : property(item, each, propertyOf(item.type, each)));
      parts.push(property(item, "was", { note: t("designer.was-note") }));
    }
    parts.push(property(item, "show_if", { note: t("designer.show_if-note") }));
    if (!isGroup) parts.push(property(item, "calculate", { note: t("designer.calculate-note") }));
    parts.push(make("p", {}, button(t("designer.remove"), () => {
      if (!remove(form.items, item)) return;
      chosen = null;
      changed();
      drawProperties();
    }, { className: "danger", label: t("designer.remove-of", { name: nameOf(item) }) })));
    properties.replaceChildren(make("h3", { textContent: t("designer.properties", { name: nameOf(item) }) }), make("div", { className: "form" }, ...parts));
  };
  const propertyOf = (type, key) => {
    if (key === "unit") return {};
    return type === "date" ? { note: t("designer.date-note") } : { type: "number", read: Number };
  };
  const optionField = (item) => {
    const area = make("textarea", { rows: 5, value: optionLines(item.options, language) });
    area.addEventListener("change", () => { item.options = optionsOf(area.value, item.options, language, form.languages); changed(); });
    return labelled(t("designer.options"), area, t("designer.options-note"));
  };

  // MARK: Versions

  const accepts = make("input", { type: "checkbox", id: "designer-accepts" });
  const devices = make("input", { type: "checkbox", id: "designer-devices" });
  const checkIn = make("input", { type: "checkbox", id: "designer-check-in" });
  // People answer the form at check-in with their devices.
  devices.addEventListener("change", () => { isForDevices = devices.checked; checkIn.checked &&= isForDevices; });
  checkIn.addEventListener("change", () => { if (checkIn.checked) isForDevices = devices.checked = true; });
  const drawChanges = (found) => {
    const loses = found.some((one) => one.loses_answers);
    accepts.checked = false;
    changes.replaceChildren(...(found.length === 0 ? [] : [
      make("h3", { textContent: t("designer.changes") }),
      make("ul", {}, ...found.map((one) => make("li", { className: one.loses_answers ? "loss" : "" }, make("code", { textContent: one.field }), ` ${one.message}`))),
      ...(loses ? [make("p", { className: "warning" }, make("label", {}, accepts, " ", t("designer.accept")))] : []),
    ]));
    publish.textContent = t("designer.publish", { version: form.version });
    publish.setAttribute("aria-label", publish.textContent);
  };
  const publish = button(t("designer.publish", { version: 1 }), async () => {
    await ask("/v1/operator/forms", {
      body: { venue: venue.venue, document: form, for_devices: isForDevices, at_check_in: checkIn.checked, accepts_loss: accepts.checked },
    });
    localStorage.removeItem(keyOfDraft());
    location.assign(linkTo("forms", { form: form.form }));
  }, { className: "primary", isOff: true });

  // MARK: The form itself

  const head = make("div", { className: "fields" });
  const drawHead = () => {
    const id = make("input", { value: form.form, pattern: "[a-z][a-z0-9_-]*", maxLength: 64, disabled: published !== null });
    id.addEventListener("change", () => { if (id.reportValidity()) { localStorage.removeItem(keyOfDraft()); form.form = id.value; changed(); } });
    const languages = make("input", { value: form.languages.join(" "), pattern: "[A-Za-z -]+" });
    languages.addEventListener("change", () => {
      if (!languages.reportValidity()) return;
      form.languages = languages.value.split(/[ ,]+/).filter(Boolean);
      language = form.languages[0];
      changed();
      drawHead();
      drawProperties();
    });
    const shown = make("select", {}, ...form.languages.map((code) => make("option", { value: code, textContent: code })));
    shown.value = language;
    shown.addEventListener("change", () => { language = shown.value; drawHead(); drawList(); drawProperties(); });
    head.replaceChildren(labelled(t("designer.form"), id), text(form, "title"), labelled(t("designer.languages"), languages, t("designer.languages-note")),
      ...(form.languages.length > 1 ? [labelled(t("designer.shown"), shown)] : []));
  };

  /** Opens a form: its draft in this browser, else the version after the latest one. */
  const open = async (id) => {
    published = null;
    form = structuredClone(EMPTY);
    if (id) {
      const { versions } = await ask(`/v1/operator/forms/${encodeURIComponent(id)}`);
      published = versions[0];
      form = { ...published.document, version: published.version + 1 };
    }
    const draft = localStorage.getItem(keyOfDraft());
    if (draft && JSON.parse(draft).version === form.version) form = JSON.parse(draft);
    isForDevices = devices.checked = published?.for_devices ?? false;
    checkIn.checked = published?.at_check_in ?? false;
    keep({ form: id ?? "" });
    [language, chosen] = [form.languages[0], form.items[0]];
    drawHead();
    drawList();
    drawProperties();
    check();
  };

  const add = make("select", { id: "designer-add" }, ...[...TYPES, "group"].map((type) => make("option", { value: type, textContent: t(`designer.type-${type}`) })));
  const file = make("input", { type: "file", accept: "application/json,.json", id: "designer-file" });
  file.addEventListener("change", () => attempt(async () => {
    const given = JSON.parse(await file.files[0].text());
    if (!Array.isArray(given.items)) throw new Error(t("designer.no-form"));
    form = { ...EMPTY, ...given, ...(published ? { form: published.form, version: published.version + 1 } : { version: 1 }) };
    [language, chosen] = [form.languages[0], form.items[0]];
    drawHead();
    changed();
    drawProperties();
  }));
  const choice = make("select", { id: "designer-form" }, make("option", { value: "", textContent: t("designer.new") }),
    ...forms.map((one) => make("option", { value: one.form, textContent: one.form })));
  choice.value = forms.some((one) => one.form === parameter("form")) ? parameter("form") : "";
  choice.addEventListener("change", () => attempt(() => open(choice.value || null)));
  root.append(
    make("div", { className: "fields" }, labelled(t("designer.open"), choice), labelled(t("designer.file"), file),
      button(t("designer.download"), () => save(`${form.form}.json`, "application/json", JSON.stringify(form, null, 2) + "\n"))),
    head,
    make("div", { className: "designer" },
      section(t("designer.fields"), t("designer.fields-note"), list, make("p", { className: "fields" }, labelled(t("designer.add"), add),
        button(t("designer.add-it"), () => {
          const item = newItem(form.items, add.value);
          const row = rowsOf(form.items).find((one) => one.item === chosen);
          if (row) row.list.splice(row.index + 1, 0, item); else form.items.push(item);
          chosen = item;
          changed(`${nameOf(item)} pick`);
          drawProperties();
        }))),
      make("div", { className: "card" }, properties),
      section(t("designer.preview"), "", state, view, changes, make("p", {}, make("label", {}, devices, " ", t("designer.devices"))),
        make("p", {}, make("label", {}, checkIn, " ", t("designer.check-in"))), make("p", {}, publish))));
  await open(choice.value || null);
}, { role: "operator" });
