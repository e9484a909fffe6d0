// Validates requests against the rules of the provider.
import * as glue from "../pkg/web/cpaas.js";
import { json, kind, options, string } from "./arguments.js";
import { unreadable } from "./throwing-getter.js";
import { call, requireReady, tryCall } from "./module-state.js";
import { characters, loneSurrogates } from "./lone-surrogates.js";

const encoder = /* @__PURE__ */ new TextEncoder();

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

function enrich(problem, root) {
  problem.path = path(problem.pointer, root);
  for (const name of COPIED_PARAMETERS) {
    if (problem.params?.[name] !== undefined) problem[name] = problem.params[name];
  }
  const text = problem.span && problem.path.reduce((value, key) => value?.[key], root());
  if (typeof text === "string") addCharacters(problem.span, text);
}

/** Adds the range in characters (code points). */
function addCharacters(span, text) {
  span.startCharacter = characters(text, span.start16);
  span.endCharacter = characters(text, span.end16);
}

const isInfo = ({ severity }) => severity === "info";

/** The report as an object; the request is parsed only if a key may be an index, or a problem has a span. */
export function toReport(json, request) {
  const report = JSON.parse(json);
  let parsed;
  const root = () => (parsed ??= { value: parse(request) }).value;
  for (const problem of report.errors) enrich(problem, root);
  for (const problem of report.warnings) enrich(problem, root);
  report.warnings.sort((one, other) => isInfo(one) - isInfo(other));
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
  const errors = loneSurrogates(root);
  if (errors.length === 0) return report;
  const kept = errors.slice(0, limit);
  for (const problem of kept) enrich(problem, () => root);
  return { ...report, errors: kept, more: errors.length - kept.length };
}

/** The largest number of problems in a report. */
function limitOf(name, given) {
  if (given === undefined) return undefined;
  const { limit } = options(name, "the options", given, ["limit"], (message) => new RangeError(`${name}: ${message}`));
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 0)) throw new TypeError(`${name}: the option limit must be an integer of 0 or more, got ${kind(limit)}`);
  return limit && Math.min(limit, 0xffffffff);
}

function run(name, operation, request, given) {
  const toError = (message) => new RangeError(`${name}: ${message}`);
  return toReport(tryCall(name, toError, glue.validateText, operation, encoder.encode(request), limitOf(name, given)), request);
}

export function validateText(operation, text, options) {
  requireReady("validateText");
  string("validateText", "the operation", operation);
  return run("validateText", operation, string("validateText", "the request", text), options);
}

/** A report with one error. */
function failed(pointer, path, code, message, params) {
  return { ok: false, errors: [{ pointer, code, severity: "error", message, ...(params && { params }), path, ...params }], warnings: [], more: 0 };
}

export function validate(operation, value, options) {
  requireReady("validate");
  string("validate", "the operation", operation);
  const getter = {};
  const request = json("validate", "the request", value, () => Object.assign(getter, unreadable(value)).path !== undefined);
  if (getter.path) return failed(getter.pointer, getter.path, "json.syntax", "must have a value, got an exception when it was read");
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
