// The bubble of messenger_c: what parsing leaves, or the place of the fault.
import { parseMarkup } from "./cpaas/js/browser.js";
import { h } from "./dom.js";

const TAGS = {
  Bold: "strong", Italic: "em", Underline: "u", Strikethrough: "s", Code: "code", Pre: "pre", PreCode: "pre",
  BlockQuote: "blockquote", ExpandableBlockQuote: "blockquote",
};

export function markupBubble(text, mode) {
  const parsed = parseMarkup(text, mode);
  if (parsed.error) return fault(text, parsed.error);
  const { sent } = parsed;
  const bubble = h("div", { class: "bubble chat" }, ...rendered(sent.text, sent.entities));
  return h("div", {}, bubble, h("p", { class: "cost" }, `${sent.length} of 4096 characters after parsing, ${sent.entities.length} entities`));
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
  return [root];
}

function element({ type, url, language }) {
  if (type === "TextUrl") return h("span", { class: "link", title: url });
  if (type === "Spoiler") return h("span", { class: "spoiler", tabindex: "0", role: "note", "aria-label": "spoiler" });
  const tag = TAGS[type];
  return tag ? h(tag, language ? { "data-language": language } : {}) : h("span", { class: "other", title: type });
}

function fault(text, { message, utf16Offset }) {
  const before = text.slice(0, utf16Offset);
  return h(
    "div",
    { class: "fault" },
    h("p", { class: "cost bad" }, message),
    h("pre", { class: "source", "aria-label": `The fault is at character ${utf16Offset}` }, before, h("span", { class: "caret", "aria-hidden": "true" }, "▲"), text.slice(utf16Offset)),
  );
}
