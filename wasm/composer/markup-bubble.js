// The bubble of messenger_c: the parsed text, or the position of the error. A keystroke changes one or two pieces of a long
// text; all other pieces keep their nodes.
import { h, plural, reword, scrolls } from "./dom.js";
import { parsedOnce } from "./parsed-markup.js";

const TAGS = {
  Bold: "strong", Italic: "em", Underline: "u", Strikethrough: "s", Code: "code", Pre: "pre", PreCode: "pre",
  BlockQuote: "blockquote", ExpandableBlockQuote: "blockquote",
};

/** The pieces of each bubble: `{ key, node }`. */
const live = new WeakMap();

export function markupBubble(text, mode) {
  const parsed = parsedOnce(text, mode);
  if (parsed.error) return syntaxError(text, parsed.error);
  const { sent } = parsed;
  const bubble = h("div", { class: "bubble chat rich", dir: "auto", ...scrolls(sent.text) });
  const drawn = pieces(sent).map(made);
  bubble.append(...drawn.map(({ node }) => node));
  live.set(bubble, drawn);
  return h("div", {}, bubble, h("p", { class: "cost" }, summary(sent)));
}

/** Updates a bubble; returns false if a new one is needed. */
export function renewed(root, text, mode) {
  const bubble = root.querySelector(".rich");
  const parsed = bubble && parsedOnce(text, mode);
  if (!parsed || parsed.error) return false;
  const old = live.get(bubble);
  const next = pieces(parsed.sent);
  let first = 0;
  while (first < old.length && first < next.length && old[first].key === next[first].key) first++;
  let last = 0;
  while (last < old.length - first && last < next.length - first && old.at(-1 - last).key === next.at(-1 - last).key) last++;
  const changed = next.slice(first, next.length - last);
  // If only the text of one piece differs, its node stays, so that the browser keeps the layout of the neighbors.
  if (changed.length === 1 && isPlain(changed[0]) && old.length - last - first === 1 && isPlain(old[first])) {
    reword(old[first].node, changed[0].words);
    old[first] = { ...changed[0], node: old[first].node };
  } else replace(bubble, old, first, old.length - last, changed.map(made));
  root.querySelector(".cost").textContent = summary(parsed.sent);
  return true;
}

function replace(bubble, old, from, to, fresh) {
  const before = old[to]?.node ?? null;
  for (const { node } of old.splice(from, to - from, ...fresh)) node.remove();
  for (const { node } of fresh) bubble.insertBefore(node, before);
}

const isPlain = ({ inner }) => inner.length === 0;

const summary = ({ length, entities }) => `${plural(length, "character")} after parsing, ${plural(entities.length, "entity", "entities")}`;

/** Adjacent ranges: plain text, and outermost entities with their content. */
function pieces({ text, entities }) {
  const found = [];
  let at = 0;
  const plain = (end) => end > at && found.push(piece(text, at, end, []));
  for (let index = 0; index < entities.length; ) {
    const start = entities[index].offset;
    let end = start;
    const from = index;
    for (; index < entities.length && (index === from || entities[index].offset < end); index++) end = Math.max(end, entities[index].offset + entities[index].length);
    plain(start);
    found.push(piece(text, start, end, entities.slice(from, index)));
    at = end;
  }
  plain(text.length);
  return found;
}

function piece(text, start, end, entities) {
  const inner = entities.map((entity) => ({ ...entity, offset: entity.offset - start }));
  const words = text.slice(start, end);
  let key = words;
  for (const { type, offset, length, url = "", language = "" } of inner) key += `\0${type} ${offset} ${length} ${language} ${url}`;
  return { key, words, inner };
}

function made(piece) {
  const { words, inner } = piece;
  if (isPlain(piece)) return { ...piece, node: document.createTextNode(words) };
  const nodes = rendered(words, inner).childNodes;
  return { ...piece, node: nodes.length === 1 ? nodes[0] : h("span", {}, ...nodes) };
}

function rendered(text, entities) {
  const root = document.createDocumentFragment();
  const open = [{ node: root, end: text.length }];
  let at = 0;
  const until = (index) => {
    if (index > at) open.at(-1).node.append(text.slice(at, index));
    at = index;
  };
  const close = (index) => {
    while (open.length > 1 && open.at(-1).end <= index) {
      until(open.at(-1).end);
      open.pop();
    }
  };
  for (const entity of entities) {
    close(entity.offset);
    until(entity.offset);
    const node = element(entity);
    open.at(-1).node.append(node);
    open.push({ node, end: Math.min(entity.offset + entity.length, open.at(-1).end) });
  }
  close(text.length);
  until(text.length);
  return root;
}

function element({ type, url, language }) {
  if (type === "TextUrl") return h("span", { class: "link", title: url });
  if (type === "Spoiler") return h("span", { class: "spoiler", tabindex: "0", role: "note", "aria-label": "spoiler" });
  const tag = TAGS[type];
  return tag ? h(tag, language ? { "data-language": language } : {}) : h("span", { class: "other", title: type });
}

/** Characters of the text that are shown on either side of an error. */
const AROUND = 160;

function syntaxError(text, { message, utf16Offset }) {
  const from = Math.max(0, utf16Offset - AROUND);
  const to = utf16Offset + AROUND;
  const before = (from > 0 ? "…" : "") + text.slice(from, utf16Offset);
  const after = text.slice(utf16Offset, to) + (to < text.length ? "…" : "");
  return h(
    "div",
    { class: "fault" },
    h("p", { class: "cost bad" }, message),
    h("pre", { class: "source", role: "img", "aria-label": `The error is at character ${utf16Offset + 1}` }, before, h("span", { class: "caret", "aria-hidden": "true" }, "▲"), after),
  );
}
