// The properties of the selected space.

const fields = {
  kind: element("kind"), name: element("name"), group: element("group"), capacity: element("capacity"),
  ceiling: element("ceiling"), record: element("record"), closed: element("closed"),
};

for (const kind of DATA.kinds) fields.kind.append(make("option", { value: kind, text: kind }));

const RECORDINGS = { full: "everything", floor: "only the floor", false: "nothing" };
const STRICTNESS = ["full", "floor", "false"];

/** Shows the selected space, or a hint. */
function showInspector() {
  const index = selection.space;
  element("space").hidden = index === null;
  element("no-space").hidden = index !== null;
  if (index === null) return;
  const space = SPACES[index];
  const values = propertiesOf(index);
  element("space-name").textContent = values.name || space.id;
  const floor = FLOORS[space.floor].name;
  fill(
    element("facts"),
    ...[
      ["id", make("code", { text: space.id })], ["in the map", `${space.name || "no name"}, ${space.kind}`],
      ["floor", floor], ["area", squareMetres(space.area)], ["reachability", reachabilityOf(index).text],
    ].flatMap(([title, value]) => [make("dt", { text: title }), make("dd", {}, value)]));
  element("space").classList.toggle("unreachable", !reachabilityOf(index).isReached);
  fields.kind.value = values.kind;
  for (const key of ["name", "group"]) fields[key].value = values[key];
  for (const key of ["capacity", "ceiling"]) fields[key].value = values[key] ?? "";
  fill(
    fields.record,
    make("option", { value: "", text: `as in the map: ${RECORDINGS[space.recording]}` }),
    ...STRICTNESS.slice(1)
      .filter((level) => STRICTNESS.indexOf(level) > STRICTNESS.indexOf(space.recording) || level === values.record)
      .map((level) => make("option", { value: level, text: RECORDINGS[level] })));
  fields.record.value = values.record ?? "";
  fields.closed.checked = values.closed;
  const closedByOther = valueWithoutOwn(index, "closed") === true;
  fields.closed.disabled = closedByOther;
  element("closed-note").hidden = !closedByOther;
  const groups = [...new Set(SPACES.map((_, other) => propertiesOf(other).group).filter(Boolean))].sort();
  fill(element("groups"), ...groups.map((group) => make("option", { value: group })));
  for (const field of Object.values(fields)) field.setCustomValidity("");
  showDoors(index);
  showConnections(index);
}

function focusInspector() {
  if (selection.space === null) return announce("Select a space first, with the arrow keys.");
  if (narrow.matches) showTab("space");
  return fields.kind.focus();
}

/** Reads a number of a field; `null` for a fault, which the field reports. */
function numberIn(field, least, most, isWhole) {
  const text = field.value.trim().replace(",", ".");
  field.setCustomValidity("");
  if (text === "") return undefined;
  const number = Number(text);
  if (Number.isFinite(number) && number >= least && number <= most && (!isWhole || Number.isInteger(number))) {
    return number;
  }
  field.setCustomValidity(`A ${isWhole ? "whole number" : "number"} from ${least} to ${most}, or nothing.`);
  field.reportValidity();
  return null;
}

const READERS = {
  kind: (field, index) => (field.value === SPACES[index].kind ? undefined : field.value),
  name: (field, index) => field.value.trim() && (field.value.trim() === SPACES[index].name ? undefined : field.value.trim()),
  group: (field) => field.value.trim(),
  capacity: (field) => numberIn(field, 1, 1000000, true),
  ceiling: (field) => numberIn(field, 1, 200, false),
  record: (field) => field.value,
  closed: (field) => field.checked || undefined,
};

for (const [key, field] of Object.entries(fields)) {
  field.addEventListener("change", () => {
    const index = selection.space;
    if (index === null) return;
    let value = READERS[key](field, index);
    if (value === null) return;
    if (value === "") value = undefined;
    if (value === propertiesOf(index)[key]) return;
    const shown = value === undefined ? "as in the map" : value === true ? "yes" : value;
    setProperty(index, key, value, `${nameOf(index)}: ${key} ${shown}.`);
  });
}
element("space-form").addEventListener("submit", (event) => event.preventDefault());

/** Returns a row with a text and buttons. */
function row(text, note, ...buttons) {
  return make("li", {}, make("span", { class: "what" }, text, note ? make("small", { text: note }) : null), ...buttons);
}

/** Lists the doors of a space, and the neighbours to which a door can lead. */
function showDoors(index) {
  const { removed, doors, entrances } = effectsNow();
  const rows = [];
  const others = (spaces) => spaces.filter((other) => other !== index).map(nameOf).join(", ") || "outside or unknown";
  const joined = new Set();
  OPENINGS.forEach((opening, place) => {
    if (!opening.spaces.includes(index)) return;
    const isRemoved = removed.has(place);
    if (!isRemoved && !opening.assumed) opening.spaces.forEach((other) => joined.add(other));
    const what = opening.entrance ? "Entrance" : `Door to ${others(opening.spaces)}`;
    const number = opening.number === null ? "" : ` ${opening.number}`;
    const note = opening.assumed ? "assumed: the map has none" : isRemoved ? "removed" : openingName(place) || opening.id;
    rows.push(row(
      what + number, note,
      opening.assumed ? null : make("button", {
        type: "button", id: `opening-${place}`, text: isRemoved ? "Restore" : "Remove",
        "aria-label": `${isRemoved ? "Restore" : "Remove"} ${what}`, onclick: () => toggleOpening(place),
      }),
      opening.assumed || isRemoved ? null : renameField(place, what)));
  });
  for (const { entry, spaces } of [...doors, ...entrances]) {
    if (!(spaces || entry.targets.flat()).includes(index)) continue;
    (spaces || []).forEach((other) => joined.add(other));
    rows.push(newDoorRow(entry, spaces, index, others));
  }
  fill(element("doors"), ...(rows.length > 0 ? rows : [make("li", { class: "none", text: "No door." })]));
  const free = neighboursOf(index).filter(({ space }) => !joined.has(space)).slice(0, 12);
  element("neighbours-title").hidden = free.length === 0;
  fill(element("neighbours"), ...free.map(({ space, length }) => row(
    nameOf(space), `shared border ${metres(length)}`,
    make("button", {
      type: "button", id: `neighbour-${space}`, text: "Add door", "aria-label": `Add door to ${nameOf(space)}`,
      onclick: () => addDoor(index, space, null),
    }))));
}

/** Returns the field for the name of a door or entrance of the map. */
function renameField(place, what) {
  const field = make("input", {
    id: `opening-name-${place}`, value: openingName(place), maxlength: "200", placeholder: "name",
    "aria-label": `Name of ${what}`, class: "wide",
  });
  field.addEventListener("change", () => renameOpening(place, field.value.trim()));
  return field;
}

/** Returns the row of a door or entrance of the overlay, with its name, width and position. */
function newDoorRow(entry, spaces, index, others) {
  const isDoor = entry.section === "doors";
  const place = entriesNow().indexOf(entry);
  const what = isDoor ? `New door to ${others(spaces || entry.targets.flat())}` : "New entrance";
  const name = make("input", {
    id: `new-name-${place}`, value: entry.name || "", size: "14", maxlength: "200", "aria-label": `Name of ${what}`,
    placeholder: "name",
  });
  name.addEventListener("change", () => {
    const text = name.value.trim();
    const fault = faultOfName(text, entry);
    name.setCustomValidity(fault);
    if (fault) return name.reportValidity();
    const { name: _, ...rest } = entry;
    return replaceEntry(entry, text ? { ...rest, name: text } : rest, `${what}: name ${text || "removed"}.`);
  });
  const width = make("input", {
    id: `new-width-${place}`, value: entry.width ?? DATA.limits.doorWidth, size: "4", inputmode: "decimal",
    "aria-label": `Width of ${what} in metres`,
  });
  width.addEventListener("change", () => {
    const number = numberIn(width, DATA.limits.minimumDoorWidth, 50, false);
    if (number === null) return;
    const { width: _, ...rest } = entry;
    replaceEntry(entry, number === undefined ? rest : { ...rest, width: number }, `${what}: width ${width.value || 1} m.`);
  });
  const line = [...effectsNow().doors, ...effectsNow().entrances].find((item) => item.entry === entry);
  const move = (step) => {
    const middle = [(line.line[0] + line.line[2]) / 2, (line.line[1] + line.line[3]) / 2];
    const at = movedAlong(line.spaces[0], middle, step);
    const fresh = isDoor
      ? doorBetween(...entry.targets, at, entry.width ?? DATA.limits.doorWidth)
      : entranceOf(entry.targets, at, entry.width ?? DATA.limits.doorWidth);
    if (fresh.problem) return announce(`${what}: ${fresh.problem}.`, true);
    return replaceEntry(entry, { ...entry, at: toDegrees(...at) }, `${what} moved by 0.5 m.`);
  };
  const button = (id, text, label, onclick) => make(
    "button", { type: "button", id: `${id}-${place}`, text, "aria-label": label, disabled: !line.line && id !== "new-remove", onclick });
  return make(
    "li", { class: "new" },
    make("span", { class: "what" }, what, line.problem ? make("small", { class: "fault", text: line.problem }) : null),
    button("new-remove", "Remove", `Remove ${what}`, () => removeEntry(entry, `${what} removed.`)),
    make(
      "span", { class: "edit" }, name, make("span", { class: "unit" }, width, " m"),
      button("new-back", "◀", `Move ${what} back along the border`, () => move(-0.5)),
      button("new-forward", "▶", `Move ${what} forward along the border`, () => move(0.5))));
}

/** Lists the connections of a space, and offers the spaces of other floors. */
function showConnections(index) {
  const { connections, removedConnections } = effectsNow();
  const rows = [];
  const floors = (places) => [...new Set(places.map(({ floor }) => FLOORS[floor].name))].join(", ");
  CONNECTIONS.forEach((connection, place) => {
    if (!connection.landings.some(({ space }) => space === index)) return;
    const isRemoved = removedConnections.has(place);
    const what = `${connection.names[0] || connection.kind}: ${floors(connection.landings)}`;
    rows.push(row(
      what, connection.assumed ? "derived: the map has none" : isRemoved ? "removed" : connection.id,
      connection.assumed ? null : make("button", {
        type: "button", id: `link-${place}`, text: isRemoved ? "Restore" : "Remove",
        "aria-label": `${isRemoved ? "Restore" : "Remove"} ${what}`, onclick: () => toggleConnection(place),
      })));
  });
  for (const { entry, spaces } of connections) {
    if (!spaces.includes(index)) continue;
    const what = `New ${entry.kind}: ${floors(spaces.map((other) => SPACES[other]))}`;
    const place = entriesNow().indexOf(entry);
    rows.push(row(what, entry.name || "", make("button", {
      type: "button", id: `new-link-${place}`, text: "Remove", "aria-label": `Remove ${what}`,
      onclick: () => removeEntry(entry, `${what} removed.`),
    })));
  }
  fill(element("links"), ...(rows.length > 0 ? rows : [make("li", { class: "none", text: "No connection." })]));
  const others = SPACES.filter(({ floor }) => floor !== SPACES[index].floor);
  element("link-form").hidden = others.length === 0;
  if (others.length === 0) return;
  const { label, floor } = SPACES[index];
  const rank = (space) => [
    Math.abs(FLOORS[space.floor].ordinal - FLOORS[floor].ordinal),
    Math.hypot(space.label.x - label.x, space.label.y - label.y),
  ];
  const ranked = others.map((space) => ({ space, rank: rank(space) }))
    .sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1]);
  fill(element("link-target"), ...ranked.slice(0, 500).map(({ space }) => make("option", {
    value: space.index, text: `${FLOORS[space.floor].name}: ${nameOf(space.index)}`,
  })));
}

element("link-form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (selection.space === null) return;
  addConnection(element("link-kind").value, selection.space, Number(element("link-target").value));
});
element("add-entrance").addEventListener("click", () => {
  if (selection.space !== null) addEntrance(selection.space, freeEntrancePosition(selection.space));
});

function focusConnection() {
  if (selection.space === null) return announce("Select a space first, with the arrow keys.");
  if (element("link-form").hidden) return announce("The map has only one floor.");
  if (narrow.matches) showTab("space");
  return element("link-kind").focus();
}
