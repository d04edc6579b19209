// Times in the time zone of a venue, whatever zone the browser is in.

import { language } from "./strings.js";

const DAY = 86400000;

/** The clock of a time zone: texts of times, and the bounds of days. */
const clockIn = (zone) => {
  const format = (options) => {
    const formatter = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, { timeZone: zone, ...options });
    return (time) => formatter.format(time);
  };
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit",
    hour: "2-digit", minute: "2-digit", second: "2-digit",
  });
  const fields = (time) => Object.fromEntries(parts.formatToParts(time).map((part) => [part.type, part.value]));
  const wall = (time) => {
    const f = fields(time);
    return Date.UTC(+f.year, +f.month - 1, +f.day, +f.hour, +f.minute, +f.second);
  };
  /** The moment at which the clock shows a time; where the clock was set forward, the moment of the change. */
  const moment = (shown) => {
    let time = shown;
    for (let round = 0; round < 3; round++) time += shown - wall(time);
    return time;
  };
  const day = (time) => new Date(wall(time)).toISOString().slice(0, 10);
  /** The first moment of a day, 2026-01-31. */
  const start = (text) => moment(Date.parse(text + "T00:00:00Z"));
  const shifted = (text, days) => new Date(Date.parse(text + "T12:00:00Z") + days * DAY).toISOString().slice(0, 10);
  return {
    zone,
    day, start, shifted,
    /** The last moment of a day. */
    end: (text) => start(shifted(text, 1)) - 1,
    time: format({ hour: "2-digit", minute: "2-digit" }),
    seconds: format({ hour: "2-digit", minute: "2-digit", second: "2-digit" }),
    date: format({ weekday: "short", day: "numeric", month: "short", year: "numeric" }),
    short: format({ weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }),
    full: format({ dateStyle: "medium", timeStyle: "medium" }),
    hour: (time) => new Date(wall(time)).getUTCHours(),
    /** 0 for Monday ... 6 for Sunday. */
    weekday: (time) => (new Date(wall(time)).getUTCDay() + 6) % 7,
    /** `2026-01-31T14:05` for fields of forms, and back. */
    field: (time) => new Date(wall(time)).toISOString().slice(0, 16),
    fromField: (text) => moment(Date.parse(text + ":00Z")),
  };
};

/** Spans of days that end with the present day. */
const presets = (clock, now) => {
  const today = clock.day(now);
  const days = (count) => [clock.shifted(today, 1 - count), today];
  return { today: days(1), yesterday: [clock.shifted(today, -1), clock.shifted(today, -1)], week: days(7), fortnight: days(14), month: days(30) };
};

export { DAY, clockIn, presets };
