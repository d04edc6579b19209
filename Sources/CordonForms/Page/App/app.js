// The app of a form: its key, its state on the network, and conflicts that a person solves.

const app = { key: undefined, isBusy: false, message: "", isAgain: false };

/** Opens the app: with the key or the code of its link, or with the key that is kept. */
async function startApp() {
  const name = decodeURIComponent(location.pathname.split("/").at(-2));
  let records = await SharedRecords.open(name);
  const link = new URLSearchParams(location.hash.slice(1));
  const [given, code] = [link.get("key"), link.get("code")];
  // Neither must stay in the address, which a browser keeps and shows.
  if (given || code) history.replaceState(null, "", location.pathname);
  if (given) {
    await records.setMeta("key", given);
    await records.setMeta("openedFor", null);
  }
  records = await recordsOfDevice(records, name, code) ?? records;
  app.key = await records.meta("key");
  navigator.serviceWorker?.register("worker.js").then(() => navigator.serviceWorker.ready).then(() => {
    document.documentElement.dataset.offline = "ready";
  }, () => {});
  const definition = await definitionOf(records, name);
  if (!definition) return askForKey(records);
  app.words = () => context.words;
  await begin(definition, records);
  addEventListener("online", exchangeNow);
  setInterval(exchangeNow, 300000);
  return exchangeNow();
}

/** The records of a device whose app showed the link, apart from those of collectors. A code is used up: it gives a token that ends. */
async function recordsOfDevice(records, name, code) {
  const former = await records.meta("openedFor");
  let opened;
  try {
    if (code) opened = await ask("/v1/page-code", undefined, { code });
  } catch (error) {
    [app.failure, app.isLinkOver] = [error.status, error.status !== 0];
  }
  const device = opened?.device ?? former;
  if (!device) return undefined;
  // Another device is another activation, perhaps of another person.
  if (former && former !== device) indexedDB.deleteDatabase(`cordon-form-${name}@${former}`);
  await records.setMeta("openedFor", device);
  const own = await SharedRecords.open(name, device);
  if (opened) await own.setMeta("key", opened.token);
  return own;
}

/** The form as it is kept, or as the server has it. */
async function definitionOf(records, name, version) {
  const kept = await records.meta("definition");
  if (kept && (version === undefined || kept.version >= version)) return kept;
  if (!app.key) return undefined;
  try {
    const { definition } = await ask(`/v1/forms/${encodeURIComponent(name)}`, app.key);
    await records.setMeta("definition", definition);
    return definition;
  } catch (error) {
    app.failure = error.status;
    return kept;
  }
}

/** A page that asks for the key of a collector. */
function askForKey(records) {
  const words = wordsOf(navigator.language ?? "en");
  document.documentElement.lang = pageWords[(navigator.language ?? "en").split("-")[0]] ? navigator.language.split("-")[0] : "en";
  document.title = words.keyTitle;
  const input = element("input", { id: "key", type: "text", autocomplete: "off", required: true, spellcheck: "false" });
  const reason = app.failure === 0 ? words.offlineFirst : app.isLinkOver ? words.linkEnded : words.keyRefused;
  const failed = app.key || app.isLinkOver ? element("p", { class: "issue", role: "alert" }, reason) : "";
  main.replaceChildren(
    element("h1", {}, words.keyTitle), failed,
    element("form", {
      onsubmit: async (event) => {
        event.preventDefault();
        await records.setMeta("key", input.value.trim());
        location.reload();
      },
    }, element("p", { class: "field" }, element("label", { for: "key" }, words.key), input), element("button", { type: "submit" }, words.open)));
  document.documentElement.dataset.ready = "true";
}

/** Exchanges records, one exchange at a time, and shows what changed. */
async function exchangeNow() {
  if (app.isBusy) { app.isAgain = true; return; }
  app.isBusy = true;
  showExchange();
  const { words } = context;
  try {
    await store.exchange(app.key);
    app.message = words.synced(new Intl.DateTimeFormat(state.language, { timeStyle: "short" }).format(new Date()));
    if (store.latest > form.version) {
      const next = await definitionOf(store, form.form, store.latest);
      if (next.version > form.version) replaceForm(next);
    }
  } catch (error) {
    const refused = store.isOfDevice ? words.linkEnded : words.keyRefused;
    app.message = error.status === 0 ? words.offline : error.status === 401 ? refused : words.notSynced;
  }
  app.isBusy = false;
  showExchange();
  // A person who compares states is not interrupted.
  if (!document.getElementById("conflict")) await showRecords();
  if (app.isAgain) { app.isAgain = false; await exchangeNow(); }
}

/** Shows whether all records are with the server. */
function showExchange() {
  const { words } = context;
  const line = document.getElementById("exchange");
  if (!line) return;
  const count = store.waiting.length;
  line.replaceChildren(
    element("span", { role: "status" }, app.isBusy ? words.syncing : `${count > 0 ? words.waiting(count) + " " : ""}${app.message}`), " ",
    element("button", { type: "button", class: "plain", disabled: app.isBusy, onclick: exchangeNow }, words.syncNow));
}

// MARK: Conflicts

/** An answer as a short text. */
function answerText(name, answer) {
  const { words } = context;
  if (answer === undefined || answer === null) return words.noAnswer;
  const item = form.items.find((one) => nameOf(one) === name);
  const label = (value) => { const option = item?.options?.find((one) => one.value === value); return option ? context.text(option.label) : String(value); };
  if (item?.group) return words.entries(answer.length);
  if (typeof answer === "boolean") return answer ? words.yes : words.no;
  if (Array.isArray(answer)) return answer.map(label).join(", ");
  if (typeof answer === "number") return words.format(answer);
  if (typeof answer === "object") return answer.space ?? JSON.stringify(answer);
  return label(answer);
}

/** Shows the states of a record that devices changed at the same time; the person chooses an answer for each field. */
function showConflict(record) {
  const conflict = conflictOf(store.revisionsOf(record));
  if (!conflict) return showRecords();
  const { words } = context;
  const { heads, fields } = conflict;
  const format = new Intl.DateTimeFormat(state.language, { dateStyle: "medium", timeStyle: "short" });
  const chosen = new Map(fields.map((field) => [field.name, field.suggestion]));
  const base = heads.find((head) => head.answers !== null);
  const title = (head, index) => `${words.state} ${index + 1}: ${format.format(new Date(head.time))}${head.answers === null ? ` (${words.deleted})` : ""}`;
  const parts = fields.map((field) => {
    const item = form.items.find((one) => nameOf(one) === field.name);
    return element(
      "fieldset", { class: "group" }, element("legend", {}, item ? context.text(item.label) : field.name),
      ...heads.flatMap((head, index) => head.answers === null ? [] : [choice(`conflict-${field.name}`, index, field.suggestion === index,
        `${title(head, index)}: ${answerText(field.name, head.answers[field.name])}`, () => chosen.set(field.name, index))]));
  });
  const isDeleted = heads.some((head) => head.answers === null);
  let keeps = true;
  const deletion = isDeleted ? element(
    "fieldset", { class: "group" }, element("legend", {}, words.deletedElsewhere),
    choice("conflict-keep", 0, true, words.keepRecord, () => { keeps = true; }),
    choice("conflict-keep", 1, false, words.remove, () => { keeps = false; })) : "";
  const problem = element("p", { class: "issue", role: "alert" });
  const section = document.getElementById("records");
  section.replaceChildren(
    element("h2", { tabindex: "-1", id: "conflict" }, words.conflict), element("p", {}, words.conflictNote), deletion, ...parts, problem,
    element("p", {},
      element("button", {
        type: "button",
        onclick: async () => {
          if (keeps && [...chosen.values()].includes(undefined)) { problem.textContent = words.chooseEach; return; }
          const answers = { ...base?.answers };
          for (const [name, index] of chosen) {
            const answer = heads[index]?.answers?.[name];
            if (answer === undefined) delete answers[name]; else answers[name] = answer;
          }
          await solve(record, heads, keeps && base ? answers : null);
        },
      }, words.solve), " ",
      element("button", { type: "button", class: "plain", onclick: () => showRecords() }, words.later)));
  document.getElementById("conflict").focus();
}

function choice(name, index, isChosen, text, change) {
  const id = `${name}-${index}`;
  const box = element("input", { id, type: "radio", name, onchange: change });
  box.checked = isChosen;
  return element("div", { class: "choices" }, element("label", { for: id }, box, text));
}

/** Stores the state that replaces all heads. Answers that do not fit together are opened for editing. */
async function solve(record, heads, answers) {
  const parents = heads.map((head) => head.id);
  if (answers === null) {
    await store.add({ record, version: form.version, parents, answers: null });
  } else {
    const { answers: whole, issues } = checked(form, migrated(form.items, answers), state.today, context.words);
    if (issues.size > 0) {
      startRecord({ record, answers });
      for (const path of issues.keys()) state.shows.add(path);
      await show();
      status.textContent = context.words.faults(issues.size);
      return;
    }
    await store.add({ record, version: form.version, parents, answers: whole });
  }
  await showRecords();
  status.textContent = context.words.solved;
  exchangeNow();
}
