// Revisions of records in the browser: the same identifiers, heads and conflicts as CordonForms has.

/** The canonical text of a value (RFC 8785). */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** Returns a value without halves of characters, which no other program can read. */
function wellFormed(value) {
  if (typeof value === "string") return value.toWellFormed ? value.toWellFormed() : value;
  if (Array.isArray(value)) return value.map(wellFormed);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, wellFormed(one)]));
}

/** Makes a revision; its identifier is the SHA-256 of its contents. */
async function makeRevision({ record, form, version, parents, device, answers }) {
  const contents = {
    record, form, version, parents: [...new Set(parents)].sort(), device, time: new Date().toISOString(),
    answers: answers === null ? null : wellFormed(answers),
  };
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonical(contents)));
  return { id: [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join(""), ...contents };
}

const byTime = (one, other) => one.time < other.time ? -1 : one.time > other.time ? 1 : one.id < other.id ? -1 : 1;

/** The revisions of a record that no other one replaces. */
function headsOf(revisions) {
  const replaced = new Set(revisions.flatMap((one) => one.parents));
  return revisions.filter((one) => !replaced.has(one.id)).sort(byTime);
}

/** The fields in which heads differ, each with the answers and the head that alone changed it. */
function conflictOf(revisions) {
  const heads = headsOf(revisions);
  if (heads.length < 2) return undefined;
  const known = new Map(revisions.map((one) => [one.id, one]));
  const ancestors = (head) => {
    const found = new Set();
    const open = [...head.parents];
    while (open.length > 0) {
      const next = open.pop();
      if (found.has(next)) continue;
      found.add(next);
      open.push(...known.get(next)?.parents ?? []);
    }
    return found;
  };
  let common = ancestors(heads[0]);
  for (const head of heads.slice(1)) {
    const own = ancestors(head);
    common = new Set([...common].filter((id) => own.has(id)));
  }
  const ancestor = [...common].map((id) => known.get(id)).filter(Boolean).sort(byTime).pop();
  const names = [...new Set(heads.flatMap((head) => Object.keys(head.answers ?? {})))].sort();
  const text = (answers, name) => answers?.[name] === undefined ? undefined : canonical(answers[name]);
  const fields = names.flatMap((name) => {
    const answers = heads.map((head) => text(head.answers, name));
    if (new Set(answers).size < 2) return [];
    const changed = heads.map((_, index) => index).filter((index) => answers[index] !== text(ancestor?.answers, name));
    return [{ name, suggestion: changed.length === 1 ? changed[0] : undefined }];
  });
  return { heads, fields };
}
