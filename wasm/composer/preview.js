// What each channel of a request shows.
import { businessChat } from "./cards.js";
import { markupBubble } from "./bubble.js";
import { h } from "./dom.js";
import { smsPanel } from "./sms.js";
import { at, put } from "./value.js";

const TITLES = { sms: "SMS", messenger_a: "Messenger A", messenger_b: "Messenger B", messenger_c: "Messenger C", business_chat: "Business chat" };
/** Operations whose SMS text stands in the request itself. */
const TEXTS = { "sms.send": "text", "sms.send_bulk": "text", "otp.send": "body" };

/** @param {(path: (string | number)[], text: string) => void} write */
export function preview(operation, value, write) {
  const member = TEXTS[operation];
  if (member) return [smsPanel(string(value?.[member]), (text) => write([member], text))];
  const channels = Object.keys(value ?? {}).filter((name) => name in TITLES && value[name] !== null && typeof value[name] === "object");
  if (channels.length === 0) return [h("p", { class: "note" }, "This request shows nothing to anyone.")];
  return channels.flatMap((name, index) => {
    const order = channels.length > 1 ? `${index + 1}. ` : "";
    return [h("h3", {}, order + TITLES[name]), channel(name, value[name], (path, text) => write([name, ...path], text))];
  });
}

function channel(name, content, write) {
  if (name === "sms") return smsPanel(string(content.text), (text) => write(["text"], text));
  if (name === "business_chat") return businessChat(content);
  if (name === "messenger_c") return messengerC(content);
  const text = string(name === "messenger_a" ? content.regular?.text : content.text);
  const { button, mediaUrl, file } = content;
  return h(
    "div",
    { class: "bubble chat" },
    text,
    (mediaUrl || file) && h("p", { class: "attached" }, "📎 ", fileName(mediaUrl ?? file.fileName ?? file.mediaUrl)),
    button?.caption && h("p", {}, h("span", { class: "action" }, button.caption)),
  );
}

function messengerC(content) {
  const { message, parseMode } = content.text ?? {};
  if (message !== undefined) return markupBubble(string(message), parseMode ?? "Default");
  const kind = ["photo", "document", "video", "voice"].find((name) => content[name]);
  if (!kind) return h("p", { class: "note" }, content.location ? "A place on the map." : "Nothing to show.");
  const { url, caption, parseMode: mode } = content[kind];
  return h("div", {}, h("p", { class: "attached" }, `📎 ${kind}: ${fileName(url)}`), caption && markupBubble(string(caption), mode ?? "Default"));
}

const string = (value) => (typeof value === "string" ? value : "");
const fileName = (url) => string(url).split(/[?#]/)[0].split("/").at(-1);

/** A copy with another text at a place. */
export function withText(value, path, text) {
  const copy = structuredClone(value);
  if (at(copy, path) !== undefined) put(copy, path, text);
  return copy;
}
