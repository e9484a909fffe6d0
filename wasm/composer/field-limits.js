// Finds the limits of fields: validates a copy of the request with a very long text in the field, and reads the limit and its unit
// from the problem that validation reports.
import { segments, validate } from "./cpaas/js/browser.js";
import { pointer, put } from "./json-value.js";

const known = new Map();
const LONG = "x".repeat(20_000);

const COUNTERS = [
  [/^parts?$/, (text) => segments(text).count],
  [/byte/, (text) => new TextEncoder().encode(text).length],
  [/utf-?16/i, (text) => text.length],
  [/./, (text) => [...text].length],
];

/** Returns `{ limit, unit, count }`, or undefined if no rule limits the field. */
export function limitOf(operation, value, path) {
  const key = operation + path.map((step) => `/${typeof step === "number" ? "*" : step}`).join("");
  if (!known.has(key)) known.set(key, probe(operation, value, path));
  return known.get(key);
}

function probe(operation, value, path) {
  const copy = structuredClone(value ?? {});
  put(copy, path, LONG);
  const place = pointer(path);
  const { errors, warnings } = validate(operation, copy);
  const found = [...errors, ...warnings].find((problem) => problem.pointer === place && problem.actual > problem.limit);
  if (!found || !found.unit) return undefined;
  const [, count] = COUNTERS.find(([pattern]) => pattern.test(found.unit));
  return { limit: found.limit, unit: found.unit, count, severity: found.severity };
}
