// Texts that hold half a character. JSON and UTF-8 have no form for it, so that the module refuses the whole request;
// where the text stands is said here.

/** A surrogate without its other half, such as an emoji leaves behind that `slice` cut. */
const HALF = /\p{Cs}/u;

const bytes = (text) => new TextEncoder().encode(text).length;

function told(pointer, what, index, params) {
  const message = `${what} has half a character at index ${index} (a lone surrogate): cut texts between characters`;
  return { pointer, code: "json.syntax", severity: "error", message, ...params };
}

function inText(pointer, text) {
  const start16 = text.search(HALF);
  if (start16 < 0) return [];
  const start = bytes(text.slice(0, start16));
  return [told(pointer, "the text", start16, { params: { span: { start, end: start + 3, start16, end16: start16 + 1 } } })];
}

function inName(pointer, name) {
  const index = name.search(HALF);
  return index < 0 ? [] : [told(pointer, "the member's name", index)];
}

const escaped = (name) => name.replace(/~/g, "~0").replace(/\//g, "~1");

/** A problem for each text and each member's name of a value, in their order. */
export function halves(value) {
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
