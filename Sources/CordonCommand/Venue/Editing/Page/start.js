// Connects the parts of the page, and draws it.

const floorChoice = element("floor");
FLOORS.forEach((floor, index) => floorChoice.append(make("option", {
  value: index, text: `${floor.name} (${floor.spaces.length})`,
})));
floorChoice.value = String(view.floor);
floorChoice.addEventListener("change", () => showFloor(Number(floorChoice.value)));

for (const [id, action] of [
  ["undo", undo], ["redo", redo], ["save", saveOverlay], ["save-text", saveOverlay], ["zoom-in", () => zoom(1.25)],
  ["zoom-out", () => zoom(0.8)], ["fit", fit],
]) element(id).addEventListener("click", () => action());
for (const button of document.querySelectorAll("#tools button")) {
  button.addEventListener("click", () => setTool(button.dataset.tool));
}
element("copy").addEventListener("click", () => {
  const done = () => announce("The text was copied.");
  const byHand = () => {
    getSelection().selectAllChildren(element("text"));
    announce("The text is selected; copy it with Ctrl+C.");
  };
  if (navigator.clipboard) navigator.clipboard.writeText(overlayText()).then(done, byHand);
  else byHand();
});

onChange(() => {
  showInspector();
  markProblems();
  nameSpaces();
  showChanges();
  redraw();
});

addEventListener("beforeunload", (event) => {
  if (hasUnsavedChanges()) event.preventDefault();
});

buildProblems();
buildSpaces();
markProblems();
showChanges();
showInspector();
showTab(FINDINGS.some(({ severity }) => severity !== "info") ? "problems" : "spaces");
resize();
performance.mark("cordon-ready");
document.documentElement.dataset.ready = "true";
