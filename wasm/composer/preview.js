// The preview of each channel of a request.
import { businessChat } from "./business-chat.js";
import { markupBubble, renewed } from "./markup-bubble.js";
import { h, title } from "./dom.js";
import { choice } from "./languages.js";
import { sentText } from "./passcode-text.js";
import { redrawn, smsPanel } from "./sms-panel.js";
import { at, put } from "./json-value.js";

const CHANNELS = ["sms", "messenger_a", "messenger_b", "messenger_c", "business_chat"];
/** Operations whose request contains the SMS text at the top level. */
const TEXTS = { "sms.send": "text", "sms.send_bulk": "text", "otp.send": "body" };

/** The SMS text of a request as it is sent, or undefined. */
export function smsTextOf(operation, value) {
  const member = TEXTS[operation];
  const text = member ? value?.[member] : value?.sms?.text;
  return typeof text === "string" ? sentText(operation, text) : undefined;
}

/** The drawn channels, in order: `{ key, name, node }`. */
let drawn = [];

/** Scroll positions, recorded at each scroll: reading them from elements that are about to be removed would force a layout. */
const scrollPositions = new WeakMap();
const SCROLLED = ".carousel, .bubble";
document.addEventListener("scroll", ({ target }) => target.matches?.(SCROLLED) && scrollPositions.set(target, [target.scrollLeft, target.scrollTop]), true);

/** Draws the channels whose content changed. @param {{ write: (path: (string | number)[], text: string) => void, allow: (languages: string) => void }} actions */
export function preview(root, operation, value, actions) {
  const next = blocks(operation, value, actions).map(({ key, name, draw, renew }, index) => {
    const old = drawn[index];
    if (old?.key === key) return old;
    if (old?.name === name && renew?.(old.node)) return { key, name, node: old.node };
    return { key, name, node: draw() };
  });
  if (next.length !== drawn.length) root.replaceChildren(...next.map(({ node }) => node));
  else next.forEach(({ node }, index) => node !== drawn[index].node && drawn[index].node.replaceWith(node));
  next.forEach(({ node }, index) => drawn[index] && node !== drawn[index].node && restore(drawn[index].node, node));
  drawn = next;
}

/** Keeps scroll positions and collapsed details. */
function restore(old, node) {
  const boxes = old.querySelectorAll(SCROLLED);
  node.querySelectorAll(SCROLLED).forEach((box, index) => scrollPositions.has(boxes[index]) && box.scrollTo(...scrollPositions.get(boxes[index])));
  const details = old.querySelectorAll("details");
  node.querySelectorAll("details").forEach((box, index) => (box.open = details[index]?.open ?? box.open));
}

function blocks(operation, value, { write, allow }) {
  const member = TEXTS[operation];
  if (member) {
    const sms = [operation, string(value?.[member]), (next) => write([member], next), allow];
    return [{ key: `${operation} ${choice()} ${sms[1]}`, name: operation, draw: () => smsPanel(...sms), renew: (node) => redrawn(node, ...sms) }];
  }
  const channels = Object.keys(value ?? {}).filter((name) => CHANNELS.includes(name) && value[name] !== null && typeof value[name] === "object");
  if (channels.length === 0) return [{ key: "", draw: () => h("p", { class: "note" }, "This request has no content to show.") }];
  return channels.map((name, index) => {
    const order = channels.length > 1 ? `${index + 1}. ` : "";
    const sms = [operation, string(value[name].text), (text) => write([name, "text"], text), allow];
    const draw = () => h("div", {}, h("h3", {}, order + title(name)), name === "sms" ? smsPanel(...sms) : channel(name, value[name]));
    const { message, parseMode } = (name === "messenger_c" && value[name].text) || {};
    const renewRich = message && ((node) => renewed(node, string(message), string(parseMode) || "Default"));
    const renew = name === "sms" ? (node) => redrawn(node.lastElementChild, ...sms) : renewRich;
    return { key: `${order}${name} ${name === "sms" ? choice() : ""} ${JSON.stringify(value[name])}`, name: order + name, draw, renew };
  });
}

function channel(name, content) {
  if (name === "business_chat") return businessChat(content);
  if (name === "messenger_c") return messengerC(content);
  const text = string(name === "messenger_a" ? content.regular?.text : content.text);
  const { button, mediaUrl, file } = content;
  return h(
    "div",
    { class: "bubble chat", dir: "auto" },
    text,
    (mediaUrl || file) && h("p", { class: "attached" }, "Attached: ", fileName(mediaUrl ?? file.fileName ?? file.mediaUrl)),
    button?.caption && h("p", {}, h("span", { class: "action" }, button.caption)),
  );
}

function messengerC(content) {
  const { message, parseMode } = content.text ?? {};
  if (message !== undefined) return markupBubble(string(message), string(parseMode) || "Default");
  const kind = ["photo", "document", "video", "voice"].find((name) => content[name]);
  if (!kind) return h("p", { class: "note" }, content.location ? "A place on the map." : "Nothing to show.");
  const { url, caption, parseMode: mode } = content[kind];
  return h("div", {}, h("p", { class: "attached" }, `Attached ${kind}: ${fileName(url)}`), caption && markupBubble(string(caption), string(mode) || "Default"));
}

const string = (value) => (typeof value === "string" ? value : "");
const fileName = (url) => string(url).split(/[?#]/)[0].split("/").at(-1);

/** A copy of the value with another text at a path. */
export function withText(value, path, text) {
  const copy = structuredClone(value);
  if (at(copy, path) !== undefined) put(copy, path, text);
  return copy;
}
