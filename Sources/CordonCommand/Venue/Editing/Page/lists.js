// The lists beside the plan: problems, spaces and changes.

const tabs = [...document.querySelectorAll("[role=tab]")];
// On a narrow page, the properties of the space are one of the lists; on a wide one, they stand beside them.
const narrow = matchMedia("(max-width: 1100px)");

/** Shows one of the lists. */
function showTab(name) {
  document.querySelector("main").dataset.tab = name;
  for (const tab of tabs) {
    const isShown = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", String(isShown));
    tab.tabIndex = isShown ? 0 : -1;
    if (tab.id !== "tab-space") element(tab.getAttribute("aria-controls")).hidden = !isShown;
  }
}

narrow.addEventListener("change", () => {
  if (!narrow.matches && element("tab-space").getAttribute("aria-selected") === "true") showTab("spaces");
});

for (const tab of tabs) {
  tab.addEventListener("click", () => showTab(tab.id.slice(4)));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const shown = tabs.filter((other) => other.offsetParent !== null);
    const next = shown[(shown.indexOf(tab) + step + shown.length) % shown.length];
    next.focus();
    showTab(next.id.slice(4));
  });
}

// Problems

const FINDINGS = DATA.findings;
const problemButtons = [];
// The indices of the findings in the order of the list, and the place in it of the one that was shown last.
const problemOrder = [];
let problemAt = -1;

// The problems for which people open the page come first.
const CONNECTIVITY = ["disconnected-part", "entrance-leads-nowhere", "space-unreachable", "entrance-displaced"];

for (const finding of FINDINGS) {
  // Readers name the object beside the message; messages about connectivity contain its name.
  const name = finding.space === null ? finding.object : SPACES[finding.space].name || SPACES[finding.space].id;
  finding.text = !name || finding.message.includes(name) ? finding.message : `${name}: ${finding.message}`;
}

function buildProblems() {
  const groups = new Map();
  FINDINGS.forEach((finding, index) => {
    const key = `${finding.severity}: ${finding.code}`;
    if (!groups.has(key)) groups.set(key, { finding, members: [] });
    groups.get(key).members.push(index);
  });
  const order = ["error", "warning", "info"];
  const rank = ({ severity, code }) => order.indexOf(severity) * 2 + (CONNECTIVITY.includes(code) ? 0 : 1);
  const sorted = [...groups.values()].sort((a, b) => rank(a.finding) - rank(b.finding));
  problemOrder.push(...sorted.flatMap(({ members }) => members));
  fill(element("problems"), ...sorted.map(({ finding, members }) => {
    const list = make("ul", { class: "rows" });
    for (const index of members) {
      const button = make("button", {
        type: "button", class: "problem", id: `problem-${index}`, onclick: () => goToProblem(index),
      }, make("span", { class: "mark", "aria-hidden": "true" }), FINDINGS[index].text);
      problemButtons[index] = button;
      list.append(make("li", {}, button));
    }
    return make(
      "details", { class: finding.severity, open: finding.severity !== "info" || FINDINGS.length <= 5 },
      make("summary", {}, make("b", { text: finding.severity }), ` ${finding.code} (${members.length})`), list);
  }));
}

/** Marks the problems that the changes mend. */
function markProblems() {
  let open = 0;
  let mended = 0;
  FINDINGS.forEach((finding, index) => {
    const isDone = isMended(finding);
    if (isDone) mended += 1;
    else if (finding.severity !== "info") open += 1;
    const button = problemButtons[index];
    button.classList.toggle("mended", isDone);
    button.setAttribute("aria-label", `${finding.severity}: ${finding.text}${isDone ? " (mended by your changes)" : ""}`);
  });
  element("count-problems").textContent = open;
  const remarks = FINDINGS.filter(({ severity }) => severity === "info").length;
  const parts = [DATA.summary];
  parts.push(
    FINDINGS.length === 0 ? "No problem was found."
      : `${counted(open, "problem")} open${mended > 0 ? `, ${mended} mended by your changes` : ""}, ${counted(remarks, "remark")}.`);
  if (isReachabilityUncertain()) {
    parts.push("What removed doors, closed spaces and removed changes cut off is not computed here; cordon venue validate shows it.");
  }
  element("problem-summary").textContent = parts.filter(Boolean).join(" ");
}

/** Shows the place of a problem. */
function goToProblem(index) {
  problemAt = problemOrder.indexOf(index);
  const finding = FINDINGS[index];
  problemButtons.forEach((button, place) => {
    if (place === index) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  });
  if (finding.space !== null) {
    select(finding.space, { closer: true, quiet: true, stay: true });
  } else if (finding.place) {
    select(null, { quiet: true, stay: true });
    showFloor(finding.place.floor);
    const { x, y } = finding.place;
    glideTo([x - 6, y - 6, x + 6, y + 6], 40);
  } else if (finding.floor !== null) {
    showFloor(finding.floor);
  }
  if (finding.place) selection.place = finding.place;
  redraw();
  announce(`${finding.severity}: ${finding.text}${finding.space === null && !finding.place ? " It has no place on the plan." : ""}`);
}

function nextProblem(step) {
  if (FINDINGS.length === 0) return announce("No problem was found.");
  showTab("problems");
  const next = problemAt < 0 && step < 0 ? FINDINGS.length - 1 : (problemAt + step + FINDINGS.length) % FINDINGS.length;
  const index = problemOrder[next];
  problemButtons[index].closest("details").open = true;
  problemButtons[index].scrollIntoView({ block: "nearest" });
  return goToProblem(index);
}

// Spaces

const options = new Map();

function buildSpaces() {
  const list = element("space-list");
  const sorted = [...SPACES].sort((a, b) => a.floor - b.floor || compare(a.name || a.id, b.name || b.id) || a.index - b.index);
  const rows = sorted.map((space) => {
    const option = make("li", { role: "option", id: `option-${space.index}`, tabindex: "-1", "aria-selected": "false" });
    options.set(space.index, option);
    return option;
  });
  fill(list, ...rows);
  nameSpaces();
  if (rows.length > 0) rows[0].tabIndex = 0;
}

const compare = new Intl.Collator("en", { numeric: true }).compare;

/** Writes the names and states of all spaces, if they changed. */
function nameSpaces() {
  for (const [index, option] of options) {
    const { name, kind, isReached, closed, isChanged } = spaceState(index);
    const signs = `${closed ? " · closed" : ""}${isReached ? "" : " · not reachable"}${isChanged ? " · changed" : ""}`;
    const text = `${name || SPACES[index].id} · ${kind} · ${FLOORS[SPACES[index].floor].name}${signs}`;
    if (option.textContent !== text) option.textContent = text;
  }
}

/** Marks the selected space in the list. */
function markSelected() {
  for (const [index, option] of options) {
    const isSelected = index === selection.space;
    if ((option.getAttribute("aria-selected") === "true") === isSelected) continue;
    option.setAttribute("aria-selected", String(isSelected));
  }
  const option = options.get(selection.space);
  if (!option) return;
  for (const other of options.values()) if (other.tabIndex === 0) other.tabIndex = -1;
  option.tabIndex = 0;
}

element("space-list").addEventListener("click", (event) => {
  const option = event.target.closest("[role=option]");
  if (option) select(Number(option.id.slice(7)));
});
element("space-list").addEventListener("keydown", (event) => {
  const shown = [...options.values()].filter((option) => !option.hidden);
  const at = shown.indexOf(document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shown.length - 1 }[event.key];
  if (next === undefined && event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  if (next === undefined) return focusInspector();
  const option = shown[Math.min(shown.length - 1, Math.max(0, next))];
  if (!option) return;
  select(Number(option.id.slice(7)), { stay: true });
  option.focus();
});
element("search").addEventListener("input", () => {
  const words = element("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const [index, option] of options) {
    const text = `${option.textContent} ${SPACES[index].id} ${propertiesOf(index).group}`.toLowerCase();
    option.hidden = !words.every((word) => text.includes(word));
    if (!option.hidden) count += 1;
  }
  const focusable = [...options.values()].find((option) => option.tabIndex === 0 && !option.hidden);
  if (!focusable) {
    const first = [...options.values()].find((option) => !option.hidden);
    if (first) first.tabIndex = 0;
  }
  element("search-count").textContent = counted(count, "space");
});

// Changes

/** Returns a sentence about an entry of the overlay. */
function sentenceOf(entry) {
  const names = (targets) => targets.map((indices, place) => {
    const text = (entry.between || entry.joins || [entry.space])[place];
    return indices.length === 1 ? nameOf(indices[0]) : `“${text}” (${counted(indices.length, "space")})`;
  });
  if (entry.remove !== undefined) {
    return `${{ doors: "Door", entrances: "Entrance", connections: "Connection" }[entry.section]} ${entry.remove} removed`;
  }
  if (entry.rename !== undefined) {
    return `${entry.section === "doors" ? "Door" : "Entrance"} ${entry.rename}: name ${entry.name}`;
  }
  switch (entry.section) {
    case "spaces": {
      const values = SPACE_KEYS.filter((key) => entry[key] !== undefined).map((key) => {
        if (key === "closed") return "closed";
        if (key === "record") return `record ${RECORDINGS[entry.record]}`;
        return `${key} ${entry[key]}${key === "ceiling" ? " m" : ""}`;
      });
      return `${names([entry.targets])[0]}: ${values.join(", ") || "no change"}`;
    }
    case "doors": return `Door between ${names(entry.targets).join(" and ")}`;
    case "entrances": return `Entrance to ${names([entry.targets])[0]}`;
    case "connections": return `Connection (${entry.kind}) between ${names(entry.targets).join(" and ")}`;
    default: return `Floor ${entry.floor} moved by ${entry.move[0]} m to the east, ${entry.move[1]} m to the north`;
  }
}

function showChanges() {
  const entries = entriesNow();
  element("count-changes").textContent = entries.length;
  fill(element("changes"), ...(entries.length === 0
    ? [make("li", { class: "none", text: "No change yet." })]
    : entries.map((entry, place) => row(
      sentenceOf(entry), "",
      make("button", {
        type: "button", id: `show-${place}`, text: "Show", "aria-label": `Show ${sentenceOf(entry)}`,
        hidden: spacesOf(entry).length === 0, onclick: () => select(spacesOf(entry)[0]),
      }),
      make("button", {
        type: "button", id: `drop-${place}`, text: "Remove", "aria-label": `Remove the change ${sentenceOf(entry)}`,
        onclick: () => removeEntry(entry, `Change removed: ${sentenceOf(entry)}.`),
      })))));
  element("text").textContent = overlayText();
  element("undo").disabled = history.at === 0;
  element("redo").disabled = history.at + 1 >= history.steps.length;
  element("unsaved").hidden = !hasUnsavedChanges();
}

const spacesOf = (entry) => (entry.targets || []).flat();
