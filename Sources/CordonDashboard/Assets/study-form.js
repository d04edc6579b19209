// The form of a study, and its document for everything that the form does not have.

import { make } from "./parts.js";
import { t } from "./strings.js";

const DAY = 86400000;
const day = (text) => new Date(text).toISOString().slice(0, 10);

/** A form for a study; `study` is `null` for a new one. `submit` gets the document. */
const studyForm = (study, submit) => {
  const field = (id, key, element) => {
    element.id = id;
    return make("div", {}, make("label", { htmlFor: id, textContent: t(key) }), element);
  };
  const input = (attributes) => make("input", { autocomplete: "off", ...attributes });
  const consent = study?.consents.at(-1);
  const parts = {
    code: input({ required: true, minLength: 3, maxLength: 32, pattern: "[a-z0-9][a-z0-9\\-]*[a-z0-9]", value: study?.code ?? "", readOnly: Boolean(study) }),
    title: input({ required: true, maxLength: 200, value: study?.title ?? "" }),
    summary: make("textarea", { rows: 2, maxLength: 5000, value: study?.summary ?? "" }),
    state: make("select", {}, ...["draft", "open", "closed"].map((state) => make("option", { value: state, textContent: t(`studies.is-${state}`) }))),
    begins: input({ type: "date", required: true, value: study ? day(study.begins) : day(Date.now()) }),
    ends: input({ type: "date", required: true, value: study ? day(study.ends) : day(Date.now() + 90 * DAY) }),
    requirements: make("textarea", { rows: 2, value: (study?.requirements ?? []).join("\n") }),
    purposes: make("textarea", { rows: 2, value: (study?.purposes ?? []).join("\n") }),
    english: make("textarea", { rows: 3, value: consent?.texts.en ?? "" }),
    german: make("textarea", { rows: 3, value: consent?.texts.de ?? "" }),
    retention: input({ type: "number", min: "0", max: "36500", value: String(study?.retention_days ?? 365) }),
    byCode: input({ type: "checkbox", checked: study?.opens_by_code ?? true }),
    rewards: input({ type: "checkbox", checked: Boolean(study?.rewards) }),
    worth: input({ type: "number", min: "1", max: "1000000", value: String(study?.rewards?.units_per_credit ?? 10) }),
    budget: input({ type: "number", min: "0", max: "1000000000000", value: String(study?.rewards?.budget ?? 1000000) }),
  };
  parts.state.value = study?.state ?? "draft";
  const form = make("form", { className: "card form" }, make("h2", { textContent: study ? study.title : t("studies.new") }),
    field("study-code", "studies.code", parts.code), field("study-title", "studies.title", parts.title), field("study-summary", "studies.summary", parts.summary),
    field("study-state", "studies.state", parts.state), field("study-begins", "studies.begins", parts.begins), field("study-ends", "studies.ends", parts.ends),
    field("study-requirements", "studies.requirements", parts.requirements), field("study-purposes", "studies.purposes", parts.purposes),
    field("study-consent-en", "studies.consent-en", parts.english), field("study-consent-de", "studies.consent-de", parts.german),
    make("p", { className: "note", textContent: t("studies.consent-note") }),
    field("study-retention", "studies.retention", parts.retention),
    make("label", {}, parts.byCode, " ", t("studies.by-code")), make("label", {}, parts.rewards, " ", t("studies.has-rewards")),
    field("study-worth", "studies.worth", parts.worth), field("study-budget", "studies.budget", parts.budget),
    make("button", { className: "primary", textContent: t("studies.save") }));
  const lines = (element) => element.value.split("\n").map((line) => line.trim()).filter(Boolean);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const texts = {};
    if (parts.english.value.trim()) texts.en = parts.english.value.trim();
    if (parts.german.value.trim()) texts.de = parts.german.value.trim();
    const consents = [...(study?.consents ?? [])];
    // A changed text is a new version: people agreed to the former one.
    if (Object.keys(texts).length && JSON.stringify(texts) !== JSON.stringify(consent?.texts)) consents.push({ version: (consent?.version ?? 0) + 1, texts });
    submit({ ...(study ?? {}), code: parts.code.value, title: parts.title.value.trim(), summary: parts.summary.value.trim(), state: parts.state.value,
      begins: `${parts.begins.value}T00:00:00Z`, ends: `${parts.ends.value}T00:00:00Z`, requirements: lines(parts.requirements), purposes: lines(parts.purposes),
      consents, retention_days: Number(parts.retention.value), opens_by_code: parts.byCode.checked,
      rewards: parts.rewards.checked ? { ...(study?.rewards ?? {}), units_per_credit: Number(parts.worth.value), budget: Number(parts.budget.value) } : null });
  });
  return form;
};

export { studyForm };
