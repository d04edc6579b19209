// The maps that the server serves: where they come from, what they contain, and what was found in them.

import { make } from "./parts.js";
import { dataTable, section } from "./charts.js";
import { linkTo, start } from "./frame.js";
import { number, t } from "./strings.js";

start(async ({ venues, root }) => {
  const rows = venues.map((venue) => make("tr", {},
    make("th", { scope: "row", className: "name" }, make("a", { href: `${linkTo("plan").split("?")[0]}?venue=${encodeURIComponent(venue.venue)}`, textContent: venue.name || venue.venue })),
    make("td", { "data-l": t("venues.id"), textContent: venue.venue }),
    make("td", { "data-l": t("venues.zone"), textContent: venue.time_zone }),
    make("td", { className: "n", "data-l": t("venues.floors"), textContent: venue.floors === null ? "–" : number(venue.floors) }),
    make("td", { className: "n", "data-l": t("venues.spaces"), textContent: venue.counted_spaces === null ? "–" : number(venue.counted_spaces) }),
    make("td", { className: "n", "data-l": t("venues.packed"), textContent: `${number(venue.packed_bytes / 1000, 1)} kB` }),
    make("td", { "data-l": t("venues.hash") }, make("code", { textContent: venue.content_hash.slice(0, 12), title: venue.content_hash }))));
  root.append(dataTable(t("venues.table"), [t("venues.name"), t("venues.id"), t("venues.zone"), [t("venues.floors"), true], [t("venues.spaces"), true], [t("venues.packed"), true], t("venues.hash")], rows));
  const found = venues.flatMap((venue) => venue.findings.map((finding) => make("tr", {},
    make("th", { scope: "row", className: "name", textContent: venue.name || venue.venue }),
    make("td", { "data-l": t("venues.code") }, make("code", { textContent: finding.code })), make("td", { "data-l": t("venues.message"), textContent: finding.message }))));
  root.append(section(t("venues.findings"), t("venues.findings-note"), dataTable(t("venues.findings"), [t("venues.name"), t("venues.code"), t("venues.message")], found, { empty: t("venues.no-findings") })),
    section(t("venues.reload"), t("venues.reload-note"), make("pre", {}, make("code", { textContent: "kill -HUP $(pidof cordon-server)" }))));
});
