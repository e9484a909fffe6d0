// What a function was given, where it must be something else: a TypeError that names the argument and quotes nothing.

function kind(value) {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (value === undefined || (typeof value === "number" && !Number.isFinite(value))) return String(value);
  return /^[aeiou]/.test(typeof value) ? `an ${typeof value}` : `a ${typeof value}`;
}

const wrong = (name, what, wanted, value) => new TypeError(`${name}: ${what} must be ${wanted}, here ${kind(value)}`);

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

/** One text is iterable too, by its characters: that is never what was meant. */
export function list(name, what, value) {
  if (typeof value !== "object" || typeof value?.[Symbol.iterator] !== "function") throw wrong(name, what, "a list", value);
  return value;
}

/** A value that JSON has no form for: a cycle, a BigInt. */
export class NoJson extends TypeError {
  constructor(name, what, cause) {
    super(`${name}: ${what} cannot be written as JSON`, { cause });
    this.name = "TypeError";
  }
}

/** As `JSON.stringify` writes it, which is what a page would send; what it leaves out is left out here too. */
export function json(name, what, value) {
  try {
    return JSON.stringify(value) ?? "null";
  } catch (error) {
    throw error instanceof TypeError || error instanceof RangeError ? new NoJson(name, what, error) : error;
  }
}
