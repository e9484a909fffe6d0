// Finds why JSON.stringify cannot write a value: a member whose getter throws, or too many levels.
import { pathOf } from "./place.js";

/** The maximum depth of arrays and objects, which is also that of JSON text. */
export const DEPTH = 127;

/**
 * The first member that cannot be read, in document order, as `{ path }`; `{ isTooDeep: true }` if a level beyond the maximum comes
 * first; undefined if there is neither.
 */
export function unwritable(root) {
  const seen = new Set();
  const open = [[root, { level: 0 }]];
  while (open.length > 0) {
    const [value, place] = open.pop();
    if (value === null || typeof value !== "object" || seen.has(value)) continue;
    seen.add(value);
    if (place.level >= DEPTH) return { isTooDeep: true };
    const found = keys(value);
    if (!found) return { path: pathOf(place) };
    const inside = [];
    for (const key of found) {
      const inner = { parent: place, key: Array.isArray(value) ? Number(key) : key, level: place.level + 1 };
      try {
        inside.push([value[key], inner]);
      } catch {
        return { path: pathOf(inner) };
      }
    }
    while (inside.length > 0) open.push(inside.pop());
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
