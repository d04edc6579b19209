const data = JSON.parse(byId("data").textContent);
const clock = clockOf(data);
const binOf = (time) => limited(Math.floor((time - data.binStart) / data.bin), 0, data.bins - 1);
const unit = (source, value) => (source === "truth" ? "people" : "devices").slice(0, value === 1 && source === "observed" ? -1 : undefined);

// ---- occupancy

const sources = Object.keys(data.occupancy);
const empty = new Array(data.bins).fill(0);
const means = (source, space) => data.occupancy[source]?.spaces[space] ?? empty;
const maxima = (source, space) => data.occupancy[source]?.maxima[space] ?? empty;
const peakOf = (source, space) => Math.max(...maxima(source, space));
const totals = (source) => data.occupancy[source]?.total ?? empty;

/** Colours of the player by occupancy: people in a space, and people per 10 m². */
const occupancyFills = () => {
  let state;
  const valueOf = (space) => {
    const values = means(state.source, space);
    if (state.mode === "time") return values[binOf(state.time)];
    if (state.mode === "peak") return peakOf(state.source, space);
    return values.reduce((sum, next) => sum + next, 0) / data.bins;
  };
  const fill = (id, label, words, value) => ({
    id, label, value, hasPeaks: true, bin: binOf, limits: data.limits[id], words: (amount) => numberText(amount) + words(amount),
    get legend() { return words(2).trim() + (id === "count" ? " in a space" : ""); },
  });
  const source = () => state?.source ?? sources[0] ?? "truth";
  return {
    fills: [
      fill("count", "Per space", (value) => ` ${unit(source(), value)}`, valueOf),
      fill("density", "Per 10 m²", () => ` ${unit(source(), 2)} per 10 m²`, (space) => valueOf(space) / Math.max(data.spaces[space].area, 1) * 10),
    ],
    use: (own) => { state = own; },
  };
};

// ---- charts

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
    make("div", { className: "ends" }, make("span", { textContent: clock.short(data.start) }), make("span", { textContent: clock.short(data.end) + " " + data.zone })));
};

let shareInCharts = "";
/** Moves the lines of the charts to a time, if that is far enough to see. */
const showTimeInCharts = (time) => {
  const share = ((time - data.start) / Math.max(data.end - data.start, 1) * 100).toFixed(1);
  if (share === shareInCharts) return;
  shareInCharts = share;
  for (const line of document.querySelectorAll("#charts .now")) {
    line.setAttribute("x1", share);
    line.setAttribute("x2", share);
  }
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
    figure.scrollIntoView({ block: "nearest" });
  });
};

/** The curves of the player's timeline: the totals of the bins between two times. */
const totalCurves = (from, to) => {
  const [first, last] = [binOf(from), binOf(to - 1) + 1];
  const shown = sources.map((source) => [source, totals(source).slice(first, last)]);
  const top = Math.max(...shown.flatMap(([, values]) => values), 1);
  return shown.map(([source, values]) => curve(values, top, source, 40));
};

const startReport = async () => {
  drawCharts();
  const places = byId("places");
  if (places) {
    byId("place-controls").hidden = false;
    const words = [...places.tHead.rows[0].cells].filter((head) => !head.classList.contains("n")).length;
    makeSortable(places, {
      select: byId("place-sort"), filter: byId("place-filter"), count: byId("place-count"), columns: words, sortedBy: "mean", first: firstRows,
    });
  }
  const root = document.querySelector(".player");
  if (root) {
    const all = totals(sources[0] ?? "truth");
    const busiest = Math.max(all.indexOf(Math.max(...all)), 0);
    const { fills, use } = occupancyFills();
    const player = startPlayer(root, data.player, {
      fills, use, fill: data.measure,
      sources: sources.map((source) => [source, source === "truth" ? "People" : "Devices observed"]),
      time: data.binStart + (busiest + 0.5) * data.bin,
      curves: totalCurves, onTime: showTimeInCharts,
      countText: (time) => (sources.includes("observed") ? numberText(totals("observed")[binOf(time)]) + " devices seen" : ""),
    });
    await player;
  }
  document.documentElement.dataset.ready = "true";
};
startReport();
