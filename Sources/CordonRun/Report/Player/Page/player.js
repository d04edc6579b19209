// The player: people who move over plans, at the time, speed and view that the reader chooses.

const speeds = [1, 2, 5, 10, 20, 50, 100, 200];

/** The colours that follow the places of people. */
const groundFills = (data) => {
  const area = (level) => data.levels[level][1];
  const levelLimits = data.levels.slice(0, -1).map(([, least]) => 1 / least);
  return [
    { id: "ground", label: "People per m²", legend: "people per m² of ground, smoothed over 1 m", isGround: true, limits: [0.1, 0.25, 0.5, 1, 2, 4] },
    {
      id: "level", label: "Level of service", legend: "floor area per person (level of service)", isGround: true,
      limits: [...levelLimits, Infinity], isFixed: true,
      texts: data.levels.map(([name], index) => [
        index + 1, index === data.levels.length - 1 ? `${name}: below ${area(index - 1)} m²` : `${name}: from ${area(index)} m²`,
      ]),
    },
  ];
};

/** A fill that shows a layer of the data. */
const layerFill = (layer, player) => {
  const valuesOf = (space) => layer.values[space] ?? [];
  const bin = (time) => Math.floor((time - layer.start) / layer.step);
  return {
    ...layer, label: layer.name, legend: `${layer.name} in ${layer.unit}`, hasPeaks: true, bin,
    value: (space) => {
      const values = valuesOf(space);
      if (player.state.mode === "time") return values[bin(player.state.time)] ?? undefined;
      if (player.state.mode === "peak") return Math.max(...values);
      return values.reduce((sum, next) => sum + next, 0) / values.length;
    },
    words: (value) => `${Number(value.toFixed(layer.decimals))} ${layer.unit}`,
  };
};

/**
 * Starts the player of an element. `options` may hold `fills` before those of the player, the id of the first `fill`, `sources`
 * to choose from, `totals` as curves over the timeline, and `onTime`, which is called with every time shown.
 */
const startPlayer = async (root, data, options = {}) => {
  const clock = clockOf(data);
  const player = {
    root, data, options, clock, colours: readColours(), scheme: 0, chosen: null, spot: null, playing: null,
    from: data.start, to: data.end, names: data.spaces.map((space) => space.name),
    found: { count: 0 }, groupOf: new Uint8Array(0), tracks: null,
    state: { storey: data.storey, isSide: false, mode: "time", source: options.sources?.[0]?.[0], time: data.start, speed: options.speed ?? 50, follow: -1, fill: "" },
  };
  const { state } = player;
  options.use?.(state);
  player.floors = [...root.querySelectorAll(".floor")].map(planFloor);
  if (player.floors.length === 0) return player;
  player.fills = [...(options.fills ?? []), ...data.layers.map((layer) => layerFill(layer, player)), ...(data.tracks ? groundFills(data) : []),
    { id: "none", label: "Nothing", legend: "", limits: [] }];
  player.fill = () => player.fills.find((fill) => fill.id === state.fill) ?? player.fills[0];
  state.fill = options.fill && player.fills.some((fill) => fill.id === options.fill) ? options.fill : player.fills[0].id;
  player.limits = (fill) => {
    if (!fill.isGround || fill.isFixed || state.mode === "time") return fill.limits;
    let most = 0;
    for (const floor of player.visible()) for (const value of fieldNow(player, floor).values) most = Math.max(most, value);
    return heatLimits(most);
  };
  player.level = (fill, space) => classOf(fill.value(space), fill.limits);
  player.visible = () => (state.isSide ? player.floors : player.floors.filter((floor) => floor.storey === state.storey));

  let pending = 0;
  player.paint = () => {
    pending = 0;
    findPeople(player);
    root.classList.toggle("zoomed", player.camera.zoom > 1);
    if (state.follow >= 0) keepInView(player);
    hideFloors(player);
    for (const floor of player.visible()) paintFloor(player, floor);
    player.showTime();
    player.frame?.();
  };
  player.refresh = () => {
    if (!pending) pending = requestAnimationFrame(player.paint);
  };
  player.camera = cameraOf(player.floors[0].view, player.refresh);
  player.follow = (person) => {
    state.follow = person;
    if (person >= 0) player.chosen = null;
    if (person >= 0 && player.camera.zoom < 3) player.camera.zoom = Math.max(1, Math.min(4, player.camera.zoom * 3));
    player.showFollowed();
    player.refresh();
  };
  player.choose = (space) => {
    player.chosen = space;
    player.showReadout();
    player.refresh();
  };
  player.point = (floor, left, top) => {
    const space = spaceAt(floor, left / 100, -top / 100);
    if (space !== player.chosen) player.choose(space);
  };
  player.pick = (floor, left, top, pane) => {
    const [x, y] = [left / 100, -top / 100];
    let [best, nearest] = [-1, 12 * pane.ratio / pane.scale / 100];
    for (let index = 0; index < player.found.count; index++) {
      if (player.found.storey[index] !== floor.storey || state.mode !== "time") continue;
      const away = Math.hypot(player.found.x[index] - x, player.found.y[index] - y);
      if (away < nearest) [best, nearest] = [player.found.person[index], away];
    }
    if (best >= 0) player.follow(best);
    else player.choose(spaceAt(floor, x, y));
  };
  addControls(player);
  for (const floor of player.floors) bindPointers(floor, player);
  window.addEventListener("resize", player.refresh);
  new ResizeObserver(player.refresh).observe(root);
  whenSchemeChanges(() => {
    player.colours = readColours();
    player.scheme += 1;
    player.showLegend();
    player.refresh();
  });
  whenPrinting(() => addStill(player), () => removeStill(player));
  player.showAll();
  player.paint();
  if (data.tracks) {
    if (typeof DecompressionStream === "undefined") {
      player.say("This browser is too old to show people; the plans show averages.");
    } else {
      player.tracks = tracksOf(data.tracks, await unpackedBytes(data.tracks.samples), data.start);
      data.tracks.samples = "";
      const { people } = player.tracks;
      for (const name of ["person", "storey"]) player.found[name] = new Int32Array(people);
      for (const name of ["x", "y"]) player.found[name] = new Float64Array(people);
      player.groupOf = groupsOf(data, player.tracks);
      player.showTimeline();
    }
  }
  root.player = player;
  root.dataset.ready = "true";
  player.paint();
  return player;
};

/** Hides the floors that are not shown. A focus in one of them goes to the plans, so that keys keep working. */
const hideFloors = (player) => {
  const { state } = player;
  for (const floor of player.floors) {
    const isHidden = !state.isSide && floor.storey !== state.storey;
    if (isHidden && floor.element.contains(document.activeElement)) player.root.querySelector(".plans").focus({ preventScroll: true });
    floor.element.hidden = isHidden;
  }
};

/** The colour of each person: that of the group. */
const groupsOf = (data, tracks) => {
  const all = data.groupRuns.flatMap(([count, group]) => new Array(count).fill(Math.min(group, groupColours - 1)));
  return Uint8Array.from({ length: tracks.people }, (_, person) => all[person * tracks.share] ?? 0);
};

/** Moves the camera and the floor with the followed person. */
const keepInView = (player) => {
  const { state, tracks, camera } = player;
  const spot = {};
  player.spot = tracks?.place(state.follow, state.time, spot) ? spot : null;
  if (!player.spot) return;
  camera.show(spot.x * 100, -spot.y * 100);
  if (spot.storey !== state.storey) {
    state.storey = spot.storey;
    player.showFloors();
  }
};

/** Starts every player of the page that brings its data. */
const startPlayers = async () => {
  for (const element of document.querySelectorAll(".player-data")) {
    const data = JSON.parse(element.textContent);
    // All of it in about a minute.
    const speed = speeds.find((one) => (data.end - data.start) / one <= 60000) ?? speeds.at(-1);
    await startPlayer(element.previousElementSibling, data, { speed });
  }
  document.documentElement.dataset.ready = "true";
};
