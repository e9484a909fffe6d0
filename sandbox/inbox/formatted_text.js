// Formatted text: plain text with links, the entities of messenger_c, and the basic Markdown of business_chat.
import { h } from "./dom.js";

const LINK = /\bhttps?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]]/g;

/** A link that opens in a new tab; a URL that is neither http nor https becomes text. */
export function link(url, ...label) {
  if (!/^https?:\/\//i.test(url)) return h("span.link", { title: url }, ...label);
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer", title: url }, ...label);
}

/** Text with links and a marked passcode. */
export function plain(text, code) {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(LINK)) {
    parts.push(...marked(text.slice(at, found.index), code), link(found[0], found[0]));
    at = found.index + found[0].length;
  }
  parts.push(...marked(text.slice(at), code));
  return parts;
}

function marked(text, code) {
  if (!code || !text.includes(code)) return text ? [text] : [];
  return text.split(code).flatMap((piece, n) => (n ? [h("mark.code", { title: "One-time passcode" }, code), piece] : [piece]));
}

const SIMPLE = {
  Bold: "strong",
  Italic: "em",
  Underline: "u",
  Strikethrough: "s",
  Code: "code",
  Pre: "pre",
  PreCode: "pre",
  BlockQuote: "blockquote",
};

function element(entity) {
  switch (entity.type) {
    case "TextUrl":
      return link(entity.url);
    case "MentionName":
      return h("span.link", { title: `User ${entity.user_id}` });
    case "CustomEmoji":
      return h("span.emoji", { title: `Custom emoji ${entity.emoji_id}` });
    case "Spoiler":
      return spoiler();
    case "ExpandableBlockQuote":
      return h("blockquote.expandable");
    case "FormattedDate":
      return h("time.date", { datetime: new Date(entity.unix * 1000).toISOString(), title: new Date(entity.unix * 1000).toISOString() });
    default:
      return h(SIMPLE[entity.type] ?? "span", { "data-language": entity.language, tabindex: /^Pre/.test(entity.type) ? "0" : null });
  }
}

function spoiler() {
  const shown = h("button.spoiler", { type: "button", "aria-expanded": "false", title: "Hidden until tapped" });
  shown.addEventListener("click", () => {
    const open = shown.getAttribute("aria-expanded") === "true";
    shown.setAttribute("aria-expanded", String(!open));
  });
  return shown;
}

/** Text with nested entities; their offsets are UTF-16 units, like those of JavaScript strings. */
export function entities(text, list) {
  const root = document.createDocumentFragment();
  const open = [{ node: root, end: text.length }];
  let at = 0;
  const flush = (until) => {
    if (until > at) open.at(-1).node.append(text.slice(at, until));
    at = Math.max(at, until);
  };
  for (const entity of list) {
    while (open.length > 1 && open.at(-1).end <= entity.offset) {
      flush(open.at(-1).end);
      open.pop();
    }
    flush(entity.offset);
    const node = element(entity);
    open.at(-1).node.append(node);
    open.push({ node, end: Math.min(entity.offset + entity.length, open.at(-1).end) });
  }
  while (open.length) {
    flush(open.at(-1).end);
    open.pop();
  }
  return root;
}

const MARKDOWN = /\\([\\*[\]()])|\*\*(?=\S)([\s\S]+?\S|\S)\*\*|\*(?=[^\s*])([\s\S]*?[^\s*])\*|\[([^\]]+)\]\(([^)\s]+)\)/;

/** `**bold**`, `*italic*`, `[label](address)`. */
export function markdown(text) {
  const found = MARKDOWN.exec(text);
  if (!found) return text ? [text] : [];
  const before = text.slice(0, found.index);
  const rest = markdown(text.slice(found.index + found[0].length));
  const [, escaped, bold, italic, label, url] = found;
  let part = escaped;
  if (bold) part = h("strong", {}, ...markdown(bold));
  else if (italic) part = h("em", {}, ...markdown(italic));
  else if (label) part = link(url, ...markdown(label));
  return [before, part, ...rest];
}
