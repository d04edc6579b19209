// The controls of a player: buttons, fields, keys, and what they show.

const keysOfPlayer = [
  ["Space or K", "play, pause"], ["J and L", "back and forward 10 s; with Shift 5 min"], [", and .", "slower, faster"],
  ["[ and ]", "previous, next day"], ["+ and −", "zoom in, out; also Control and the wheel, or two fingers"], ["0", "whole plan"],
  ["W A S D", "move the plan; also by dragging"], ["1 to 9", "floors, the lowest first"], ["G", "floors side by side"],
  ["C", "next colours"], ["F, Shift F", "follow the next, the previous person; also by a click on a person"], ["Escape", "follow nobody"],
  ["Arrow keys", "on a plan: from room to room"], ["R", "record a video, end the recording"],
];

const icons = {
  play: "M4 2v14l12-7z", pause: "M3 2h4v14H3zM11 2h4v14h-4z", plus: "M8 3h2v5h5v2h-5v5H8v-5H3V8h5z", minus: "M3 8h12v2H3z",
  fit: "M3 3h5v2H5v3H3zM10 3h5v5h-2V5h-3zM3 10h2v3h3v2H3zM13 10h2v5h-5v-2h3z",
};
const iconButton = (label, icon, action, className = "icon") => {
  const svg = draw("svg", { viewBox: "0 0 18 18", "aria-hidden": "true" });
  svg.append(draw("path", { d: icons[icon] }));
  const button = make("button", { type: "button", className, "aria-label": label, title: label }, svg);
  button.addEventListener("click", action);
  return button;
};
const field = (text, control) => make("label", { className: "field" }, text + " ", control);
const chooser = (choices, action) => {
  const select = make("select", {}, ...choices.map(([value, text]) => make("option", { value: String(value), textContent: text })));
  select.addEventListener("change", () => action(select.value));
  return select;
};

/** The days of the data by the clocks of the zone, each with its start and end. */
const daysOf = (data, clock) => {
  const days = [];
  for (let from = data.start; from < data.end && days.length < 1000;) {
    const midnight = Math.floor((from + clock.offset(from)) / 86400000 + 1) * 86400000;
    // Clocks may change during the day.
    const to = Math.min(data.end, Math.max(midnight - clock.offset(midnight - clock.offset(from)), from + 60000));
    days.push({ from, to, name: clock.day(from) });
    from = to;
  }
  return days;
};

/** Adds the controls to a player, and the functions that keep them current. */
const addControls = (player) => {
  const { root, data, options, clock, state, camera } = player;
  const [one, many] = nounsOf(data);
  const stage = root.querySelector(".stage");
  const set = (key, value, after) => {
    state[key] = value;
    after?.();
    player.showAll();
    player.refresh();
  };

  // Above the plans.
  const storeys = data.storeys.map((name, index) => [index, name]).reverse();
  const groups = {
    storeys: storeys.length > 1 && buttonGroup("Floor", [...storeys, ["all", "Side by side"]], state.storey, (value) => {
      state.isSide = value === "all";
      set("storey", value === "all" ? state.storey : value);
    }),
    modes: buttonGroup("Time", [["time", "At a time"], ["average", "Average"], ["peak", "Peak"]], state.mode, (mode) => {
      if (mode !== "time") player.play(false);
      set("mode", mode);
    }),
    sources: options.sources?.length > 1 && buttonGroup("Counted", options.sources, state.source, (source) => set("source", source)),
    fills: buttonGroup("Colour shows", player.fills.map((fill) => [fill.id, fill.label]), state.fill, (fill) => set("fill", fill)),
  };
  root.prepend(make("div", { className: "controls" }, ...Object.values(groups).filter(Boolean)));

  // Over and beside the plans.
  const zoom = make("div", { className: "zoom" },
    iconButton("Zoom in", "plus", () => camera.zoomBy(1.5)), iconButton("Zoom out", "minus", () => camera.zoomBy(1 / 1.5)),
    iconButton("Whole plan", "fit", () => {
      player.follow(-1);
      camera.fit();
    }));
  const plans = root.querySelector(".floors");
  const rows = make("tbody");
  const now = make("div", { className: "now-table" }, make("table", {},
    make("caption", { textContent: "Fullest spaces" }),
    make("thead", {}, make("tr", {}, ...["space", many, "m² each"].map((text, index) => make("th", { scope: "col", className: index ? "n" : "", textContent: text })))),
    rows));
  const view = make("div", { className: "view" });
  plans.replaceWith(view);
  view.append(make("div", { className: "plans", tabIndex: -1 }, plans), now);

  const readout = make("p", { className: "readout", role: "status" });
  stage.querySelector(".under").prepend(make("div", { className: "read" }, readout, zoom));
  const legend = stage.querySelector(".legend");

  // The time.
  const play = iconButton("Play", "play", () => player.play(!player.playing), "play");
  const overview = draw("svg", { class: "overview", viewBox: "0 0 100 40", preserveAspectRatio: "none", "aria-hidden": "true" });
  const slider = make("input", { type: "range", min: "0", step: "1", "aria-label": "Time" });
  const clockTime = make("b");
  const clockCount = make("span");
  const speed = chooser(speeds.map((value) => [value, `${value}×`]), (value) => set("speed", Number(value)));
  const days = daysOf(data, clock);
  const day = chooser([["all", "All days"], ...days.map(({ name }, index) => [index, name])], (value) => player.showDay(value));
  const followed = make("input", { type: "number", min: "0", max: String((data.tracks?.people ?? 1) * (data.tracks?.share ?? 1) - 1), placeholder: "nobody" });
  followed.addEventListener("change", () => {
    const person = Math.floor(Number(followed.value) / (data.tracks?.share ?? 1));
    player.follow(followed.value === "" || !(person >= 0 && person < (data.tracks?.people ?? 0)) ? -1 : person);
  });
  const record = make("button", { type: "button", className: "text", textContent: "Record video" });
  record.addEventListener("click", () => toggleRecording(player));
  record.hidden = typeof MediaRecorder === "undefined";
  const timeline = make("div", { className: "timeline" }, play,
    make("div", { className: "track" }, overview, slider), make("p", { className: "clock" }, clockTime, clockCount));
  const tools = make("div", { className: "tools" }, field("Speed", speed), days.length > 1 ? field("Day", day) : "",
    field(`Follow ${one}`, followed), record);
  stage.append(timeline, tools);
  const keys = make("dl", {}, ...keysOfPlayer.map(([key, text]) =>
    make("div", {}, make("dt", { textContent: key }), make("dd", { textContent: text }))));
  root.append(make("details", { className: "player-keys", open: window.innerWidth > 860 }, make("summary", { textContent: "Keys of the player" }),
    make("p", { className: "note", textContent: "They work while the focus is on the player: on a plan, a button or the slider." }), keys));

  const ui = { groups, readout, legend, overview, slider, clockTime, clockCount, speed, day, days, followed, timeline, now, rows, plans };
  addDisplay(player, ui);
  slider.addEventListener("input", () => {
    player.play(false);
    player.seek(player.from + Number(slider.value) * 1000);
  });
  player.play = (isOn) => setPlaying(player, isOn, play);
  player.showRecording = (isOn) => { record.textContent = isOn ? "End recording" : "Record video"; };
  state.time = limited(options.time ?? data.origin ?? data.start, data.start, data.end);
  player.showDay(options.isWhole || days.length < 2 ? "all" : String(Math.max(0, days.findIndex(({ from, to }) => state.time >= from && state.time < to))));
  bindPlayerKeys(player);
};

/** Plays or stops. Without motion the time moves once a second. */
const setPlaying = (player, isOn, button) => {
  const { state } = player;
  if (player.playing) {
    cancelAnimationFrame(player.playing.frame);
    clearInterval(player.playing.timer);
  }
  player.playing = null;
  button.setAttribute("aria-label", isOn ? "Pause" : "Play");
  button.title = isOn ? "Pause" : "Play";
  button.querySelector("path").setAttribute("d", isOn ? icons.pause : icons.play);
  if (!isOn) return;
  if (state.mode !== "time") {
    state.mode = "time";
    player.showAll();
  }
  if (state.time >= player.to) state.time = player.from;
  const advance = (milliseconds) => {
    state.time = Math.min(player.to, state.time + milliseconds * state.speed);
    if (state.time >= player.to) player.play(false);
  };
  if (isMotionReduced()) {
    player.playing = { timer: setInterval(() => {
      advance(1000);
      player.refresh();
    }, 1000) };
    return;
  }
  player.playing = { last: performance.now() };
  const step = (moment) => {
    if (!player.playing) return;
    advance(Math.min(moment - player.playing.last, 100));
    if (player.playing) {
      player.playing.last = moment;
      player.playing.frame = requestAnimationFrame(step);
    }
    player.paint();
  };
  player.playing.frame = requestAnimationFrame(step);
};
