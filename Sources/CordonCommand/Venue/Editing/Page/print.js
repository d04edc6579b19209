// The page on paper: a drawing of each floor, and tables of spaces and changes.

const SVG = "http://www.w3.org/2000/svg";

function drawn(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const pathText = (rings, isClosed = true) => rings.map((ring) => {
  let text = "";
  for (let i = 0; i < ring.length; i += 2) text += `${i === 0 ? "M" : "L"}${ring[i].toFixed(2)} ${(-ring[i + 1]).toFixed(2)}`;
  return isClosed ? `${text}Z` : text;
}).join("");

/** Returns a floor as a drawing of lines, with numbers that the table explains. */
function drawingOf(floor, numbers) {
  const [west, south, east, north] = floor.box;
  const size = Math.max(east - west, north - south);
  const svg = drawn("svg", {
    viewBox: `${west - 1} ${-north - 1} ${east - west + 2} ${north - south + 2}`, role: "img",
    "aria-label": `Plan of ${floor.name}`,
  });
  const thin = size / 900;
  for (const space of floor.drawn) {
    const { kind, isReached, closed } = spaceState(space.index);
    svg.append(drawn("path", {
      d: pathText(space.rings), fill: closed ? "#d0d0d0" : DATA.colours[kind], "fill-rule": "evenodd",
      stroke: isReached ? "#777777" : "#b3261e", "stroke-width": isReached ? thin : thin * 3,
    }));
  }
  svg.append(drawn("path", { d: pathText(floor.walls, false), fill: "none", stroke: "#333333", "stroke-width": thin * 2 }));
  const line = (points, colour) => svg.append(drawn("path", {
    d: pathText([points], false), fill: "none", stroke: colour, "stroke-width": thin * 5,
  }));
  const { removed, doors, entrances } = effectsNow();
  OPENINGS.forEach((opening, index) => {
    if (opening.floor === floor.index && !removed.has(index)) line(opening.line, opening.entrance ? "#c8102e" : "#2e8540");
  });
  for (const door of [...doors, ...entrances]) {
    if (door.line && door.floor === floor.index) line(door.line, "#0b57d0");
  }
  for (const space of floor.spaces) {
    const text = drawn("text", {
      x: space.label.x, y: -space.label.y, "font-size": Math.min(size / 60, Math.max(size / 140, space.label.width / 4)),
      "text-anchor": "middle", "dominant-baseline": "middle", fill: "#000000",
    });
    text.textContent = numbers.get(space.index);
    svg.append(text);
  }
  return svg;
}

/** Writes what is printed. */
function preparePrint() {
  const parts = [];
  const numbers = new Map();
  let number = 0;
  for (const floor of FLOORS) {
    for (const space of floor.spaces) numbers.set(space.index, (number += 1));
    if (floor.spaces.length === 0) continue;
    const body = make("tbody");
    for (const { index, area, id } of floor.spaces) {
      const { kind, capacity, group, closed } = propertiesOf(index);
      const cells = [
        numbers.get(index), nameOf(index), id, kind, squareMetres(area), capacity ?? "", group,
        closed ? "closed" : reachabilityOf(index).text,
      ];
      body.append(make("tr", {}, ...cells.map((text) => make("td", { text }))));
    }
    const titles = ["no.", "name", "id", "kind", "area", "capacity", "group", "reachability"];
    parts.push(
      make("section", {}, make("h2", { text: floor.name }), drawingOf(floor, numbers), make(
        "table", {}, make("thead", {}, make("tr", {}, ...titles.map((text) => make("th", { scope: "col", text })))), body)));
  }
  parts.push(make(
    "section", {}, make("h2", { text: "Problems" }), make("p", { text: element("problem-summary").textContent }),
    make("ul", {}, ...FINDINGS.filter(({ severity }) => severity !== "info").map((finding) => make("li", {
      text: `${finding.severity}: ${finding.text}${isMended(finding) ? " (mended)" : ""}`,
    })))));
  parts.push(make("section", {}, make("h2", { text: DATA.file }), make("pre", { text: overlayText() })));
  fill(element("print"), ...parts);
}

addEventListener("beforeprint", preparePrint);
matchMedia("print").addEventListener("change", (event) => event.matches && preparePrint());
