// The check of answers in the page: the same rules as `cordon form check`, with a message for each field.

/** Returns the answers without hidden and empty ones, with calculated values, and the issues by path. */
function checked(form, given, today, words) {
  const issues = new Map();
  const evaluation = new Evaluation([{ items: form.items, answers: given }], today);
  const answers = checkedItems(form.items, given, evaluation, "", issues, words);
  return { answers, issues };
}

function checkedItems(items, given, evaluation, path, issues, words) {
  const result = {};
  for (const item of items) {
    const name = nameOf(item);
    const place = path === "" ? name : `${path}.${name}`;
    if (!evaluation.isTrue(item.condition)) continue;
    if (item.group) {
      const entries = item.repeat ? given[name] ?? [] : given[name]?.length ? given[name] : [{}];
      const [least, most] = [item.repeat?.min ?? 1, item.repeat?.max ?? 1];
      if (entries.length < least) issues.set(place, words.atLeastEntries(least));
      if (entries.length > most) issues.set(place, words.atMostEntries(most));
      result[name] = entries.map((entry, index) =>
        checkedItems(item.items, entry, evaluation.inside(item, entry), `${place}[${index}]`, issues, words));
      continue;
    }
    if (item.formula) {
      const value = evaluation.answer(item.formula);
      if (value !== undefined) result[name] = value;
      continue;
    }
    const answer = given[name];
    if (answer === undefined || answer === null || answer === "" || item.type === "choices" && answer.length === 0) {
      if (item.required) issues.set(place, words.required);
      continue;
    }
    const issue = issueOf(answer, item, evaluation.today, words);
    if (issue) issues.set(place, issue);
    result[name] = answer;
  }
  return result;
}

/** The reason why an answer is not valid; undefined for a valid one. */
function issueOf(answer, field, today, words) {
  switch (field.type) {
    case "text": case "long_text":
      return characters(answer) > field.max_length ? words.tooLong(field.max_length) : undefined;
    case "number": case "integer": case "scale": {
      if (typeof answer !== "number" || !Number.isFinite(answer)) return words.number;
      if (field.type !== "number" && !Number.isSafeInteger(answer)) return words.whole;
      const unit = field.unit ? ` ${field.unit}` : "";
      if (field.min !== undefined && answer < field.min) return words.atLeast(words.format(field.min) + unit);
      if (field.max !== undefined && answer > field.max) return words.atMost(words.format(field.max) + unit);
      return undefined;
    }
    case "date": {
      const day = daysOf(answer);
      if (day === undefined) return words.date;
      const bound = (text) => text === undefined ? undefined : text === "today" ? today : daysOf(text);
      const [first, last] = [bound(field.min), bound(field.max)];
      if (first !== undefined && day < first) return words.notBefore(words.formatDay(first));
      if (last !== undefined && day > last) return words.notAfter(words.formatDay(last));
      return undefined;
    }
    case "place":
      if (answer.space !== undefined) return answer.space === "" ? words.required : undefined;
      return Math.abs(answer.lon) <= 180 && Math.abs(answer.lat) <= 90 ? undefined : words.place;
    default: return undefined;
  }
}
