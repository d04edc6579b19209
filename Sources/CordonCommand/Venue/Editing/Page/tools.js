// The tools: select, door and entrance, with the mouse, by touch and with the keyboard.

// name: the tool; from: the first space of a door; target: the space under consideration; line: the drawn line;
// threshold: the door or entrance as it would be; choices and at: those of the keyboard.
const tool = { name: "select", from: null, target: null, line: null, threshold: null, choices: [], at: 0, position: null };

const TOOL_HINTS = {
  select: "",
  door: "Draw a line from one space to the space beside it, or choose both spaces one after the other.",
  entrance: "Choose the place of the entrance on the border of a space.",
};

function setTool(name) {
  Object.assign(tool, { name, from: null, target: null, line: null, threshold: null, choices: [], position: null });
  for (const button of document.querySelectorAll("#tools button")) {
    button.setAttribute("aria-pressed", String(button.dataset.tool === name));
  }
  canvas.dataset.tool = name;
  if (TOOL_HINTS[name]) announce(TOOL_HINTS[name]);
  redraw();
}

/**
 * Selects a space, and shows its properties: enlarged if `closer`, without a sentence if `quiet`, and beside the present
 * list if `stay`.
 */
function select(index, { closer = false, quiet = false, stay = false } = {}) {
  selection.space = index;
  selection.place = null;
  if (index !== null) {
    reveal(index, closer);
    if (!quiet) announce(describe(index));
  }
  showInspector();
  if (index !== null && narrow.matches && !stay) showTab("space");
  markSelected();
  redraw();
}

/** Returns a sentence about a space. */
function describe(index) {
  const { kind, capacity, group, closed } = propertiesOf(index);
  const parts = [kind, squareMetres(SPACES[index].area), FLOORS[SPACES[index].floor].name];
  if (group) parts.push(`group ${group}`);
  if (capacity) parts.push(`capacity ${capacity}`);
  if (!closed || !reachabilityOf(index).text.startsWith("closed")) parts.push(reachabilityOf(index).text);
  if (closed) parts.push("closed");
  return `${nameOf(index)}: ${parts.join(", ")}.`;
}

/** Uses the tool at a place without a drawn line. */
function usePlace(place) {
  const space = spaceAt(view.floor, ...place);
  if (tool.name === "entrance") return placeEntrance(place);
  if (tool.name !== "door") return selectDoor(place) || select(space ? space.index : null);
  if (!space) return undefined;
  if (tool.from === null || tool.from === space.index) {
    tool.from = space.index;
    tool.line = null;
    select(space.index, { quiet: true });
    announce(`Door from ${nameOf(space.index)}: choose the space on the other side. Escape cancels.`);
  } else if (addDoor(tool.from, space.index, null)) {
    finishDoor(tool.from);
  }
  return undefined;
}

/** Selects the space of a door within eight pixels, and describes the door; returns whether there is one. */
function selectDoor(place) {
  const { removed, doors, entrances } = effectsNow();
  const candidates = OPENINGS.map((opening, index) => ({
    ...opening, row: `opening-${index}`,
    text: `${opening.entrance ? "Entrance" : "Door"} ${opening.names[0] || opening.id}`
      + (opening.assumed ? ", assumed: the map has none" : removed.has(index) ? ", removed" : ""),
  }));
  for (const { entry, line, floor, spaces } of [...doors, ...entrances]) {
    const text = entry.section === "doors" ? "New door" : "New entrance";
    if (line) candidates.push({ line, floor, spaces, row: `new-remove-${entriesNow().indexOf(entry)}`, text });
  }
  let best = null;
  for (const candidate of candidates) {
    if (candidate.floor !== view.floor || candidate.spaces.length === 0) continue;
    const near = nearestOnSegment(candidate.line, ...place);
    if (near.distance * view.scale <= 8 && (!best || near.distance < best.distance)) {
      best = { candidate, distance: near.distance };
    }
  }
  if (!best) return false;
  const { spaces, row, text } = best.candidate;
  select(spaces.includes(selection.space) ? selection.space : spaces[0], { quiet: true });
  const button = element(row);
  if (button) button.scrollIntoView({ block: "nearest" });
  announce(`${text}: ${spaces.map(nameOf).join(" and ")}.`);
  return true;
}

function finishDoor(index) {
  setTool("select");
  select(index, { quiet: true });
}

// A line drawn with the mouse or a finger.

function beginLine(place) {
  const space = spaceAt(view.floor, ...place);
  if (!space) return;
  tool.start = place;
  tool.startSpace = space.index;
}

function moveLine(place) {
  tool.line = [...tool.start, ...place];
  const space = spaceAt(view.floor, ...place);
  tool.target = space && space.index !== tool.startSpace ? space.index : null;
  tool.threshold = null;
  if (tool.target !== null) {
    const at = crossingOf(tool.line, tool.startSpace, tool.target);
    const door = doorBetween([tool.startSpace], [tool.target], at, DATA.limits.doorWidth);
    tool.threshold = door.line || null;
  }
  redraw();
}

function endLine(place) {
  const space = spaceAt(view.floor, ...place);
  const { startSpace, line } = tool;
  cancelLine();
  if (!space || space.index === startSpace) {
    announce("The line ends in the same space, or outside all spaces: no door was drawn.", true);
    return;
  }
  if (addDoor(startSpace, space.index, crossingOf(line, startSpace, space.index))) finishDoor(startSpace);
}

function cancelLine() {
  Object.assign(tool, { line: null, target: null, threshold: null });
  redraw();
}

/** Returns the place at which a line leaves one space and enters another one; its middle if it crosses no border. */
function crossingOf(line, a, b) {
  const shares = (index) => edgesOfSpace(index).map((edge) => crossing(line, edge)).filter((share) => share !== null);
  const leaves = shares(a);
  const enters = shares(b);
  const out = leaves.length > 0 ? Math.max(...leaves) : null;
  const into = enters.length > 0 ? Math.min(...enters) : null;
  if (out === null && into === null) return pointAt(line, 0.5);
  return pointAt(line, out === null ? into : into === null ? out : (out + into) / 2);
}

// Entrances.

/** Returns the space whose border is nearest to a place, within the reach of an entrance. */
function borderNear(place) {
  const inside = spaceAt(view.floor, ...place);
  const { reach } = DATA.limits;
  let best = null;
  for (const space of inside ? [inside] : FLOORS[view.floor].spaces) {
    if (!isBoxNear(space.box, [place[0], place[1], place[0], place[1]], reach)) continue;
    const near = nearestOnEdges(edgesOfSpace(space.index), ...place);
    if (near && near.distance <= reach && (!best || near.distance < best.near.distance)) best = { space, near };
  }
  return best;
}

function hoverTool(place) {
  if (tool.name !== "entrance" || tool.position) return;
  const found = borderNear(place);
  tool.threshold = found
    ? thresholdAlong(found.near.edge, found.near.x, found.near.y, DATA.limits.doorWidth) : null;
  redraw();
}

function placeEntrance(place) {
  const found = borderNear(place);
  if (!found) {
    announce(`Choose a place within ${metres(DATA.limits.reach)} of the border of a space.`, true);
    return;
  }
  if (addEntrance(found.space.index, [found.near.x, found.near.y])) finishDoor(found.space.index);
}

// The same with the keyboard.

/** Begins a door from the selected space; arrow keys choose the other space. */
function beginKeyboardDoor() {
  if (selection.space === null) return announce("Select a space first, with the arrow keys.");
  const choices = neighboursOf(selection.space);
  if (choices.length === 0) {
    return announce(
      `No space is within ${metres(DATA.limits.wall)} of ${nameOf(selection.space)}, so it can have no door.`, true);
  }
  setTool("door");
  Object.assign(tool, { from: selection.space, choices, at: 0 });
  return chooseTarget(0);
}

function chooseTarget(step) {
  tool.at = (tool.at + step + tool.choices.length) % tool.choices.length;
  tool.target = tool.choices[tool.at].space;
  tool.threshold = doorBetween([tool.from], [tool.target], null, DATA.limits.doorWidth).line || null;
  announce(
    `Door from ${nameOf(tool.from)} to ${nameOf(tool.target)}, ${tool.at + 1} of ${tool.choices.length}. `
      + "Arrow keys choose another space, Enter draws the door, Escape cancels.");
  redraw();
}

/** Begins an entrance of the selected space; arrow keys move it along the border. */
function beginKeyboardEntrance() {
  if (selection.space === null) return announce("Select a space first, with the arrow keys.");
  setTool("entrance");
  tool.position = freeEntrancePosition(selection.space);
  tool.from = selection.space;
  return moveEntrance(0);
}

function moveEntrance(step) {
  tool.position = movedAlong(tool.from, tool.position, step);
  tool.threshold = entranceOf([tool.from], tool.position, DATA.limits.doorWidth).line || null;
  announce(
    `Entrance to ${nameOf(tool.from)} at ${toDegrees(...tool.position).join(", ")}. `
      + "Arrow keys move it along the border, Enter keeps it, Escape cancels.");
  redraw();
}

/** Finishes what the keyboard began; returns whether there was something. */
function confirmTool() {
  if (tool.name === "door" && tool.choices.length > 0) {
    const { from } = tool;
    if (addDoor(from, tool.target, null)) finishDoor(from);
    return true;
  }
  if (tool.name === "entrance" && tool.position) {
    const { from } = tool;
    if (addEntrance(from, tool.position)) finishDoor(from);
    return true;
  }
  return false;
}
