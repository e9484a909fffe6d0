// Checks arguments. A TypeError names the argument, the expected type and the actual type; it does not quote the value.

export function kind(value) {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (value === undefined || (typeof value === "number" && !Number.isFinite(value))) return String(value);
  return /^[aeiou]/.test(typeof value) ? `an ${typeof value}` : `a ${typeof value}`;
}

const wrong = (name, what, expected, value) => new TypeError(`${name}: ${what} must be ${expected}, got ${kind(value)}`);

export function string(name, what, value) {
  if (typeof value !== "string") throw wrong(name, what, "a string", value);
  return value;
}

export function number(name, what, value) {
  if (!Number.isFinite(value)) throw wrong(name, what, "a finite number", value);
  return value;
}

export function boolean(name, what, value) {
  if (typeof value !== "boolean") throw wrong(name, what, "true or false", value);
}

export function object(name, what, value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw wrong(name, what, "an object", value);
  return value;
}

/** Rejects a string, although a string is iterable: it is probably a mistake. */
export function list(name, what, value) {
  if (typeof value !== "object" || typeof value?.[Symbol.iterator] !== "function") throw wrong(name, what, "a list", value);
  return value;
}

/** Throws for an option that is not one of `valid`; `toError` creates the error from a message. */
export function options(name, what, value, valid, toError) {
  const given = object(name, what, value);
  if (Object.keys(given).some((option) => !valid.includes(option))) throw toError(`unknown option; valid options: ${valid.join(", ")}`);
  return given;
}

/** Thrown for a value that JSON cannot represent: a cycle, a BigInt. */
export class NoJson extends TypeError {
  constructor(name, what, cause, rule = "cannot be written as JSON") {
    super(`${name}: ${what} ${rule}`, { cause });
    this.name = "TypeError";
    this.rule = rule;
  }
}

/** Throws for the data of a form, whose fields `JSON.stringify` does not read. */
export function notFormData(name, what, value) {
  const [, found] = /^\[object (FormData|URLSearchParams)\]$/.exec(Object.prototype.toString.call(value)) ?? [];
  if (found) throw new NoJson(name, what, undefined, `must be a plain object, got ${found}: pass Object.fromEntries(data)`);
}

/**
 * The value as `JSON.stringify` writes it, which is what a page would send. `visit` is called for each value that it writes. If
 * `JSON.stringify` throws and `isExplained` returns true for its error (the caller reports the cause itself), the result is undefined.
 */
export function json(name, what, value, isExplained, visit) {
  try {
    return JSON.stringify(value, visit && ((_, inner) => (visit(), inner)));
  } catch (error) {
    if (isExplained?.(error)) return undefined;
    throw error instanceof TypeError || error instanceof RangeError ? new NoJson(name, what, error) : error;
  }
}
