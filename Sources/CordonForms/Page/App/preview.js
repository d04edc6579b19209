// The form in the designer of the console: the same fields, conditions and checks as in the app, without a store.

/** Shows a form in an element; answers that were tried stay while their fields do. */
export function preview(definition, root) {
  form = definition;
  main = root;
  status ??= element("p", { role: "status", class: "note" });
  state.isPreview = true;
  if (!form.languages.includes(state.language)) state.language = form.languages[0];
  if (state.record === undefined) state.record = "preview";
  state.given = { ...defaults(form.items), ...state.given };
  const names = new Set(form.items.map(nameOf));
  for (const name of Object.keys(state.given)) if (!names.has(name) || typeOf(name) !== state.types?.[name]) delete state.given[name];
  state.given = { ...defaults(form.items), ...state.given };
  state.types = Object.fromEntries(form.items.map((item) => [nameOf(item), typeOf(nameOf(item))]));
  show();
}

function typeOf(name) {
  const item = form.items.find((one) => nameOf(one) === name);
  return item?.group ? `group ${Boolean(item.repeat)}` : item?.type;
}
