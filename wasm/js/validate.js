// Validates requests against the rules of the provider.
import * as glue from "../pkg/web/cpaas.js";
import { json, kind, list, notFormData, options, string } from "./arguments.js";
import { DEPTH, unwritable } from "./unwritable-value.js";
import { TooLarge, call, requireReady, tryCall } from "./module-state.js";
import { CharacterCounter, loneSurrogates } from "./lone-surrogates.js";
import { loaded, requirePhone } from "./phone-state.js";
import { pointer } from "./place.js";

const encoder = /* @__PURE__ */ new TextEncoder();

/** Reused for texts of at most 16,384 UTF-16 code units, each of which needs at most 3 bytes: `encodeInto` is faster than `encode`. */
let buffer;

/** A text as UTF-8. The next call overwrites the bytes. */
function utf8(text) {
  if (text.length > 16_384) return encoder.encode(text);
  buffer ??= new Uint8Array(3 * 16_384);
  return buffer.subarray(0, encoder.encodeInto(text, buffer).written);
}

/** The keys of a JSON pointer. Digits are an index only inside an array, so the value at `root()` is needed. */
function path(pointer, root) {
  const keys = pointer.split("/").slice(1);
  if (pointer.includes("~")) keys.forEach((key, index) => (keys[index] = key.replace(/~1/g, "/").replace(/~0/g, "~")));
  if (!keys.some((key) => /^\d+$/.test(key))) return keys;
  let value = root();
  return keys.map((key) => {
    const step = Array.isArray(value) && /^\d+$/.test(key) ? Number(key) : key;
    value = value?.[step];
    return step;
  });
}

const COPIED_PARAMETERS = ["limit", "actual", "unit", "span"];

/** Copies some parameters to the problem itself. */
function copyParameters(problem) {
  for (const name of COPIED_PARAMETERS) {
    if (problem.params?.[name] !== undefined) problem[name] = problem.params[name];
  }
  return problem;
}

/** Completes a problem. `counter` counts the characters of the texts of a report. */
function enrich(problem, root, counter) {
  problem.path = path(problem.pointer, root);
  copyParameters(problem);
  const text = problem.span && problem.path.reduce((value, key) => value?.[key], root());
  if (typeof text === "string") addCharacters(problem.span, text, counter);
}

/** Adds the range in characters (code points). */
function addCharacters(span, text, counter) {
  span.startCharacter = counter.before(text, span.start16);
  span.endCharacter = counter.before(text, span.end16);
}

/** The report on a request without problems, as the module writes it. */
const EMPTY = '{"ok":true,"errors":[],"warnings":[]}';

/** The report as an object; the request is parsed only if a key may be an index, or a problem has a span. */
export function toReport(json, request) {
  if (json === EMPTY) return { ok: true, errors: [], warnings: [], more: 0 };
  const report = JSON.parse(json);
  let parsed;
  const root = () => (parsed ??= { value: parse(request) }).value;
  const counter = new CharacterCounter();
  for (const problem of report.errors) enrich(problem, root, counter);
  for (const problem of report.warnings) enrich(problem, root, counter);
  report.more ??= 0;
  return report;
}

function parse(json) {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Replaces a syntax error by one error for each string or name with a lone surrogate: the output of `JSON.stringify` has no other syntax error. */
export function located(report, request, limit = 1000) {
  if (report.errors[0]?.code !== "json.syntax") return report;
  const root = parse(request);
  const { problems, more } = loneSurrogates(root, limit);
  if (problems.length + more === 0) return report;
  const counter = new CharacterCounter();
  for (const problem of problems) enrich(problem, () => root, counter);
  return { ...report, errors: problems, more };
}

/** The options that need the numbering plans, with the names of the settings of a client. */
const POLICY = { allowCountries: "allow_countries", allowTypes: "allow_types" };

/** The largest number of problems in a report, and the settings about numbers, with the names of a client. */
function optionsOf(name, given) {
  if (given === undefined) return [undefined, {}];
  const { limit, normalize, ...policy } = options(name, "the options", given, ["limit", "normalize", ...Object.keys(POLICY)], (message) => new RangeError(`${name}: ${message}`));
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 0)) throw new TypeError(`${name}: the option limit must be an integer of 0 or more, got ${kind(limit)}`);
  if (normalize !== undefined) string(name, "the option normalize", normalize);
  const settings = normalize === undefined ? {} : { normalize };
  for (const [option, value] of Object.entries(policy)) {
    if (value === undefined) continue;
    settings[POLICY[option]] = Array.from(list(name, `the option ${option}`, value), (one) => string(name, `each value of ${option}`, one));
  }
  return [limit && Math.min(limit, 0xffffffff), settings];
}

/** The name of the option that needs the numbering plans, if there is one. */
function planned({ normalize, ...policy }) {
  const [setting] = Object.keys(policy);
  if (setting) return Object.keys(POLICY).find((option) => POLICY[option] === setting);
  return normalize === undefined || normalize === "international" ? undefined : "normalize with a region";
}

function run(name, operation, request, given) {
  const toError = (message) => new RangeError(`${name}: ${Object.entries(POLICY).reduce((text, [option, setting]) => text.replaceAll(setting, option), message)}`);
  const [limit, settings] = optionsOf(name, given);
  const option = planned(settings);
  const phone = option ? requirePhone(`${name}: the option ${option}`) : loaded();
  const bytes = utf8(request);
  const json = phone
    ? phone.tryCall(name, toError, phone.validateWith, operation, bytes, limit, JSON.stringify(settings))
    : tryCall(name, toError, glue.validateText, operation, bytes, limit, settings.normalize);
  return toReport(json, request);
}

export function validateText(operation, text, options) {
  requireReady("validateText");
  string("validateText", "the operation", operation);
  return run("validateText", operation, string("validateText", "the request", text), options);
}

/** A report with one error. */
function failed(pointer, path, code, message, params) {
  return { ok: false, errors: [copyParameters({ pointer, code, severity: "error", message, ...(params && { params }), path })], warnings: [], more: 0 };
}

/** The maximum number of values in a request. A value that occurs several times counts each time, because JSON repeats it. */
export const VALUES = 1_000_000;

export function validate(operation, value, options) {
  requireReady("validate");
  string("validate", "the operation", operation);
  let cause;
  let visited = 0;
  const count = () => {
    if (++visited > VALUES) throw new TooLarge("validate", undefined, `it must have at most ${VALUES.toLocaleString("en")} values`);
  };
  const request = json("validate", "the request", value, (error) => {
    if (error instanceof TooLarge) throw error;
    cause = unwritable(value);
    // JSON.stringify ends with a RangeError at some thousand levels, which `toJSON` may have created.
    if (error instanceof RangeError) cause ??= { isTooDeep: true };
    return cause !== undefined;
  }, count);
  if (cause?.isTooDeep) return failed("", [], "json.too_deep", `too deep: at most ${DEPTH} nested arrays and objects`, { limit: DEPTH, unit: "levels" });
  if (cause) return failed(pointer(cause.path), cause.path, "json.syntax", "must have a value, got an exception when it was read");
  if (request === "{}") notFormData("validate", "the request", value);
  const report = run("validate", operation, request ?? "null", options);
  if (request !== undefined) return located(report, request, options?.limit);
  const actual = kind(value);
  return failed("", [], "msg.field.type", `expected an object, got ${actual}`, { expected: "an object", actual });
}

export function operations() {
  return call("operations", glue.operations).split(" ");
}

export function version() {
  return call("version", glue.version);
}
