// Accounts of operators: who has which role where; adding, changing, locking, new passwords, removal.

import { make } from "./parts.js";
import { ask } from "./api.js";
import { dataTable, section } from "./charts.js";
import { attempt, start } from "./frame.js";
import { t } from "./strings.js";

const ROLES = ["metrics", "viewer", "contact-tracer", "operator", "admin"];
let fields = 0;

/** A labelled field: [element of label and input, input]. */
const field = (key, attributes) => {
  const id = `operators-${fields++}`;
  const input = make("input", { id, autocomplete: "off", ...attributes });
  return [make("div", {}, make("label", { htmlFor: id, textContent: t(key) }), input), input];
};

const roleChoice = (label, value) => {
  const choice = make("select", { "aria-label": label }, make("option", { value: "", textContent: t("operators.no-role") }),
    ...ROLES.map((role) => make("option", { value: role, textContent: t(`role.${role}`) })));
  choice.value = value ?? "";
  return choice;
};

/** Shows a secret once, in a box that is closed by hand. */
const secretBox = (account, secret) => {
  const box = make("div", { className: "card", role: "status" }, make("h3", { textContent: t("operators.secret", { name: account.name }) }),
    make("p", { textContent: t(account.sign_in_name ? "operators.secret-password" : "operators.secret-key", { operator: account.sign_in_name ?? account.operator }) }),
    make("p", { className: "code" }, make("code", { textContent: secret })), make("p", { className: "note", textContent: t("operators.once") }));
  const close = make("button", { type: "button", textContent: t("operators.noted") });
  close.addEventListener("click", () => box.remove());
  box.append(close);
  return box;
};

/** A form for a new account, or one that is changed. */
const accountForm = (venues, account, done) => {
  const [nameField, name] = field("operators.name", { required: true, maxLength: 200, value: account?.name ?? "" });
  const [signInField, signIn] = field("operators.sign-in-name", { maxLength: 64, pattern: "[A-Za-z0-9._@\\-]+", value: account?.sign_in_name ?? "" });
  const everywhere = roleChoice(t("operators.everywhere"), account?.role);
  const places = venues.map((venue) => {
    const known = account?.roles.find((entry) => entry.venue === venue.venue)?.role;
    return [venue.venue, roleChoice(venue.name || venue.venue, known), venue.name || venue.venue];
  });
  // Roles at venues that are not served at the moment stay.
  const others = (account?.roles ?? []).filter((entry) => !venues.some((venue) => venue.venue === entry.venue));
  const locked = make("input", { type: "checkbox", checked: account?.is_locked ?? false });
  const save = make("button", { className: "primary", textContent: t(account ? "operators.save" : "operators.add") });
  const cancel = make("button", { type: "button", textContent: t("operators.cancel") });
  const form = make("form", { className: "card form" }, nameField, signInField,
    make("p", { className: "note", textContent: t("operators.sign-in-note") }),
    make("fieldset", {}, make("legend", { textContent: t("operators.roles") }),
      make("label", {}, t("operators.everywhere"), " ", everywhere),
      ...places.map(([, choice, text]) => make("label", {}, text, " ", choice))),
    ...(account ? [make("label", {}, locked, " ", t("operators.locked"))] : []), make("div", { className: "fields" }, save, cancel));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const body = { name: name.value.trim(), role: everywhere.value || null, is_locked: locked.checked,
      roles: [...others, ...places.filter(([, choice]) => choice.value).map(([venue, choice]) => ({ venue, role: choice.value }))] };
    if (signIn.value.trim()) body.sign_in_name = signIn.value.trim();
    const path = "/v1/operator/accounts" + (account ? `/${encodeURIComponent(account.operator)}` : "");
    attempt(async () => done(await ask(path, { method: account ? "PUT" : "POST", body })));
  });
  cancel.addEventListener("click", () => done(null));
  return form;
};

start(async ({ me, venues, root, may, clock }) => {
  const secrets = make("div", { "aria-live": "polite" });
  const editor = make("div");
  const list = make("div");
  const events = make("div");
  const mayChange = me.all_venues && me.role === "admin";
  const edit = (account) => {
    const form = accountForm(venues, account, async (saved) => {
      editor.replaceChildren();
      if (saved?.secret) secrets.append(secretBox(saved, saved.secret));
      if (saved) await show();
    });
    editor.replaceChildren(make("h3", { textContent: account ? t("operators.change", { name: account.name }) : t("operators.new") }), form);
    form.querySelector("input").focus();
  };
  const button = (key, account, action, isDanger) => {
    const element = make("button", { type: "button", className: isDanger ? "danger" : "", textContent: t(`operators.${key}`), "aria-label": t(`operators.${key}-of`, { name: account.name }) });
    element.addEventListener("click", () => attempt(action));
    return element;
  };
  const rolesOf = (account) => [
    ...(account.role ? [t("operators.role-everywhere", { role: t(`role.${account.role}`) })] : []),
    ...account.roles.map((entry) => t("operators.role-at", { role: t(`role.${entry.role}`), venue: venues.find((venue) => venue.venue === entry.venue)?.name || entry.venue })),
  ].join(", ");
  const rowOf = (account) => {
    const path = `/v1/operator/accounts/${encodeURIComponent(account.operator)}`;
    const ways = [account.has_password && "password", account.one_time_codes && "codes", account.has_key && "key", account.provider && "provider"].filter(Boolean);
    const cells = [
      make("th", { scope: "row", textContent: account.name }),
      make("td", { "data-l": t("operators.sign-in-name"), textContent: account.sign_in_name ?? "–" }),
      make("td", { "data-l": t("operators.pseudonym") }, make("code", { textContent: account.operator })),
      make("td", { "data-l": t("operators.roles"), textContent: rolesOf(account) || "–" }),
      make("td", { "data-l": t("operators.ways"), textContent: ways.map((way) => t(`operators.way-${way}`)).join(", ") || "–" }),
      make("td", { "data-l": t("operators.state") }, make("span", { className: account.is_locked ? "tag bad" : "tag good", textContent: t(account.is_locked ? "operators.is-locked" : "operators.is-open") })),
    ];
    if (mayChange) {
      const actions = [button("edit", account, async () => edit(account))];
      if (account.has_password) {
        actions.push(" ", button("reset", account, async () => {
          const { secret } = await ask(path + "/password", { method: "POST" });
          secrets.append(secretBox(account, secret));
          await show();
        }));
      }
      if (account.operator !== me.operator) {
        actions.push(" ", button("remove", account, async () => {
          if (!window.confirm(t("operators.remove-text", { name: account.name }))) return;
          await ask(path, { method: "DELETE" });
          await show();
        }, true));
      }
      cells.push(make("td", { className: "actions" }, ...actions));
    }
    return make("tr", {}, ...cells);
  };
  const show = async () => {
    const { accounts } = await ask("/v1/operator/accounts");
    const heads = [t("operators.name"), t("operators.sign-in-name"), t("operators.pseudonym"), t("operators.roles"), t("operators.ways"), t("operators.state")];
    list.replaceChildren(dataTable(t("operators.list"), mayChange ? [...heads, t("operators.action")] : heads, accounts.map(rowOf), { empty: t("operators.none") }));
    if (!mayChange) return;
    const names = new Map(accounts.map((account) => [account.operator, account.name]));
    const name = (id) => names.get(id) ?? id;
    const answer = await ask("/v1/operator/account-events", { query: { limit: 50 } });
    const rows = answer.events.map((event) => make("tr", {}, make("th", { scope: "row", textContent: clock.short(event.time) }),
      make("td", { "data-l": t("operators.who"), textContent: name(event.operator) }),
      make("td", { "data-l": t("operators.what"), textContent: t(`event.${event.action.replaceAll(" ", "-")}`) }),
      make("td", { "data-l": t("operators.whom"), textContent: event.account ? name(event.account) : "–" })));
    events.replaceChildren(dataTable(t("operators.events"), [t("operators.when"), t("operators.who"), t("operators.what"), t("operators.whom")], rows, { empty: t("operators.no-events") }));
  };
  const add = make("button", { type: "button", className: "primary", textContent: t("operators.new") });
  add.addEventListener("click", () => edit(null));
  root.append(section(t("operators.list"), t("operators.note"), ...(mayChange ? [add] : []), secrets, editor, list));
  if (mayChange) root.append(section(t("operators.events"), t("operators.events-note"), events));
  await show();
}, { needsVenue: false, role: "admin" });
