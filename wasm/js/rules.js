// Requests and what stands in none, against the rules of the provider.
import { loaded, memory, string } from "./state.js";

const encoder = /* @__PURE__ */ new TextEncoder();

/** The keys that a JSON pointer names; a token is an index only where the value is an array. */
function path(pointer, root) {
  let value = root;
  return pointer
    .split("/")
    .slice(1)
    .map((token) => {
      const key = token.replace(/~1/g, "/").replace(/~0/g, "~");
      const step = Array.isArray(value) && /^\d+$/.test(key) ? Number(key) : key;
      value = value?.[step];
      return step;
    });
}

const FACTS = ["limit", "actual", "unit", "span"];

function enrich(problem, root) {
  problem.path = path(problem.pointer, root);
  for (const name of FACTS) {
    if (problem.params?.[name] !== undefined) problem[name] = problem.params[name];
  }
}

function report(json, value) {
  const said = JSON.parse(json);
  if (said.errors.length + said.warnings.length > 0) {
    const root = value();
    for (const problem of said.errors) enrich(problem, root);
    for (const problem of said.warnings) enrich(problem, root);
  }
  return said;
}

function parsed(json) {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Writes a request into the module's memory; no unit takes more than three bytes. */
export function written(wasm, json) {
  const most = 3 * json.length;
  const at = wasm.requestRoom(most);
  return encoder.encodeInto(json, new Uint8Array(memory(), at, most)).written;
}

function checked(name, operation, json, value) {
  const wasm = loaded(name);
  string(name, "the operation", operation);
  const said = wasm.validateText(operation, written(wasm, json));
  if (said.startsWith("!")) throw new RangeError(`${name}: ${said.slice(1)}`);
  return report(said, value);
}

export function validateText(operation, json) {
  loaded("validateText");
  return checked("validateText", operation, string("validateText", "the request", json), () => parsed(json));
}

export function validate(operation, value) {
  return checked("validate", operation, JSON.stringify(value) ?? "null", () => value);
}

export function operations() {
  return loaded("operations").operations().split(" ");
}

export function version() {
  return loaded("version").version();
}

function check(name, rule, value) {
  return report(loaded(name).checkText(rule, JSON.stringify(value)), () => value);
}

export const checkPhoto = ({ bytes, width, height }) => check("checkPhoto", "photo", { bytes, width, height });
export const checkFile = ({ bytes }) => check("checkFile", "file", { bytes });
export const checkBotUsername = (username) => check("checkBotUsername", "bot_username", { username });
export const checkCardHeight = (dp) => check("checkCardHeight", "card_height", { dp });
