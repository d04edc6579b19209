// Requests to the server. Names of devices and reasons go in bodies: addresses are logged on their way.

import { t } from "./strings.js";

/** A refusal of the server; status 0 when the server was not reached. */
class ApiError extends Error {
  constructor(status, code, detail, field) {
    super(detail);
    Object.assign(this, { status, code, field });
  }
}

// Without a session of the server, the key of the operator lives as long as the tab.
const KEY = "cordon-credentials";
const credentials = {
  get: () => sessionStorage.getItem(KEY),
  set: (operator, key) => {
    const bytes = new TextEncoder().encode(`${operator}:${key}`);
    sessionStorage.setItem(KEY, "Basic " + btoa(String.fromCharCode(...bytes)));
  },
  clear: () => sessionStorage.removeItem(KEY),
};
let token = null;
const useToken = (value) => { token = value; };

const headersOf = (method, more = {}) => {
  const headers = { ...more };
  if (credentials.get()) headers.authorization = credentials.get();
  if (token && method !== "GET") headers["x-csrf-token"] = token;
  return headers;
};

/** Sends a request; a body makes it a POST. Returns the response, or throws an ApiError. */
const request = async (path, { query = {}, body, method = body ? "POST" : "GET", signal, cache = "no-store", accept } = {}) => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const parameters = new URLSearchParams(given).toString();
  const headers = headersOf(method, body ? { "content-type": "application/json" } : {});
  if (accept) headers.accept = accept;
  let response;
  try {
    response = await fetch(path + (parameters ? "?" + parameters : ""), {
      method, headers, signal, cache, body: body && JSON.stringify(body), credentials: "same-origin",
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "offline", t("error.offline"));
  }
  if (response.ok) return response;
  let problem = {};
  try { problem = await response.json(); } catch { /* The status says enough. */ }
  throw new ApiError(response.status, problem.code ?? "", problem.detail ?? String(response.status), problem.field);
};

/** Reads a part of an answer; a connection that breaks meanwhile is a server that was not reached. */
const reading = async (part) => {
  try {
    return await part;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "offline", t("error.offline"));
  }
};

/** The JSON of an answer; `null` for an answer without a body. */
const ask = async (path, options) => {
  const response = await request(path, { accept: "application/json", ...options });
  return response.status === 204 ? null : reading(response.json());
};

/** Reads server-sent events with the credentials of the page, until the signal ends them. */
const listen = async (path, query, signal, onEvent) => {
  const response = await request(path, { query, signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reading(reader.read());
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split("\n").map((line) => {
        const colon = line.indexOf(": ");
        return [line.slice(0, colon), line.slice(colon + 2)];
      }));
      if (fields.data) onEvent(fields.event ?? "message", JSON.parse(fields.data));
    }
  }
};

/** Hands a file to the browser. */
const save = (name, type, text) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(text instanceof Blob ? text : new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};

/** Rows as CSV (RFC 4180). Cells that a spreadsheet would take for a formula begin with an apostrophe. */
const csv = (rows) => rows.map((row) => row.map((cell) => {
  let text = cell === null || cell === undefined ? "" : String(cell);
  // As the tables of the commands: a number with a sign stays, and apostrophes before such a character get one more.
  if (typeof cell === "string" && /^'*[=+\-@|%\t\r\n]/.test(text) && !/^[+-]\d+(\.\d+)?$/.test(text)) text = "'" + text;
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}).join(",") + "\r\n").join("");

export { ApiError, credentials, useToken, request, ask, listen, save, csv };
