// Reports which strings of a request contain lone surrogates. JSON and UTF-8 cannot represent them, so the module rejects the whole
// request without their positions.

/** A surrogate without its pair, for example half of an emoji that `slice` has cut. */
const LONE = /\p{Cs}/u;

const bytes = (text) => new TextEncoder().encode(text).length;

/** The number of characters before an index. */
export const characters = (text, index) => [...text.slice(0, index)].length;

function problem(pointer, what, index, params) {
  const message = `${what} has a lone surrogate (half of a character) at position ${index}: cut strings between characters`;
  return { pointer, code: "json.syntax", severity: "error", message, ...params };
}

function inText(pointer, text) {
  const start16 = text.search(LONE);
  if (start16 < 0) return [];
  const start = bytes(text.slice(0, start16));
  return [problem(pointer, "the text", characters(text, start16), { params: { span: { start, end: start + 3, start16, end16: start16 + 1 } } })];
}

function inName(pointer, name) {
  const index = name.search(LONE);
  return index < 0 ? [] : [problem(pointer, "the member's name", characters(name, index))];
}

/** Converts keys and indices to a JSON pointer. */
export const pointer = (path) => path.map((key) => `/${escaped(String(key))}`).join("");

const escaped = (name) => name.replace(/~/g, "~0").replace(/\//g, "~1");

/** One problem for each string and each member name that contains a lone surrogate, in document order. */
export function loneSurrogates(value) {
  const problems = [];
  const open = [["", "", value]];
  while (open.length > 0) {
    const [pointer, name, value] = open.pop();
    problems.push(...inName(pointer, name));
    if (typeof value === "string") problems.push(...inText(pointer, value));
    if (value === null || typeof value !== "object") continue;
    for (const [name, inner] of Object.entries(value).reverse()) open.push([`${pointer}/${escaped(name)}`, name, inner]);
  }
  return problems;
}
