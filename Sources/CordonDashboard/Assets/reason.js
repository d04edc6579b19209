// The reason for looking at a person: asked for once in a tab, kept by the server with each access.

import { make } from "./parts.js";
import { t } from "./strings.js";

const KEY = "cordon-reason";
let fields = 0;

/** A field for the reason: `element`, `value()`, and `check()`, which shows what is missing. */
const reasonField = () => {
  const id = `reason-${fields++}`;
  const input = make("input", { id, required: true, minLength: 3, maxLength: 500, value: sessionStorage.getItem(KEY) ?? "", placeholder: t("reason.example"), autocomplete: "off" });
  input.addEventListener("change", () => sessionStorage.setItem(KEY, input.value.trim()));
  return {
    element: make("div", { className: "grow" }, make("label", { htmlFor: id, textContent: t("reason.label") }), input,
      make("small", { className: "note", textContent: t("reason.note") })),
    input,
    value: () => input.value.trim(),
    check: () => {
      sessionStorage.setItem(KEY, input.value.trim());
      return input.reportValidity();
    },
  };
};
const knownReason = () => sessionStorage.getItem(KEY) ?? "";

export { reasonField, knownReason };
