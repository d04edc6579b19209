"use strict";
// Everything that came from a client is put into the page as text, never as markup.
const $ = (id) => document.getElementById(id);
let credentials = null;
let watching = null;
let isViewer = true;
const totals = { stored: 0, refused: 0, contacts: 0 };
const rates = [];
let second = 0;

function show(text) {
  $("error").textContent = text;
  $("error").hidden = text === "";
}

// Names of devices and reasons go in bodies: addresses are logged on their way.
async function ask(path, { query = {}, body } = {}) {
  const parameters = new URLSearchParams(query).toString();
  const headers = { authorization: credentials };
  if (body) headers["content-type"] = "application/json";
  const response = await fetch(path + (parameters ? "?" + parameters : ""), {
    method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body), cache: "no-store",
  });
  if (!response.ok) {
    let detail = response.status + "";
    try { detail = (await response.json()).detail; } catch { /* The status says enough. */ }
    throw new Error(detail);
  }
  return response;
}

function encoded(text) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

$("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  show("");
  credentials = "Basic " + encoded($("user").value.trim() + ":" + $("key").value.trim());
  try {
    const me = await (await ask("/v1/operator/me")).json();
    $("state").textContent = me.operator + " · " + me.role;
    $("login").hidden = true;
    $("board").hidden = false;
    isViewer = me.role === "viewer";
    $("look").hidden = isViewer;
    for (const id of ["chart", "rate"]) $(id).closest("section").hidden = isViewer;
    for (const venue of me.venues) $("venue").append(new Option(venue, venue));
    $("leave").hidden = false;
    $("venue").focus();
    watch();
  } catch (error) {
    show("Signing in failed: " + error.message);
  }
});

// Reloading forgets the key and everything that was shown.
$("leave").addEventListener("click", () => location.reload());

$("venue").addEventListener("change", watch);

// EventSource sends no credentials of ours, so the stream is read by hand.
async function watch() {
  if (watching) watching.abort();
  const control = new AbortController();
  watching = control;
  Object.assign(totals, { stored: 0, refused: 0, contacts: 0 });
  rates.length = 0;
  occupancy();
  // Single rows are not for viewers: they have the counts of floors.
  if (isViewer) return;
  while (!control.signal.aborted) {
    try {
      const response = await fetch("/v1/operator/events?venue=" + encodeURIComponent($("venue").value), {
        headers: { authorization: credentials }, signal: control.signal, cache: "no-store",
      });
      if (!response.ok) throw new Error(String(response.status));
      show("");
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop();
        for (const block of blocks) {
          const line = block.split("\n").find((text) => text.startsWith("data: "));
          if (line) count(JSON.parse(line.slice(6)));
        }
      }
    } catch (error) {
      if (control.signal.aborted) return;
      show("The connection was lost; trying again.");
    }
    await new Promise((resolve) => setTimeout(resolve, 3000));
  }
}

function count(event) {
  for (const name of Object.keys(totals)) totals[name] += event[name];
  second += event.stored;
}

setInterval(() => {
  if ($("board").hidden) return;
  rates.push(second);
  second = 0;
  if (rates.length > 120) rates.shift();
  const recent = rates.slice(-5);
  $("rate").textContent = Math.round(recent.reduce((a, b) => a + b, 0) / recent.length).toLocaleString("en");
  for (const name of Object.keys(totals)) $(name).textContent = totals[name].toLocaleString("en");
  draw();
}, 1000);

function draw() {
  // Devices send every few seconds: the mean of five says more than each one.
  const smooth = rates.map((_, k) => {
    const part = rates.slice(Math.max(0, k - 4), k + 1);
    return part.reduce((a, b) => a + b, 0) / part.length;
  });
  const most = Math.max(...smooth, 1);
  const points = smooth.map((rate, k) => (600 - (smooth.length - 1 - k) * 5) + "," + (116 - (110 * rate) / most));
  const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
  line.setAttribute("points", points.join(" "));
  $("chart").replaceChildren(line);
  $("top").textContent = Math.round(most).toLocaleString("en") + " a second";
}

// Operators see peaks; viewers see one rounded number a bin, or none.
function shown(bin) {
  return bin.peak_devices ?? bin.devices ?? null;
}

function clock(time) {
  return new Date(time).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

async function occupancy() {
  try {
    const answer = await (await ask("/v1/operator/occupancy", { query: { venue: $("venue").value } })).json();
    const most = Math.max(1, ...answer.places.flatMap((place) => place.bins.map((bin) => shown(bin) ?? 0)));
    const rows = answer.places.map((place) => {
      const row = document.createElement("div");
      row.className = "floor";
      const name = document.createElement("div");
      // The last bin of the span, which is the present one; a floor that has none of it is empty now.
      const byStart = new Map(place.bins.map((bin) => [bin.start, bin]));
      const last = byStart.get(answer.to - answer.bin_s * 1000);
      name.append("Floor " + (place.floor ?? "?"), document.createElement("br"));
      const number = document.createElement("b");
      number.textContent = String((last ? shown(last) : isViewer ? null : 0) ?? "< " + answer.smallest_count);
      name.append(number);
      const bars = document.createElement("div");
      bars.className = "bars";
      bars.setAttribute("role", "img");
      const heard = [];
      for (let start = answer.from; start < answer.to; start += answer.bin_s * 1000) {
        const bar = document.createElement("i");
        const bin = byStart.get(start);
        const value = bin ? shown(bin) : 0;
        bar.style.height = value === null ? "30%" : (100 * value) / most + "%";
        if (value === null) bar.className = "hiddenCount";
        if (value > 0) bar.className = "some";
        bar.title = clock(start) + ": " + (value ?? "fewer than " + answer.smallest_count);
        if (value !== 0) heard.push(bar.title);
        bars.append(bar);
      }
      bars.setAttribute("aria-label", heard.length === 0 ? "no devices" : heard.join(", "));
      row.append(name, bars);
      return row;
    });
    if (rows.length > 0) {
      // Below the bars: where their time begins and ends.
      const ends = document.createElement("div");
      ends.className = "floor axis";
      const times = document.createElement("p");
      times.className = "hint ends";
      for (const time of [answer.from, answer.to]) {
        const text = document.createElement("span");
        text.textContent = clock(time);
        times.append(text);
      }
      ends.append(document.createElement("span"), times);
      rows.push(ends);
    }
    if (isViewer) {
      // The server makes one number for each closed bin, and keeps it until enough devices came or went.
      const minutes = answer.bin_s / 60;
      $("counting").textContent = "Each bar is " + minutes + " minutes, shown " + minutes
        + " minutes after its end. Numbers are rounded to " + answer.smallest_count
        + " and change only when at least " + answer.smallest_count + " devices came or went. Devices are not people.";
    }
    if (rows.length === 0) {
      rows.push(isViewer ? "No floor had " + answer.smallest_count + " devices or more." : "No devices in the last hour.");
    }
    $("occupancy").replaceChildren(...rows);
  } catch (error) {
    show("Occupancy: " + error.message);
  }
}
setInterval(() => { if (!$("board").hidden) occupancy(); }, 10000);

$("search").addEventListener("submit", async (event) => {
  event.preventDefault();
  show("");
  try {
    const answer = await (await ask("/v1/operator/devices", {
      body: { venue: $("venue").value, prefix: $("prefix").value, limit: 30, reason: $("reason").value },
    })).json();
    $("devices").replaceChildren(...answer.devices.map((device) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = device.device;
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => look(device.device, button));
      item.append(button);
      return item;
    }));
    if (answer.devices.length === 0) $("devices").textContent = "No device has a name that begins so.";
  } catch (error) {
    show(error.message);
  }
});

let lookedAt = null;

async function look(device, chosen) {
  show("");
  try {
    const answer = await (await ask("/v1/operator/exposures", {
      body: { venue: $("venue").value, device, reason: $("reason").value },
    })).json();
    lookedAt = device;
    for (const button of $("devices").querySelectorAll("button")) button.setAttribute("aria-pressed", button === chosen);
    $("who").textContent = answer.exposures.length === 0
      ? device + " had no contacts in the last two days" : "Contacts of " + device + " in the last two days";
    const titles = [...$("exposures").tHead.rows[0].cells].map((cell) => cell.textContent);
    const rows = answer.exposures.slice(0, 100).map((exposure) => {
      const row = document.createElement("tr");
      for (const text of [
        exposure.device || "(erased)", exposure.contacts, (exposure.maximum_in_window_s / 60).toFixed(1) + " min",
        exposure.minimum_distance_m.toFixed(2) + " m", exposure.is_exposure ? "yes" : "no",
      ]) {
        const cell = row.insertCell();
        cell.textContent = text;
        cell.dataset.name = titles[cell.cellIndex];
      }
      return row;
    });
    $("exposures").tBodies[0].replaceChildren(...rows);
    for (const id of ["exposures", "csv"]) $(id).hidden = answer.exposures.length === 0;
  } catch (error) {
    show(error.message);
  }
}

$("csv").addEventListener("click", async () => {
  try {
    const response = await ask("/v1/operator/contacts", {
      body: { venue: $("venue").value, device: lookedAt, reason: $("reason").value, format: "csv" },
    });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await response.blob());
    link.download = "contacts.csv";
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    show(error.message);
  }
});
