// The changes: a list of entries of the overlay, with undo and redo. Entries are never modified in place.

const SECTIONS = ["spaces", "doors", "entrances", "connections", "floors"];
const SPACE_KEYS = ["kind", "name", "group", "capacity", "ceiling", "air_changes", "record", "closed"];

const history = { steps: [{ entries: DATA.overlay.entries, label: "" }], at: 0, saved: 0 };
const entriesNow = () => history.steps[history.at].entries;
const hasUnsavedChanges = () => history.at !== history.saved;

const listeners = [];
/** Calls a function after every change of the entries. */
function onChange(listener) { listeners.push(listener); }

function notify() {
  effects = null;
  for (const listener of listeners) listener();
}

/** Makes a step with new entries. The label is announced. */
function commit(entries, label) {
  history.steps.length = history.at + 1;
  history.steps.push({ entries, label });
  history.at += 1;
  if (history.saved >= history.at) history.saved = -1;
  notify();
  announce(label);
}

function undo() {
  if (history.at === 0) return announce("Nothing to undo.");
  const { label } = history.steps[history.at];
  history.at -= 1;
  notify();
  announce(`Undone: ${label}`);
}

function redo() {
  if (history.at + 1 >= history.steps.length) return announce("Nothing to redo.");
  history.at += 1;
  notify();
  announce(`Redone: ${history.steps[history.at].label}`);
}

let effects = null;

/** Returns what the entries result in: properties by space, doors, connections, and removed parts. */
function effectsNow() {
  if (!effects) effects = computeEffects(entriesNow());
  return effects;
}

function computeEffects(entries) {
  const result = {
    spaces: SPACES.map(() => ({})), doors: [], entrances: [], connections: [], removed: new Set(),
    removedConnections: new Set(), openingNames: new Map(),
  };
  for (const entry of entries) {
    const { section } = entry;
    if (section === "spaces") {
      for (const index of entry.targets) {
        for (const key of SPACE_KEYS) if (entry[key] !== undefined) result.spaces[index][key] = entry[key];
      }
    } else if (entry.remove !== undefined) {
      if (section === "connections") {
        CONNECTIONS.forEach((connection, index) => {
          if (connection.id === entry.remove || connection.names.includes(entry.remove)) {
            result.removedConnections.add(index);
          }
        });
      } else {
        for (const index of openingsCalled(entry.remove)) result.removed.add(index);
      }
    } else if (entry.rename !== undefined) {
      for (const index of openingsCalled(entry.rename)) result.openingNames.set(index, entry.name);
    } else if (section === "doors") {
      const at = entry.at && toMetres(entry.at);
      result.doors.push({ entry, ...doorBetween(...entry.targets, at, entry.width ?? DATA.limits.doorWidth) });
    } else if (section === "entrances") {
      const at = toMetres(entry.at);
      result.entrances.push({ entry, ...entranceOf(entry.targets, at, entry.width ?? DATA.limits.doorWidth) });
    } else if (section === "connections") {
      result.connections.push({ entry, spaces: [...new Set(entry.targets.flat())] });
    }
  }
  return result;
}

/** Returns the openings of the map with an identifier, otherwise those with a name, as indices. */
function openingsCalled(text) {
  const indices = [...OPENINGS.keys()].filter((index) => !OPENINGS[index].assumed);
  const identified = indices.filter((index) => OPENINGS[index].id === text);
  return identified.length > 0 ? identified : indices.filter((index) => OPENINGS[index].names.includes(text));
}

/** Returns the properties of a space with all changes. */
function propertiesOf(index) {
  const space = SPACES[index];
  const changed = effectsNow().spaces[index];
  return {
    kind: changed.kind ?? space.kind, name: changed.name ?? space.name, group: changed.group ?? "",
    capacity: changed.capacity, ceiling: changed.ceiling, record: changed.record, closed: changed.closed === true,
    isChanged: Object.keys(changed).length > 0,
  };
}

/** Returns the name of a space with all changes, otherwise its identifier. */
const nameOf = (index) => propertiesOf(index).name || SPACES[index].id;

/** The entries in which only this space is changed. */
const isOwn = (entry, index) => entry.section === "spaces" && entry.targets.length === 1 && entry.targets[0] === index;

/** Returns the value that a property has without the entries of the space itself. */
function valueWithoutOwn(index, key) {
  let value;
  for (const entry of entriesNow()) {
    if (entry.section !== "spaces" || isOwn(entry, index) || !entry.targets.includes(index)) continue;
    if (entry[key] !== undefined) value = entry[key];
  }
  return value;
}

/** Sets a property of a space; `undefined` restores that of the map. */
function setProperty(index, key, value, label) {
  const others = valueWithoutOwn(index, key);
  const original = key === "kind" || key === "name" ? SPACES[index][key] : undefined;
  // A value of a pattern can only be replaced, not taken back.
  const wanted = value === undefined && others !== undefined ? original : value;
  const isNeeded = wanted !== undefined && wanted !== (others ?? original);
  let hasOwn = false;
  let entries = entriesNow().map((entry) => {
    if (!isOwn(entry, index)) return entry;
    const { [key]: _, ...rest } = edited(entry);
    if (!isNeeded || hasOwn) return rest;
    hasOwn = true;
    return { ...rest, [key]: wanted };
  });
  if (isNeeded && !hasOwn) {
    entries.push({ section: "spaces", space: SPACES[index].id, targets: [index], [key]: wanted });
  }
  entries = entries.filter((entry) => !isOwn(entry, index) || SPACE_KEYS.some((name) => entry[name] !== undefined));
  const result = computeEffects(entries).spaces[index][key];
  if (isNeeded && result !== wanted) {
    // A later pattern sets it too: of two changes the later one applies.
    entries.push({ section: "spaces", space: SPACES[index].id, targets: [index], [key]: wanted });
  }
  commit(entries, label);
}

/** Returns an entry that is written anew, without the lines of the file that it came from. */
function edited(entry) {
  const { line: _, ...rest } = entry;
  return rest;
}

function replaceEntry(old, fresh, label) {
  commit(entriesNow().map((entry) => (entry === old ? edited(fresh) : entry)), label);
}

function removeEntry(old, label) {
  commit(entriesNow().filter((entry) => entry !== old), label);
}

function addEntry(entry, label) {
  commit([...entriesNow(), entry], label);
}

/** Adds a door between two spaces, unless it cannot be there; returns whether it was added. */
function addDoor(a, b, at) {
  const names = `${nameOf(a)} and ${nameOf(b)}`;
  let position = at;
  let door = doorBetween([a], [b], position, DATA.limits.doorWidth);
  if (door.problem && position) {
    // Beside the shared border: the nearest place of it.
    const neighbour = neighboursOf(a).find(({ space }) => space === b);
    if (neighbour) {
      const near = nearestOnSegment(neighbour.part, ...position);
      position = [near.x, near.y];
      door = doorBetween([a], [b], position, DATA.limits.doorWidth);
    }
  }
  if (door.problem) {
    announce(`No door between ${names}: ${door.problem}.`, true);
    return false;
  }
  const entry = { section: "doors", between: [SPACES[a].id, SPACES[b].id], targets: [[a], [b]] };
  if (position) entry.at = toDegrees(...position);
  addEntry(entry, `Door between ${names} added.`);
  return true;
}

/** Adds an entrance to a space at a position in metres. */
function addEntrance(index, at) {
  const entrance = entranceOf([index], at, DATA.limits.doorWidth);
  if (entrance.problem) {
    announce(`No entrance to ${nameOf(index)}: ${entrance.problem}.`, true);
    return false;
  }
  const entry = { section: "entrances", space: SPACES[index].id, targets: [index], at: toDegrees(...at) };
  addEntry(entry, `Entrance to ${nameOf(index)} added.`);
  return true;
}

/** Adds a connection between two spaces of different floors. */
function addConnection(kind, a, b) {
  const entry = { section: "connections", kind, joins: [SPACES[a].id, SPACES[b].id], targets: [[a], [b]] };
  addEntry(entry, `Connection (${kind}) between ${nameOf(a)} and ${nameOf(b)} added.`);
}

/** Removes an opening of the map, or restores it. */
function toggleOpening(index) {
  const opening = OPENINGS[index];
  const section = opening.entrance ? "entrances" : "doors";
  const what = opening.entrance ? "Entrance" : "Door";
  const existing = entriesNow().filter((entry) => entry.section !== "connections" && entry.remove !== undefined
    && openingsCalled(entry.remove).includes(index));
  if (existing.length > 0) {
    commit(entriesNow().filter((entry) => !existing.includes(entry)), `${what} ${opening.id} restored.`);
  } else {
    // A door that is removed cannot have a new name.
    const kept = entriesNow().filter((entry) => entry.rename === undefined || !openingsCalled(entry.rename).includes(index));
    commit([...kept, { section, remove: opening.id }], `${what} ${opening.id} removed.`);
  }
}

/** Gives a door or entrance of the map a name; without a text that of the map. */
function renameOpening(index, name) {
  const { id, entrance } = OPENINGS[index];
  const kept = entriesNow().filter((entry) => entry.rename === undefined || !openingsCalled(entry.rename).includes(index));
  const entry = { section: entrance ? "entrances" : "doors", rename: id, name };
  commit(name ? [...kept, entry] : kept, `${entrance ? "Entrance" : "Door"} ${id}: name ${name || "as in the map"}.`);
}

/** Returns the name of an opening of the map with all changes; "" without a name. */
const openingName = (index) => effectsNow().openingNames.get(index) ?? OPENINGS[index].names[0] ?? "";

/** Removes a connection of the map, or restores it. */
function toggleConnection(index) {
  const { id, names } = CONNECTIONS[index];
  const existing = entriesNow().filter(
    (entry) => entry.section === "connections" && (entry.remove === id || names.includes(entry.remove)));
  if (existing.length > 0) {
    commit(entriesNow().filter((entry) => !existing.includes(entry)), `Connection ${id} restored.`);
  } else {
    addEntry({ section: "connections", remove: id }, `Connection ${id} removed.`);
  }
}

/** Checks the name of a new door, entrance or connection, which is also its identifier; returns the fault or "". */
function faultOfName(name, entry) {
  if (!name) return "";
  const isConnection = entry.section === "connections";
  const { removed, removedConnections } = effectsNow();
  const taken = isConnection
    ? CONNECTIONS.filter((_, index) => !removedConnections.has(index)).map(({ id }) => id)
    : OPENINGS.filter(({ assumed }, index) => !assumed && !removed.has(index)).map(({ id }) => id);
  const others = entriesNow().filter(
    (other) => other !== entry && (other.section === "connections") === isConnection && other.remove === undefined);
  if (taken.includes(name) || others.some((other) => other.name === name) || name.startsWith("overlay:")) {
    return `“${name}” is the id of another part.`;
  }
  return "";
}
