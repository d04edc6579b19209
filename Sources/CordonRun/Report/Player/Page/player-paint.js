// One frame of a player: plan, colours, people.

const groupColours = 6;
const readColours = () => {
  const colours = {};
  for (const name of ["card", "paper", "ink", "soft", "wall", "door", "void", "exit", "focus", "sans"]) colours[name] = styleOf("--" + name);
  colours.floor = styleOf("--h0");
  colours.edge = styleOf("--dot-edge");
  colours.heat = [0, 1, 2, 3, 4, 5, 6].map((level) => styleOf("--h" + level));
  colours.channels = colours.heat.slice(1).map(channelsOf);
  colours.dots = Array.from({ length: groupColours }, (_, index) => styleOf("--p" + (index + 1)));
  return colours;
};

/** Where everybody is at the time shown: `count` entries of person, x, y and storey. */
const findPeople = (player) => {
  const { tracks, state, found } = player;
  found.count = 0;
  if (!tracks) return;
  const spot = {};
  for (let person = 0; person < tracks.people; person++) {
    if (!tracks.place(person, state.time, spot)) continue;
    const index = found.count++;
    found.person[index] = person;
    found.x[index] = spot.x;
    found.y[index] = spot.y;
    found.storey[index] = spot.storey;
  }
};

/** The field of a floor: now, or the mean over the time of the day picker. */
const fieldNow = (player, floor) => {
  const { found, tracks, state } = player;
  floor.field ??= fieldOf(floor);
  const field = floor.field;
  if (state.mode === "time") {
    field.key = "";
    field.values.fill(0);
    for (let index = 0; index < found.count; index++) {
      if (found.storey[index] === floor.storey) addToField(field, found.x[index], found.y[index], tracks.share);
    }
    return field;
  }
  const key = `mean ${player.from} ${player.to}`;
  if (field.key === key) return field;
  field.key = key;
  field.values.fill(0);
  const samples = limited(Math.round(2e5 / tracks.people), 20, 400);
  const spot = {};
  for (let sample = 0; sample < samples; sample++) {
    const at = player.from + (sample + 0.5) * (player.to - player.from) / samples;
    for (let person = 0; person < tracks.people; person++) {
      if (tracks.place(person, at, spot) && spot.storey === floor.storey) addToField(field, spot.x, spot.y, tracks.share / samples);
    }
  }
  return field;
};

/** The time between two fields of people per square metre while people move, in milliseconds. */
const fieldPause = 100;

/** Paints spaces, colours, walls and names of a floor into its background; returns false if that has not changed. */
const paintBack = (player, floor, pane) => {
  const { state, camera, colours } = player;
  const fill = player.fill();
  const isGround = fill.isGround && player.tracks;
  const key = [camera.zoom, camera.x, camera.y, fill.id, state.mode, state.source, fill.bin?.(state.time), player.from, player.scheme].join();
  const isNew = floor.backKey !== key;
  if (isNew) {
    floor.backKey = key;
    alignDrawing(floor, pane);
    const colourOf = (space) => (fill.value ? colours.heat[player.level(fill, space.number)] : colours.floor);
    paintSpaces((isGround ? floor.under : floor.back).getContext("2d"), floor, pane, colours, colourOf);
    // Colours of the ground lie between the floor and the walls.
    const over = (isGround ? floor.over : floor.back).getContext("2d");
    if (isGround) {
      over.setTransform(1, 0, 0, 1, 0, 0);
      over.clearRect(0, 0, pane.width, pane.height);
    }
    paintWalls(over, floor, pane, colours, player.names);
  }
  if (!isGround) return isNew;
  const moment = performance.now();
  const isDue = state.mode === "time" && state.time !== floor.fieldTime && (!player.playing || moment - floor.fieldMoment >= fieldPause);
  if (!isNew && !isDue) return false;
  Object.assign(floor, { fieldTime: state.time, fieldMoment: moment });
  const back = floor.back.getContext("2d");
  back.setTransform(1, 0, 0, 1, 0, 0);
  back.drawImage(floor.under, 0, 0);
  paintField(back, fieldNow(player, floor), pane, player.limits(fill), colours.channels);
  back.drawImage(floor.over, 0, 0);
  return true;
};

/** Paints one floor into its canvas. */
const paintFloor = (player, floor) => {
  const { state, camera, colours } = player;
  const pane = paneOf(floor, camera);
  const isNew = paintBack(player, floor, pane);
  const { context } = floor;
  context.setTransform(1, 0, 0, 1, 0, 0);
  const isTime = state.mode === "time" && player.tracks;
  // A quarter of a metre, but not too small to see and not so large that people merge.
  const radius = limited(25 * pane.scale, floor.sheet.clientWidth < 500 ? 1.8 * pane.ratio : 2.6 * pane.ratio, 9 * pane.ratio);
  if (isTime) paintPeople(player, floor, pane, radius, !isNew);
  else context.drawImage(floor.back, 0, 0);
  const chosen = player.chosen && floor.spaces.includes(player.chosen) ? player.chosen : null;
  if (chosen) {
    context.setTransform(pane.scale, 0, 0, pane.scale, pane.left, pane.top);
    context.strokeStyle = colours.focus;
    context.lineWidth = 3 * pane.ratio / pane.scale;
    context.stroke(chosen.path);
    context.setTransform(1, 0, 0, 1, 0, 0);
  }
  if (!isTime || state.follow < 0) return;
  paintTrail(player, floor, pane);
  if (player.spot?.storey !== floor.storey) return;
  context.beginPath();
  context.arc(player.spot.x * 100 * pane.scale + pane.left, -player.spot.y * 100 * pane.scale + pane.top, radius + 4 * pane.ratio, 0, 7);
  context.strokeStyle = colours.focus;
  context.lineWidth = 2.5 * pane.ratio;
  context.stroke();
};

/** The way of the followed person in the last two minutes. */
const paintTrail = (player, floor, pane) => {
  const { context } = floor;
  const spot = {};
  let isOn = false;
  context.beginPath();
  for (let step = 60; step >= 0; step--) {
    const isThere = player.tracks.place(player.state.follow, player.state.time - step * 2000, spot) && spot.storey === floor.storey;
    if (isThere) {
      const place = [spot.x * 100 * pane.scale + pane.left, -spot.y * 100 * pane.scale + pane.top];
      if (isOn) context.lineTo(...place);
      else context.moveTo(...place);
    }
    isOn = isThere;
  }
  context.strokeStyle = player.colours.focus;
  context.lineWidth = 2 * pane.ratio;
  context.globalAlpha = 0.6;
  context.stroke();
  context.globalAlpha = 1;
};
