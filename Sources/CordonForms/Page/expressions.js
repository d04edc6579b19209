// Conditions and formulas, as CordonForms evaluates them. A value is undefined (missing), a number, a text, true or false,
// {date: days since 1970}, {choices: [...]} or {count: n} for places, photos and groups.

const dayLength = 86400000;

/** The days since 1970 of a text such as 2026-01-31; undefined for another text. */
function daysOf(text) {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(text + "T00:00:00Z");
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) return undefined;
  return Math.round(time / dayLength);
}

function dayText(days) { return new Date(days * dayLength).toISOString().slice(0, 10); }

/** The current day where the page is open. */
function currentDay() {
  const now = new Date();
  return Math.floor(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / dayLength);
}

/** Evaluates expressions within nested groups: levels are {items, answers}, the outermost first. */
class Evaluation {
  constructor(levels, today) {
    this.levels = levels;
    this.today = today;
  }

  inside(group, answers) { return new Evaluation([...this.levels, { items: group.items, answers }], this.today); }

  isTrue(condition) { return condition === undefined || this.value(condition) === true; }

  /** The value of a formula as an answer in JSON; undefined if it is missing. */
  answer(formula) {
    const value = this.value(formula);
    if (value === undefined || value?.count !== undefined) return undefined;
    if (value.date !== undefined) return dayText(value.date);
    return value.choices ?? value;
  }

  find(name) {
    for (let depth = this.levels.length - 1; depth >= 0; depth -= 1) {
      const item = this.levels[depth].items.find((one) => nameOf(one) === name);
      if (item) return { item, outer: new Evaluation(this.levels.slice(0, depth + 1), this.today), depth };
    }
    return undefined;
  }

  named(names) {
    const found = this.find(names[0]);
    if (!found || names.length > 1 && !found.item.group) return undefined;
    const { item, outer, depth } = found;
    const answers = this.levels[depth].answers;
    if (!item.group) return outer.field(item, answers);
    if (!outer.isTrue(item.condition)) return undefined;
    return { count: (answers[item.group] ?? []).length };
  }

  field(field, answers) {
    if (!this.isTrue(field.condition)) return undefined;
    if (field.formula) return this.value(field.formula);
    const answer = answers[field.name];
    if (answer === undefined || answer === null) return undefined;
    if (field.type === "date") {
      const days = daysOf(answer);
      return days === undefined ? undefined : { date: days };
    }
    if (field.type === "choices") return { choices: answer };
    return typeof answer === "object" ? { count: 1 } : answer;
  }

  /** The values of a field in all entries of a group. */
  entries(names) {
    const found = this.find(names[0]);
    if (!found?.item.group || !found.outer.isTrue(found.item.condition)) return [];
    const answers = this.levels[found.depth].answers;
    return (answers[names[0]] ?? []).map((entry) => found.outer.inside(found.item, entry).named([names[1]]));
  }

  value(node) {
    const [kind, first, second, third] = node;
    switch (kind) {
      case "number": case "truth": return first;
      case "text": {
        const days = daysOf(first);
        return days === undefined ? first : { date: days };
      }
      case "field": return this.named(first);
      case "not": {
        const inner = this.value(first);
        return typeof inner === "boolean" ? !inner : undefined;
      }
      case "negative": {
        const inner = this.value(first);
        return typeof inner === "number" ? -inner : undefined;
      }
      case "binary": return this.binary(first, second, third);
      case "call": return this.call(first, second);
      default: return undefined;
    }
  }

  binary(sign, one, other) {
    if (sign === "and") return this.value(one) === true && this.value(other) === true;
    if (sign === "or") return this.value(one) === true || this.value(other) === true;
    const [a, b] = [this.value(one), this.value(other)];
    if ("+-*/".includes(sign)) return arithmetic(sign, a, b);
    return compare(sign, a, b);
  }

  call(name, parts) {
    const values = () => parts.map((part) => this.value(part));
    switch (name) {
      case "today": return { date: this.today };
      case "answered": {
        const [one] = values();
        return one !== undefined && one?.count !== 0;
      }
      case "count": {
        const [one] = values();
        if (one === undefined) return 0;
        return one.choices ? one.choices.length : one.count ?? 1;
      }
      case "contains": {
        const [list, text] = values();
        return Boolean(list?.choices && typeof text === "string" && list.choices.includes(text));
      }
      case "if": return this.value(parts[0]) === true ? this.value(parts[1]) : this.value(parts[2]);
      case "round": return rounded(...values());
      case "min": case "max": {
        const list = values().filter((one) => one !== undefined);
        return list.reduce((best, one) => compare(name === "min" ? "<" : ">", one, best) ? one : best, list[0]);
      }
      case "sum":
        return this.entries(parts[0][1]).reduce((sum, one) => typeof one === "number" ? sum + one : sum, 0);
      case "length": {
        const [text] = values();
        // Characters as people count them, where the browser can.
        if (typeof text !== "string") return undefined;
        return characters(text);
      }
      case "days": {
        const [from, to] = values();
        return from?.date === undefined || to?.date === undefined ? undefined : to.date - from.date;
      }
      default: return undefined;
    }
  }
}

/** The number of characters of a text, as Swift counts them. */
function characters(text) { return [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)].length; }

function arithmetic(sign, a, b) {
  if (a?.date !== undefined && typeof b === "number" && (sign === "+" || sign === "-")) {
    const days = Math.trunc(b);
    return Math.abs(days) < 4000000 ? { date: sign === "+" ? a.date + days : a.date - days } : undefined;
  }
  if (typeof a !== "number" || typeof b !== "number") return undefined;
  const result = { "+": a + b, "-": a - b, "*": a * b, "/": a / b }[sign];
  return Number.isFinite(result) ? result : undefined;
}

function compare(sign, a, b) {
  if (a === undefined || b === undefined) return false;
  const [x, y] = [a?.date ?? a, b?.date ?? b];
  const isSameKind = typeof a === typeof b && (a?.date === undefined) === (b?.date === undefined);
  if (sign === "=") return isSameKind && x === y;
  if (sign === "!=") return !isSameKind || x !== y;
  if (!isSameKind || typeof x !== "number") return false;
  return { "<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y }[sign];
}

/** Rounds halves away from zero. */
function rounded(number, digits = 0) {
  if (typeof number !== "number" || typeof digits !== "number" || digits < 0 || digits > 9) return undefined;
  const factor = 10 ** Math.trunc(digits);
  const scaled = number * factor;
  const down = Math.trunc(scaled);
  const whole = Math.abs(scaled - down) >= 0.5 ? down + Math.sign(scaled) : down;
  return whole / factor;
}

function nameOf(item) { return item.group ?? item.name; }
