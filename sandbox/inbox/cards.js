// Cards, carousels and suggestion chips of business_chat. One DP is one pixel of the page: widths 136 and 280,
// media heights 112, 168 and 264, a card 112 to 344 high; style.css sets these sizes.
import { glyph, h } from "./dom.js";

/** Suggestions as chips; a tap sends text and postback data as the user's reply. */
export function chips(suggestions, tap, within = "chips") {
  if (!suggestions?.length) return null;
  return h(`div.${within}`, { role: "group", "aria-label": "Suggestions" }, suggestions.map((one) => chip(one, tap)));
}

function chip(suggestion, tap) {
  const reply = suggestion.reply ?? suggestion.action ?? {};
  const text = reply.text ?? "suggestion";
  const title = reply.postbackData ? `Sends the postback data ${reply.postbackData}` : "Sends this text";
  return h("button.chip", { type: "button", title, on: { click: () => tap(text, reply.postbackData ?? "") } }, text);
}

/** A placeholder for a picture: its alternative text and its URL. The page loads no pictures. */
export function picture(url, words, tall = "") {
  const name = fileName(url) || "picture";
  return h(
    `div.picture${tall ? `.${tall}` : ""}`,
    { role: "img", "aria-label": words || name, title: url },
    glyph("photo"),
    h("span.name", { "aria-hidden": "true" }, words || name),
  );
}

/** The last part of a URL's path. */
export function fileName(url) {
  try {
    return decodeURIComponent(new URL(url).pathname.split("/").pop());
  } catch {
    return String(url ?? "").split("/").pop();
  }
}

/** A card: media, title, description, suggestions. */
export function card(content, width, tap) {
  const media = content.media;
  const height = { SHORT: "short", MEDIUM: "medium", TALL: "tall" }[media?.height] ?? "medium";
  const info = media?.contentInfo ?? {};
  const shown = h(
    `article.card.${width}`,
    { "aria-label": content.title ? `Card: ${content.title}` : "Card" },
    media ? picture(info.fileUrl, info.altText, height) : null,
    h(
      "div.words",
      {},
      content.title ? h("p.title", {}, content.title) : null,
      content.description ? h("p.description", {}, content.description) : null,
    ),
    chips(content.suggestions, tap, "actions"),
  );
  queueMicrotask(() => requestAnimationFrame(() => noteCut(shown)));
  return shown;
}

/** Marks a card that a phone would cut off at 344 DP. */
function noteCut(shown) {
  const words = shown.querySelector(".words");
  if (shown.scrollHeight > shown.clientHeight + 1 || words.scrollHeight > words.clientHeight + 1) {
    shown.classList.add("cut");
    shown.title = "More than 344 DP high: a phone cuts it off";
  }
}

/** Cards in a row, scrolled sideways. */
export function carousel(content, tap) {
  const width = content.cardWidth === "SMALL" ? "small" : "medium";
  const cards = content.cardContents ?? [];
  return h(
    "div.carousel",
    { role: "group", "aria-label": `Carousel of ${cards.length} cards`, tabindex: "0" },
    cards.map((one) => card(one, width, tap)),
  );
}
