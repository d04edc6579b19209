// The form that keeps the key of an operator for as long as the tab is open.

import { byId, make } from "./parts.js";
import { ask, credentials } from "./api.js";
import { t } from "./strings.js";

const next = new URL(location.href).searchParams.get("next") ?? "";
// Only addresses of the console: another site must not be where signing in leads.
const target = /^\/console\/[a-z-]+(\?[^#]*)?$/.test(next) ? next : "/console/overview";

const operator = make("input", { name: "operator", required: true, autocomplete: "username", id: "operator" });
const key = make("input", { name: "key", type: "password", required: true, autocomplete: "current-password", id: "key" });
const message = make("p", { className: "warning", role: "alert", hidden: true });
const form = make("form", { className: "card form" },
  make("label", { htmlFor: "operator" }, t("signin.operator")), operator,
  make("label", { htmlFor: "key" }, t("signin.key")), key,
  make("p", { className: "note", textContent: t("signin.note") }),
  make("button", { className: "primary", textContent: t("signin.submit") }), message);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  message.hidden = true;
  credentials.set(operator.value.trim(), key.value.trim());
  try {
    await ask("/v1/operator/me");
    location.assign(target);
  } catch (error) {
    credentials.clear();
    message.textContent = t("signin.failed", { detail: error.message });
    message.hidden = false;
    key.focus();
  }
});
byId("page").replaceChildren(form);
byId("page").setAttribute("aria-busy", "false");
document.documentElement.dataset.ready = "true";
