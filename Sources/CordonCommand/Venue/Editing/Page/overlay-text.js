// The overlay as text. Entries that were not changed keep the lines of the file that they came from, with comments.

/** Returns a text as a YAML scalar in double quotes, on one line. */
function quoted(text) {
  let result = '"';
  for (const character of String(text)) {
    const code = character.codePointAt(0);
    if (character === '"' || character === "\\") result += `\\${character}`;
    else if (code > 0x1f && code < 0x7f) result += character;
    else if (isPrintable(code)) result += character;
    else if (code <= 0xff) result += `\\x${code.toString(16).padStart(2, "0")}`;
    else if (code <= 0xffff) result += `\\u${code.toString(16).padStart(4, "0")}`;
    else result += `\\U${code.toString(16).padStart(8, "0")}`;
  }
  return `${result}"`;
}

/** Whether YAML allows a character in a line; line breaks, marks of direction and surrogates are escaped. */
function isPrintable(code) {
  if (code < 0xa0 || (code >= 0xd800 && code <= 0xdfff)) return false;
  if (code >= 0x2028 && code <= 0x202e) return false;
  if (code >= 0x2066 && code <= 0x2069) return false;
  return code !== 0xfeff && code < 0xfffe ? true : code > 0xffff;
}

/** Returns the name of a space as a comment; "" without a name. */
function comment(indices) {
  const names = indices.map((index) => SPACES[index].name).filter(Boolean);
  if (names.length === 0) return "";
  const text = names.join(", ");
  let clean = "";
  for (const character of text) {
    const code = character.codePointAt(0);
    clean += (code > 0x1f && code < 0x7f) || isPrintable(code) ? character : " ";
  }
  return `  # ${clean.slice(0, 80)}`;
}

const decimal = (value) => String(Number(value.toFixed(3)));

/** Whether a text in an entry is an identifier of a space, beside which its name helps. */
const isIdentifier = (text, targets) => targets.length === 1 && SPACES[targets[0]].id === text;

/** Returns the lines of an entry, the first one with a dash. */
function linesOf(entry) {
  const lines = [];
  const add = (key, value, note = "") => lines.push(`${lines.length === 0 ? "  - " : "    "}${key}: ${value}${note}`);
  const list = (texts) => `[${texts.map(quoted).join(", ")}]`;
  if (entry.remove !== undefined) {
    add("remove", quoted(entry.remove));
    return lines;
  }
  if (entry.rename !== undefined) {
    add("rename", quoted(entry.rename));
    add("name", quoted(entry.name));
    return lines;
  }
  if (entry.section === "spaces") {
    add("space", quoted(entry.space), isIdentifier(entry.space, entry.targets) ? comment(entry.targets) : "");
    if (entry.kind !== undefined) add("kind", entry.kind);
    if (entry.name !== undefined) add("name", quoted(entry.name));
    if (entry.group !== undefined) add("group", quoted(entry.group));
    if (entry.capacity !== undefined) add("capacity", entry.capacity);
    if (entry.ceiling !== undefined) add("ceiling", `${decimal(entry.ceiling)}m`);
    if (entry.air_changes !== undefined) add("air_changes", decimal(entry.air_changes));
    if (entry.record !== undefined) add("record", entry.record);
    if (entry.closed) add("closed", "true");
  } else if (entry.section === "doors") {
    const named = entry.between.every((text, place) => isIdentifier(text, entry.targets[place]));
    add("between", list(entry.between), named ? comment(entry.targets.map(([first]) => first)) : "");
    if (entry.at) add("at", `[${entry.at.join(", ")}]`);
  } else if (entry.section === "entrances") {
    add("space", quoted(entry.space), isIdentifier(entry.space, entry.targets) ? comment(entry.targets) : "");
    add("at", `[${entry.at.join(", ")}]`);
  } else if (entry.section === "connections") {
    const named = entry.joins.every((text, place) => isIdentifier(text, entry.targets[place]));
    add("kind", entry.kind);
    add("joins", list(entry.joins), named ? comment(entry.targets.map(([first]) => first)) : "");
  } else {
    add("floor", quoted(entry.floor));
    add("move", `[${entry.move.map((value) => `${decimal(value)}m`).join(", ")}]`);
  }
  if (entry.section === "doors" || entry.section === "entrances") {
    if (entry.width !== undefined) add("width", `${decimal(entry.width)}m`);
  }
  if (entry.section !== "spaces" && entry.name) add("name", quoted(entry.name));
  return lines;
}

/**
 * Returns the lines of a loaded overlay: by the line number of each entry, those of the keys of its lists, and the comments
 * at its top and end. An overlay with another layout than one entry to some lines is written anew.
 */
function sourceOf(text) {
  const source = { head: [], foot: [], items: new Map(), sections: new Map() };
  if (!text) return source;
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/);
  const isComment = (line) => /^\s*(#.*)?$/.test(line);
  for (const line of lines) {
    if (!isComment(line)) break;
    source.head.push(line);
  }
  const anew = { ...source };
  // An anchor of one entry may be used by another one.
  if (/(^|[\s[{,:-])[&*][A-Za-z0-9]/m.test(text.replace(/"[^"]*"|'[^']*'/g, ""))) return anew;
  const blocks = [];
  let section = "";
  let indent = -1;
  let waiting = [];
  for (const [place, line] of lines.entries()) {
    if (place < source.head.length) continue;
    if (isComment(line)) {
      waiting.push(line);
      continue;
    }
    const key = /^([a-z]+):/.exec(line);
    const dash = /^( *)- /.exec(line);
    if (key) {
      section = key[1];
      indent = -1;
      source.sections.set(section, [...waiting.filter(Boolean), line]);
    } else if (dash && (indent < 0 || dash[1].length === indent)) {
      indent = dash[1].length;
      blocks.push({ section, first: place + 1, last: place + 1, before: waiting.filter(Boolean), lines: [line] });
    } else if (blocks.length > 0) {
      const block = blocks[blocks.length - 1];
      block.lines.push(...waiting, line);
      block.last = place + 1;
    }
    waiting = [];
  }
  source.foot = waiting.filter(Boolean);
  for (const entry of DATA.overlay.entries) {
    const block = blocks.find(
      ({ first, last, section: name }) => name === entry.section && first <= entry.line && entry.line <= last);
    if (!block || block.isTaken) return { ...anew, items: new Map(), sections: new Map(), foot: [] };
    block.isTaken = true;
    source.items.set(entry.line, [...block.before, ...block.lines].map((line) => aligned(line, block.lines[0])));
  }
  return source;
}

/** Returns a line with the indentation that the page writes. */
function aligned(line, first) {
  const extra = 2 - /^ */.exec(first)[0].length;
  if (extra === 0) return line;
  return extra > 0 ? " ".repeat(extra) + line : line.replace(new RegExp(`^ {0,${-extra}}`), "");
}

const SOURCE = sourceOf(DATA.overlay.text);

/** Returns the text of the overlay. Equal changes give equal bytes. */
function overlayText() {
  const entries = entriesNow();
  const { head, foot, items, sections } = SOURCE;
  const lines = head.length > 0 ? [...head] : [`# Changes to ${DATA.map.replace(/[^\x20-\x7e]/g, "?")}`];
  lines.push(...(sections.get("overlay") || ["overlay: 1"]));
  for (const section of SECTIONS) {
    const own = entries.filter((entry) => entry.section === section);
    if (own.length === 0) continue;
    const key = sections.get(section) || [];
    const isPlain = key.length > 0 && /^[a-z]+:\s*(#.*)?$/.test(key[key.length - 1]);
    lines.push(...(isPlain ? key : [...key.slice(0, -1), `${section}:`]));
    for (const entry of own) lines.push(...((entry.line && items.get(entry.line)) || linesOf(entry)));
  }
  return `${[...lines, ...foot].join("\n")}\n`;
}

/** Saves the overlay as a file. */
function saveOverlay() {
  const url = URL.createObjectURL(new Blob([overlayText()], { type: "application/yaml" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = DATA.file;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
  history.saved = history.at;
  for (const listener of listeners) listener();
  announce(`${DATA.file} saved. Put it beside ${DATA.map}, then run: ${DATA.command}`);
}
