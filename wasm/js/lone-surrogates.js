// Reports which strings of a request contain lone surrogates. JSON and UTF-8 cannot represent them, so the module rejects the whole
// request without their positions.
import { pathOf, pointer } from "./place.js";

/** A surrogate without its pair, for example half of an emoji that `slice` has cut. */
const LONE = /\p{Cs}/u;

const bytes = (text) => new TextEncoder().encode(text).length;

/** Counts the characters before an index. It goes on from the index that was asked last, if it is in the same text. */
export class CharacterCounter {
  #text = "";
  #index = 0;
  #count = 0;

  before(text, index) {
    if (text !== this.#text || index < this.#index) [this.#text, this.#index, this.#count] = [text, 0, 0];
    this.#count += [...text.slice(this.#index, index)].length;
    this.#index = index;
    return this.#count;
  }
}

function problem(pointer, what, index, params) {
  const message = `${what} has a lone surrogate (half of a character) at position ${index}: cut strings between characters`;
  return { pointer, code: "json.syntax", severity: "error", message, ...params };
}

function inText(pointer, text) {
  const start16 = text.search(LONE);
  if (start16 < 0) return undefined;
  const before = text.slice(0, start16);
  const start = bytes(before);
  return problem(pointer(), "the text", [...before].length, { params: { span: { start, end: start + 3, start16, end16: start16 + 1 } } });
}

function inName(pointer, name) {
  const index = name.search(LONE);
  return index < 0 ? undefined : problem(pointer(), "the member's name", [...name.slice(0, index)].length);
}

/** One problem for each string and each member name that contains a lone surrogate, in document order; at most `limit`, and the number of the others. */
export function loneSurrogates(root, limit) {
  const problems = [];
  let more = 0;
  const found = (text, find, place) => {
    if (!LONE.test(text)) return;
    if (problems.length < limit) problems.push(find(() => pointer(pathOf(place)), text));
    else more++;
  };
  const open = [[root, { key: "" }]];
  while (open.length > 0) {
    const [value, place] = open.pop();
    found(place.key, inName, place);
    if (typeof value === "string") found(value, inText, place);
    if (value === null || typeof value !== "object") continue;
    for (const [key, inner] of Object.entries(value).reverse()) open.push([inner, { parent: place, key }]);
  }
  return { problems, more };
}
