// The keyboard. Keys without Ctrl act only while the plan has the focus.

/** Selects the nearest space in a direction. */
function moveSelection(dx, dy) {
  const { spaces } = FLOORS[view.floor];
  if (spaces.length === 0) return;
  if (selection.space === null || SPACES[selection.space].floor !== view.floor) {
    const middle = spaces.reduce((best, space) => {
      const distance = Math.hypot(space.label.x - view.x, space.label.y - view.y);
      return !best || distance < best.distance ? { space, distance } : best;
    }, null);
    select(middle.space.index);
    return;
  }
  const from = SPACES[selection.space].label;
  let best = null;
  for (const space of spaces) {
    const x = space.label.x - from.x;
    const y = space.label.y - from.y;
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy - y * dx);
    if (space.index === selection.space || ahead < 0.05 || aside > ahead * 2) continue;
    const cost = ahead + 2 * aside;
    if (!best || cost < best.cost) best = { space, cost };
  }
  if (best) select(best.space.index);
  else announce(`No space in this direction from ${nameOf(selection.space)}.`);
}

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

const PLAN_KEYS = {
  Enter: () => confirmTool() || focusInspector(),
  " ": () => confirmTool() || focusInspector(),
  Escape: () => {
    const isBusy = tool.name !== "select";
    setTool("select");
    announce(isBusy ? "Cancelled." : "");
  },
  "+": () => zoom(1.25),
  "=": () => zoom(1.25),
  "-": () => zoom(0.8),
  0: () => fit(),
  PageUp: () => changeFloor(1),
  PageDown: () => changeFloor(-1),
  d: () => beginKeyboardDoor(),
  e: () => beginKeyboardEntrance(),
  c: () => focusConnection(),
  n: () => nextProblem(1),
  p: () => nextProblem(-1),
  "?": () => showTab("help"),
};

function changeFloor(step) {
  const index = view.floor + step;
  if (index < 0 || index >= FLOORS.length) return announce("No floor in this direction.");
  showFloor(index);
  return announce(`${FLOORS[index].name}: ${FLOORS[index].spaces.length} spaces.`);
}

canvas.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const direction = DIRECTIONS[event.key];
  if (direction) {
    event.preventDefault();
    const isForward = event.key === "ArrowRight" || event.key === "ArrowDown";
    if (event.shiftKey) pan(-direction[0] * 60, direction[1] * 60);
    else if (tool.choices.length > 0) chooseTarget(isForward ? 1 : -1);
    else if (tool.position) moveEntrance(isForward ? 0.5 : -0.5);
    else moveSelection(...direction);
    return;
  }
  const action = PLAN_KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  const isText = event.target instanceof HTMLInputElement && event.target.type !== "checkbox";
  if (key === "s") saveOverlay();
  else if (isText) return;
  else if (key === "z" && !event.shiftKey) undo();
  else if (key === "y" || key === "z") redo();
  else return;
  event.preventDefault();
});
