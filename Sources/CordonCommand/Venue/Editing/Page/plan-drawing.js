// Draws a floor on a canvas, in metres with north up.

const canvas = document.getElementById("plan");
const screenContext = canvas.getContext("2d", { alpha: false });
const layerCanvas = document.createElement("canvas");
const layerContext = layerCanvas.getContext("2d", { alpha: false });
let context = screenContext;
const darkScheme = matchMedia("(prefers-color-scheme: dark)");

let colours = null;
darkScheme.addEventListener("change", () => {
  colours = null;
  layer = null;
  redraw();
});

/** Reads the colours of the page's style sheet. */
function coloursNow() {
  if (colours) return colours;
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(`--${name}`).trim();
  colours = { kinds: {} };
  for (const name of ["card", "ink", "soft", "line", "wall", "door", "entrance", "focus", "alarm", "added", "void"]) {
    colours[name] = value(name);
  }
  for (const [kind, colour] of Object.entries(DATA.colours)) {
    colours.kinds[kind] = darkScheme.matches ? mixed(colour, "#14181c", 0.68) : colour;
  }
  return colours;
}

/** Returns a colour mixed with another one, both as #rrggbb. */
function mixed(colour, other, share) {
  let result = "#";
  for (let place = 1; place < 7; place += 2) {
    const a = parseInt(colour.slice(place, place + 2), 16);
    const b = parseInt(other.slice(place, place + 2), 16);
    result += Math.round(a * (1 - share) + b * share).toString(16).padStart(2, "0");
  }
  return result;
}

function pathOf(rings, isClosed = true) {
  const path = new Path2D();
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      if (i === 0) path.moveTo(ring[0], ring[1]);
      else path.lineTo(ring[i], ring[i + 1]);
    }
    if (isClosed) path.closePath();
  }
  return path;
}

/** Returns the paths of a floor that do not change. */
function pathsOf(floor) {
  if (!floor.paths) {
    const outlines = new Path2D();
    for (const space of floor.drawn) {
      space.path = pathOf(space.rings);
      outlines.addPath(space.path);
    }
    floor.paths = {
      outlines, ground: pathOf(floor.outline), walls: pathOf(floor.walls, false), solids: pathOf(floor.solids),
    };
  }
  return floor.paths;
}

// The floor is drawn once, with a margin beyond the view, and copied while the view moves.
let layer = null;
onChange(() => (layer = null));

/** Draws the floor of a view: the layer, then marks that change often. */
function drawFloor(view) {
  const { width, height, scale, ratio } = view;
  if (!isLayerUsable(view)) drawLayer(view);
  context = screenContext;
  const left = layer.width / 2 - width / 2 + (view.x - layer.x) * scale;
  const top = layer.height / 2 - height / 2 - (view.y - layer.y) * scale;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.drawImage(layerCanvas, Math.round(-left * ratio), Math.round(-top * ratio));
  setMetres(view);
  drawMarks(view, 1 / scale);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawCompass(view);
}

function isLayerUsable(view) {
  return layer !== null && layer.floor === view.floor && layer.scale === view.scale && layer.ratio === view.ratio
    && Math.abs(layer.x - view.x) * view.scale <= (layer.width - view.width) / 2
    && Math.abs(layer.y - view.y) * view.scale <= (layer.height - view.height) / 2;
}

/** Lets coordinates be metres, with north up. */
function setMetres({ x, y, width, height, scale, ratio }) {
  context.setTransform(
    scale * ratio, 0, 0, -scale * ratio, (width / 2 - x * scale) * ratio, (height / 2 + y * scale) * ratio);
}

/** Draws a floor with a margin. Everything in metres is drawn first, then signs and names in pixels. */
function drawLayer(screen) {
  const view = {
    floor: screen.floor, x: screen.x, y: screen.y, scale: screen.scale, ratio: screen.ratio,
    width: Math.ceil(screen.width * 1.5), height: Math.ceil(screen.height * 1.5), toPixels: screen.toPixels,
  };
  layer = view;
  context = layerContext;
  const { width, height, scale, ratio } = view;
  const size = [Math.round(width * ratio), Math.round(height * ratio)];
  if (layerCanvas.width !== size[0] || layerCanvas.height !== size[1]) [layerCanvas.width, layerCanvas.height] = size;
  const shades = coloursNow();
  const floor = FLOORS[view.floor];
  const paths = pathsOf(floor);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = shades.card;
  context.fillRect(0, 0, width, height);
  setMetres(view);
  const pixel = 1 / scale;
  const seen = [
    view.x - (width / 2) * pixel, view.y - (height / 2) * pixel, view.x + (width / 2) * pixel,
    view.y + (height / 2) * pixel,
  ];
  context.fillStyle = shades.void;
  context.fill(paths.ground, "evenodd");
  const visible = floor.drawn.filter(({ box }) => isBoxNear(box, seen, 0));
  const states = visible.map(({ index }) => spaceState(index));
  visible.forEach((space, place) => {
    const { kind, isReached, closed } = states[place];
    context.fillStyle = closed ? shades.line : isReached ? shades.kinds[kind] : mixed(hex(shades.alarm), hex(shades.card), 0.7);
    context.fill(space.path, "evenodd");
  });
  context.strokeStyle = shades.soft;
  context.lineWidth = 0.7 * pixel;
  context.stroke(paths.outlines);
  context.globalAlpha = 0.4;
  context.fillStyle = shades.soft;
  context.fill(paths.solids, "evenodd");
  context.globalAlpha = 1;
  context.strokeStyle = shades.wall;
  context.lineWidth = 1.8 * pixel;
  context.stroke(paths.walls);
  context.setLineDash([5 * pixel, 3 * pixel]);
  context.lineWidth = 1.6 * pixel;
  context.strokeStyle = shades.alarm;
  visible.forEach((space, place) => {
    if (!states[place].isReached) context.stroke(space.path);
  });
  context.setLineDash([]);
  drawDoors(view, pixel);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawNames(view, visible, states);
  drawConnections(view);
}

const hex = (colour) => (/^#[0-9a-f]{6}$/i.test(colour) ? colour : "#888888");

const states = new Map();
onChange(() => states.clear());

/** Returns what the drawing of a space depends on. */
function spaceState(index) {
  if (!states.has(index)) {
    const { kind, name, closed, isChanged } = propertiesOf(index);
    states.set(index, { kind, name, closed, isChanged, isReached: reachabilityOf(index).isReached });
  }
  return states.get(index);
}

function strokeLine(line, width, colour) {
  context.beginPath();
  context.moveTo(line[0], line[1]);
  for (let i = 2; i < line.length; i += 2) context.lineTo(line[i], line[i + 1]);
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.stroke();
}

/** Draws doors, those of one space or all: those of the map, assumed and removed ones in dashes, and new ones. */
function drawDoors(view, pixel, only = null) {
  const shades = coloursNow();
  const { removed, doors, entrances } = effectsNow();
  const thick = Math.max(4 * pixel, 0.12);
  OPENINGS.forEach((opening, index) => {
    if (opening.floor !== view.floor || (only !== null && !opening.spaces.includes(only))) return;
    if (removed.has(index)) {
      context.setLineDash([2 * pixel, 3 * pixel]);
      strokeLine(opening.line, 2 * pixel, shades.soft);
      context.setLineDash([]);
      return;
    }
    if (opening.assumed) context.setLineDash([3 * pixel, 2 * pixel]);
    strokeLine(opening.line, thick, opening.entrance ? shades.entrance : shades.door);
    context.setLineDash([]);
    if (!opening.entrance && !opening.assumed) strokeLine(opening.line, thick / 2, shades.card);
  });
  for (const { line, floor, spaces } of [...doors, ...entrances]) {
    if (!line || floor !== view.floor || (only !== null && !spaces.includes(only))) continue;
    strokeLine(line, thick * 1.5, shades.added);
    strokeLine(line, thick / 2, shades.card);
  }
}

/** Draws the selected space, and what a tool is about to add. */
function drawMarks(view, pixel) {
  const shades = coloursNow();
  const outline = (index, width, dash) => {
    const space = SPACES[index];
    if (space.floor !== view.floor) return;
    context.setLineDash(dash);
    context.lineWidth = width * pixel;
    context.strokeStyle = shades.focus;
    context.stroke(space.path);
    context.setLineDash([]);
  };
  if (selection.space !== null) {
    outline(selection.space, 3.5, []);
    drawDoors(view, pixel, selection.space);
  }
  if (tool.target !== null) outline(tool.target, 3, [6 * pixel, 3 * pixel]);
  if (tool.line) {
    context.setLineDash([4 * pixel, 3 * pixel]);
    strokeLine(tool.line, 2.5 * pixel, shades.added);
    context.setLineDash([]);
  }
  if (tool.threshold) strokeLine(tool.threshold, Math.max(7 * pixel, 0.2), shades.added);
  if (selection.place && selection.place.floor === view.floor) {
    context.beginPath();
    context.arc(selection.place.x, selection.place.y, 12 * pixel, 0, Math.PI * 2);
    context.lineWidth = 2.5 * pixel;
    context.strokeStyle = shades.focus;
    context.stroke();
  }
}

const widths = new Map();
/** Returns the width of a text at 12 pixels. */
function widthOf(text) {
  if (!widths.has(text)) widths.set(text, context.measureText(text).width);
  return widths.get(text);
}

/** Draws the names for which there is room, and a sign on spaces that are closed or out of reach. */
function drawNames(view, visible, states) {
  const shades = coloursNow();
  context.font = NAME_FONT;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.strokeStyle = shades.card;
  context.lineWidth = 3;
  context.lineJoin = "round";
  visible.forEach((space, place) => {
    const { box, label } = space;
    const { name, closed, isReached, isChanged } = states[place];
    const room = label.width * view.scale - 6;
    const rows = Math.min(3, Math.floor(((box[3] - box[1]) * view.scale - 4) / LINE));
    if (room < 12 || rows < 1) return;
    const sign = closed ? "✕ " : isReached ? "" : "! ";
    const lines = linesIn(sign + name + (isChanged ? " *" : ""), room, rows) || [sign.trim() || (isChanged ? "*" : "")];
    const [x, y] = view.toPixels(label.x, label.y);
    context.fillStyle = isReached ? shades.ink : shades.alarm;
    lines.forEach((line, row) => {
      if (!line) return;
      const height = y + (row - (lines.length - 1) / 2) * LINE;
      context.strokeText(line, x, height);
      context.fillText(line, x, height);
    });
  });
}

/** The height of a line of a name, in pixels. */
const LINE = 14;

/** Returns a text in lines of a width, the last one shortened if necessary; `null` if there is too little room. */
function linesIn(text, room, rows) {
  if (widthOf(text) <= room) return [text];
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = lines[lines.length - 1] ? `${lines[lines.length - 1]} ${word}` : word;
    if (widthOf(longer) <= room || lines[lines.length - 1] === "") lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const shown = lines.slice(0, rows);
  if (lines.length > rows) shown[rows - 1] += "…";
  const short = shown.map((line) => {
    if (widthOf(line) <= room) return line;
    const kept = Math.floor((line.length * room) / widthOf(line)) - 1;
    return kept >= 3 ? `${line.slice(0, kept)}…` : "";
  });
  return short.every(Boolean) ? short : null;
}

const NAME_FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif';

/** Draws a letter at each landing of a connection. */
function drawConnections(view) {
  const shades = coloursNow();
  const { connections, removedConnections } = effectsNow();
  const mark = (x, y, letter, colour) => {
    const [px, py] = view.toPixels(x, y);
    context.beginPath();
    context.arc(px, py, 8, 0, Math.PI * 2);
    context.fillStyle = colour;
    context.fill();
    context.fillStyle = shades.card;
    context.font = `bold 11px ${NAME_FONT.slice(5)}`;
    context.fillText(letter, px, py + 0.5);
  };
  CONNECTIONS.forEach((connection, index) => {
    for (const landing of connection.landings) {
      if (landing.floor !== view.floor) continue;
      mark(landing.x, landing.y, letterOf(connection.kind), removedConnections.has(index) ? shades.line : shades.soft);
    }
  });
  for (const { entry, spaces } of connections) {
    for (const index of spaces) {
      const { floor, label } = SPACES[index];
      if (floor === view.floor) mark(label.x, label.y, letterOf(entry.kind), shades.added);
    }
  }
  for (const entrance of DATA.entrances) {
    if (entrance.floor === view.floor) mark(entrance.x, entrance.y, String(entrance.number), shades.entrance);
  }
}

const letterOf = (kind) => ({ stairs: "S", elevator: "L", lift: "L", escalator: "E", ramp: "R" })[kind] || "?";

/** Draws a scale bar. */
function drawCompass(view) {
  const shades = coloursNow();
  const lengths = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500];
  const length = lengths.find((metres) => metres * view.scale >= 50) || 1000;
  const width = length * view.scale;
  const [x, y] = [12, view.height - 12];
  context.strokeStyle = shades.ink;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, y - 5);
  context.lineTo(x, y);
  context.lineTo(x + width, y);
  context.lineTo(x + width, y - 5);
  context.stroke();
  context.fillStyle = shades.ink;
  context.font = NAME_FONT;
  context.textAlign = "left";
  context.fillText(`${length} m, north is up`, x + 6, y - 9);
}
