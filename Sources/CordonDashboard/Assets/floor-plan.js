// The plan of a venue: floors as SVG with spaces that can be pointed at and reached by keys, and a canvas for devices.

import { draw, isMotionReduced, make, styleOf, whenSchemeChanges } from "./parts.js";
import { language, number, t, textOr } from "./strings.js";

const VOID = new Set(["open-to-below", "inaccessible"]);
const STEP = 1.35;
const INSIDE = make("canvas", { width: 1, height: 1 }).getContext("2d");

/** A ring of numbers x, y, x, y ... as a path. */
const pathOf = (ring) => {
  let text = "";
  for (let k = 0; k < ring.length; k += 2) text += `${k ? "L" : "M"}${ring[k]} ${ring[k + 1]}`;
  return text + "z";
};
const boxOf = (rings) => {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (let k = 0; k < ring.length; k += 2) {
      box[0] = Math.min(box[0], ring[k]); box[1] = Math.min(box[1], ring[k + 1]);
      box[2] = Math.max(box[2], ring[k]); box[3] = Math.max(box[3], ring[k + 1]);
    }
  }
  return box;
};

/** The name of a space for people. */
const spaceName = (space) => space.name || `${textOr(`kind.${space.kind}`, space.kind)} ${space.space}`;

/**
 * A plan in an element. `options.onSpace(space)` is called for a chosen space, `options.onDot(dot)` for a clicked device,
 * `options.onFloor(floor)` behind a change of the floor.
 */
class FloorPlan {
  constructor(plan, options = {}) {
    Object.assign(this, { plan, options, dots: [], former: new Map(), lines: [], marks: [], figures: new Map(), moved: 0 });
    const all = boxOf([...plan.floors.flatMap((floor) => floor.outline), ...plan.spaces.flatMap((space) => space.rings)]);
    const margin = Math.max(all[2] - all[0], all[3] - all[1], 100) * 0.015 + 20;
    this.whole = { x: all[0] - margin, y: all[1] - margin, width: all[2] - all[0] + 2 * margin, height: all[3] - all[1] + 2 * margin };
    this.view = { ...this.whole };
    this.svg = draw("svg", { role: "group" });
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.sheet = make("div", { className: "sheet" }, this.svg, this.canvas);
    this.floors = [...plan.floors].sort((a, b) => a.floor - b.floor);
    this.buttons = make("div", { className: "group", role: "group", "aria-label": t("plan.floors") });
    this.floors.forEach((floor, index) => {
      const button = make("button", { type: "button", textContent: floor.name, title: index < 9 ? t("plan.key", { key: index + 1 }) : "" });
      button.addEventListener("click", () => this.show(floor.floor));
      this.buttons.append(button);
    });
    const zoom = (name, label, factor) => {
      const button = make("button", { type: "button", textContent: name, "aria-label": label });
      button.addEventListener("click", () => this.zoom(factor));
      return button;
    };
    this.zooms = make("div", { className: "group", role: "group", "aria-label": t("plan.zoom") },
      zoom("+", t("plan.zoom-in"), 1 / STEP), zoom("−", t("plan.zoom-out"), STEP), zoom(t("plan.whole-short"), t("plan.whole"), 0));
    this.element = make("div", { className: "plan" }, make("div", { className: "controls" }, this.buttons, this.zooms),
      make("div", { className: "stage" }, this.sheet));
    this.listen();
    this.show(this.floors[0]?.floor ?? null);
    new ResizeObserver(() => this.paint()).observe(this.sheet);
    whenSchemeChanges(() => this.paint());
  }

  listen() {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
      const floor = /^[1-9]$/.test(event.key) ? this.floors[Number(event.key) - 1] : null;
      if (floor) this.show(floor.floor);
      else if (event.key === "+") this.zoom(1 / STEP);
      else if (event.key === "-") this.zoom(STEP);
      else if (event.key === "0") this.zoom(0);
    });
    this.svg.addEventListener("click", (event) => {
      if (this.wasDragged) return;
      const dot = this.dotAt(event);
      if (dot && this.options.onDot) this.options.onDot(dot);
      else if (event.target.dataset.space) this.choose(event.target.dataset.space);
    });
    this.svg.addEventListener("keydown", (event) => this.move(event));
    this.svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, this.placeOf(event));
    }, { passive: false });
    let from = null;
    this.svg.addEventListener("pointerdown", (event) => { from = { x: event.clientX, y: event.clientY, view: { ...this.view } }; this.wasDragged = false; });
    this.svg.addEventListener("pointermove", (event) => {
      if (!from || !event.buttons) return;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      if (Math.hypot(dx, dy) < 4 || this.view.width >= this.whole.width) return;
      this.wasDragged = true;
      const scale = this.scale();
      this.setView({ ...this.view, x: from.view.x - dx / scale, y: from.view.y - dy / scale });
    });
    window.addEventListener("pointerup", () => { from = null; });
  }

  scale() {
    const box = this.svg.getBoundingClientRect();
    return Math.min(box.width / this.view.width, box.height / this.view.height) || 0.01;
  }
  /** Pixels of a place, from the upper left corner of the drawing. */
  pixel([x, y]) {
    const box = this.svg.getBoundingClientRect();
    const scale = this.scale();
    return [(x - this.view.x) * scale + (box.width - this.view.width * scale) / 2, (y - this.view.y) * scale + (box.height - this.view.height * scale) / 2];
  }
  placeOf(event) {
    const box = this.svg.getBoundingClientRect();
    const scale = this.scale();
    return [(event.clientX - box.left - (box.width - this.view.width * scale) / 2) / scale + this.view.x,
      (event.clientY - box.top - (box.height - this.view.height * scale) / 2) / scale + this.view.y];
  }
  zoom(factor, place = [this.view.x + this.view.width / 2, this.view.y + this.view.height / 2]) {
    if (!factor) return this.setView({ ...this.whole });
    const width = Math.min(this.whole.width, Math.max(this.whole.width / 40, this.view.width * factor));
    const ratio = width / this.view.width;
    return this.setView({
      x: place[0] - (place[0] - this.view.x) * ratio, y: place[1] - (place[1] - this.view.y) * ratio,
      width, height: this.view.height * ratio,
    });
  }
  setView(view) {
    const limit = (value, low, high) => Math.max(low, Math.min(high, value));
    this.view = {
      ...view, x: limit(view.x, this.whole.x, this.whole.x + this.whole.width - view.width),
      y: limit(view.y, this.whole.y, this.whole.y + this.whole.height - view.height),
    };
    this.svg.setAttribute("viewBox", `${this.view.x} ${this.view.y} ${this.view.width} ${this.view.height}`);
    this.paint();
  }

  /** Shows a floor. */
  show(number) {
    const floor = this.floors.find((entry) => entry.floor === number) ?? this.floors[0];
    if (!floor) return;
    this.floor = floor.floor;
    this.floors.forEach((entry, index) => this.buttons.children[index].setAttribute("aria-pressed", String(entry === floor)));
    this.svg.setAttribute("aria-label", t("plan.label", { floor: floor.name }));
    this.spaces = this.plan.spaces.filter((space) => space.floor === floor.floor && space.rings.length)
      .sort((a, b) => b.area_m2 - a.area_m2 || a.space.localeCompare(b.space));
    const shapes = [];
    for (const ring of floor.outline) shapes.push(draw("path", { class: "outline", d: pathOf(ring) }));
    let hasEntry = false;
    for (const space of this.spaces) {
      const isVoid = VOID.has(space.kind);
      const shape = draw("path", { class: isVoid ? "s void" : "s h0", d: space.rings.map(pathOf).join("") });
      if (!isVoid) {
        shape.dataset.space = space.space;
        shape.setAttribute("role", "button");
        shape.setAttribute("tabindex", hasEntry ? "-1" : "0");
        hasEntry = true;
        const title = draw("title", {});
        title.textContent = spaceName(space);
        shape.append(title);
      }
      shapes.push(shape);
    }
    let walls = "";
    for (let k = 0; k < floor.walls.length; k += 4) walls += `M${floor.walls[k]} ${floor.walls[k + 1]}L${floor.walls[k + 2]} ${floor.walls[k + 3]}`;
    if (walls) shapes.push(draw("path", { class: "wall", d: walls }));
    const taken = [];
    for (const space of this.spaces) shapes.push(...this.label(space, taken));
    this.svg.replaceChildren(...shapes);
    this.describe();
    this.mark(this.chosen);
    this.setView(this.view);
    this.options.onFloor?.(floor.floor);
  }
  /** The name of a space, if it lies in the space and covers none of the boxes that are taken. */
  label(space, taken) {
    if (!space.name || VOID.has(space.kind)) return [];
    const [left, top, right, bottom] = boxOf(space.rings);
    const size = Math.max(this.whole.width, this.whole.height * 1.4) / 1000 * 12.5;
    const half = space.name.length * size * 0.29;
    if (2 * half > (right - left) * 0.94 || size * 1.5 > bottom - top) return [];
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    // A slanted space is narrower than its bounding box.
    const path = new Path2D(space.rings.map(pathOf).join(""));
    if (![-0.8, 0.8].every((share) => INSIDE.isPointInPath(path, x + share * half, y, "evenodd"))) return [];
    const box = [x - half, y - size * 0.6, x + half, y + size * 0.6];
    if (taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) return [];
    taken.push(box);
    const text = draw("text", { class: "label", x, y, "font-size": size, "stroke-width": size * 0.28 });
    text.textContent = space.name;
    return [text];
  }
  /** Sets the class of the heat scale and the words of spaces: a map of space to { level, text }. */
  colour(figures) {
    this.figures = figures;
    this.describe();
  }
  describe() {
    for (const shape of this.svg.querySelectorAll("[data-space]")) {
      const space = this.spaces.find((entry) => entry.space === shape.dataset.space);
      const figure = this.figures.get(space.space) ?? { level: 0, text: "" };
      shape.setAttribute("class", `s h${figure.level}${space.space === this.chosen ? " on" : ""}`);
      shape.setAttribute("aria-label", [spaceName(space), figure.text, `${number(space.area_m2)} m²`].filter(Boolean).join("; "));
    }
  }
  mark(id) {
    this.chosen = id;
    this.describe();
  }
  choose(id) {
    this.mark(id);
    this.options.onSpace?.(this.plan.spaces.find((space) => space.space === id));
  }
  /** From space to space by the arrow keys: to the nearest one in that direction. */
  move(event) {
    const here = this.spaces.find((space) => space.space === event.target.dataset?.space);
    if (!here) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.choose(here.space);
      return;
    }
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!direction) return;
    event.preventDefault();
    const middle = (space) => { const box = boxOf(space.rings); return [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]; };
    const [x, y] = middle(here);
    let best = null;
    for (const space of this.spaces.filter((entry) => entry !== here && !VOID.has(entry.kind))) {
      const [dx, dy] = [middle(space)[0] - x, middle(space)[1] - y];
      const along = dx * direction[0] + dy * direction[1];
      const across = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);
      if (along <= 1) continue;
      const cost = along + 2 * across;
      if (!best || cost < best.cost) best = { cost, space };
    }
    if (!best) return;
    event.target.setAttribute("tabindex", "-1");
    const shape = [...this.svg.querySelectorAll("[data-space]")].find((entry) => entry.dataset.space === best.space.space);
    shape.setAttribute("tabindex", "0");
    shape.focus();
  }

  /** Shows devices: { key, floor, xy }. They glide to their new places unless less motion is wanted. */
  place(dots, glideMilliseconds = 0) {
    this.former = new Map(this.dots.map((dot) => [dot.key, this.spot(dot)]));
    this.dots = dots;
    this.glide = isMotionReduced() ? 0 : glideMilliseconds;
    this.moved = performance.now();
    if (this.glide) this.run();
    else this.paint();
  }
  spot(dot) {
    const from = this.former.get(dot.key);
    const share = this.glide ? Math.min(1, (performance.now() - this.moved) / this.glide) : 1;
    if (!from || from.floor !== dot.floor || share >= 1) return { floor: dot.floor, xy: dot.xy };
    return { floor: dot.floor, xy: [from.xy[0] + (dot.xy[0] - from.xy[0]) * share, from.xy[1] + (dot.xy[1] - from.xy[1]) * share] };
  }
  run() {
    if (this.isRunning) return;
    this.isRunning = true;
    const frame = () => {
      this.paint();
      if (performance.now() - this.moved < this.glide) requestAnimationFrame(frame);
      else this.isRunning = false;
    };
    requestAnimationFrame(frame);
  }
  dotAt(event) {
    const box = this.svg.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let best = null;
    for (const dot of this.dots) {
      if (dot.floor !== this.floor) continue;
      const [px, py] = this.pixel(this.spot(dot).xy);
      const distance = Math.hypot(px - x, py - y);
      if (distance < 11 && (!best || distance < best.distance)) best = { distance, dot };
    }
    return best?.dot ?? null;
  }
  /** Lines between devices ([key, key] each), a path ({ floor, points }) and marks ({ floor, xy, count }). */
  overlay({ lines = [], paths = [], marks = [] } = {}) {
    Object.assign(this, { lines, paths, marks });
    this.paint();
  }
  paint() {
    const box = this.sheet.getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [Math.round(box.width * ratio), Math.round(this.svg.getBoundingClientRect().height * ratio)];
    if (!width || !height) return;
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    const context = this.canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const colours = { dot: styleOf("--dot"), edge: styleOf("--dot-edge"), seen: styleOf("--seen"), truth: styleOf("--truth"), paper: styleOf("--paper") };
    const [origin, scale] = [this.pixel([0, 0]), this.scale()];
    const at = ([x, y]) => [origin[0] + x * scale, origin[1] + y * scale];
    this.paintPaths(context, at, colours);
    const spots = new Map();
    for (const dot of this.dots) if (dot.floor === this.floor) spots.set(dot.key, at(this.spot(dot).xy));
    context.strokeStyle = colours.seen;
    context.lineWidth = 2;
    context.beginPath();
    for (const [a, b] of this.lines) {
      if (!spots.has(a) || !spots.has(b)) continue;
      context.moveTo(...spots.get(a));
      context.lineTo(...spots.get(b));
    }
    context.stroke();
    const radius = this.dots.length > 600 ? 3 : 4.5;
    context.fillStyle = colours.dot;
    context.strokeStyle = colours.edge;
    context.lineWidth = 1.2;
    context.beginPath();
    for (const [x, y] of spots.values()) {
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, 7);
    }
    context.fill();
    context.stroke();
    this.paintMarks(context, at, colours);
  }
  paintPaths(context, at, colours) {
    context.lineJoin = "round";
    context.lineWidth = 2;
    context.strokeStyle = colours.truth;
    for (const path of this.paths ?? []) {
      if (path.floor !== this.floor) continue;
      context.beginPath();
      path.points.forEach((point, index) => (index ? context.lineTo(...at(point)) : context.moveTo(...at(point))));
      context.stroke();
      for (const point of path.points.length === 1 ? path.points : []) {
        context.beginPath();
        context.arc(...at(point), 3, 0, 7);
        context.stroke();
      }
    }
  }
  /** Marks that lie near each other at this scale become one with their number. */
  paintMarks(context, at, colours) {
    const cells = new Map();
    for (const mark of this.marks ?? []) {
      if (mark.floor !== this.floor) continue;
      const [x, y] = at(mark.xy);
      const key = `${Math.round(x / 34)} ${Math.round(y / 34)}`;
      const cell = cells.get(key) ?? { x: 0, y: 0, count: 0, seconds: 0 };
      cell.x += x; cell.y += y; cell.count += 1; cell.seconds += mark.seconds ?? 0;
      cells.set(key, cell);
    }
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const cell of cells.values()) {
      const [x, y] = [cell.x / cell.count, cell.y / cell.count];
      const radius = cell.count > 1 ? 10 + Math.min(8, Math.sqrt(cell.count)) : 6;
      context.beginPath();
      context.arc(x, y, radius, 0, 7);
      context.fillStyle = colours.seen;
      context.fill();
      context.strokeStyle = colours.edge;
      context.stroke();
      if (cell.count < 2) continue;
      context.fillStyle = colours.paper;
      context.font = `600 11px ${styleOf("--sans")}`;
      context.fillText(cell.count.toLocaleString(language), x, y);
    }
  }
}

export { FloorPlan, spaceName };
