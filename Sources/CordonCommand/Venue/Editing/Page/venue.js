// The map of the page: spaces with their shapes, and the places of doors.

const DATA = JSON.parse(document.getElementById("data").textContent);
const SPACES = DATA.spaces;
const FLOORS = DATA.floors;
const OPENINGS = DATA.openings;
const CONNECTIONS = DATA.connections;

for (const [index, space] of SPACES.entries()) {
  space.index = index;
  space.rings = space.outline.flat();
  space.box = boxOf(space.rings);
  space.area = areaOf(space.outline);
  space.label = innerPoint(space.rings, space.box);
}
for (const opening of OPENINGS) {
  // A door of which the map has only a position.
  const [x, y] = opening.line;
  if (opening.line.length === 2) opening.line = [x - 0.4, y, x + 0.4, y];
}
for (const [index, floor] of FLOORS.entries()) {
  floor.index = index;
  floor.spaces = SPACES.filter((space) => space.floor === index);
  // The largest first: a space inside a hall is drawn over it, and found before it.
  floor.drawn = [...floor.spaces].sort((a, b) => b.area - a.area || a.index - b.index);
  floor.box = floor.spaces.reduce(
    (box, { box: b }) => [
      Math.min(box[0], b[0]), Math.min(box[1], b[1]), Math.max(box[2], b[2]), Math.max(box[3], b[3]),
    ], [Infinity, Infinity, -Infinity, -Infinity]);
  if (!Number.isFinite(floor.box[0])) floor.box = [-10, -10, 10, 10];
}

/** Returns the edges of a space; they are computed when they are first needed. */
function edgesOfSpace(index) {
  const space = SPACES[index];
  if (!space.edges) space.edges = edgesOf(space.rings);
  return space.edges;
}

/** Returns the smallest space of a floor at a point; `null` outside all spaces. */
function spaceAt(floor, x, y) {
  const { drawn } = FLOORS[floor];
  for (let place = drawn.length - 1; place >= 0; place -= 1) {
    const { box, rings } = drawn[place];
    if (x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3] && containsPoint(rings, x, y)) return drawn[place];
  }
  return null;
}

/** Converts metres to [longitude, latitude] with seven decimals, about a centimetre. */
function toDegrees(x, y) {
  const frame = DATA.frame;
  let longitude = frame.longitude + x / frame.east;
  if (longitude > 180) longitude -= 360;
  if (longitude < -180) longitude += 360;
  return [Number(longitude.toFixed(7)), Number((frame.latitude + y / frame.north).toFixed(7))];
}

/** Converts [longitude, latitude] to metres. */
function toMetres([longitude, latitude]) {
  const frame = DATA.frame;
  let east = longitude - frame.longitude;
  if (east > 180) east -= 360;
  if (east < -180) east += 360;
  return [east * frame.east, (latitude - frame.latitude) * frame.north];
}

const isBoxNear = (a, b, reach) =>
  a[0] <= b[2] + reach && b[0] <= a[2] + reach && a[1] <= b[3] + reach && b[1] <= a[3] + reach;

const NEIGHBOURS = new Map();

/** Returns the spaces to which a wide enough door can lead from a space, those with the longest shared border first. */
function neighboursOf(index) {
  if (!NEIGHBOURS.has(index)) {
    const space = SPACES[index];
    const found = [];
    for (const other of FLOORS[space.floor].spaces) {
      if (other === space || !isBoxNear(space.box, other.box, DATA.limits.wall)) continue;
      const { part } = sharedBorder(edgesOfSpace(index), edgesOfSpace(other.index), DATA.limits.wall);
      if (part && lengthOf(part) >= DATA.limits.minimumDoorWidth) found.push({ space: other.index, part, length: lengthOf(part) });
    }
    NEIGHBOURS.set(index, found.sort((a, b) => b.length - a.length || a.space - b.space));
  }
  return NEIGHBOURS.get(index);
}

/**
 * Returns the threshold of a door between spaces, or the reason why it cannot be there. The rules are those of the
 * reader of overlays: of several spaces of one name, the nearest pair on one floor is meant.
 */
function doorBetween(first, second, at, width) {
  const { wall, reach } = DATA.limits;
  let best = null;
  let apart = Infinity;
  let least = Infinity;
  for (const a of first) {
    for (const b of second) {
      if (a === b || SPACES[a].floor !== SPACES[b].floor) continue;
      const edges = edgesOfSpace(a);
      const others = edgesOfSpace(b);
      const border = sharedBorder(edges, others, wall);
      if (!border.part) {
        apart = Math.min(apart, border.distance);
        continue;
      }
      if (at) {
        const distance = Math.max(
          nearestOnEdges(edges, ...at).distance, nearestOnEdges(others, ...at).distance);
        least = Math.min(least, distance);
        if (distance <= reach && distance < (best ? best.distance : Infinity)) {
          const near = nearestOnEdges(edges, ...at);
          const line = thresholdAlong(near.edge, near.x, near.y, width);
          best = { line: centredBetween(line, edges, others), spaces: [a, b], distance };
        }
      } else if (border.distance < (best ? best.distance : Infinity)) {
        const [x, y] = pointAt(border.part, 0.5);
        const line = thresholdAlong(border.part, x, y, Math.min(width, lengthOf(border.part)));
        best = { line: centredBetween(line, edges, others), spaces: [a, b], distance: border.distance };
      }
    }
  }
  if (best) return { line: best.line, spaces: best.spaces, floor: SPACES[best.spaces[0]].floor };
  if (Number.isFinite(least)) {
    return { problem: `the position is ${metres(least)} from one of the spaces; at most ${metres(reach)}` };
  }
  if (Number.isFinite(apart)) {
    return { problem: `the spaces are ${metres(apart)} apart; a door connects spaces at most ${metres(wall)} apart` };
  }
  return { problem: "these are not two spaces of one floor" };
}

/** Returns the threshold of an entrance, or the reason why it cannot be there. */
function entranceOf(spaces, at, width) {
  let best = null;
  for (const index of spaces) {
    const near = nearestOnEdges(edgesOfSpace(index), ...at);
    if (near && (!best || near.distance < best.near.distance)) best = { index, near };
  }
  if (!best || best.near.distance > DATA.limits.reach) {
    return { problem: `the position is more than ${metres(DATA.limits.reach)} from the border of the space` };
  }
  const { edge, x, y } = best.near;
  return {
    line: thresholdAlong(edge, x, y, width), spaces: [best.index], floor: SPACES[best.index].floor,
  };
}

/** Returns the position of a new entrance of a space: the middle of its longest border without a neighbour. */
function freeEntrancePosition(index) {
  const space = SPACES[index];
  const edges = edgesOfSpace(index);
  const others = FLOORS[space.floor].spaces
    .filter((other) => other !== space && isBoxNear(space.box, other.box, DATA.limits.wall))
    .flatMap((other) => edgesOfSpace(other.index));
  const [free] = freeBorders(edges, others, DATA.limits.wall);
  const longest = free || [...edges].sort((a, b) => lengthOf(b) - lengthOf(a))[0];
  return longest ? pointAt(longest, 0.5) : [space.label.x, space.label.y];
}

/** Returns the position that lies `step` metres farther along the border of a space. */
function movedAlong(index, at, step) {
  const edges = edgesOfSpace(index);
  const near = nearestOnEdges(edges, ...at);
  if (!near) return at;
  let place = edges.indexOf(near.edge);
  let along = Math.hypot(near.x - near.edge[0], near.y - near.edge[1]) + step;
  for (let turns = 0; turns < edges.length * 2; turns += 1) {
    const length = lengthOf(edges[place]);
    if (along < 0) {
      place = (place + edges.length - 1) % edges.length;
      along += lengthOf(edges[place]);
    } else if (along > length) {
      along -= length;
      place = (place + 1) % edges.length;
    } else {
      return pointAt(edges[place], along / length);
    }
  }
  return at;
}

const metres = (value) => `${value.toFixed(1)} m`;
const squareMetres = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} m²`;
