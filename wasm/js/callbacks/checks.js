// Checks the arguments of `cpaas/callbacks`. No message quotes a value, because it may be a secret.
import { kind, list, object, string } from "../arguments.js";

/** Throws for an option that is not one of `valid`; returns the options. */
export function options(name, given, valid) {
  const unknown = Object.keys(object(name, "the options", given)).some((option) => !valid.includes(option));
  if (unknown) throw new TypeError(`${name}: unknown option; valid options: ${valid.join(", ")}`);
  return given;
}

/** Seconds since 1970 of a `Date`; of the clock of the host if it is absent. */
export function seconds(name, what, date) {
  if (date === undefined) return Math.floor(Date.now() / 1000);
  const time = isDate(date) ? date.getTime() : NaN;
  if (!(time >= 0)) throw new TypeError(`${name}: ${what} must be a valid Date since 1970, got ${isDate(date) ? "another Date" : kind(date)}`);
  return Math.floor(time / 1000);
}

const isDate = (value) => Object.prototype.toString.call(value) === "[object Date]" && typeof value.getTime === "function";

/** A lifetime: whole seconds, "never" (infinite), or undefined for the default. */
export function lifetime(name, value) {
  if (value === undefined) return undefined;
  if (value === "never") return Infinity;
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new TypeError(`${name}: lifetimeSeconds must be an integer of seconds or "never", got ${typeof value === "number" ? "another number" : kind(value)}`);
}

/** A duration in seconds within limits; "finite" excludes NaN. */
export function duration(name, what, value, least, most, expected) {
  if (typeof value !== "number") throw new TypeError(`${name}: ${what} must be a number of seconds, got ${kind(value)}`);
  if (!(value >= least && value <= most)) throw new RangeError(`${name}: ${what} must be ${expected}`);
  return value;
}

export function callable(name, what, value) {
  if (typeof value !== "function") throw new TypeError(`${name}: ${what} must be a function, got ${kind(value)}`);
  return value;
}

export { kind, list, object, string };
