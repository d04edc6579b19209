// The keys of a player, and the way from room to room.

const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** The nearest space in a direction; one far to the side counts as farther away. */
const neighbour = (space, [dx, dy], others) => {
  const middle = ({ left, top, right, bottom }) => [(left + right) / 2, (top + bottom) / 2];
  const [x, y] = middle(space);
  let best = null;
  let least = Infinity;
  for (const other of others) {
    if (other === space) continue;
    const [ox, oy] = middle(other);
    const along = (ox - x) * dx + (oy - y) * dy;
    const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (along > 0 && along + 2 * aside < least) [best, least] = [other, along + 2 * aside];
  }
  return best;
};

/** The space at a place, by squares of the plan that know their spaces. */
const spaceNear = (floor, x, y) => {
  const { left, top, width, height } = { left: floor.view.x, top: floor.view.y, width: floor.view.width / 48, height: floor.view.height / 48 };
  floor.squares ??= Array.from({ length: 48 * 48 }, (_, index) => {
    const [l, t] = [left + (index % 48) * width, top + Math.floor(index / 48) * height];
    return floor.spaces.filter((space) => space.right >= l && space.left <= l + width && space.bottom >= t && space.top <= t + height);
  });
  const column = Math.floor((x * 100 - left) / width);
  const row = Math.floor((-y * 100 - top) / height);
  if (column < 0 || row < 0 || column > 47 || row > 47) return null;
  return spaceAt({ spaces: floor.squares[row * 48 + column] }, x, y);
};

const bindPlayerKeys = (player) => {
  const { root, state, camera } = player;
  const fills = player.fills.map((fill) => fill.id);
  const floorOf = (shape) => player.floors.find((floor) => floor.svg.contains(shape));
  root.addEventListener("focusin", (event) => {
    const shape = event.target.closest?.(".s[data-i]");
    if (!shape) return;
    const floor = floorOf(shape);
    const space = floor.spaces.find((one) => one.shape === shape);
    const pane = paneOf(floor, camera);
    const [x, y] = [(space.left + space.right) / 2, (space.top + space.bottom) / 2];
    const [column, row] = [x * pane.scale + pane.left, y * pane.scale + pane.top];
    if (column < 0 || row < 0 || column > pane.width || row > pane.height) camera.show(x, y);
    player.choose(space);
  });
  const changeSpeed = (by) => {
    state.speed = speeds[limited(speeds.indexOf(state.speed) + by, 0, speeds.length - 1)];
    player.showAll();
  };
  const followNext = (by) => {
    if (!player.tracks || player.found.count === 0) return;
    const inside = [...player.found.person.slice(0, player.found.count)];
    const at = inside.findIndex((person) => person >= state.follow);
    const next = state.follow < 0 ? 0 : inside[at] === state.follow ? at + by : by > 0 ? at : at - 1;
    player.follow(inside[(next + inside.length) % inside.length]);
  };
  const showStorey = (storey) => {
    if (storey >= player.floors.length) return;
    Object.assign(state, { storey, isSide: false });
    player.showAll();
    player.refresh();
  };
  const actions = {
    k: () => player.play(!player.playing), " ": () => player.play(!player.playing),
    j: () => player.seek(state.time - 10000), l: () => player.seek(state.time + 10000),
    J: () => player.seek(state.time - 300000), L: () => player.seek(state.time + 300000),
    ",": () => changeSpeed(-1), ".": () => changeSpeed(1), "[": () => player.stepDay(-1), "]": () => player.stepDay(1),
    "+": () => camera.zoomBy(1.5), "=": () => camera.zoomBy(1.5), "-": () => camera.zoomBy(1 / 1.5), 0: () => camera.fit(),
    w: () => camera.moveBy(0, -0.1), s: () => camera.moveBy(0, 0.1), a: () => camera.moveBy(-0.1, 0), d: () => camera.moveBy(0.1, 0),
    g: () => {
      state.isSide = !state.isSide && player.floors.length > 1;
      player.showAll();
      player.refresh();
    },
    c: () => {
      state.fill = fills[(fills.indexOf(state.fill) + 1) % fills.length];
      player.showAll();
      player.refresh();
    },
    f: () => followNext(1), F: () => followNext(-1), Escape: () => player.follow(-1), r: () => toggleRecording(player),
  };
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const shape = event.target.closest(".s[data-i]");
    if (shape && (directions[event.key] || event.key === "Home" || event.key === "End")) {
      const spaces = floorOf(shape).spaces.filter((space) => !space.isVoid);
      const own = spaces.find((space) => space.shape === shape);
      const next = event.key === "Home" ? spaces[0] : event.key === "End" ? spaces.at(-1) : neighbour(own, directions[event.key], spaces);
      event.preventDefault();
      if (!next) return;
      shape.tabIndex = -1;
      next.shape.tabIndex = 0;
      next.shape.focus();
      return;
    }
    const isTyping = event.target.matches("select, input:not([type=range])");
    if (isTyping && event.key !== "Escape") return;
    if (event.key === " " && event.target.closest("button, summary")) return;
    const action = actions[event.key] ?? actions[event.key.toLowerCase()] ?? (/^[1-9]$/.test(event.key) ? () => showStorey(Number(event.key) - 1) : null);
    if (!action || event.target.closest("details")) return;
    event.preventDefault();
    action();
  });
};
