// Invite codes: made, listed, revoked. Devices: listed with a reason, tokens ended, set free, erased with a receipt.

import { make } from "./parts.js";
import { ask, save } from "./api.js";
import { dataTable, section } from "./charts.js";
import { attempt, deviceMark, linkTo, start } from "./frame.js";
import { qrCode } from "./qr.js";
import { reasonField } from "./reason.js";
import { number, t, textOr } from "./strings.js";

const DAY = 86400000;

/** Asks before something that cannot be undone. */
const confirmed = (text, label) => new Promise((resolve) => {
  const yes = make("button", { className: "danger", value: "yes", textContent: label });
  const dialog = make("dialog", { className: "card" }, make("p", { textContent: text }),
    make("form", { method: "dialog", className: "fields" }, yes, make("button", { value: "no", textContent: t("devices.cancel"), autofocus: true })));
  dialog.addEventListener("close", () => { resolve(dialog.returnValue === "yes"); dialog.remove(); });
  document.body.append(dialog);
  dialog.showModal();
});

start(async ({ venue, clock, root, may }) => {
  const codes = make("div");
  const made = make("div", { "aria-live": "polite" });
  const listCodes = async () => {
    const answer = await ask("/v1/operator/invite-codes", { query: { venue: venue.venue } });
    const rows = answer.invite_codes.map((code) => {
      const revoke = make("button", { type: "button", className: "danger", textContent: t("devices.revoke"), "aria-label": t("devices.revoke-code", { code: code.begins_with }) });
      revoke.addEventListener("click", () => attempt(async () => {
        if (!(await confirmed(t("devices.revoke-text", { code: code.begins_with }), t("devices.revoke")))) return;
        await ask(`/v1/operator/invite-codes/${code.number}`, { method: "DELETE" });
        await listCodes();
      }));
      const isOver = code.uses >= code.maximum_uses || (code.expires !== null && code.expires <= Date.now());
      return make("tr", {}, make("th", { scope: "row" }, make("code", { textContent: `${code.begins_with}…` })),
        make("td", { className: "n", "data-l": t("devices.uses"), textContent: `${number(code.uses)} / ${number(code.maximum_uses)}` }),
        make("td", { "data-l": t("devices.expires"), textContent: code.expires === null ? t("devices.never") : clock.short(code.expires) }),
        make("td", { "data-l": t("devices.made"), textContent: clock.short(code.created) }),
        make("td", { "data-l": t("devices.by"), textContent: code.creator }),
        make("td", { "data-l": t("devices.state") }, make("span", { className: isOver ? "tag" : "tag good", textContent: t(isOver ? "devices.over" : "devices.usable") })),
        make("td", {}, revoke));
    });
    codes.replaceChildren(dataTable(t("devices.codes"), [t("devices.begins"), [t("devices.uses"), true], t("devices.expires"), t("devices.made"), t("devices.by"), t("devices.state"), t("devices.action")], rows, { empty: t("devices.no-codes") }));
  };
  const uses = make("input", { id: "uses", type: "number", min: "1", max: "100000", value: "1", required: true });
  const lasting = make("input", { id: "lasting", type: "number", min: "1", max: "365", value: "14", required: true });
  const form = make("form", { className: "fields" },
    make("div", {}, make("label", { htmlFor: "uses", textContent: t("devices.maximum-uses") }), uses),
    make("div", {}, make("label", { htmlFor: "lasting", textContent: t("devices.days") }), lasting),
    make("button", { className: "primary", textContent: t("devices.make") }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async () => {
      const code = await ask("/v1/operator/invite-codes", { body: { venue: venue.venue, maximum_uses: Number(uses.value), expires: Date.now() + Number(lasting.value) * DAY } });
      const card = make("div", { className: "card invite" }, make("h3", { textContent: t("devices.new") }),
        make("p", { className: "code" }, make("code", { textContent: code.code })), make("p", { className: "note", textContent: t("devices.once") }));
      const picture = qrCode(code.code, t("devices.qr", { code: code.code }));
      if (picture) card.append(picture);
      made.replaceChildren(card);
      await listCodes();
    });
  });

  const reason = reasonField();
  const prefix = make("input", { id: "prefix", type: "search", autocomplete: "off" });
  const search = make("form", { className: "fields" }, reason.element,
    make("div", { className: "grow" }, make("label", { htmlFor: "prefix", textContent: t("device.prefix") }), prefix),
    make("button", { textContent: t("device.search") }));
  const list = make("div");
  const receipts = make("div", { "aria-live": "polite" });
  const act = (device, name, path, method, text) => {
    const button = make("button", { type: "button", className: name === "erase" ? "danger" : "", textContent: t(`devices.${name}`), "aria-label": t(`devices.${name}-device`, { device }) });
    button.addEventListener("click", () => attempt(async () => {
      if (!reason.check() || !(await confirmed(text, t(`devices.${name}`)))) return;
      const answer = await ask(path, { method, body: { reason: reason.value() } });
      if (name === "erase") showReceipt(answer);
      await find();
    }));
    return button;
  };
  /** Everything that the server stores about a device, as its person gets it. */
  const dataOf = async (device) => {
    const path = `/v1/operator/devices/${encodeURIComponent(device)}/data`;
    const body = { reason: reason.value(), limit: 10000 };
    const whole = await ask(path, { body });
    for (let next = whole.next_after; next;) {
      const page = await ask(path, { body: { ...body, after: next } });
      whole.positions.push(...page.positions);
      whole.contacts.push(...page.contacts);
      next = page.next_after;
    }
    whole.next_after = null;
    return whole;
  };
  const take = (device, name, action) => {
    const button = make("button", { type: "button", textContent: t(`devices.${name}`), "aria-label": t(`devices.${name}-device`, { device }) });
    button.addEventListener("click", () => attempt(async () => { if (reason.check()) await action(); }));
    return button;
  };
  const exportOf = (device) => take(device, "export", async () => {
    if (!(await confirmed(t("devices.export-text", { device }), t("devices.export")))) return;
    save(`${device.replaceAll(/[^\w.-]/g, "_")}.json`, "application/json", JSON.stringify(await dataOf(device), null, 1) + "\n");
  });
  const consentsOf = (device) => take(device, "consents", async () => {
    const { consents } = await ask(`/v1/operator/devices/${encodeURIComponent(device)}/data`, { body: { reason: reason.value(), limit: 1 } });
    const rows = consents.map((consent) => make("tr", {}, make("th", { scope: "row", textContent: clock.full(consent.time) }),
      make("td", { "data-l": t("person.version"), textContent: consent.version }),
      make("td", { "data-l": t("person.purposes"), textContent: consent.purposes.map((purpose) => textOr(`person.purpose-${purpose}`, purpose)).join(", ") || "–" })));
    receipts.replaceChildren(make("div", { className: "card" }, make("h3", { textContent: t("devices.consents-device", { device }) }),
      dataTable(t("devices.consents-device", { device }), [t("table.time"), t("person.version"), t("person.purposes")], rows, { empty: t("devices.no-consents", { device }) })));
  });
  const showReceipt = (receipt) => {
    const file = make("button", { type: "button", textContent: t("devices.save-receipt") });
    file.addEventListener("click", () => save("receipt.json", "application/json", JSON.stringify(receipt, null, 1) + "\n"));
    receipts.replaceChildren(make("div", { className: "card" }, make("h3", { textContent: t("devices.receipt") }),
      make("p", { textContent: t("devices.receipt-text", { device: receipt.device, n: receipt.locations, time: clock.full(receipt.erased) }) }), file));
  };
  const find = async () => {
    const answer = await ask("/v1/operator/devices", { body: { venue: venue.venue, prefix: prefix.value.trim(), limit: 200, reason: reason.value() } });
    const rows = answer.devices.map((entry) => {
      const path = `/v1/operator/devices/${encodeURIComponent(entry.device)}`;
      const cells = [
        make("th", { scope: "row", className: "id" }, make("a", { href: linkTo("device") + deviceMark(entry.device), textContent: entry.device })),
        make("td", { "data-l": t("devices.type"), textContent: entry.type }),
        make("td", { "data-l": t("devices.activated"), textContent: clock.short(entry.activated) }),
        make("td", { "data-l": t("devices.last-seen"), textContent: clock.short(entry.last_seen) }),
        make("td", { "data-l": t("devices.consent") }, make("span", { className: entry.may_record ? "tag good" : "tag bad", textContent: t(entry.may_record ? "devices.given" : "devices.missing") })),
      ];
      if (may("admin")) {
        cells.push(make("td", { className: "actions" }, consentsOf(entry.device), " ", exportOf(entry.device), " ", act(entry.device, "end", path + "/revoke", "POST", t("devices.end-text", { device: entry.device })), " ",
          act(entry.device, "free", path + "/reset", "POST", t("devices.free-text", { device: entry.device })), " ",
          act(entry.device, "erase", `/v1/devices/${encodeURIComponent(entry.device)}`, "DELETE", t("devices.erase-text", { device: entry.device }))));
      }
      return make("tr", {}, ...cells);
    });
    list.replaceChildren(dataTable(t("devices.list"), [t("table.device"), t("devices.type"), t("devices.activated"), t("devices.last-seen"), t("devices.consent"), ...(may("admin") ? [t("devices.action")] : [])], rows, { empty: t("device.nothing") }),
      ...(answer.next_after ? [make("p", { className: "note", textContent: t("devices.first", { n: answer.devices.length }) })] : []));
  };
  search.addEventListener("submit", (event) => { event.preventDefault(); if (reason.check()) attempt(find); });

  if (may("admin")) root.append(section(t("devices.codes"), t("devices.codes-note"), form, made, codes));
  root.append(section(t("devices.list"), t("devices.list-note"), search, receipts, list));
  if (may("admin")) await listCodes();
}, { role: "contact-tracer" });
