// Writes a value as JSON, and finds what JSON.stringify would drop or change.
import { kind } from "../arguments.js";
import { pathOf, pointer } from "../place.js";

/** The maximum number of problems. */
const MAX_PROBLEMS = 1000;

/** Whether an object has no class: objects of literals, also of another realm, and those without a prototype. */
export function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The kind of a value, for an error; of an object, the name of its class. */
export function described(value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return kind(value);
  const name = value.constructor?.name;
  if (typeof name !== "string" || !/^[A-Za-z_$][\w$]{0,63}$/.test(name)) return "an instance of a class";
  return /^[AEIOU]/i.test(name) ? `an ${name}` : `a ${name}`;
}

/** What is expected in place of a value, and what was found; undefined for a value that JSON represents. `place` is that of a value of type object. */
function unrepresentable(holder, value, place) {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? undefined : `must be a finite number, got ${value}`;
    case "bigint":
      return "must be a string or a number, got a bigint";
    case "undefined": // an absent member
      return Array.isArray(holder) ? "must have a value, got undefined" : undefined;
    case "function":
    case "symbol":
      return `must be a value of JSON, got ${kind(value)}`;
    case "object":
      if (value === null) return undefined;
      for (let at = place.parent; at; at = at.parent) if (at.value === value) return "must not contain itself, got a cycle";
      return Array.isArray(value) || isPlain(value) ? undefined : `must be a plain object or an array, got ${described(value)}`;
    default:
      return undefined;
  }
}

/**
 * The JSON of a value, with what JSON cannot represent: `{ text, problems }`, each problem with `pointer` and `message`. A member without a value is absent, and `toJSON` of
 * an object is used. Throws what JSON.stringify throws, such as the exception of a getter. Each member is read once.
 */
export function jsonText(root) {
  const problems = [];
  /** The places of the objects, by what JSON.stringify calls their holder. */
  const places = new Map();
  const text = JSON.stringify(root, function (key, value) {
    const parent = places.get(this);
    const place = parent ? { parent, key, value } : { value };
    const message = unrepresentable(this, value, place);
    if (message !== undefined) {
      if (problems.length < MAX_PROBLEMS) problems.push({ pointer: pointer(pathOf(place)), message });
      return undefined;
    }
    if (value !== null && typeof value === "object") places.set(value, place);
    return value;
  });
  return { text, problems };
}
