// Outlines in metres: x to the east, y to the north. A ring is a flat list of coordinates, x and y in turn.

/** Returns the distance of a point from a segment, and the nearest point of the segment. */
function nearestOnSegment(edge, x, y) {
  const dx = edge[2] - edge[0];
  const dy = edge[3] - edge[1];
  const squared = dx * dx + dy * dy;
  const t = squared > 0 ? Math.min(1, Math.max(0, ((x - edge[0]) * dx + (y - edge[1]) * dy) / squared)) : 0;
  const px = edge[0] + dx * t;
  const py = edge[1] + dy * t;
  return { x: px, y: py, distance: Math.hypot(px - x, py - y) };
}

/** Returns the nearest point of some edges, with the edge. */
function nearestOnEdges(edges, x, y) {
  let best = null;
  for (const edge of edges) {
    const found = nearestOnSegment(edge, x, y);
    if (!best || found.distance < best.distance) best = Object.assign(found, { edge });
  }
  return best;
}

const lengthOf = (edge) => Math.hypot(edge[2] - edge[0], edge[3] - edge[1]);
const pointAt = (edge, t) => [edge[0] + (edge[2] - edge[0]) * t, edge[1] + (edge[3] - edge[1]) * t];

/** Returns the edges of rings, each as [x1, y1, x2, y2]. */
function edgesOf(rings) {
  const edges = [];
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      const j = (i + 2) % ring.length;
      const edge = [ring[i], ring[i + 1], ring[j], ring[j + 1]];
      if (lengthOf(edge) > 0.01) edges.push(edge);
    }
  }
  return edges;
}

/** Returns the box around rings: [west, south, east, north]. */
function boxOf(rings) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      box[0] = Math.min(box[0], ring[i]);
      box[1] = Math.min(box[1], ring[i + 1]);
      box[2] = Math.max(box[2], ring[i]);
      box[3] = Math.max(box[3], ring[i + 1]);
    }
  }
  return box;
}

/** Checks whether a point is inside rings, by the even-odd rule. */
function containsPoint(rings, x, y) {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
      const yi = ring[i + 1];
      const yj = ring[j + 1];
      if (yi > y !== yj > y && x < ((ring[j] - ring[i]) * (y - yi)) / (yj - yi) + ring[i]) inside = !inside;
    }
  }
  return inside;
}

/** Returns the signed area of a ring, in square metres. */
function signedArea(ring) {
  let sum = 0;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    sum += ring[j] * ring[i + 1] - ring[i] * ring[j + 1];
  }
  return sum / 2;
}

/** Returns the area of polygons, each a list of rings with the outer one first. */
function areaOf(polygons) {
  let area = 0;
  for (const rings of polygons) {
    rings.forEach((ring, place) => (area += (place === 0 ? 1 : -1) * Math.abs(signedArea(ring))));
  }
  return area;
}

/** Returns a point inside rings, in the widest part of one of five horizontal cuts. */
function innerPoint(rings, box) {
  let best = null;
  for (const share of [0.5, 0.4, 0.6, 0.25, 0.75]) {
    const y = box[1] + (box[3] - box[1]) * share + 1e-6;
    const cuts = [];
    for (const ring of rings) {
      for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
        const yi = ring[i + 1];
        const yj = ring[j + 1];
        if (yi > y !== yj > y) cuts.push(((ring[j] - ring[i]) * (y - yi)) / (yj - yi) + ring[i]);
      }
    }
    cuts.sort((a, b) => a - b);
    for (let i = 0; i + 1 < cuts.length; i += 2) {
      const width = cuts[i + 1] - cuts[i];
      if (!best || width > best.width * 1.2) best = { width, x: (cuts[i] + cuts[i + 1]) / 2, y };
    }
  }
  return best || { width: 0, x: (box[0] + box[2]) / 2, y: (box[1] + box[3]) / 2 };
}

/** The length of the pieces into which borders are cut, in metres, as in the reader of overlays. */
const PIECE = 0.1;

/**
 * Returns the longest part of the first border that lies near the second one, and the least distance between both.
 * The reader of overlays uses the same rule.
 */
function sharedBorder(first, second, reach) {
  const box = boxOf(second);
  let part = null;
  let least = Infinity;
  for (const edge of first) {
    const count = Math.max(1, Math.ceil(lengthOf(edge) / PIECE));
    let start = -1;
    for (let index = 0; index <= count; index += 1) {
      let isNear = false;
      if (index < count) {
        const [x, y] = pointAt(edge, (index + 0.5) / count);
        // Far away from the box, the distance from it is enough.
        const away = Math.max(box[0] - x, x - box[2], box[1] - y, y - box[3]);
        const distance = away > reach ? Math.hypot(
          Math.max(box[0] - x, x - box[2], 0), Math.max(box[1] - y, y - box[3], 0)) : nearestOnEdges(second, x, y).distance;
        least = Math.min(least, distance);
        isNear = distance <= reach;
      }
      if (isNear && start < 0) start = index;
      if (!isNear && start >= 0) {
        const piece = [...pointAt(edge, start / count), ...pointAt(edge, index / count)];
        if (!part || lengthOf(piece) > lengthOf(part)) part = piece;
        start = -1;
      }
    }
  }
  return { part, distance: least };
}

/** Returns the threshold of a door with its middle on an edge. */
function thresholdAlong(edge, x, y, width) {
  const length = lengthOf(edge) || 1;
  const dx = ((edge[2] - edge[0]) / length) * (width / 2);
  const dy = ((edge[3] - edge[1]) / length) * (width / 2);
  return [x - dx, y - dy, x + dx, y + dy];
}

/** Returns the threshold in the middle of the wall between two borders. */
function centredBetween(line, first, second) {
  const x = (line[0] + line[2]) / 2;
  const y = (line[1] + line[3]) / 2;
  const here = nearestOnEdges(first, x, y);
  const there = nearestOnEdges(second, x, y);
  const dx = (here.x + there.x) / 2 - x;
  const dy = (here.y + there.y) / 2 - y;
  return [line[0] + dx, line[1] + dy, line[2] + dx, line[3] + dy];
}

/** Returns the share of a segment at which it crosses an edge; `null` if it does not. */
function crossing(segment, edge) {
  const ax = segment[2] - segment[0];
  const ay = segment[3] - segment[1];
  const bx = edge[2] - edge[0];
  const by = edge[3] - edge[1];
  const cross = ax * by - ay * bx;
  if (Math.abs(cross) < 1e-12) return null;
  const t = ((edge[0] - segment[0]) * by - (edge[1] - segment[1]) * bx) / cross;
  const u = ((edge[0] - segment[0]) * ay - (edge[1] - segment[1]) * ax) / cross;
  return t >= 0 && t <= 1 && u >= 0 && u <= 1 ? t : null;
}

/** Returns the parts of edges that are farther than `reach` from all others, the longest first. */
function freeBorders(edges, others, reach) {
  const parts = [];
  for (const edge of edges) {
    const count = Math.max(1, Math.ceil(lengthOf(edge) / (5 * PIECE)));
    let start = -1;
    for (let index = 0; index <= count; index += 1) {
      let isFree = false;
      if (index < count) {
        const near = nearestOnEdges(others, ...pointAt(edge, (index + 0.5) / count));
        isFree = !near || near.distance > reach;
      }
      if (isFree && start < 0) start = index;
      if (!isFree && start >= 0) {
        parts.push([...pointAt(edge, start / count), ...pointAt(edge, index / count)]);
        start = -1;
      }
    }
  }
  return parts.sort((a, b) => lengthOf(b) - lengthOf(a));
}
