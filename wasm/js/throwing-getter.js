// Finds the first member of a value whose getter throws.
import { pointer } from "./lone-surrogates.js";

/** Returns the first member that cannot be read, in document order; undefined if there is none. */
export function unreadable(root) {
  const seen = new Set();
  const open = [[root, []]];
  while (open.length > 0) {
    const [value, path] = open.pop();
    if (value === null || typeof value !== "object" || seen.has(value)) continue;
    seen.add(value);
    const inside = [];
    const found = keys(value);
    if (!found) return { path, pointer: pointer(path) };
    for (const key of found) {
      const place = [...path, Array.isArray(value) ? Number(key) : key];
      try {
        inside.push([value[key], place]);
      } catch {
        return { path: place, pointer: pointer(place) };
      }
    }
    open.push(...inside.reverse());
  }
  return undefined;
}

/** The keys that JSON.stringify reads; undefined if a proxy throws. */
function keys(value) {
  try {
    Array.isArray(value);
  } catch {
    return []; // a revoked proxy: JSON.stringify reports it
  }
  try {
    return typeof value.toJSON === "function" ? [] : Object.keys(value);
  } catch {
    return undefined;
  }
}
