// The plans of a player: read once from the drawings of the page, painted on canvases at any scale.

/** A floor: its spaces, walls and doors as paths in centimetres. It must be laid out, so that spaces have an extent. */
const planFloor = (element, storey) => {
  const svg = element.querySelector("svg");
  const paths = (name) => [...svg.querySelectorAll(name)].map((path) => new Path2D(path.getAttribute("d")));
  const spaces = [...svg.querySelectorAll(".s[data-i]")].map((shape) => {
    const box = shape.getBBox();
    return {
      shape,
      number: Number(shape.dataset.i),
      isVoid: shape.classList.contains("void"),
      path: new Path2D(shape.getAttribute("d")),
      left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height,
    };
  });
  const canvas = make("canvas", { className: "ink", "aria-hidden": "true" });
  // Pixels of these are read and written in every frame.
  const [back, under, over] = ["canvas", "canvas", "canvas"].map((name) => make(name));
  for (const layer of [canvas, back, under, over]) layer.getContext("2d", { willReadFrequently: true });
  const sheet = element.querySelector(".sheet");
  sheet.append(canvas);
  const { x, y, width, height } = svg.viewBox.baseVal;
  return {
    element, svg, sheet, canvas, storey, spaces,
    context: canvas.getContext("2d"),
    back, under, over,
    backKey: "",
    view: { x, y, width, height },
    outlines: paths(".outline"), walls: paths(".wall"), doors: paths(".door"),
    exits: [...svg.querySelectorAll("circle.exit")].map((mark) => [mark.cx.baseVal.value, mark.cy.baseVal.value]),
  };
};

const emptyContext = make("canvas", { width: 1, height: 1 }).getContext("2d");
/** The space at a place of the frame in metres; the smallest one where spaces overlap. */
const spaceAt = (floor, x, y) => {
  const [left, top] = [x * 100, -y * 100];
  for (let index = floor.spaces.length - 1; index >= 0; index--) {
    const space = floor.spaces[index];
    if (left < space.left || left > space.right || top < space.top || top > space.bottom) continue;
    if (emptyContext.isPointInPath(space.path, left, top, "evenodd")) return space;
  }
  return null;
};

/** The spaces of which a part is visible. */
const seenSpaces = (floor, { scale, left, top, width, height }) => floor.spaces.filter((space) =>
  space.right * scale + left > 0 && space.left * scale + left < width && space.bottom * scale + top > 0 && space.top * scale + top < height);

/** Paints floor and spaces. `fillOf` returns the colour of a space, `scale` is pixels a centimetre. */
const paintSpaces = (context, floor, pane, colours, fillOf) => {
  const { scale, left, top, width, height, ratio } = pane;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = colours.card;
  context.fillRect(0, 0, width, height);
  context.setTransform(scale, 0, 0, scale, left, top);
  context.fillStyle = colours.floor;
  for (const path of floor.outlines) context.fill(path, "evenodd");
  context.strokeStyle = colours.door;
  context.lineWidth = ratio / scale;
  for (const space of seenSpaces(floor, pane)) {
    const fill = space.isVoid ? colours.void : fillOf(space);
    if (fill) {
      context.fillStyle = fill;
      context.fill(space.path, "evenodd");
    }
    context.stroke(space.path);
  }
};

/** Paints walls, doors, exits and names. */
const paintWalls = (context, floor, pane, colours, names) => {
  const { scale, left, top, ratio } = pane;
  context.setTransform(scale, 0, 0, scale, left, top);
  const pixel = ratio / scale;
  context.lineJoin = "round";
  context.lineCap = "round";
  context.strokeStyle = colours.wall;
  context.lineWidth = Math.min(1.4 * pixel, 30);
  for (const path of floor.walls) context.stroke(path);
  context.strokeStyle = colours.paper;
  context.lineWidth = 2.4 * pixel;
  for (const path of floor.doors) context.stroke(path);
  context.fillStyle = colours.exit;
  context.strokeStyle = colours.card;
  for (const place of floor.exits) {
    context.beginPath();
    context.arc(...place, Math.max(60, 5 * pixel), 0, 7);
    context.fill();
    context.stroke();
  }
  paintNames(context, seenSpaces(floor, pane), pane, colours, ratio, names);
};

/** Writes the names that lie in their spaces at this scale and cover no name before them. */
const paintNames = (context, spaces, { scale, left, top }, colours, ratio, names) => {
  context.setTransform(1, 0, 0, 1, 0, 0);
  const size = 11.5 * ratio;
  context.font = `${size}px ${colours.sans}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineWidth = 3 * ratio;
  context.strokeStyle = colours.card;
  context.fillStyle = colours.ink;
  const taken = [];
  for (const space of spaces) {
    const name = names[space.number];
    if (!name || (space.bottom - space.top) * scale < size * 1.5) continue;
    space.middle ??= [(space.left + space.right) / 2, (space.top + space.bottom) / 2];
    space.hasMiddle ??= emptyContext.isPointInPath(space.path, ...space.middle, "evenodd");
    space.width ??= context.measureText(name).width / size;
    if (!space.hasMiddle || space.width * size > (space.right - space.left) * scale * 0.94) continue;
    // A slanted space is narrower than its bounding box.
    const half = space.width * size / 2;
    const isInside = (shift) => emptyContext.isPointInPath(space.path, space.middle[0] + shift, space.middle[1], "evenodd");
    if (![-0.8, 0.8].every((share) => isInside(share * half / scale))) continue;
    const [x, y] = [space.middle[0] * scale + left, space.middle[1] * scale + top];
    const box = [x - half, y - size * 0.6, x + half, y + size * 0.6];
    if (taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) continue;
    taken.push(box);
    context.strokeText(name, x, y);
    context.fillText(name, x, y);
  }
};
