// JSON as text: indented without changing its literals, colored, and with a button that copies it.
import { copyText, h } from "./dom.js";

/** Longer texts are shown without colors. */
const COLORED = 20_000;

const TOKEN = /"(?:\\.|[^"\\])*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/g;

/** Indented JSON, or the unchanged text if it is not JSON. Numbers and escapes stay as they are written. */
export function indent(text) {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  const tokens = text.match(TOKEN) ?? [];
  const parts = tokens.map((token, n) => {
    if (token === ",") return `,${line()}`;
    if (token === ":") return ": ";
    if (token === "{" || token === "[") {
      if (tokens[n + 1] === "}" || tokens[n + 1] === "]") return token;
      depth += 1;
      return token + line();
    }
    if (token === "}" || token === "]") {
      if (tokens[n - 1] === "{" || tokens[n - 1] === "[") return token;
      depth -= 1;
      return line() + token;
    }
    return token;
  });
  return parts.join("");
}

function kind(token, next) {
  if (token.startsWith('"')) return next === ":" ? "name" : "string";
  return /^[tfn]/.test(token) ? "word" : "number";
}

/** The text as nodes: each literal of JSON in an element with the class of its kind. */
export function colored(text) {
  if (text.length > COLORED) return [text];
  try {
    JSON.parse(text);
  } catch {
    return [text];
  }
  const nodes = [];
  let end = 0;
  for (const found of text.matchAll(TOKEN)) {
    const [token] = found;
    if (token.length === 1 && "{}[],:".includes(token)) continue;
    if (found.index > end) nodes.push(text.slice(end, found.index));
    end = found.index + token.length;
    nodes.push(h(`span.json-${kind(token, text.slice(end).trimStart()[0])}`, {}, token));
  }
  nodes.push(text.slice(end));
  return nodes;
}

/** A labeled block of JSON, or of other text, that the keyboard can focus and scroll. */
export function block(label, text) {
  const shown = indent(text);
  const copy = h("button.small", { type: "button", "aria-label": `Copy ${label}`, on: { click: () => copyText(shown, label.toLowerCase()) } }, "Copy");
  return h("figure.block", {}, h("figcaption", {}, h("span", {}, label), copy), h("pre", { tabindex: "0", "aria-label": label }, h("code", {}, colored(shown))));
}
