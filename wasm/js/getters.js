// Finds the member of a value whose getter throws.
import { pointer } from "./surrogates.js";

/** The first member that cannot be read, in document order; undefined if there is none. */
export function unreadable(root) {
  const seen = new Set();
  const open = [[root, []]];
  while (open.length > 0) {
    const [value, path] = open.pop();
    if (value === null || typeof value !== "object" || seen.has(value)) continue;
    seen.add(value);
    const inside = [];
    for (const key of keys(value)) {
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

function keys(value) {
  try {
    return typeof value.toJSON === "function" ? [] : Object.keys(value);
  } catch {
    return []; // a proxy that was revoked
  }
}
