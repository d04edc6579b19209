// People per square metre on the ground: every person counts with a bell of 1 m (standard deviation) around the place.

/** A field over a floor's extent in metres, with cells of at most a quarter of a million. */
const fieldOf = (floor) => {
  const { x, y, width, height } = floor.view;
  const size = Math.max(0.5, Math.sqrt((width * height) / 1e4 / 60000));
  const columns = Math.ceil(width / 100 / size);
  const rows = Math.ceil(height / 100 / size);
  const reach = Math.max(1, Math.round(2.5 / size));
  return {
    size, columns, rows, reach,
    left: x / 100, top: y / 100,
    values: new Float32Array(columns * rows),
    canvas: make("canvas", { width: columns, height: rows }),
  };
};

const bell = (metres) => Math.exp(-metres * metres / 2) / Math.sqrt(2 * Math.PI);
/** Adds a person at a place of the frame, with a weight. */
const addToField = (field, x, y, weight) => {
  const { size, columns, rows, reach, values } = field;
  const [place, line] = [(x - field.left) / size, (-y - field.top) / size];
  const [column, row] = [Math.floor(place), Math.floor(line)];
  field.across ??= new Float32Array(2 * reach + 1);
  const across = field.across;
  for (let step = -reach; step <= reach; step++) across[step + reach] = bell((column + step + 0.5 - place) * size);
  for (let step = -reach; step <= reach; step++) {
    const at = row + step;
    if (at < 0 || at >= rows) continue;
    const down = weight * bell((at + 0.5 - line) * size);
    const from = Math.max(0, column - reach);
    const to = Math.min(columns - 1, column + reach);
    for (let index = from; index <= to; index++) values[at * columns + index] += down * across[index - column + reach];
  }
};

/** Paints the classes of a field; `colours` holds red, green, blue for each class. */
const paintField = (context, field, { scale, left, top }, limits, colours) => {
  const inner = field.canvas.getContext("2d");
  const image = inner.createImageData(field.columns, field.rows);
  const { values } = field;
  const least = 0.04;
  for (let index = 0; index < values.length; index++) {
    if (values[index] < least) continue;
    const level = classOf(values[index], limits);
    const [red, green, blue] = colours[level - 1];
    image.data[4 * index] = red;
    image.data[4 * index + 1] = green;
    image.data[4 * index + 2] = blue;
    image.data[4 * index + 3] = level === 1 ? 140 : 225;
  }
  inner.putImageData(image, 0, 0);
  context.setTransform(scale * 100, 0, 0, scale * 100, left, top);
  context.imageSmoothingEnabled = true;
  context.drawImage(field.canvas, field.left, field.top, field.columns * field.size, field.rows * field.size);
  context.setTransform(1, 0, 0, 1, 0, 0);
};

/** The red, green and blue of a colour of the style sheet. */
const channelsOf = (colour) => {
  emptyContext.fillStyle = colour;
  const text = emptyContext.fillStyle;
  return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
};
