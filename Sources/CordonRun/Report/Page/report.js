"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const make = (name, properties, ...children) => {
    const element = document.createElement(name);
    Object.assign(element, properties);
    element.append(...children);
    return element;
  };
  const draw = (name, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    return element;
  };
  document.documentElement.classList.add("js");

  // ---- time

  const minute = 60000;
  const pad = (number) => String(number).padStart(2, "0");
  const isLong = data.end - data.start > 86400000;
  const offsetAt = (time) => data.offsets.findLast(([from]) => from <= time)?.[1] ?? data.offsets[0][1];
  // The time that the clocks of the run's zone show.
  const clock = (time) => {
    const text = new Date(time + offsetAt(time)).toISOString();
    return isLong ? text.slice(5, 10) + " " + text.slice(11, 16) : text.slice(11, 16);
  };
  const binOf = (time) => Math.max(0, Math.min(data.bins - 1, Math.floor((time - data.binStart) / data.bin)));

  // ---- numbers

  const number = (value) => (value >= 9.95 || value === 0 ? Math.round(value) : Math.round(value * 10) / 10).toString();
  const unit = (source, value) => (source === "truth" ? "people" : "devices").slice(0, value === 1 && source === "observed" ? -1 : undefined);

  // ---- occupancy

  const sources = Object.keys(data.occupancy);
  const empty = new Array(data.bins).fill(0);
  const means = (source, space) => data.occupancy[source]?.spaces[space] ?? empty;
  const maxima = (source, space) => data.occupancy[source]?.maxima[space] ?? empty;
  const peakOf = (source, space) => Math.max(...maxima(source, space));
  const totals = (source) => data.occupancy[source]?.total ?? empty;

  // ---- tracks: where everybody was, every so often

  const unpack = (text) => {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
    return bytes.buffer;
  };
  let tracks = null;
  if (data.tracks) {
    const count = data.tracks.people * data.tracks.steps;
    const buffer = unpack(data.tracks.samples);
    tracks = {
      ...data.tracks,
      x: new Int16Array(buffer, 0, count),
      y: new Int16Array(buffer, 2 * count, count),
      storey: new Int8Array(buffer, 4 * count, count),
    };
  }

  // ---- what is shown

  const state = {
    storey: 0,
    source: sources[0] ?? "truth",
    mode: "time",
    measure: data.measure,
    time: data.start,
    dots: true,
  };

  const floors = [...document.querySelectorAll(".floor")];
  const shapes = new Map();
  for (const shape of document.querySelectorAll(".s[data-i]")) shapes.set(Number(shape.dataset.i), shape);

  const valueOf = (space) => {
    const values = means(state.source, space);
    let value;
    if (state.mode === "time") value = values[binOf(state.time)];
    else if (state.mode === "peak") value = peakOf(state.source, space);
    else value = values.reduce((sum, next) => sum + next, 0) / data.bins;
    return state.measure !== "density" ? value : value / Math.max(data.spaces[space].area, 1) * 10;
  };
  const classOf = (value, limits) => {
    if (!(value > 0)) return 0;
    const place = limits.findIndex((limit) => value <= limit);
    return place < 0 ? limits.length : place + 1;
  };

  const paintSpaces = () => {
    const limits = data.limits[state.measure];
    if (state.measure === "place") return;
    for (const [space, shape] of shapes) {
      if (shape.classList.contains("void")) continue;
      shape.setAttribute("class", "s h" + classOf(valueOf(space), limits) + (shape === chosen ? " on" : ""));
    }
  };

  const styleOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  let colours = {};
  const readColours = () => {
    colours = { dot: styleOf("--dot"), edge: styleOf("--dot-edge"), heat: [1, 2, 3, 4, 5, 6].map((n) => styleOf("--h" + n)) };
  };

  const surface = (canvas, svg) => {
    const ratio = window.devicePixelRatio || 1;
    const box = svg.getBoundingClientRect();
    const width = Math.round(box.width * ratio);
    const height = Math.round(box.height * ratio);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const context = canvas.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    // From metres in the frame to pixels: the drawing is in centimetres, with y downwards.
    const matrix = svg.getScreenCTM();
    const sheet = svg.parentElement.getBoundingClientRect();
    return {
      context,
      ratio,
      scale: matrix.a * 100 * ratio,
      x: (metres) => (matrix.a * metres * 100 + matrix.e - sheet.left) * ratio,
      y: (metres) => (-matrix.d * metres * 100 + matrix.f - sheet.top) * ratio,
    };
  };

  const stepOf = (time) => Math.max(0, Math.min(tracks.steps - 1, Math.floor((time - data.start) / tracks.step)));

  /** Counts of people per square of ground, averaged over the samples of the time shown. */
  const cellsOf = (storey) => {
    const size = data.cell;
    let from = 0;
    let to = tracks.steps;
    if (state.mode === "time") {
      from = stepOf(data.binStart + binOf(state.time) * data.bin);
      to = Math.min(tracks.steps, from + Math.max(1, Math.round(data.bin / tracks.step)));
    }
    const cells = new Map();
    for (let step = from; step < to; step++) {
      for (let person = 0; person < tracks.people; person++) {
        const index = step * tracks.people + person;
        if (tracks.storey[index] !== storey) continue;
        const column = Math.floor((tracks.left + tracks.x[index] * tracks.unit) / size);
        const row = Math.floor((tracks.bottom + tracks.y[index] * tracks.unit) / size);
        const key = column * 65536 + row + 32768;
        cells.set(key, (cells.get(key) ?? 0) + 1);
      }
    }
    for (const [key, count] of cells) cells.set(key, count / (to - from) * tracks.share);
    return cells;
  };

  const paintCells = (floor) => {
    const canvas = floor.querySelector(".cells");
    const svg = floor.querySelector("svg");
    const { context, x, y, scale } = surface(canvas, svg);
    floor.querySelector(".sheet").classList.toggle("places", state.measure === "place");
    if (state.measure !== "place" || !tracks) return;
    const size = data.cell;
    for (const [key, value] of cellsOf(state.storey)) {
      const column = Math.floor(key / 65536);
      const row = key - column * 65536 - 32768;
      context.fillStyle = colours.heat[classOf(value, data.limits.place) - 1];
      context.fillRect(x(column * size), y((row + 1) * size), size * scale + 0.5, size * scale + 0.5);
    }
  };

  const paintDots = (floor) => {
    const { context, x, y, ratio } = surface(floor.querySelector(".dots"), floor.querySelector("svg"));
    if (!tracks || !state.dots || state.mode !== "time") return 0;
    const step = stepOf(state.time);
    const radius = Math.max(1.5, Math.min(2.8, floor.clientWidth / 330)) * ratio;
    context.lineWidth = Math.min(1, floor.clientWidth / 700) * ratio;
    context.fillStyle = colours.dot;
    context.strokeStyle = colours.edge;
    let shown = 0;
    for (let person = 0; person < tracks.people; person++) {
      const index = step * tracks.people + person;
      if (tracks.storey[index] !== state.storey) continue;
      shown += 1;
      context.beginPath();
      context.arc(x(tracks.left + tracks.x[index] * tracks.unit), y(tracks.bottom + tracks.y[index] * tracks.unit), radius, 0, 7);
      context.fill();
      context.stroke();
    }
    return shown;
  };

  // ---- the space under the pointer

  let chosen = null;
  const readout = byId("readout");
  const showReadout = () => {
    if (!readout) return;
    if (!chosen) {
      readout.textContent = "Point at a space, tap it, or use Tab and the arrow keys to read its figures.";
      return;
    }
    const space = data.spaces[Number(chosen.dataset.i)];
    const value = valueOf(Number(chosen.dataset.i));
    const when = state.mode === "time" ? "now" : state.mode === "peak" ? "at most" : "on average";
    const amount = state.measure !== "density"
      ? number(value) + " " + unit(state.source, value) : number(value) + " " + unit(state.source, 2) + " per 10 m²";
    readout.textContent = `${space.title}: ${when} ${amount}; ${number(space.area)} m²`;
  };
  const choose = (shape) => {
    if (chosen === shape) return;
    chosen?.classList.remove("on");
    chosen = shape;
    chosen?.classList.add("on");
    showReadout();
  };

  // ---- putting it together

  const slider = byId("time");
  const paintClock = () => {
    if (!slider) return;
    byId("clock-time").textContent = clock(state.time) + " " + data.zone;
    byId("clock-count").textContent = sources
      .map((source) => {
        const value = totals(source)[binOf(state.time)];
        return number(value) + (source === "truth" ? " people inside" : " devices seen");
      })
      .join(", ");
    slider.setAttribute("aria-valuetext", clock(state.time) + " " + data.zone);
    const share = (state.time - data.start) / Math.max(data.end - data.start, 1) * 100;
    for (const line of document.querySelectorAll(".now")) {
      line.setAttribute("x1", share);
      line.setAttribute("x2", share);
    }
  };

  const paintLegend = () => {
    const list = byId("legend");
    if (!list) return;
    const limits = data.limits[state.measure];
    const what = state.measure === "place"
      ? `${unit(tracks.source, 2)} per ${data.cell === 1 ? "" : number(data.cell * data.cell) + " "}m²`
      : unit(state.source, 2) + (state.measure === "count" ? " in a space" : " per 10 m²");
    const items = limits.map((limit, index) => [
      index + 1,
      index === limits.length - 1 && limits.length > 1 ? "more than " + limits[index - 1] : "up to " + limit,
    ]);
    const list0 = state.measure === "place" ? [] : [[0, "none"]];
    list.replaceChildren(
      make("li", { textContent: what }),
      ...[...list0, ...items].map(([level, text]) => {
        const swatch = make("i");
        swatch.style.setProperty("--c", `var(--h${level})`);
        return make("li", {}, swatch, text);
      }));
  };

  let pending = false;
  const paint = () => {
    pending = false;
    paintSpaces();
    floors.forEach((floor, index) => {
      floor.hidden = index !== state.storey;
      if (floor.hidden) return;
      paintCells(floor);
      paintDots(floor);
    });
    paintClock();
    showReadout();
  };
  const refresh = () => {
    if (pending) return;
    pending = true;
    requestAnimationFrame(paint);
  };

  const bind = (id, key, after) => {
    const group = byId(id);
    if (!group) return;
    group.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      state[key] = key === "storey" ? Number(button.value) : button.value;
      press(group, button);
      after?.();
      paintLegend();
      refresh();
    });
  };
  const press = (group, pressed) => {
    for (const button of group.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button === pressed));
  };

  /** Squares of ground are counted from tracks, which come from one source and have no peaks. */
  const offerChoices = () => {
    const isPlace = state.measure === "place";
    const sources = byId("sources");
    if (sources) sources.hidden = isPlace;
    const peak = byId("modes").querySelector("[value=peak]");
    peak.hidden = isPlace;
    if (isPlace && state.mode === "peak") peak.previousElementSibling.click();
  };

  const drawTimeline = () => {
    const svg = byId("overview");
    if (!svg) return;
    const top = Math.max(...sources.flatMap((source) => totals(source)), 1);
    svg.append(...sources.map((source) => curve(totals(source), top, source, 40)), ruler(40));
  };

  const ruler = (height) => draw("line", { class: "now", x1: 0, x2: 0, y1: 0, y2: height });
  /** A stepped line: each bin is flat, as its value is a mean over the bin. */
  const steps = (values, top, height) => {
    const width = 100 / values.length;
    const y = (value) => (height - value / top * (height - 2)).toFixed(2);
    let path = "";
    values.forEach((value, index) => {
      path += `${index ? "L" : "M"}${(index * width).toFixed(3)} ${y(value)}L${((index + 1) * width).toFixed(3)} ${y(value)}`;
    });
    return path;
  };
  const curve = (values, top, source, height) => {
    const path = steps(values, top, height);
    const group = draw("g", {});
    if (source === "truth" || sources.length === 1) {
      group.append(draw("path", { class: source === "truth" ? "area-truth" : "area-seen", d: `${path}L100 ${height}L0 ${height}Z` }));
    }
    group.append(draw("path", { class: source === "truth" ? "line-truth" : "line-seen", d: path }));
    return group;
  };

  const chart = (space) => {
    // The axis ends at the maximum that the text states, which lies within a bin.
    const top = Math.max(...sources.map((source) => peakOf(source, space)), 1);
    const svg = draw("svg", { viewBox: "0 0 100 84", preserveAspectRatio: "none", role: "img" });
    const peaks = sources.map((source) => {
      const peak = peakOf(source, space);
      return `${peak} ${unit(source, peak)}`;
    });
    svg.setAttribute("aria-label", `Occupancy of ${data.spaces[space].title} over time; at most ${peaks.join(", ")} at once`);
    svg.append(draw("line", { class: "base", x1: 0, x2: 100, y1: 84, y2: 84 }), 
      ...sources.map((source) => draw("path", { class: "peak-" + (source === "truth" ? "truth" : "seen"), d: steps(maxima(source, space), top, 84) })),
      ...sources.map((source) => curve(means(source, space), top, source, 84)), ruler(84));
    return make("figure", { className: "chart" },
      make("h3", { textContent: data.spaces[space].title }),
      make("p", { textContent: "at most " + peaks.join(", ") }),
      make("div", { className: "plot" }, svg, make("span", { className: "top", textContent: String(top) })),
      make("div", { className: "ends" }, make("span", { textContent: clock(data.start) }), make("span", { textContent: clock(data.end) + " " + data.zone })));
  };

  const drawCharts = () => {
    const charts = byId("charts");
    charts.hidden = data.top.length === 0;
    charts.append(...data.top.map(chart));
    const others = data.spaces
      .map((space, index) => ({ title: space.title, index }))
      .filter(({ index }) => !data.top.includes(index) && sources.some((source) => data.occupancy[source].spaces[index]))
      .sort((a, b) => a.title.localeCompare(b.title, "en", { numeric: true }));
    if (others.length === 0) return;
    byId("more-spaces").hidden = false;
    const select = byId("add-space");
    select.append(make("option", { value: "", textContent: `Choose one of ${others.length}` }));
    select.append(...others.map(({ title, index }) => make("option", { value: String(index), textContent: title })));
    select.addEventListener("change", () => {
      if (select.value === "") return;
      const figure = chart(Number(select.value));
      charts.append(figure);
      select.selectedOptions[0].remove();
      select.value = "";
      paintClock();
      figure.scrollIntoView({ block: "nearest" });
    });
  };

  // ---- play

  let playing = null;
  const play = byId("play");
  const setPlaying = (isOn) => {
    if (playing) {
      cancelAnimationFrame(playing.frame);
      clearInterval(playing.timer);
    }
    playing = null;
    play.setAttribute("aria-label", isOn ? "Pause" : "Play");
    play.querySelector("path").setAttribute("d", isOn ? "M3 2h4v14H3zM11 2h4v14h-4z" : "M4 2v14l12-7z");
    if (!isOn) return;
    if (state.time >= data.end - data.tick) state.time = data.start;
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) {
      // Without motion: one bin of time a second.
      playing = { frame: 0, timer: setInterval(() => {
        state.time = Math.min(data.end, state.time + data.bin);
        slider.value = String(Math.round((state.time - data.start) / data.tick));
        refresh();
        if (state.time >= data.end) setPlaying(false);
      }, 1000) };
      return;
    }
    // The whole run in three quarters of a minute, however long it is.
    const speed = (data.end - data.start) / 45000;
    playing = { last: performance.now(), frame: 0 };
    const advance = (now) => {
      if (!playing) return;
      state.time = Math.min(data.end, state.time + Math.min(now - playing.last, 100) * speed);
      playing.last = now;
      slider.value = String(Math.round((state.time - data.start) / data.tick));
      refresh();
      if (state.time >= data.end) setPlaying(false);
      else playing.frame = requestAnimationFrame(advance);
    };
    playing.frame = requestAnimationFrame(advance);
  };

  // ---- spaces by keyboard

  const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const middles = new WeakMap();
  const middle = (shape) => {
    if (!middles.has(shape)) {
      const box = shape.getBBox();
      middles.set(shape, [box.x + box.width / 2, box.y + box.height / 2]);
    }
    return middles.get(shape);
  };
  /** The nearest space in a direction; one far to the side counts as farther away. */
  const neighbour = (shape, [dx, dy], others) => {
    const [x, y] = middle(shape);
    let best = null;
    let least = Infinity;
    for (const other of others) {
      if (other === shape) continue;
      const [ox, oy] = middle(other);
      const along = (ox - x) * dx + (oy - y) * dy;
      const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
      if (along > 0 && along + 2 * aside < least) [best, least] = [other, along + 2 * aside];
    }
    return best;
  };
  const bindKeys = () => {
    const stage = byId("stage");
    stage?.addEventListener("focusin", (event) => {
      const shape = event.target.closest?.(".s[data-i]");
      if (shape) choose(shape);
    });
    stage?.addEventListener("keydown", (event) => {
      const shape = event.target.closest?.(".s[data-i]");
      if (!shape) return;
      const others = [...shape.closest(".floor").querySelectorAll(".s[tabindex]")];
      const next = event.key === "Home" ? others[0] : event.key === "End" ? others[others.length - 1]
        : directions[event.key] ? neighbour(shape, directions[event.key], others) : null;
      if (!next) return;
      event.preventDefault();
      shape.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    });
  };

  // ---- the table of all places

  const bindPlaces = () => {
    const table = byId("places");
    if (!table) return;
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    const valueIn = (row, column) => {
      const cell = row.cells[column];
      return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
    };
    const sort = (column, isDescending) => {
      const sign = isDescending ? -1 : 1;
      rows.sort((a, b) => {
        const [x, y] = [valueIn(a, column), valueIn(b, column)];
        return sign * (typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true }));
      });
      body.append(...rows);
      heads.forEach((head, index) => {
        if (index === column) head.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      });
      choice.value = String(column);
    };
    const choice = byId("place-sort");
    heads.forEach((head, column) => {
      const name = head.textContent;
      choice.append(make("option", { value: String(column), textContent: name }));
      // Not a button element: browsers leave those out of the headings that they repeat on every sheet of paper.
      const button = make("span", { className: "sort", tabIndex: 0, role: "button", textContent: name });
      const change = () => {
        const isNumber = head.classList.contains("n");
        const sorted = head.getAttribute("aria-sort");
        sort(column, sorted ? sorted === "ascending" : isNumber);
      };
      button.addEventListener("click", change);
      button.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        change();
      });
      head.replaceChildren(button);
    });
    choice.addEventListener("change", () => sort(Number(choice.value), heads[Number(choice.value)].classList.contains("n")));
    const filter = byId("place-filter");
    const show = () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const text = (row.cells[0].textContent + " " + row.cells[1].textContent + " " + row.cells[2].textContent).toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        shown += row.hidden ? 0 : 1;
      }
      byId("place-count").textContent = `${shown} of ${rows.length}`;
    };
    filter.addEventListener("input", show);
    byId("place-controls").hidden = false;
    show();
    const mean = heads.findIndex((head) => head.textContent === "mean");
    heads[mean]?.setAttribute("aria-sort", "descending");
    choice.value = String(mean);
  };

  const start = () => {
    readColours();
    bindPlaces();
    bindKeys();
    drawTimeline();
    drawCharts();
    bind("storeys", "storey", () => choose(null));
    bind("modes", "mode", () => {
      byId("timeline").hidden = state.mode !== "time";
      if (state.mode !== "time") setPlaying(false);
    });
    bind("measures", "measure", offerChoices);
    bind("sources", "source");
    for (const control of document.querySelectorAll("#plan [data-needs-script]")) control.hidden = false;
    offerChoices();
    const all = totals(sources[0] ?? "truth");
    const busiest = all.indexOf(Math.max(...all));
    state.time = Math.min(data.end, Math.max(data.start, data.binStart + (Math.max(busiest, 0) + 0.5) * data.bin));
    if (data.busiestStorey >= 0) state.storey = data.busiestStorey;
    const tab = byId("storeys")?.querySelector(`[value="${state.storey}"]`);
    if (tab) press(byId("storeys"), tab);
    if (slider) {
      slider.max = String(Math.round((data.end - data.start) / data.tick));
      slider.value = String(Math.round((state.time - data.start) / data.tick));
      slider.addEventListener("input", () => {
        setPlaying(false);
        state.time = Math.min(data.end, data.start + Number(slider.value) * data.tick);
        refresh();
      });
      play.addEventListener("click", () => setPlaying(!playing));
      byId("timeline").hidden = false;
    }
    byId("stage")?.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse") choose(event.target.closest?.(".s[data-i]") ?? null);
    });
    byId("stage")?.addEventListener("click", (event) => choose(event.target.closest?.(".s[data-i]") ?? null));
    window.addEventListener("resize", refresh);
    // Paper has no way to open a table.
    let opened = [];
    window.addEventListener("beforeprint", () => {
      opened = [...document.querySelectorAll("details:not([open])")];
      for (const part of opened) part.open = true;
    });
    window.addEventListener("afterprint", () => {
      for (const part of opened) part.open = false;
    });
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      readColours();
      refresh();
    });
    paintLegend();
    paint();
  };
  start();
})();
