// People as pixels: thousands of dots are written into one picture, which is many times faster than as many drawings.

/** The steps of a pixel at which a dot can lie; a quarter of a pixel is too little to see. */
const dotSteps = 4;

/** A round picture of a person at a part of a pixel: offsets from the top left, and red, green, blue and alpha of each. */
const dotAt = (colour, edge, radius, shiftX, shiftY) => {
  const size = Math.ceil(radius * 2 + 5);
  const canvas = typeof OffscreenCanvas === "undefined" ? make("canvas", { width: size, height: size }) : new OffscreenCanvas(size, size);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.beginPath();
  context.arc(size / 2 + shiftX, size / 2 + shiftY, radius, 0, 7);
  context.fillStyle = colour;
  context.fill();
  context.lineWidth = Math.max(1, radius * 0.3);
  context.strokeStyle = edge;
  context.stroke();
  const { data } = context.getImageData(0, 0, size, size);
  const used = [];
  for (let index = 0; index < size * size; index++) if (data[4 * index + 3] > 0) used.push(index);
  return {
    size,
    columns: Int32Array.from(used, (index) => index % size),
    rows: Int32Array.from(used, (index) => Math.floor(index / size)),
    red: Uint8Array.from(used, (index) => data[4 * index]),
    green: Uint8Array.from(used, (index) => data[4 * index + 1]),
    blue: Uint8Array.from(used, (index) => data[4 * index + 2]),
    alpha: Uint8Array.from(used, (index) => data[4 * index + 3]),
  };
};

/** The dots of a radius by colour and part of a pixel; made when they are first used. */
const dotsOf = (player, radius) => {
  const key = radius.toFixed(1);
  if (player.dots?.key !== key || player.dots.colours !== player.colours) player.dots = { key, colours: player.colours, list: [] };
  const { list } = player.dots;
  return (group, stepX, stepY) => (list[(group * dotSteps + stepY) * dotSteps + stepX] ??=
    dotAt(player.colours.dots[group], player.colours.edge, radius, stepX / dotSteps, stepY / dotSteps));
};

/** Writes a dot over the opaque pixels of a picture. */
const writeDot = (pixels, width, height, dot, left, top) => {
  const { columns, rows, red, green, blue, alpha } = dot;
  const isWhole = left >= 0 && top >= 0 && left + dot.size <= width && top + dot.size <= height;
  for (let index = 0; index < columns.length; index++) {
    const [column, row] = [left + columns[index], top + rows[index]];
    if (!isWhole && (column < 0 || row < 0 || column >= width || row >= height)) continue;
    const at = 4 * (row * width + column);
    const share = alpha[index] / 255;
    pixels[at] += (red[index] - pixels[at]) * share;
    pixels[at + 1] += (green[index] - pixels[at + 1]) * share;
    pixels[at + 2] += (blue[index] - pixels[at + 2]) * share;
  }
};

/**
 * Paints the ground of a floor and its people. `isSame` states whether the ground is that of the last frame; its pixels are then
 * read once and kept.
 */
const paintPeople = (player, floor, pane, radius, isSame) => {
  const { context, back } = floor;
  const { found } = player;
  if (!isSame || !floor.ground || floor.ground.width !== pane.width || floor.ground.height !== pane.height) {
    floor.ground = back.getContext("2d").getImageData(0, 0, pane.width, pane.height);
    floor.picture = context.createImageData(pane.width, pane.height);
  }
  const pixels = floor.picture.data;
  pixels.set(floor.ground.data);
  const dot = dotsOf(player, radius);
  for (let index = 0; index < found.count; index++) {
    if (found.storey[index] !== floor.storey) continue;
    const x = found.x[index] * 100 * pane.scale + pane.left;
    const y = -found.y[index] * 100 * pane.scale + pane.top;
    if (x < -radius || y < -radius || x > pane.width + radius || y > pane.height + radius) continue;
    // The middle of a dot is the middle of its picture, moved by steps.
    const half = Math.ceil(radius * 2 + 5) / 2;
    const [left, top] = [Math.floor((x - half) * dotSteps), Math.floor((y - half) * dotSteps)];
    const [stepX, stepY] = [((left % dotSteps) + dotSteps) % dotSteps, ((top % dotSteps) + dotSteps) % dotSteps];
    const [column, row] = [(left - stepX) / dotSteps, (top - stepY) / dotSteps];
    writeDot(pixels, pane.width, pane.height, dot(player.groupOf[found.person[index]], stepX, stepY), column, row);
  }
  context.putImageData(floor.picture, 0, 0);
};
