// Reads and writes values by path, and converts paths to JSON pointers.

export const pointer = (path) => path.map((key) => `/${String(key).replace(/~/g, "~0").replace(/\//g, "~1")}`).join("");

export const at = (value, path) => path.reduce((inner, key) => inner?.[key], value);

/** Sets a member, or removes it for `undefined`; creates the objects on the path. */
export function put(root, path, value) {
  const [key, ...rest] = path;
  if (rest.length > 0) {
    root[key] ??= typeof rest[0] === "number" ? [] : {};
    put(root[key], rest, value);
  } else if (value !== undefined) root[key] = value;
  else if (Array.isArray(root)) root.splice(key, 1);
  else delete root[key];
}

const isListed = (root, path) => path.length > 0 && typeof at(root, path.slice(0, -1)) === "string";

/** The path of the text that a problem is about: an element of a text with commas (`to` of `sms.send_bulk`) is in the text's field. */
export const fieldPath = (root, path) => (isListed(root, path) ? path.slice(0, -1) : path);

/** A copy of the value with a problem's fix applied. */
export function mended(root, { path, fix }) {
  const copy = structuredClone(root);
  if (fix.op === "replace") {
    const edited = (text) => text.slice(0, fix.start16) + fix.insert + text.slice(fix.end16);
    const [place, text] = [fieldPath(copy, path), at(copy, fieldPath(copy, path))];
    const ofElement = () => text.split(",").map((part, index) => (index === Number(path.at(-1)) ? edited(part) : part)).join(",");
    put(copy, place, place === path ? edited(text) : ofElement());
    return copy;
  }
  const parent = at(copy, path.slice(0, -1));
  const entries = Object.entries(parent).map(([key, value]) => [key === path.at(-1) ? fix.insert : key, value]);
  for (const key of Object.keys(parent)) delete parent[key];
  Object.assign(parent, Object.fromEntries(entries));
  return copy;
}
