// The operator's own account: password, one-time codes, sessions.

import { make } from "./parts.js";
import { ask } from "./api.js";
import { dataTable, section } from "./charts.js";
import { attempt, start } from "./frame.js";
import { ADDRESS, qrCode } from "./qr.js";
import { t } from "./strings.js";

const field = (id, key, attributes) => {
  const input = make("input", { id, required: true, ...attributes });
  return [make("div", {}, make("label", { htmlFor: id, textContent: t(key) }), input), input];
};

start(async ({ me, clock, root }) => {
  if (!me.session) {
    root.append(make("p", { className: "note", textContent: t("account.no-session") }));
    return;
  }
  const said = make("p", { role: "status" });
  const say = (key) => { said.textContent = t(key); };
  const done = async (key) => {
    say(key);
    // A new password gives the session a new token.
    location.reload();
  };

  if (me.method === "password") {
    const [formerField, former] = field("former", "account.former", { type: "password", autocomplete: "current-password", maxLength: 256 });
    const [newField, fresh] = field("fresh", "account.fresh", { type: "password", autocomplete: "new-password", minLength: 12, maxLength: 256 });
    const [againField, again] = field("again", "account.again", { type: "password", autocomplete: "new-password", maxLength: 256 });
    const [codeField, code] = field("code", "account.code", { inputMode: "numeric", autocomplete: "one-time-code", maxLength: 8 });
    const form = make("form", { className: "card form" }, formerField, newField, againField, ...(me.one_time_codes ? [codeField] : []),
      make("p", { className: "note", textContent: t("account.password-note") }), make("button", { className: "primary", textContent: t("account.change") }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      again.setCustomValidity(again.value === fresh.value ? "" : t("account.different"));
      if (!form.reportValidity()) return;
      const body = { password: former.value, new_password: fresh.value };
      if (me.one_time_codes) body.code = code.value;
      attempt(async () => { await ask("/v1/operator/password", { body }); await done("account.changed"); });
    });
    again.addEventListener("input", () => again.setCustomValidity(""));
    root.append(section(t("account.password"), "", form));

    const codes = make("div");
    const offer = make("button", { type: "button", textContent: t("account.offer") });
    offer.addEventListener("click", () => attempt(async () => {
      const { secret, address } = await ask("/v1/operator/one-time-codes", { method: "POST" });
      const [field_, entered] = field("first-code", "account.first-code", { inputMode: "numeric", autocomplete: "one-time-code", maxLength: 8 });
      const picture = qrCode(address, t("account.qr"), ADDRESS);
      const accept = make("form", { className: "card form" }, make("p", { textContent: t("account.scan") }), ...(picture ? [picture] : []),
        make("p", { className: "code" }, make("code", { textContent: secret.replaceAll(/(.{4})/g, "$1 ").trim() })), field_,
        make("button", { className: "primary", textContent: t("account.accept") }));
      accept.addEventListener("submit", (event) => {
        event.preventDefault();
        attempt(async () => { await ask("/v1/operator/one-time-codes", { method: "PUT", body: { code: entered.value } }); await done("account.accepted"); });
      });
      codes.replaceChildren(accept);
      entered.focus();
    }));
    const end = make("button", { type: "button", className: "danger", textContent: t("account.end-codes") });
    end.addEventListener("click", () => attempt(async () => { await ask("/v1/operator/one-time-codes", { method: "DELETE" }); await done("account.codes-ended"); }));
    codes.append(me.one_time_codes ? end : offer);
    root.append(section(t("account.codes"), t(me.one_time_codes ? "account.codes-on" : "account.codes-off"), codes));
  }

  const list = make("div");
  const show = async () => {
    const { sessions } = await ask("/v1/operator/sessions");
    const rows = sessions.map((session) => {
      const end = make("button", { type: "button", textContent: t("account.end"), "aria-label": t("account.end-of", { time: clock.short(session.created) }) });
      end.addEventListener("click", () => attempt(async () => { await ask(`/v1/operator/sessions/${session.number}`, { method: "DELETE" }); await show(); }));
      return make("tr", {}, make("th", { scope: "row", textContent: clock.short(session.created) }),
        make("td", { "data-l": t("account.last-seen"), textContent: clock.short(session.last_seen) }),
        make("td", { "data-l": t("account.expires"), textContent: clock.short(session.expires) }),
        make("td", { "data-l": t("account.method"), textContent: t(`account.by-${session.method}`) }),
        make("td", {}, session.is_this_one ? make("span", { className: "tag good", textContent: t("account.this-one") }) : end));
    });
    list.replaceChildren(dataTable(t("account.sessions"), [t("account.since"), t("account.last-seen"), t("account.expires"), t("account.method"), t("account.action")], rows, { empty: "–" }));
  };
  root.append(section(t("account.sessions"), t("account.sessions-note"), list), said);
  await show();
}, { needsVenue: false, role: "metrics" });
