// The state of a player in words: readout, legend, clock, table and curve.

/** The words for one and for several of those who move. */
const nounsOf = ({ noun }) => [noun, noun === "person" ? "people" : noun + "s"];

/** Adds the functions to a player that keep its elements current. */
const addDisplay = (player, ui) => {
  const { data, options, clock, state } = player;
  const { groups, readout, legend, overview, slider, clockTime, clockCount, speed, day, days, followed, timeline, now, rows, plans } = ui;
  const [one, many] = nounsOf(data);
  player.say = (text) => { readout.textContent = text; };
  player.showReadout = () => {
    const fill = player.fill();
    if (!player.chosen) {
      player.say(state.follow >= 0 ? player.followedText() : "Point at a space or a person, or use Tab and the arrow keys to read figures.");
      return;
    }
    const space = data.spaces[player.chosen.number];
    const value = fill.value?.(player.chosen.number);
    const when = state.mode === "time" ? "around this time" : state.mode === "peak" ? "at most" : "on average";
    const inside = player.counts?.get(player.chosen.number) ?? 0;
    const here = player.tracks && state.mode === "time" ? `${counted(inside * player.tracks.share, one, many)} here; ` : "";
    player.say(`${space.title}: ${here}${value === undefined ? "" : `${fill.words(value)} ${when}; `}${numberText(space.area)} m²`);
  };
  const nameOf = (person) => `${one} ${person * player.tracks.share}${groupName(person) ? ` (${groupName(person)})` : ""}`;
  const groupName = (person) => (data.groups.length > 1 || data.groups[0] ? data.groups[exactGroup(person)] : "");
  const exactGroup = (person) => {
    let left = person * player.tracks.share;
    return data.groupRuns.find(([count]) => (left -= count) < 0)?.[1] ?? 0;
  };
  player.followedText = () => {
    const span = player.tracks.span(state.follow);
    const name = `Following ${nameOf(state.follow)}: `;
    if (player.spot) {
      const space = spaceAt(player.floors[player.spot.storey], player.spot.x, player.spot.y);
      return name + (space ? data.spaces[space.number].title : `outside the spaces of ${data.storeys[player.spot.storey]}`);
    }
    return name + (span ? `not inside; first seen ${clock.short(span[0])}, last seen ${clock.short(span[1])}` : "never came in");
  };
  player.showFollowed = () => {
    followed.value = state.follow < 0 ? "" : String(state.follow * player.tracks.share);
    player.showReadout();
  };
  player.showFloors = () => {
    if (groups.storeys) press(groups.storeys, state.isSide ? "all" : state.storey);
    plans.classList.toggle("side", state.isSide);
  };
  player.showLegend = () => {
    const fill = player.fill();
    const limits = player.limits(fill);
    const classes = fill.texts ?? limitTexts(limits);
    const items = fill.id === "none" ? [] : legendItems(fill.legend, fill.isGround ? classes : [[0, "none"], ...classes]);
    const dots = state.mode === "time" && data.groups.length > 1
      ? legendItems(many, data.groups.slice(0, groupColours).map((name, index) => [`var(--p${index + 1})`, index === groupColours - 1 && data.groups.length > groupColours ? "others" : name || "no group"])) : [];
    for (const item of dots) item.classList.add("dot");
    legend.replaceChildren(...items, ...dots);
  };
  player.showAll = () => {
    const fill = player.fill();
    const peak = groups.modes.querySelector("[value=peak]");
    peak.hidden = !fill.hasPeaks;
    if (peak.hidden && state.mode === "peak") state.mode = "average";
    if (groups.sources) groups.sources.hidden = Boolean(fill.isGround);
    press(groups.modes, state.mode);
    press(groups.fills, state.fill);
    if (groups.sources) press(groups.sources, state.source);
    timeline.hidden = state.mode !== "time";
    now.hidden = state.mode !== "time" || !data.tracks;
    speed.value = String(state.speed);
    player.showFloors();
    if (player.tracks || !fill.isGround) player.showLegend();
    player.showReadout();
  };
  player.showDay = (value) => {
    const chosen = days[Number(value)];
    [player.from, player.to] = chosen ? [chosen.from, chosen.to] : [data.start, data.end];
    day.value = chosen ? String(value) : "all";
    slider.max = String(Math.round((player.to - player.from) / 1000));
    // Another day begins at the same time of day.
    const own = days.findLast(({ from }) => from <= state.time) ?? days[0];
    if (chosen && own !== chosen) state.time = limited(chosen.from + state.time - own.from, chosen.from, chosen.to - 1);
    if (player.tracks) player.showTimeline();
    player.showLegend();
    player.refresh();
  };
  player.stepDay = (by) => {
    if (days.length > 1) player.showDay(limited((day.value === "all" ? (by > 0 ? -1 : days.length) : Number(day.value)) + by, 0, days.length - 1));
  };
  let tabled = 0;
  player.timeText = () => {
    const since = data.origin === undefined ? "" : ` (${state.time < data.origin ? "−" : "+"}${new Date(Math.abs(state.time - data.origin)).toISOString().slice(11, 19)})`;
    return (clock.isLong ? clock.day(state.time) + " " : "") + clock.seconds(state.time) + " " + clock.zone + since;
  };
  player.countText = () => {
    const inside = player.found.count * (player.tracks?.share ?? 1);
    const own = player.tracks ? `${inside} ${inside === 1 ? one : many} inside` : "";
    return [own, options.countText?.(state.time)].filter(Boolean).join(", ");
  };
  let shown = "";
  let showed = 0;
  player.showTime = (isForced) => {
    // Layout costs more than the picture: texts change at most fifteen times a second.
    const moment = performance.now();
    if (player.playing && moment - showed < 66 && !isForced) return;
    showed = moment;
    const text = player.timeText();
    if (clockTime.textContent !== text) clockTime.textContent = text;
    const count = player.countText();
    if (clockCount.textContent !== count) clockCount.textContent = count;
    const share = ((state.time - player.from) / Math.max(player.to - player.from, 1) * 100).toFixed(2);
    if (share !== shown || isForced) {
      shown = share;
      slider.value = String(Math.round((state.time - player.from) / 1000));
      slider.setAttribute("aria-valuetext", text);
      const line = overview.querySelector(".now");
      line?.setAttribute("x1", share);
      line?.setAttribute("x2", share);
    }
    options.onTime?.(state.time);
    if (player.playing && moment - tabled < 500 && !isForced) return;
    tabled = moment;
    fillTable(player, rows);
    readout.setAttribute("aria-live", player.playing ? "off" : "polite");
    player.showReadout();
  };
  player.showTimeline = () => {
    const curves = options.curves?.(player.from, player.to) ?? [insideCurve(player)];
    overview.replaceChildren(...curves, draw("line", { class: "now", x1: 0, x2: 0, y1: 0, y2: 40 }));
    player.showTime(true);
  };
  player.seek = (time) => {
    state.time = limited(time, player.from, player.to);
    player.refresh();
  };
};

/** The table beside the plans: the spaces with the most people at the time shown. */
const fillTable = (player, rows) => {
  const { found, floors, data, tracks } = player;
  if (!tracks || player.state.mode !== "time") return;
  const counts = new Map();
  for (let index = 0; index < found.count; index++) {
    const space = spaceNear(floors[found.storey[index]], found.x[index], found.y[index]);
    if (space) counts.set(space.number, (counts.get(space.number) ?? 0) + 1);
  }
  player.counts = counts;
  const most = [...counts].sort(([a, m], [b, n]) => n - m || a - b).slice(0, 10);
  rows.replaceChildren(...most.map(([space, count]) => {
    const { title, area } = data.spaces[space];
    const people = count * tracks.share;
    return make("tr", {}, make("th", { scope: "row", textContent: title }), make("td", { className: "n", textContent: String(people) }),
      make("td", { className: "n", textContent: (area / people).toFixed(1) }));
  }));
  if (most.length === 0) rows.append(make("tr", {}, make("td", { colSpan: 3, textContent: "nobody is in a space" })));
};

/** The number of people inside over the time of the slider. */
const insideCurve = (player) => {
  const { tracks, from, to } = player;
  const bins = 200;
  const spot = {};
  const values = Array.from({ length: bins }, (_, bin) => {
    const at = from + (bin + 0.5) * (to - from) / bins;
    let count = 0;
    for (let person = 0; person < tracks.people; person++) count += tracks.place(person, at, spot) ? 1 : 0;
    return count;
  });
  const top = Math.max(...values, 1);
  const line = values.map((value, bin) => `${bin ? "L" : "M"}${bin / bins * 100} ${40 - value / top * 38}H${(bin + 1) / bins * 100}`).join("");
  const group = draw("g", {});
  group.append(draw("path", { class: "area-truth", d: line + "V40H0Z" }), draw("path", { class: "line-truth", d: line }));
  return group;
};
