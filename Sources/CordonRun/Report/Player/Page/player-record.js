// What leaves a player: a video file, and a still on paper.

/** Starts to record what the player shows, or ends the recording and saves it as a WebM file. */
const toggleRecording = (player) => {
  if (player.recorder) {
    player.recorder.stop();
    return;
  }
  const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((one) => MediaRecorder.isTypeSupported(one));
  if (!type) {
    player.say("This browser cannot record a video.");
    return;
  }
  const canvas = make("canvas");
  const compose = composerOf(player, canvas);
  compose();
  const recorder = new MediaRecorder(canvas.captureStream(50), { mimeType: type, videoBitsPerSecond: 8e6 });
  const chunks = [];
  recorder.addEventListener("dataavailable", (event) => chunks.push(event.data));
  recorder.addEventListener("stop", () => {
    player.frame = null;
    player.recorder = null;
    player.showRecording(false);
    const link = make("a", { href: URL.createObjectURL(new Blob(chunks, { type: "video/webm" })), download: "cordon.webm" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    player.say("The video is saved as cordon.webm.");
  });
  player.recorder = recorder;
  player.frame = compose;
  player.showRecording(true);
  recorder.start(1000);
  if (!player.playing) player.play(true);
};

/** Returns a function that paints the visible floors side by side, with the time below, into a canvas of an even size. */
const composerOf = (player, canvas) => {
  const floors = player.visible();
  const gap = 16;
  const foot = 56;
  const head = player.floors.length > 1 ? 22 : 0;
  const columns = Math.ceil(Math.sqrt(floors.length));
  const width = Math.max(...floors.map((floor) => floor.canvas.width));
  const height = Math.max(...floors.map((floor) => floor.canvas.height));
  const even = (value) => Math.ceil(value / 2) * 2;
  canvas.width = even(columns * (width + gap) + gap);
  canvas.height = even(Math.ceil(floors.length / columns) * (height + gap + head) + gap + foot);
  const context = canvas.getContext("2d");
  return () => {
    const { colours } = player;
    context.fillStyle = colours.card;
    context.fillRect(0, 0, canvas.width, canvas.height);
    player.visible().slice(0, floors.length).forEach((floor, index) => {
      const [x, y] = [gap + (index % columns) * (width + gap), gap + head + Math.floor(index / columns) * (height + gap + head)];
      context.drawImage(floor.canvas, x, y);
      context.fillStyle = colours.soft;
      context.font = `16px ${colours.sans}`;
      if (player.floors.length > 1) context.fillText(player.data.storeys[floor.storey], x, y - 8);
    });
    context.fillStyle = colours.ink;
    context.font = `600 24px ${colours.sans}`;
    const text = player.timeText();
    context.fillText(text, gap, canvas.height - 22);
    const start = gap + context.measureText(text).width + 24;
    context.fillStyle = colours.soft;
    context.font = `18px ${colours.sans}`;
    context.fillText(`${player.countText()}, ${player.state.speed}×`, start, canvas.height - 22);
  };
};

/** Puts people and colours of the time shown into the drawings, which paper shows instead of the canvases. */
const addStill = (player) => {
  const { state, found, floors } = player;
  const fill = player.fill();
  const isNow = state.mode === "time" && player.tracks;
  for (const floor of floors) {
    if (fill.value) {
      for (const { shape, number, isVoid } of floor.spaces) {
        if (!isVoid) shape.setAttribute("class", "s h" + player.level(fill, number));
      }
    }
    const radius = Math.max(25, floor.view.width / 400);
    const dots = draw("g", { class: "still" });
    for (let index = 0; isNow && index < found.count; index++) {
      if (found.storey[index] !== floor.storey) continue;
      dots.append(draw("circle", {
        cx: Math.round(found.x[index] * 100), cy: Math.round(-found.y[index] * 100), r: Math.round(radius),
        fill: `var(--p${player.groupOf[found.person[index]] + 1})`,
      }));
    }
    floor.svg.append(dots);
  }
  const when = isNow ? `At ${player.timeText()}: ${player.countText()}.` : state.mode === "peak" ? "Maximum over the run." : "Average over the time shown.";
  player.root.querySelector(".plans").prepend(make("p", { className: "still caption", textContent: when }));
};
const removeStill = (player) => {
  for (const element of player.root.querySelectorAll(".still")) element.remove();
};
