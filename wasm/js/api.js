// The functions over the module; `browser.js` and `node.js` differ only in how they find its bytes.
import * as wasm from "../pkg/web/cpaas.js";

/** Thrown by every function before `init`. */
export class NotInitialised extends Error {
  constructor(name) {
    super(`${name}: call \`await init()\` first (or \`initSync(bytes)\`)`);
    this.name = "NotInitialised";
  }
}

let ready = false;
let starting;

/** @returns {boolean} whether the module is loaded. */
export const isReady = () => ready;

export function start(load) {
  starting ??= Promise.resolve()
    .then(load)
    .then((source) => wasm.default({ module_or_path: source }))
    .then(
      () => void (ready = true),
      (error) => {
        starting = undefined;
        throw error;
      },
    );
  return starting;
}

export function initSync(bytes) {
  if (!ready) wasm.initSync({ module: bytes });
  ready = true;
}

function need(name) {
  if (!ready) throw new NotInitialised(name);
}

const ENCODINGS = ["gsm7", "ucs2"];

function unpack(packed) {
  const low = packed % 2 ** 29;
  return {
    encoding: ENCODINGS[low & 1],
    count: Math.floor(packed / 2 ** 29),
    units: (low >>> 9) & 0xfffff,
    remaining: (low >>> 1) & 0xff,
  };
}

export function segments(text, options) {
  need("segments");
  if (options === undefined) return unpack(wasm.count(text));
  const { parts, ...rest } = options;
  const all = JSON.parse(wasm.segments(text, JSON.stringify(rest)));
  if (!parts) delete all.parts;
  return all;
}

export function countSegments(texts) {
  need("countSegments");
  return Array.from(texts, (text) => unpack(wasm.count(text)));
}

export function annotate(text) {
  need("annotate");
  return JSON.parse(wasm.annotate(text));
}

export function estimate(text, price) {
  need("estimate");
  return JSON.parse(wasm.estimate(text, String(price)));
}

export function parseMarkup(text, mode) {
  need("parseMarkup");
  return JSON.parse(wasm.parseMarkup(text, mode));
}

export function escapeMarkup(text, mode) {
  need("escapeMarkup");
  const said = JSON.parse(wasm.escapeMarkup(text, mode));
  if (said.error) throw new RangeError(said.error.message);
  return said.text;
}

export function operations() {
  need("operations");
  return wasm.operations().split(" ");
}

export function version() {
  need("version");
  return wasm.version();
}

/** `/a~1b/0` -> `["a/b", 0]`, by the value that the pointer points into. */
function path(pointer) {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((token) => (/^(0|[1-9][0-9]*)$/.test(token) ? Number(token) : token.replace(/~1/g, "/").replace(/~0/g, "~")));
}

function enrich(problem) {
  problem.path = path(problem.pointer);
  const { limit, actual, unit, span } = problem.params ?? {};
  if (limit !== undefined) problem.limit = limit;
  if (actual !== undefined) problem.actual = actual;
  if (unit !== undefined) problem.unit = unit;
  if (span !== undefined) problem.span = span;
  return problem;
}

export function validateText(operation, json) {
  need("validateText");
  const said = wasm.validateText(operation, json);
  if (said === undefined) throw new RangeError("validate: no operation has this name; see operations()");
  const report = JSON.parse(said);
  report.errors.forEach(enrich);
  report.warnings.forEach(enrich);
  return report;
}

export function validate(operation, value) {
  return validateText(operation, JSON.stringify(value) ?? "null");
}

export function standardSchema(operation, init) {
  const check = (value) => {
    const { ok, errors } = validate(operation, value);
    return ok ? { value } : { issues: errors.map(({ message, path }) => ({ message, path })) };
  };
  return {
    "~standard": {
      version: 1,
      vendor: "cpaas",
      validate: (value) => (ready ? check(value) : init().then(() => check(value))),
    },
  };
}
