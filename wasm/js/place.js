// The place of a value in a request: its key, and the place of the object or array that contains it. A level needs no copy of the path.

/** The keys from the root to a place. */
export function pathOf(place) {
  const path = [];
  for (let at = place; at.parent; at = at.parent) path.push(at.key);
  return path.reverse();
}

/** Converts keys and indices to a JSON pointer. */
export const pointer = (path) => path.map((key) => `/${escaped(String(key))}`).join("");

const escaped = (name) => name.replace(/~/g, "~0").replace(/\//g, "~1");
