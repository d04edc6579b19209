// What every page of the console does: who is signed in, the choice of the venue, errors, loss of the connection.

import { byId, make } from "./parts.js";
import { ApiError, ask, credentials, useToken } from "./api.js";
import { clockIn } from "./dates.js";
import { t } from "./strings.js";

const address = new URL(location.href);
const page = document.body.dataset.page;
const VENUE = "cordon-venue";

const showError = (error) => {
  const box = byId("error");
  box.textContent = error ? t("error.failed", { detail: error.message }) : "";
  box.hidden = !error;
};
const setOffline = (isOffline) => { byId("offline").hidden = !isOffline; };

const goTo = (path) => location.assign(`/console/${path}?next=${encodeURIComponent(location.pathname + location.search)}`);

let failures = 0;
/** Runs an action; errors are shown, and a missing session leads to the page that makes one. */
const attempt = async (action) => {
  const before = failures;
  try {
    const value = await action();
    // The message of an action within this one stays.
    if (failures === before) {
      setOffline(false);
      showError(null);
    }
    return value;
  } catch (error) {
    if (error.name === "AbortError") return undefined;
    failures++;
    if (error instanceof ApiError && error.status === 401) {
      credentials.clear();
      goTo("sign-in");
    } else if (error instanceof ApiError && error.code === "sign-in-again") {
      goTo("confirm");
    } else if (error instanceof ApiError && error.status === 0) {
      setOffline(true);
    } else {
      showError(error);
      if (!(error instanceof ApiError)) reportError(error);
    }
    return undefined;
  }
};

/** Repeats an action while the page is visible. The first time is now. */
const repeat = async (seconds, action) => {
  const run = () => (document.hidden ? undefined : attempt(action));
  await run();
  setInterval(run, seconds * 1000);
};

/** Keeps a parameter of the page in its address, without a new entry of the history. */
const keep = (values) => {
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === "") address.searchParams.delete(name);
    else address.searchParams.set(name, value);
  }
  history.replaceState(null, "", address);
  tieChoices();
};
const parameter = (name) => address.searchParams.get(name);

// Choices of language and colours lead back to what is shown now.
const tieChoices = () => {
  for (const link of document.querySelectorAll("a[data-choice]")) {
    const target = new URL(link.href);
    for (const [name, value] of address.searchParams) if (!["lang", "theme"].includes(name)) target.searchParams.set(name, value);
    link.href = target;
  }
};

/** The address of a page with the venue that is chosen. */
const linkTo = (name, values = {}) => {
  const target = new URL(`/console/${name}`, location.origin);
  const venue = address.searchParams.get("venue");
  for (const [key, value] of Object.entries({ venue, ...values })) if (value) target.searchParams.set(key, value);
  return target.pathname + target.search;
};

// The name of a device stands behind the mark #, which browsers do not send.
const deviceMark = (name) => "#device=" + encodeURIComponent(name);
const deviceInMark = () => (location.hash.startsWith("#device=") ? decodeURIComponent(location.hash.slice(8)) : "");

const chooseVenue = (venues) => {
  const wanted = address.searchParams.get("venue") ?? localStorage.getItem(VENUE);
  const venue = venues.find((entry) => entry.venue === wanted) ?? venues[0];
  const select = byId("venue");
  for (const entry of venues) select.append(make("option", { value: entry.venue, textContent: entry.name || entry.venue }));
  select.value = venue.venue;
  byId("venue-label").hidden = false;
  keep({ venue: venue.venue });
  for (const link of document.querySelectorAll("nav a:not([data-choice])")) link.href = linkTo(link.pathname.split("/").at(-1));
  select.addEventListener("change", () => {
    localStorage.setItem(VENUE, select.value);
    const target = new URL(location.pathname, location.origin);
    target.searchParams.set("venue", select.value);
    location.assign(target);
  });
  return venue;
};

const menu = byId("menu");
menu.addEventListener("click", () => {
  const isOpen = menu.getAttribute("aria-expanded") !== "true";
  menu.setAttribute("aria-expanded", String(isOpen));
  document.body.classList.toggle("menu-open", isOpen);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || menu.getAttribute("aria-expanded") !== "true") return;
  menu.click();
  menu.focus();
});
window.addEventListener("offline", () => setOffline(true));
window.addEventListener("online", () => setOffline(false));
tieChoices();

/** The plan of a venue, asked for once. */
const plans = new Map();
const planOf = (venue) => {
  if (!venue.has_plan) return Promise.resolve(null);
  if (!plans.has(venue.venue)) {
    plans.set(venue.venue, ask(`/v1/operator/venues/${encodeURIComponent(venue.venue)}/plan`, { cache: "no-cache" }));
  }
  return plans.get(venue.venue);
};

const rank = ["metrics", "viewer", "contact-tracer", "operator", "admin"];

/**
 * Starts a page: `draw` gets { me, venue, venues, clock, root, plan, may }. Options: `needsVenue` (default), `role`.
 */
const start = async (drawPage, { needsVenue = true, role = "viewer" } = {}) => {
  const root = byId("page");
  await attempt(async () => {
    const me = await ask("/v1/operator/me");
    useToken(me.csrf_token ?? null);
    byId("who").textContent = `${me.name ?? me.operator} · ${t(`role.${me.role}`)}`;
    const leave = byId("sign-out");
    leave.hidden = false;
    leave.addEventListener("click", async () => {
      credentials.clear();
      const ended = me.session ? await ask("/console/sign-out", { method: "POST" }).catch(() => null) : null;
      // At an OpenID provider the person is still signed in.
      location.assign(ended?.provider ?? "/console/sign-in");
    });
    const { venues } = me.role === "metrics" ? { venues: [] } : await ask("/v1/operator/venues");
    if (needsVenue && venues.length === 0) {
      root.replaceChildren(make("p", { className: "note", textContent: t("frame.no-venue") }));
      return;
    }
    const venue = venues.length ? chooseVenue(venues) : null;
    const here = me.roles?.find((entry) => entry.venue === venue?.venue)?.role ?? me.role;
    const may = (asked) => rank.indexOf(here) >= rank.indexOf(asked) && (me.roles || asked !== "contact-tracer" || here !== "viewer");
    if (!may(role)) {
      root.replaceChildren(make("p", { className: "note", textContent: t("frame.role", { role: t(`role.${role}`) }) }));
      return;
    }
    const clock = clockIn(venue?.time_zone ?? "UTC");
    byId("zone").textContent = t("frame.zone", { zone: clock.zone, time: clock.short(Date.now()) });
    root.replaceChildren();
    await drawPage({ me, venue, venues, clock, root, may, plan: () => (venue ? planOf(venue) : null) });
  });
  byId("loading")?.remove();
  root.setAttribute("aria-busy", "false");
  document.documentElement.dataset.ready = "true";
};

export { start, attempt, repeat, keep, parameter, linkTo, deviceMark, deviceInMark, showError, planOf };
