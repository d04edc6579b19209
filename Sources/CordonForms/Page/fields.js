// The input of each type of field. Each function returns the element to show and calls `change` with the new answer;
// undefined for no answer.

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== undefined));
  return node;
}

/** A text without the rarer ends of lines, which a browser keeps in a field of one line and the check refuses. */
function oneLine(text) { return text.replace(/[\v\f\r\n\u0085\u2028\u2029]+/g, " "); }

const inputs = {
  text: (field, answer, id, change) => element("input", {
    id, type: "text", value: answer, autocomplete: "off", oninput: (event) => change(oneLine(event.target.value) || undefined),
  }),

  long_text: (field, answer, id, change) => {
    const area = element("textarea", { id, rows: 4, oninput: (event) => change(event.target.value || undefined) });
    area.value = answer ?? "";
    return area;
  },

  number: (field, answer, id, change) => element("input", {
    id, type: "number", value: answer, step: field.type === "number" ? "any" : 1, min: field.min, max: field.max,
    inputmode: field.type === "number" ? "decimal" : "numeric",
    oninput: (event) => change(event.target.value === "" ? undefined : Number(event.target.value)),
  }),

  date: (field, answer, id, change) => element("input", {
    id, type: "date", value: answer, oninput: (event) => change(event.target.value || undefined),
  }),

  toggle: (field, answer, id, change, { words }) => choices(
    [[true, words.yes], [false, words.no]], (value) => value === answer, "radio", id, (value) => change(value)),

  scale: (field, answer, id, change) => {
    const values = [];
    for (let value = field.min; value <= field.max && values.length < 101; value += 1) values.push([value, String(value)]);
    const node = choices(values, (value) => value === answer, "radio", id, (value) => change(value));
    node.classList.add("scale");
    return node;
  },

  choice: (field, answer, id, change, context) => {
    if (field.options.length <= 7) {
      return choices(
        field.options.map((one) => [one.value, context.text(one.label)]), (value) => value === answer, "radio", id, change);
    }
    return element(
      "select", { id, onchange: (event) => change(event.target.value || undefined) },
      element("option", { value: "" }, context.words.choose),
      ...field.options.map((one) => element("option", { value: one.value, selected: one.value === answer }, context.text(one.label))));
  },

  choices: (field, answer, id, change, context) => {
    const chosen = new Set(answer ?? []);
    return choices(
      field.options.map((one) => [one.value, context.text(one.label)]), (value) => chosen.has(value), "checkbox", id,
      (value, isOn) => {
        if (isOn) chosen.add(value); else chosen.delete(value);
        const list = field.options.map((one) => one.value).filter((one) => chosen.has(one));
        change(list.length > 0 ? list : undefined);
      });
  },

  place: (field, answer, id, change, { words }) => element("input", {
    id, type: "text", value: answer?.space, placeholder: words.space, autocomplete: "off",
    oninput: (event) => change(event.target.value ? { space: event.target.value } : undefined),
  }),

  photo: (field, answer, id, change, { words }) => element(
    "div", {},
    element("input", {
      id, type: "file", accept: "image/jpeg,image/png,image/heic,image/webp",
      onchange: async (event) => {
        const file = event.target.files[0];
        if (!file) return change(undefined);
        const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
        const hex = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
        return change({ sha256: hex, type: file.type, bytes: file.size });
      },
    }),
    element("p", { class: "note" }, answer ? `${answer.sha256.slice(0, 12)} … ${answer.bytes} B` : words.photo)),
};
inputs.integer = inputs.number;

/** A list of radio buttons or checkboxes; the first has the identifier that the label names. */
function choices(options, isOn, type, id, change) {
  return element(
    "div", { class: "choices" },
    ...options.map(([value, text], index) => {
      const own = index === 0 ? id : `${id}-${index}`;
      const box = element("input", { id: own, type, name: id, onchange: (event) => change(value, event.target.checked) });
      box.checked = isOn(value);
      return element("label", { for: own }, box, text);
    }));
}

/** Whether a type shows several inputs, which need a group with a legend. */
function isList(field) {
  return field.type === "toggle" || field.type === "scale" || field.type === "choices" || field.type === "choice" && field.options.length <= 7;
}
