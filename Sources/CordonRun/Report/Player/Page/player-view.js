// What of the plans is visible: zoom, pan, and a person who stays in the middle.

const mostZoom = 60;

/** The pixels of a floor's canvas, made for the present size of its sheet. */
const paneOf = (floor, camera) => {
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const width = Math.max(1, Math.round(floor.sheet.clientWidth * ratio));
  const height = Math.max(1, Math.round(floor.sheet.clientHeight * ratio));
  if (floor.canvas.width !== width || floor.canvas.height !== height) {
    for (const canvas of [floor.canvas, floor.back, floor.under, floor.over]) {
      canvas.width = width;
      canvas.height = height;
    }
    floor.backKey = "";
  }
  const base = Math.min(width / floor.view.width, height / floor.view.height);
  const scale = base * camera.zoom;
  return { ratio, width, height, base, scale, left: width / 2 - camera.x * scale, top: height / 2 - camera.y * scale };
};

/** Lays the drawing of the page, which receives pointers and keys, over what the canvas shows. */
const alignDrawing = (floor, pane) => {
  const { x, y, width, height } = floor.view;
  const origin = [(pane.width - width * pane.base) / 2, (pane.height - height * pane.base) / 2];
  const shift = [pane.left + x * pane.scale - origin[0] * pane.scale / pane.base, pane.top + y * pane.scale - origin[1] * pane.scale / pane.base];
  const zoom = pane.scale / pane.base;
  floor.svg.style.transform = zoom === 1 ? "" : `translate(${shift[0] / pane.ratio}px, ${shift[1] / pane.ratio}px) scale(${zoom})`;
};

/** The camera of a player: the place in the middle in centimetres of the drawing, and the zoom. */
const cameraOf = (view, refresh) => {
  const camera = { zoom: 1, x: view.x + view.width / 2, y: view.y + view.height / 2, aspect: 1 };
  const clamp = () => {
    camera.zoom = limited(camera.zoom, 1, mostZoom);
    const slack = [view.width / 2 * (1 - 1 / camera.zoom), view.height / 2 * (1 - 1 / camera.zoom)];
    camera.x = limited(camera.x, view.x + view.width / 2 - slack[0], view.x + view.width / 2 + slack[0]);
    camera.y = limited(camera.y, view.y + view.height / 2 - slack[1], view.y + view.height / 2 + slack[1]);
  };
  return Object.assign(camera, {
    fit: () => {
      Object.assign(camera, { zoom: 1, x: view.x + view.width / 2, y: view.y + view.height / 2 });
      refresh();
    },
    /** Zooms by a factor and keeps a place where it is. */
    zoomBy: (factor, x = camera.x, y = camera.y) => {
      const zoom = limited(camera.zoom * factor, 1, mostZoom);
      camera.x = x + (camera.x - x) * camera.zoom / zoom;
      camera.y = y + (camera.y - y) * camera.zoom / zoom;
      camera.zoom = zoom;
      clamp();
      refresh();
    },
    /** Moves by parts of what is visible. */
    moveBy: (right, down) => {
      camera.x += right * view.width / camera.zoom;
      camera.y += down * view.height / camera.zoom;
      clamp();
      refresh();
    },
    show: (x, y) => {
      Object.assign(camera, { x, y });
      clamp();
    },
  });
};

/** Drag, pinch, wheel with Control, and taps on a floor. */
const bindPointers = (floor, player) => {
  const { camera } = player;
  const pointers = new Map();
  let dragged = 0;
  const inDrawing = (event) => {
    const pane = paneOf(floor, camera);
    const box = floor.sheet.getBoundingClientRect();
    return [((event.clientX - box.left) * pane.ratio - pane.left) / pane.scale, ((event.clientY - box.top) * pane.ratio - pane.top) / pane.scale];
  };
  floor.sheet.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, event);
    dragged = 0;
  });
  const end = (event) => pointers.delete(event.pointerId);
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) floor.sheet.addEventListener(name, end);
  floor.sheet.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) {
      if (event.pointerType === "mouse") player.point(floor, ...inDrawing(event));
      return;
    }
    const pane = paneOf(floor, camera);
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    if (pointers.size === 2) {
      const other = [...pointers.values()].find((one) => one.pointerId !== event.pointerId);
      const spread = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      const middle = { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 };
      camera.zoomBy(spread(event) / Math.max(spread(before), 1), ...inDrawing(middle));
    }
    dragged += Math.abs(dx) + Math.abs(dy);
    if (dragged > 4 && camera.zoom > 1) {
      if (pointers.size === 1) player.follow(-1);
      if (event.isTrusted && !floor.sheet.hasPointerCapture(event.pointerId)) floor.sheet.setPointerCapture(event.pointerId);
      const share = pane.ratio / pane.scale / (pointers.size === 2 ? 2 : 1);
      camera.moveBy(-dx * share * camera.zoom / floor.view.width, -dy * share * camera.zoom / floor.view.height);
    }
    pointers.set(event.pointerId, event);
  });
  floor.sheet.addEventListener("click", (event) => {
    if (dragged <= 4) player.pick(floor, ...inDrawing(event), paneOf(floor, camera));
  });
  floor.sheet.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    camera.zoomBy(Math.exp(-limited(event.deltaY, -100, 100) / 150), ...inDrawing(event));
  }, { passive: false });
};
