// Draws the content of a message as its channel shows it.
import { glyph, h } from "./dom.js";
import { card, carousel, chips, fileName, picture } from "./cards.js";
import { entities, link, markdown, plain } from "./formatted_text.js";

/** The parts of a message, from top to bottom; `tap` replies for the user. */
export function content(message, tap) {
  const draw = { sms, call: voice, messenger_a: messengerA, messenger_b: messengerB, messenger_c: messengerC, business_chat: chat };
  if (message.direction === "in") return [h("p.text", {}, plain(message.text))];
  const parts = (draw[message.channel] ?? sms)(message, tap).filter(Boolean);
  return parts.length ? parts : [h("p.text.nothing", {}, "The page cannot draw this message: see its details.")];
}

function sms(message) {
  const parts = message.part_texts ?? [];
  if (parts.length < 2) return [h("p.text", {}, plain(message.text, message.otp))];
  const drawn = parts.flatMap((text, n) => [
    n ? h("span.cut-mark", { title: `Part ${n + 1} of ${parts.length} begins here` }, h("span.hidden", {}, " part "), String(n + 1)) : null,
    h("span.part", {}, plain(text, message.otp)),
  ]);
  return [h("p.text", {}, drawn.filter(Boolean))];
}

function voice(message) {
  const how = [message.voice ?? "default voice", message.language ?? "default language"].join(", ");
  return [
    h("p.voice-head", {}, glyph("call"), h("span", {}, "Call"), h("small", {}, how)),
    h("p.text.spoken", {}, "“", ...plain(message.text, message.otp), "”"),
  ];
}

function messengerA(message) {
  return [message.text ? h("p.text", {}, plain(message.text)) : null];
}

function file(url, name) {
  return h(
    "p.file",
    { title: url },
    glyph("document"),
    h("span", {}, h("strong", {}, name || fileName(url) || "file"), h("small", {}, (fileName(url).split(".").pop() || "file").toUpperCase())),
  );
}

function button(one) {
  if (!one?.caption && !one?.action) return null;
  const shown = link(one.action ?? "", one.caption || one.action);
  shown.classList.add("action");
  return shown;
}

function messengerB(message) {
  const content = message.content ?? {};
  return [
    content.mediaUrl ? picture(content.mediaUrl) : null,
    content.file ? file(content.file.mediaUrl, content.file.fileName) : null,
    content.text ? h("p.text", {}, plain(content.text)) : null,
    button(content.button),
  ];
}

const MEDIA = ["photo", "document", "video", "voice"];

function messengerC(message) {
  const content = message.content ?? {};
  const parts = [];
  for (const kind of MEDIA) {
    const media = content[kind];
    if (!media) continue;
    if (kind === "photo") parts.push(picture(media.url));
    else {
      const name = fileName(media.url);
      parts.push(h("p.file", { title: media.url }, glyph(kind), h("span", {}, h("strong", {}, name), h("small", {}, kind))));
    }
  }
  if (content.location) parts.push(place(content.location));
  const formatted = message.formatted;
  if (formatted?.error) {
    parts.push(h("p.text", {}, message.text), h("p.problem", {}, `Does not parse: ${formatted.error.message}`));
  } else if (formatted?.text) {
    parts.push(h("div.text", {}, entities(formatted.text, formatted.entities)));
  }
  return parts;
}

function place({ latitude, longitude }) {
  const words = `${latitude}, ${longitude}`;
  return h("div.place", { role: "img", "aria-label": `Location ${words}` }, glyph("place"), h("span", { "aria-hidden": "true" }, words));
}

function representative(one) {
  if (!one?.displayName) return null;
  const person = one.representativeType === "HUMAN" ? "person" : "bot";
  return h("p.who", {}, h("strong", {}, one.displayName), h("small", {}, person));
}

function chat(message, tap) {
  const content = message.content ?? {};
  if (message.shown === "fallback" || content.forceFallback === true) {
    return [h("p.label", {}, "Fallback"), h("p.text", {}, plain(content.fallback ?? message.text))];
  }
  const text = content.text;
  const words = text?.containsRichText ? markdown(text.message) : plain(text?.message ?? "");
  const image = content.image;
  return [
    representative(content.representative),
    image ? picture(image.fileUrl, image.altText) : null,
    text?.message ? h("p.text", {}, words) : null,
    content.standaloneCard ? card(content.standaloneCard, "medium", tap) : null,
    content.carouselCard ? carousel(content.carouselCard, tap) : null,
    chips(content.suggestions, tap),
  ];
}
