// The person's own page: what the server stores about the device, notices, who looked, a copy, and the end of it all.
// The token is a variable of this page: it ends with the tab, and no other page has it.

import { byId, make } from "./parts.js";
import { ApiError, save } from "./api.js";
import { dataTable, figures, section } from "./charts.js";
import { clockIn } from "./dates.js";
import { showError } from "./frame.js";
import { number, t, textOr } from "./strings.js";

const root = byId("page");
const clock = clockIn(Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC");
let token = null;

const call = async (path, { method = "GET", body, proof = token } = {}) => {
  const headers = proof ? { authorization: `Bearer ${proof}` } : {};
  if (body) headers["content-type"] = "application/json";
  let response;
  try {
    response = await fetch(path, { method, headers, body: body && JSON.stringify(body), cache: "no-store", credentials: "omit" });
  } catch {
    throw new ApiError(0, "offline", t("error.offline"));
  }
  if (!response.ok) {
    const problem = await response.json().catch(() => ({}));
    throw new ApiError(response.status, problem.code ?? "", problem.detail ?? String(response.status), problem.field);
  }
  return response.status === 204 ? null : response.json();
};

/** Runs an action and shows what went wrong; a token that ended leads back to the form. */
const attempt = async (action) => {
  try {
    await action();
    byId("offline").hidden = true;
    showError(null);
  } catch (error) {
    if (!(error instanceof ApiError)) {
      showError(error);
      reportError(error);
    } else if (error.status === 0) {
      byId("offline").hidden = false;
    } else if (error.status === 401 && token) {
      showForm(t("person.ended"));
    } else {
      showError({ message: textOr(`person.error-${error.code}`, error.message) });
    }
  }
};

/** All pages of what is stored: the first with the positions, contacts and accesses of the others. */
const everything = async (path) => {
  const whole = await call(`${path}/data?limit=10000`);
  for (let next = whole.next_after; next;) {
    const page = await call(`${path}/data?limit=10000&after=${encodeURIComponent(next)}`);
    whole.positions.push(...page.positions);
    whole.contacts.push(...page.contacts);
    next = page.next_after;
  }
  whole.next_after = null;
  return whole;
};

const field = (id, label, options) => {
  const input = make("input", { id, autocomplete: "off", ...options });
  return { input, element: make("div", { className: "grow" }, make("label", { htmlFor: id, textContent: label }), input) };
};

const showForm = (message) => {
  token = null;
  const code = field("code", t("person.code"), { required: true, maxLength: 16, spellcheck: false });
  const withCode = make("form", { className: "fields" }, code.element, make("button", { className: "primary", textContent: t("person.open") }));
  withCode.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async () => {
      const answer = await call("/v1/page-code", { method: "POST", body: { code: code.input.value }, proof: null });
      token = answer.token;
      await show(answer.device, { page_key: answer.key });
    });
  });
  const device = field("device", t("table.device"), { required: true, maxLength: 128 });
  const secret = field("secret", t("person.secret"), { required: true, maxLength: 128, type: "password" });
  const withSecret = make("form", { className: "fields" }, device.element, secret.element, make("button", { textContent: t("person.open") }));
  withSecret.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async () => {
      const name = device.input.value.trim();
      const proof = { secret: secret.input.value.trim() };
      token = (await call(`/v1/devices/${encodeURIComponent(name)}/token`, { method: "POST", body: proof, proof: null })).token;
      await show(name, proof);
    });
  });
  root.replaceChildren(
    ...(message ? [make("p", { className: "warning", role: "status", textContent: message })] : []),
    section(t("person.with-code"), t("person.with-code-note"), withCode),
    section(t("person.with-secret"), t("person.with-secret-note"), withSecret));
};

const noticeCard = (notice, path) => {
  const card = make("article", { className: "card" },
    make("h3", { textContent: t("person.notice-of", { day: clock.date(Date.parse(`${notice.exposed_day}T12:00:00Z`)) }) }),
    make("p", { textContent: textOr(`person.template-${notice.template}`, t("person.template-exposure")) }));
  if (notice.advice) card.append(make("p", { className: "advice", textContent: notice.advice }));
  card.append(make("p", { className: "note", textContent: t("person.notice-until", { made: clock.short(notice.created), end: clock.short(notice.expires) }) }));
  if (notice.acknowledged) {
    card.append(make("p", {}, make("span", { className: "tag good", textContent: t("person.acknowledged", { time: clock.short(notice.acknowledged) }) })));
  } else {
    const button = make("button", { type: "button", className: "primary", textContent: t("person.acknowledge") });
    button.addEventListener("click", () => attempt(async () => {
      await call(`${path}/notices`, { method: "POST", body: { number: notice.number } });
      const next = noticeCard({ ...notice, acknowledged: Date.now() }, path);
      next.tabIndex = -1;
      card.replaceWith(next);
      next.focus();
    }));
    card.append(button);
  }
  return card;
};

/** The days on which something is stored: positions and contacts of each. */
const days = (data) => {
  const found = new Map();
  const at = (time) => {
    const day = clock.day(time);
    if (!found.has(day)) found.set(day, { positions: 0, contacts: 0, seconds: 0 });
    return found.get(day);
  };
  for (const position of data.positions) at(position.time).positions++;
  for (const contact of data.contacts) {
    const day = at(contact.start);
    day.contacts++;
    day.seconds += (contact.end - contact.start) / 1000;
  }
  return [...found].sort(([a], [b]) => (a < b ? 1 : -1));
};

const show = async (device, proof) => {
  const path = `/v1/devices/${encodeURIComponent(device)}`;
  const [data, { notices }] = await Promise.all([everything(path), call(`${path}/notices`)]);
  const export_ = make("button", { type: "button", className: "primary", textContent: t("person.save") });
  export_.addEventListener("click", () => save(`${device.replaceAll(/[^\w.-]/g, "_")}.json`, "application/json", JSON.stringify({ ...data, notices }, null, 1) + "\n"));
  const minutes = (seconds) => t("person.minutes", { n: Math.round(seconds / 60) });
  const dayRows = days(data).map(([day, entry]) => make("tr", {},
    make("th", { scope: "row", textContent: clock.date(Date.parse(`${day}T12:00:00Z`)) }),
    make("td", { className: "n", "data-l": t("person.positions"), textContent: number(entry.positions) }),
    make("td", { className: "n", "data-l": t("person.contacts"), textContent: number(entry.contacts) }),
    make("td", { className: "n", "data-l": t("person.contact-time"), textContent: minutes(entry.seconds) })));
  const consents = data.consents.map((consent) => make("tr", {},
    make("th", { scope: "row", textContent: clock.full(consent.time) }),
    make("td", { "data-l": t("person.version"), textContent: consent.version }),
    make("td", { "data-l": t("person.purposes"), textContent: consent.purposes.map((purpose) => textOr(`person.purpose-${purpose}`, purpose)).join(", ") || "–" })));
  const accesses = data.accesses.map((entry) => make("tr", {},
    make("th", { scope: "row", textContent: clock.full(entry.time) }),
    make("td", { "data-l": t("person.operator"), textContent: `${entry.operator} · ${textOr(`role.${entry.role}`, entry.role)}` }),
    make("td", { "data-l": t("person.action"), textContent: entry.action }),
    make("td", { "data-l": t("reason.label"), textContent: entry.reason })));
  root.replaceChildren(
    figures([
      [t("table.device"), device, data.venue], [t("person.positions"), number(data.positions.length), ""],
      [t("person.contacts"), number(data.contacts.length), ""], [t("person.met"), number(data.devices_met ?? 0), t("person.met-note")],
    ]),
    section(t("person.notices"), "", ...(notices.length ? notices.map((notice) => noticeCard(notice, path)) : [make("p", { className: "note", textContent: t("person.no-notices") })])),
    section(t("person.days"), t("person.days-note"), dataTable(t("person.days"), [t("table.time"), [t("person.positions"), true], [t("person.contacts"), true], [t("person.contact-time"), true]], dayRows, { empty: t("person.nothing") })),
    section(t("person.looks"), t("person.looks-note"), dataTable(t("person.looks"), [t("table.time"), t("person.operator"), t("person.action"), t("reason.label")], accesses, { empty: t("person.no-looks") })),
    section(t("person.consents"), "", dataTable(t("person.consents"), [t("table.time"), t("person.version"), t("person.purposes")], consents, { empty: t("person.no-consents") })),
    section(t("person.copy"), t("person.copy-note"), export_),
    section(t("person.withdraw"), t("person.withdraw-note"), withdrawal(path, device, proof)));
  byId("who").textContent = device;
};

const withdrawal = (path, device, proof) => {
  const button = make("button", { type: "button", className: "danger", textContent: t("person.withdraw") });
  button.addEventListener("click", () => {
    const dialog = make("dialog", { className: "card" }, make("p", { textContent: t("person.withdraw-text", { device }) }),
      make("form", { method: "dialog", className: "fields" }, make("button", { className: "danger", value: "yes", textContent: t("person.withdraw") }),
        make("button", { value: "no", autofocus: true, textContent: t("devices.cancel") })));
    dialog.addEventListener("close", () => {
      dialog.remove();
      button.focus();
      if (dialog.returnValue !== "yes") return;
      attempt(async () => {
        const receipt = await call(path, { method: "DELETE", body: proof, proof: null });
        const file = make("button", { type: "button", textContent: t("devices.save-receipt") });
        file.addEventListener("click", () => save("receipt.json", "application/json", JSON.stringify(receipt, null, 1) + "\n"));
        token = null;
        byId("who").textContent = "";
        const card = make("div", { className: "card", role: "status", tabIndex: -1 }, make("h2", { textContent: t("person.erased") }),
          make("p", { textContent: t("devices.receipt-text", { device: receipt.device, n: receipt.locations, time: clock.full(receipt.erased) }) }),
          make("p", { textContent: t("person.erased-note") }), file);
        root.replaceChildren(card);
        card.focus();
      });
    });
    document.body.append(dialog);
    dialog.showModal();
  });
  return button;
};

byId("zone").textContent = t("person.zone", { zone: clock.zone });
showForm();
// A link of the app has the code behind the mark #, which browsers do not send.
if (location.hash.startsWith("#code=")) {
  byId("code").value = decodeURIComponent(location.hash.slice(6));
  history.replaceState(null, "", location.pathname);
  byId("code").form.requestSubmit();
}
byId("loading")?.remove();
root.setAttribute("aria-busy", "false");
document.documentElement.dataset.ready = "true";
