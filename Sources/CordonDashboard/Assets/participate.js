// Participants of studies: the offer with its consent text, enrolment, and signing in with the key of a participant.

import { byId, make } from "./parts.js";
import { ApiError } from "./api.js";
import { clockIn } from "./dates.js";
import { showError } from "./frame.js";
import { draw } from "./participant.js";
import { language, t } from "./strings.js";

const KEY = "cordon-study-key";
const clock = clockIn(Intl.DateTimeFormat().resolvedOptions().timeZone);
const root = byId("page");

/** Sends a request with the participant's key. Returns JSON, or `null` for an answer without a body. */
const call = async (path, { method = "GET", body } = {}) => {
  const headers = {};
  const key = localStorage.getItem(KEY);
  if (key) headers.authorization = `Bearer ${key}`;
  if (body) headers["content-type"] = "application/json";
  let response;
  try {
    response = await fetch(path, { method, headers, cache: "no-store", credentials: "omit", body: body && JSON.stringify(body) });
  } catch {
    throw new ApiError(0, "offline", t("error.offline"));
  }
  if (response.ok) return response.status === 204 ? null : response.json();
  const problem = await response.json().catch(() => ({}));
  throw new ApiError(response.status, problem.code ?? "", problem.detail ?? String(response.status), problem.field);
};

/** Runs an action and shows its error; a key that is not known any more leads to the start. */
const attempt = async (action) => {
  try {
    await action();
    showError(null);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      localStorage.removeItem(KEY);
      begin();
    }
    showError(error);
    if (!(error instanceof ApiError)) reportError(error);
  }
};

let fields = 0;
const field = (label, attributes, note = "") => {
  const id = `field-${fields++}`;
  const input = make("input", { id, autocomplete: "off", ...attributes });
  const box = make("div", {}, make("label", { htmlFor: id, textContent: label }), input);
  if (note) box.append(make("small", { className: "note", textContent: note }));
  return [box, input];
};
const submit = (form, action) => form.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(action);
});
const list = (title, entries) => (entries.length ? [make("h3", { textContent: title }), make("ul", {}, ...entries.map((text) => make("li", { textContent: text })))] : []);

/** The offer of a study, and the form with which a person agrees. */
const offer = async (code, invitation) => {
  const study = await call(`/v1/studies/join?study=${encodeURIComponent(code)}`);
  const text = study.texts[language] ?? Object.values(study.texts)[0];
  const [codeBox, code_] = field(t("participate.invitation"), { value: invitation, required: study.needs_invitation, maxLength: 64 });
  const [nameBox, name] = field(t("participate.name"), { maxLength: 200 }, t("participate.optional"));
  const [mailBox, mail] = field(t("participate.email"), { type: "email", maxLength: 254 }, t("participate.optional"));
  const [payBox, payment] = field(t("participate.payment"), { maxLength: 200 }, t("participate.payment-note"));
  const agree = make("input", { type: "checkbox", id: "agree", required: true });
  const form = make("form", { className: "card form" },
    make("h2", { textContent: study.title }), make("p", { textContent: study.summary }),
    make("p", { className: "note", textContent: t("participate.dates", { begins: clock.day(study.begins), ends: clock.day(study.ends), n: study.retention_days }) }),
    ...list(t("participate.requirements"), study.requirements), ...list(t("participate.purposes"), study.purposes),
    make("h3", { textContent: t("participate.consent", { version: String(study.consent) }) }),
    ...text.split("\n\n").map((part) => make("p", { textContent: part })),
    ...(study.needs_invitation || invitation ? [codeBox] : []), nameBox, mailBox, ...(study.has_rewards ? [payBox] : []),
    make("p", { className: "note", textContent: t("participate.vault-note") }),
    make("label", { htmlFor: "agree" }, agree, " ", t("participate.agree")),
    make("button", { className: "primary", textContent: t("participate.enrol") }));
  submit(form, async () => {
    const identity = { name: name.value.trim(), email: mail.value.trim(), payment: payment.value.trim() };
    const enrolled = await call("/v1/studies/join", { method: "POST", body: {
      study: code, consent: study.consent, language, utc_offset_minutes: -new Date().getTimezoneOffset(), identity,
      ...(code_.value.trim() ? { invitation: code_.value.trim() } : {}) } });
    localStorage.setItem(KEY, enrolled.key);
    // The invitation is used, and the address does not keep it.
    history.replaceState(null, "", location.pathname);
    const onward = make("button", { type: "button", className: "primary", textContent: t("participate.onward") });
    onward.addEventListener("click", () => attempt(show));
    root.replaceChildren(make("div", { className: "card" }, make("h2", { textContent: t("participate.enrolled") }),
      make("p", { textContent: t("participate.key-note") }), make("p", { className: "code" }, make("code", { id: "key", textContent: enrolled.key })), onward));
  });
  root.replaceChildren(form);
};

/** The start: the code of a study, or the key of a participant. */
const begin = () => {
  const [codeBox, code] = field(t("participate.code"), { required: true, minLength: 3, maxLength: 32 });
  const join = make("form", { className: "card form" }, make("h2", { textContent: t("participate.join") }), codeBox, make("button", { className: "primary", textContent: t("participate.next") }));
  submit(join, () => offer(code.value.trim().toLowerCase(), ""));
  const [keyBox, key] = field(t("participate.key"), { required: true, type: "password", maxLength: 100 });
  const enter = make("form", { className: "card form" }, make("h2", { textContent: t("participate.return") }), keyBox, make("button", { textContent: t("participate.sign-in") }));
  submit(enter, async () => {
    localStorage.setItem(KEY, key.value.trim());
    await show();
  });
  root.replaceChildren(join, enter);
};

/** Shows the data of the participant. */
const show = async () => {
  const progress = await call("/v1/studies/me");
  const forget = () => {
    localStorage.removeItem(KEY);
    begin();
  };
  draw(root, progress, { call, attempt, clock, again: () => attempt(show), forget });
};

const given = new URL(location.href).searchParams.get("study");
await attempt(async () => {
  if (localStorage.getItem(KEY)) await show();
  else if (given) await offer(given, decodeURIComponent(location.hash.slice(1)));
  else begin();
});
if (!root.querySelector("form, section, .card")) begin();
byId("zone").textContent = t("participate.zone", { zone: clock.zone });
root.setAttribute("aria-busy", "false");
document.documentElement.dataset.ready = "true";
