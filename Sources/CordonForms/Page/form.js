// The page of a form: fields, entries of groups, the records of this device, and their export.

let form;
const state = { language: "en", today: currentDay(), record: undefined, given: {}, shows: new Set(), count: 100 };
let main = document.querySelector("main");
let status = document.getElementById("status");
let store;
// A page of one file keeps its records to itself; the app exchanges them.
const isShared = typeof SharedRecords !== "undefined";

const context = {
  get words() { return wordsOf(state.language); },
  text: (text) => textIn(text, state.language, form),
};

function startRecord(record) {
  document.activeElement?.blur();
  state.record = record?.record ?? crypto.randomUUID();
  state.given = record ? migrated(form.items, structuredClone(record.answers)) : defaults(form.items);
  state.shows = new Set();
}

/** Answers of an earlier version under their present names. */
function migrated(items, answers) {
  for (const item of items) {
    if (item.group) {
      answers[item.group]?.forEach?.((entry) => migrated(item.items, entry));
    } else if (item.was !== undefined && answers[item.name] === undefined && answers[item.was] !== undefined) {
      answers[item.name] = answers[item.was];
      delete answers[item.was];
    }
  }
  return answers;
}

/** The answers before the person has given any. */
function defaults(items) {
  const result = {};
  for (const item of items) {
    if (item.group && !item.repeat) result[item.group] = [defaults(item.items)];
    if (item.group && item.repeat?.min) result[item.group] = Array.from({ length: item.repeat.min }, () => defaults(item.items));
    if (item.default !== undefined) result[item.name] = item.default;
  }
  return result;
}

// MARK: Fields

function show() {
  if (!state.isPreview) {
    document.documentElement.lang = state.language;
    document.title = context.text(form.title);
  }
  const focus = document.activeElement?.id;
  const evaluation = new Evaluation([{ items: form.items, answers: state.given }], state.today);
  const { issues } = checked(form, state.given, state.today, context.words);
  const fields = element(
    "form", { novalidate: true, onsubmit: (event) => { event.preventDefault(); save(); } },
    ...shownItems(form.items, state.given, evaluation, "", issues),
    element("button", { type: "submit" }, context.words.save));
  keepEdited(fields);
  if (state.isPreview) return main.replaceChildren(element("h3", { lang: state.language }, context.text(form.title)), languages(), fields, status);
  main.replaceChildren(element("h1", {}, context.text(form.title)), languages(),
    isShared ? element("p", { id: "exchange", class: "note" }) : "", fields, element("section", { id: "records" }));
  if (isShared) showExchange();
  if (focus) document.getElementById(focus)?.focus();
  return showRecords();
}

/** Keeps the input in which the person types, with its cursor and a number that is not finished. */
function keepEdited(fields) {
  const old = document.activeElement;
  if (!old?.id || !old.matches("textarea, input:not([type=radio], [type=checkbox], [type=file])")) return;
  const next = fields.querySelector(`#${CSS.escape(old.id)}`);
  if (!next || next.type !== old.type) return;
  for (const name of ["aria-describedby", "aria-invalid"]) {
    if (next.hasAttribute(name)) old.setAttribute(name, next.getAttribute(name)); else old.removeAttribute(name);
  }
  next.replaceWith(old);
}

function languages() {
  if (form.languages.length < 2) return "";
  const select = element("select", { id: "language", onchange: (event) => { state.language = event.target.value; show(); } });
  for (const one of form.languages) {
    const name = new Intl.DisplayNames([one], { type: "language" }).of(one);
    select.append(element("option", { value: one, lang: one, selected: one === state.language }, name));
  }
  return element("p", {}, element("label", { for: "language" }, `${context.words.language} `), select);
}

function shownItems(items, given, evaluation, path, issues) {
  return items.flatMap((item) => {
    if (!evaluation.isTrue(item.condition)) return [];
    const place = path === "" ? nameOf(item) : `${path}.${nameOf(item)}`;
    return [item.group ? shownGroup(item, given, evaluation, place, issues) : shownField(item, given, evaluation, place, issues)];
  });
}

function shownGroup(group, given, evaluation, path, issues) {
  const entries = given[group.group] ??= group.repeat ? [] : [defaults(group.items)];
  const node = element("fieldset", { class: "group" }, element("legend", {}, context.text(group.label)));
  entries.forEach((entry, index) => {
    const place = `${path}[${index}]`;
    const part = element("div", { class: "entry" }, ...shownItems(group.items, entry, evaluation.inside(group, entry), place, issues));
    if (group.repeat) {
      part.append(element("button", {
        type: "button", class: "plain", "aria-label": `${context.words.removeEntry}: ${context.text(group.label)} ${index + 1}`,
        onclick: () => { entries.splice(index, 1); changed(); },
      }, context.words.removeEntry));
    }
    node.append(part);
  });
  if (group.repeat && entries.length < (group.repeat.max ?? 200)) {
    node.append(element("button", {
      type: "button", class: "plain", id: `add-${path}`, onclick: () => { entries.push(defaults(group.items)); changed(); },
    }, context.words.add));
  }
  if (state.shows.has(path) && issues.has(path)) node.append(element("p", { class: "issue" }, issues.get(path)));
  return node;
}

function shownField(field, given, evaluation, path, issues) {
  const id = `field-${path}`;
  const unit = field.unit ? ` (${field.unit})` : "";
  const mark = field.required || field.formula ? "" : ` (${context.words.optional})`;
  const label = context.text(field.label) + unit;
  const parts = [];
  if (field.help) parts.push(element("p", { class: "note", id: `${id}-help` }, context.text(field.help)));
  if (field.formula) {
    const value = evaluation.answer(field.formula);
    const text = value === undefined ? "–" : typeof value === "number" ? context.words.format(value) : String(value);
    parts.push(element("output", { id }, text));
  } else {
    parts.push(inputs[field.type](field, given[field.name], id, (answer) => {
      if (answer === undefined) delete given[field.name]; else given[field.name] = answer;
      state.shows.add(path);
      changed();
    }, context));
  }
  const issue = state.shows.has(path) ? issues.get(path) : undefined;
  if (issue) parts.push(element("p", { class: "issue", id: `${id}-issue` }, issue));
  const described = [field.help && `${id}-help`, issue && `${id}-issue`].filter(Boolean).join(" ") || undefined;
  if (isList(field) && !field.formula) {
    return element("fieldset", { class: "field", "aria-describedby": described }, element("legend", {}, label + mark), ...parts);
  }
  const input = parts.flatMap((part) => part.id === id ? [part] : [...(part.querySelectorAll?.("input") ?? [])]).find((one) => one.id === id);
  if (described) input?.setAttribute("aria-describedby", described);
  if (issue) input?.setAttribute("aria-invalid", "true");
  return element("div", { class: "field" }, element("label", { for: id }, label + mark), ...parts);
}

// MARK: Changes

let waiting;

/** Shows what depends on an answer, and keeps the draft. */
function changed() {
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    await show();
    if (state.isPreview) return;
    await store.put(entryOf(true));
    status.textContent = context.words.draft;
  }, 250);
}

function entryOf(isDraft) {
  return {
    record: state.record, form: form.form, version: form.version, time: new Date().toISOString(), draft: isDraft,
    answers: structuredClone(state.given),
  };
}

async function save() {
  clearTimeout(waiting);
  const { answers, issues } = checked(form, state.given, state.today, context.words);
  if (issues.size > 0) {
    for (const path of issues.keys()) state.shows.add(path);
    await show();
    status.textContent = context.words.faults(issues.size);
    const first = document.querySelector(".issue")?.closest(".field, .group");
    first?.querySelector("input, select, textarea, button")?.focus();
    return;
  }
  if (state.isPreview) { status.textContent = context.words.valid; return; }
  await store.put({ ...entryOf(false), answers });
  startRecord();
  await show();
  status.textContent = context.words.saved;
  main.querySelector("h1").scrollIntoView();
  if (isShared) exchangeNow();
}

// MARK: Records

async function showRecords() {
  const records = (await store.all()).reverse();
  const section = document.getElementById("records");
  const { words } = context;
  const formatter = new Intl.DateTimeFormat(state.language, { dateStyle: "medium", timeStyle: "short" });
  const rows = records.slice(0, state.count).map((one) => {
    const marks = [one.draft && words.incomplete, one.isWaiting && words.notSent, one.refusal !== undefined && `${words.refused}: ${one.refusal}`];
    const texts = marks.filter(Boolean);
    const when = formatter.format(new Date(one.time)) + (texts.length > 0 ? ` (${texts.join(", ")})` : "");
    return element(
      "tr", {}, element("td", {}, when),
      element("td", {}, element("button", { type: "button", class: "plain", onclick: () => one.hasConflict ? showConflict(one.record) : (startRecord(one), show()) },
        one.hasConflict ? words.twoStates : words.edit)),
      element("td", {}, element("button", {
        type: "button", class: "plain",
        onclick: async () => {
          if (!window.confirm(words.confirmRemove)) return;
          await store.remove(one.record);
          if (one.record === state.record) startRecord();
          await show();
          status.textContent = words.removed;
          if (isShared) exchangeNow();
        },
      }, words.remove)));
  });
  section.replaceChildren(
    element("h2", {}, words.records),
    records.length === 0 ? element("p", {}, words.none) : element("table", {}, element("tbody", {}, ...rows)),
    records.length <= state.count ? "" : element("p", {}, element("button", {
      type: "button", class: "plain", onclick: () => { state.count += 100; showRecords(); },
    }, words.more(records.length - state.count))),
    element("p", {},
      element("button", { type: "button", class: "plain", onclick: () => { startRecord(); show(); } }, words.newRecord), " ",
      records.some((one) => !one.draft)
        ? element("button", { type: "button", class: "plain", id: "export", onclick: exportRecords }, words.exportAll) : ""),
    store.isKept ? "" : element("p", { class: "issue" }, words.noStore));
}

/** Downloads all complete records: one JSON object of answers on each line, as `cordon form check` reads. */
async function exportRecords() {
  const records = (await store.all()).filter((one) => !one.draft);
  const lines = records.map((one) => JSON.stringify(one.answers) + "\n").join("");
  const link = element("a", { href: URL.createObjectURL(new Blob([lines], { type: "application/jsonl" })), download: `${form.form}.jsonl` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Shows a form with its records. */
async function begin(definition, opened) {
  form = definition;
  store = opened;
  const wanted = navigator.languages?.map((one) => one.split("-")[0]).find((one) => form.languages.includes(one));
  state.language = wanted ?? form.languages[0];
  const draft = (await store.all()).filter((one) => one.draft && one.version === form.version).pop();
  startRecord(draft);
  await show();
  document.documentElement.dataset.ready = "true";
}

/** Continues with a new version of the form; answers that were being given stay. */
function replaceForm(definition) {
  form = definition;
  state.given = migrated(form.items, state.given);
  show();
}

const embedded = document.getElementById("form-data");
if (embedded) {
  const definition = JSON.parse(embedded.textContent);
  RecordStore.open(definition.form).then((opened) => begin(definition, opened));
} else if (isShared) {
  startApp();
}
