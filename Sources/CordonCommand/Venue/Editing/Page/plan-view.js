// The part of a floor that is shown: pan and zoom by mouse, touch and buttons.

const selection = { space: null, place: null };
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

const view = {
  floor: DATA.firstFloor, x: 0, y: 0, scale: 1, width: 1, height: 1, ratio: 1,
  toPixels(x, y) {
    return [(x - this.x) * this.scale + this.width / 2, (this.y - y) * this.scale + this.height / 2];
  },
  toMetres(px, py) {
    return [this.x + (px - this.width / 2) / this.scale, this.y - (py - this.height / 2) / this.scale];
  },
};

let isDrawWaiting = false;
/** Draws the plan in the next frame. */
function redraw() {
  if (isDrawWaiting) return;
  isDrawWaiting = true;
  requestAnimationFrame(drawNow);
}

function drawNow() {
  isDrawWaiting = false;
  drawFloor(view);
}

/** Adapts the canvas to its place on the page. */
function resize() {
  const { width, height } = canvas.getBoundingClientRect();
  if (width < 1 || height < 1) return;
  const ratio = Math.min(devicePixelRatio || 1, 2);
  if (width === view.width && height === view.height && ratio === view.ratio) return;
  const isFirst = view.width === 1;
  Object.assign(view, { width, height, ratio });
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  if (isFirst) fit();
  drawNow();
}

/** Shows the whole floor. */
function fit() { showBox(FLOORS[view.floor].box, Infinity, 24); }

const scaleLimits = () => {
  const { box } = FLOORS[view.floor];
  const whole = Math.min(view.width / Math.max(box[2] - box[0], 1), view.height / Math.max(box[3] - box[1], 1));
  return [whole / 4, Math.max(400, whole)];
};

function setScale(scale) {
  const [least, most] = scaleLimits();
  view.scale = Math.min(most, Math.max(least, scale));
}

/** Shows a box with a margin in pixels, enlarged at most to a scale in pixels a metre. */
function showBox(box, most, margin) {
  const width = Math.max(box[2] - box[0], 0.5);
  const height = Math.max(box[3] - box[1], 0.5);
  setScale(Math.min((view.width - 2 * margin) / width, (view.height - 2 * margin) / height, most));
  view.x = (box[0] + box[2]) / 2;
  view.y = (box[1] + box[3]) / 2;
  keepInside();
  redraw();
}

/** Keeps some of the floor in the view. */
function keepInside() {
  const { box } = FLOORS[view.floor];
  view.x = Math.min(box[2], Math.max(box[0], view.x));
  view.y = Math.min(box[3], Math.max(box[1], view.y));
}

/** Zooms around a place on the canvas, by default its middle. */
function zoom(factor, px = view.width / 2, py = view.height / 2) {
  const [x, y] = view.toMetres(px, py);
  setScale(view.scale * factor);
  const [nx, ny] = view.toMetres(px, py);
  view.x += x - nx;
  view.y += y - ny;
  keepInside();
  redraw();
}

/** Pans by pixels. */
function pan(dx, dy) {
  view.x -= dx / view.scale;
  view.y += dy / view.scale;
  keepInside();
  redraw();
}

/** Shows another floor whole. */
function showFloor(index) {
  if (index < 0 || index >= FLOORS.length) return;
  if (index !== view.floor) {
    view.floor = index;
    selection.place = null;
    floorChoice.value = String(index);
    fit();
  }
  redraw();
}

/** Moves a space into the view, if it is not there; `closer` also enlarges it. */
function reveal(index, closer = false) {
  const { box, floor, label } = SPACES[index];
  if (floor !== view.floor) showFloor(floor);
  const [west, south] = view.toPixels(box[0], box[1]);
  const [east, north] = view.toPixels(box[2], box[3]);
  const isSeen = west >= 0 && north >= 0 && east <= view.width && south <= view.height;
  const isSmall = Math.max(east - west, south - north) < 60;
  if (closer || isSmall || (!isSeen && Math.max(east - west, south - north) > view.width)) {
    const grown = Math.max(6, (box[2] - box[0]) * 0.6, (box[3] - box[1]) * 0.6);
    glideTo([box[0] - grown, box[1] - grown, box[2] + grown, box[3] + grown], 40);
  } else if (!isSeen) {
    view.x = label.x;
    view.y = label.y;
    keepInside();
  }
  redraw();
}

let glide = 0;
/** Moves the view to a box: in a moment, or at once for those who prefer less motion. */
function glideTo(box, most) {
  const from = { x: view.x, y: view.y, scale: view.scale };
  showBox(box, most, 16);
  const to = { x: view.x, y: view.y, scale: view.scale };
  cancelAnimationFrame(glide);
  if (reducedMotion.matches) return;
  Object.assign(view, from);
  const start = performance.now();
  const step = (now) => {
    const t = Math.min(1, Math.max(0, (now - start) / 220));
    const eased = 1 - (1 - t) ** 3;
    view.scale = from.scale * (to.scale / from.scale) ** eased;
    view.x = from.x + (to.x - from.x) * eased;
    view.y = from.y + (to.y - from.y) * eased;
    drawNow();
    if (t < 1) glide = requestAnimationFrame(step);
  };
  glide = requestAnimationFrame(step);
}

// Pointers: one drags the plan or uses the tool, two pinch.

const pointers = new Map();
let gesture = null;

const placeOf = (event) => {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};

canvas.addEventListener("pointerdown", (event) => {
  if (event.button > 1) return;
  cancelAnimationFrame(glide);
  canvas.setPointerCapture(event.pointerId);
  canvas.focus({ preventScroll: true });
  const place = placeOf(event);
  pointers.set(event.pointerId, place);
  if (pointers.size === 2) {
    gesture = { kind: "pinch" };
    cancelLine();
  } else if (pointers.size === 1) {
    const start = view.toMetres(...place);
    const draws = event.button === 0 && tool.name === "door" && spaceAt(view.floor, ...start);
    gesture = { kind: draws ? "draw" : "pan", start: place, hasMoved: false, button: event.button };
    if (draws) beginLine(start);
  }
});

canvas.addEventListener("pointermove", (event) => {
  const place = placeOf(event);
  const before = pointers.get(event.pointerId);
  if (!before) {
    hoverTool(view.toMetres(...place));
    return;
  }
  if (gesture && gesture.kind === "pinch" && pointers.size === 2) {
    const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, value]) => value);
    const was = Math.hypot(before[0] - other[0], before[1] - other[1]);
    const now = Math.hypot(place[0] - other[0], place[1] - other[1]);
    pan((place[0] - before[0]) / 2, (place[1] - before[1]) / 2);
    if (was > 0) zoom(now / was, (place[0] + other[0]) / 2, (place[1] + other[1]) / 2);
  } else if (gesture) {
    if (Math.hypot(place[0] - gesture.start[0], place[1] - gesture.start[1]) > 5) gesture.hasMoved = true;
    if (gesture.kind === "draw") moveLine(view.toMetres(...place));
    else if (gesture.hasMoved) pan(place[0] - before[0], place[1] - before[1]);
  }
  pointers.set(event.pointerId, place);
});

function endPointer(event) {
  if (!pointers.delete(event.pointerId) || !gesture) return;
  const place = view.toMetres(...placeOf(event));
  const { kind, hasMoved, button } = gesture;
  if (event.type === "pointercancel") cancelLine();
  else if (kind === "draw" && hasMoved) endLine(place);
  else if (kind !== "pinch" && !hasMoved && button === 0) usePlace(place);
  if (pointers.size === 0) gesture = null;
}
canvas.addEventListener("pointerup", endPointer);
canvas.addEventListener("pointercancel", endPointer);
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
  zoom(Math.exp(-Math.min(200, Math.max(-200, pixels)) * 0.002), ...placeOf(event));
}, { passive: false });

new ResizeObserver(resize).observe(canvas);
