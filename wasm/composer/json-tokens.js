// Divides JSON text into tokens, also text with errors.

const TOKEN = /("(?:[^"\\\n]|\\.)*"?)|(-?\d[\d.eE+-]*)|\b(true|false|null)\b|[^"\-\dtfn]+|[^]/g;
const COLON = /\s*:/y;

/** The tokens in order: `{ kind, text }`, with the kind `key`, `string`, `number`, `literal` or `plain`. Together they are the text. */
export function tokens(json) {
  const found = [];
  for (const match of json.matchAll(TOKEN)) {
    const [text, string, number, literal] = match;
    const kind = string ? (isKey(json, match.index + text.length) ? "key" : "string") : number ? "number" : literal ? "literal" : "plain";
    const last = found.at(-1);
    if (kind === "plain" && last?.kind === "plain") last.text += text;
    else found.push({ kind, text });
  }
  return found;
}

function isKey(json, end) {
  COLON.lastIndex = end;
  return COLON.test(json);
}

/** Divides the tokens at a range, whose tokens get `isMarked`. */
export function marked(all, start, end) {
  let at = 0;
  return all.flatMap(({ kind, text }) => {
    const cuts = [0, start - at, end - at, text.length].map((cut) => Math.min(Math.max(cut, 0), text.length));
    at += text.length;
    return [0, 1, 2].map((index) => ({ kind, text: text.slice(cuts[index], cuts[index + 1]), isMarked: index === 1 })).filter((token) => token.text !== "");
  });
}

/** The index of a syntax error in a text: the line counts from 1, the column counts the bytes of the line. */
export function indexOf(json, { line, column }) {
  let at = 0;
  for (let left = line - 1; left > 0; left--) at = json.indexOf("\n", at) + 1;
  let bytes = 0;
  for (const character of json.slice(at)) {
    bytes += new TextEncoder().encode(character).length;
    if (bytes >= column || character === "\n") break;
    at += character.length;
  }
  return at;
}
