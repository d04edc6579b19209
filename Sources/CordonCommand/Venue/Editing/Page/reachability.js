// Which spaces entrances reach, with the changes that join parts. Closing and removing is judged by Cordon itself.

let reached = null;
onChange(() => (reached = null));

/** Returns the parts that walking connects, with the doors, entrances and connections that were added in the page. */
function partsNow() {
  if (reached) return reached;
  const parent = DATA.parts.map((_, index) => index);
  const root = (part) => {
    let at = part;
    while (parent[at] !== at) at = parent[at];
    return at;
  };
  const join = (spaces) => {
    const parts = spaces.map((index) => SPACES[index].part).filter((part) => part !== null);
    for (const part of parts.slice(1)) parent[root(part)] = root(parts[0]);
  };
  const { doors, entrances, connections } = effectsNow();
  for (const door of doors) if (door.spaces) join(door.spaces);
  for (const connection of connections) join(connection.spaces);
  const numbers = new Map();
  DATA.parts.forEach((part, index) => {
    const all = numbers.get(root(index)) || { numbers: [], isNew: false };
    all.numbers.push(...part.entrances);
    numbers.set(root(index), all);
  });
  for (const { spaces } of entrances) {
    const part = spaces && SPACES[spaces[0]].part;
    if (spaces && part !== null) numbers.get(root(part)).isNew = true;
  }
  reached = { root, entrancesOf: (part) => numbers.get(root(part)) };
  return reached;
}

/** Whether changes were made whose effect the page does not compute. */
function isReachabilityUncertain() {
  const loaded = DATA.overlay.entries;
  const entries = entriesNow();
  const cuts = (entry) => entry.remove !== undefined || entry.closed;
  const isStructural = (entry) => entry.section !== "spaces" || entry.closed;
  return entries.some((entry) => cuts(entry) && !loaded.includes(entry))
    || loaded.some((entry) => isStructural(entry) && !entries.includes(entry));
}

/** Returns whether entrances reach a space, and a sentence about it. */
function reachabilityOf(index) {
  const { part, reason } = SPACES[index];
  if (propertiesOf(index).closed) return { isReached: true, text: "closed: nobody can enter" };
  if (!DATA.isWalkable) return { isReached: true, text: "unknown: nobody can walk on this map" };
  if (part === null) {
    return reason
      ? { isReached: false, text: `no entrance reaches it: ${DATA.reasons[reason] || reason}` }
      : { isReached: true, text: "people cannot walk here" };
  }
  const entrances = partsNow().entrancesOf(part);
  const numbers = [...new Set(entrances.numbers)].sort((a, b) => a - b);
  const wasReached = DATA.parts[part].entrances.length > 0;
  if (numbers.length === 0 && !entrances.isNew) {
    return { isReached: false, text: `no entrance reaches it: ${DATA.reasons[reason] || "no way leads to it"}` };
  }
  const shown = numbers.length > 6 ? [...numbers.slice(0, 5), `${numbers.length - 5} more`] : numbers;
  const from = numbers.length === 0
    ? "reachable from the new entrance"
    : `reachable from ${numbers.length === 1 ? "entrance" : "entrances"} ${shown.join(", ")}`;
  return { isReached: true, text: wasReached ? from : `${from}, by your changes` };
}

/** Whether a finding is mended by the changes of the page. */
function isMended(finding) {
  const { code, space } = finding;
  const added = effectsNow();
  if (code === "entrance-assumed") return added.entrances.some(({ spaces }) => spaces);
  if (space === null || space === undefined) return false;
  const { part } = SPACES[space];
  const isNewDoor = ({ entry, spaces }) => spaces && spaces.includes(space) && !DATA.overlay.entries.includes(entry);
  if (propertiesOf(space).closed && !DATA.overlay.entries.some((entry) => entry.closed && entry.targets.includes(space))) {
    return code === "space-unreachable" || code === "door-assumed";
  }
  switch (code) {
    case "space-unreachable": return part !== null && reachabilityOf(space).isReached;
    case "disconnected-part": {
      if (part === null || !reachabilityOf(space).isReached) return false;
      const { root } = partsNow();
      return DATA.parts.some((_, other) => other !== part && root(other) === root(part))
        || (DATA.parts[part].entrances.length === 0 && finding.severity === "warning");
    }
    case "entrance-leads-nowhere": {
      if (part === null) return false;
      const { root } = partsNow();
      return DATA.parts.some((_, other) => other !== part && root(other) === root(part));
    }
    case "door-assumed": return added.doors.some(isNewDoor) || added.entrances.some(isNewDoor);
    default: return false;
  }
}
