// The items of a form as the designer changes them: a list with depths over the document, moves, and the properties of each type.

/** The types of answers, in the order in which they are offered. */
const TYPES = ["text", "long_text", "number", "integer", "scale", "date", "toggle", "choice", "choices", "place", "photo"];

/** The properties that each type has besides name, label, help and conditions. */
const PROPERTIES = {
  text: ["max_length"], long_text: ["max_length"], number: ["unit", "min", "max"], integer: ["unit", "min", "max"],
  scale: ["unit", "min", "max"], date: ["min", "max"], choice: ["options"], choices: ["options"],
};

const nameOf = (item) => item.group ?? item.name;

/** All items in order, each with its depth, the list that holds it, its place there, and its path in the document. */
const rowsOf = (items, depth = 0, path = "items", parent = null) => items.flatMap((item, index) => {
  const row = { item, depth, list: items, index, path: `${path}[${index}]`, parent };
  return item.group === undefined ? [row] : [row, ...rowsOf(item.items, depth + 1, `${row.path}.items`, row)];
});

const allNames = (items) => rowsOf(items).map((row) => nameOf(row.item));

/** A name that no other item has. */
const freeName = (items, base) => {
  const used = new Set(allNames(items));
  let name = base;
  for (let number = 2; used.has(name); number += 1) name = `${base}_${number}`;
  return name;
};

/** A new item of a type, or a group. */
const newItem = (items, type) => {
  if (type === "group") return { group: freeName(items, "group"), repeat: { max: 10 }, items: [newItem(items, "text")] };
  const item = { name: freeName(items, type), type };
  if (type === "scale") Object.assign(item, { min: 1, max: 5 });
  if (type === "choice" || type === "choices") item.options = ["a", "b"];
  return item;
};

/** Moves an item: up and down among its neighbours, into the group before it, or out of its group. Returns whether it moved. */
const move = (items, item, direction) => {
  const row = rowsOf(items).find((one) => one.item === item);
  if (!row) return false;
  const { list, index, parent } = row;
  const take = () => list.splice(index, 1)[0];
  switch (direction) {
    case "up":
      if (index === 0) return false;
      list.splice(index - 1, 0, take());
      return true;
    case "down":
      if (index === list.length - 1) return false;
      list.splice(index + 1, 0, take());
      return true;
    case "in": {
      const before = list[index - 1];
      if (before?.group === undefined) return false;
      before.items.push(take());
      return true;
    }
    case "out":
      if (!parent || list.length === 1) return false;
      take();
      parent.list.splice(parent.index + 1, 0, item);
      return true;
    default: return false;
  }
};

/** Moves an item before another one; not into itself. */
const moveBefore = (items, item, target) => {
  if (item === target || item.group !== undefined && rowsOf(item.items).some((row) => row.item === target)) return false;
  const from = rowsOf(items).find((row) => row.item === item);
  if (!from || from.parent && from.list.length === 1) return false;
  from.list.splice(from.index, 1);
  const to = rowsOf(items).find((row) => row.item === target);
  to.list.splice(to.index, 0, item);
  return true;
};

/** Removes an item; a group keeps at least one. */
const remove = (items, item) => {
  const row = rowsOf(items).find((one) => one.item === item);
  if (!row || row.list.length === 1) return false;
  row.list.splice(row.index, 1);
  return true;
};

/** Changes the type of a field; properties that the new type does not have go. */
const changeType = (item, type) => {
  item.type = type;
  for (const key of ["unit", "min", "max", "max_length", "options"]) if (!(PROPERTIES[type] ?? []).includes(key)) delete item[key];
  if (["min", "max"].some((key) => typeof item[key] !== (type === "date" ? "string" : "number"))) { delete item.min; delete item.max; }
  delete item.default;
  if (type === "scale") { item.min ??= 1; item.max ??= 5; }
  if (PROPERTIES[type]?.includes("options")) item.options ??= ["a", "b"];
};

/** Options as lines `value` or `value = label`, and back. Labels in several languages stay with their values. */
const optionLines = (options, language) => (options ?? []).map((option) => {
  const [value, label] = typeof option === "string" ? [option, option] : [option.value, textIn(option.label, language) || option.value];
  return label === value ? value : `${value} = ${label}`;
}).join("\n");
const optionsOf = (text, before, language, languages) => text.split("\n").map((line) => line.trim()).filter(Boolean).map((line) => {
  const [value, label] = line.includes("=") ? [line.slice(0, line.indexOf("=")).trim(), line.slice(line.indexOf("=") + 1).trim()] : [line, ""];
  const known = (before ?? []).find((option) => (typeof option === "string" ? option : option.value) === value);
  const changed = withText(typeof known === "object" ? known.label : undefined, label || value, language, languages);
  return changed === value ? value : { value, label: changed };
});

/** A text of the form in a language, and the text with another one in that language. */
const textIn = (text, language) => (typeof text === "object" && text !== null ? text[language] ?? "" : text ?? "");
const withText = (text, value, language, languages) => {
  if (languages.length === 1) return value;
  const all = typeof text === "object" && text !== null ? { ...text } : { [languages[0]]: text ?? value };
  if (value) all[language] = value; else delete all[language];
  all[languages[0]] ??= value;
  return Object.keys(all).length === 1 ? all[languages[0]] : all;
};

export { TYPES, PROPERTIES, nameOf, rowsOf, freeName, newItem, move, moveBefore, remove, changeType, optionLines, optionsOf, textIn, withText };
