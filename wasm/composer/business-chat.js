// The preview of business_chat in its true proportions: one density-independent pixel is one CSS pixel.
import { h, scrolls } from "./dom.js";

const WIDTH = { SMALL: 136, MEDIUM: 280 };
const HEIGHT = { SHORT: 112, MEDIUM: 168, TALL: 264 };
/** Width of a standalone card, in pixels. */
const ALONE = 280;

export function businessChat(content) {
  const { text, image, standaloneCard, carouselCard, suggestions, fallback, forceFallback, representative } = content;
  const from = representative?.displayName && h("p", { class: "sender" }, representative.displayName);
  if (forceFallback === true) {
    return h("div", { class: "business" }, from, fallback && bubble(fallback), h("p", { class: "cost" }, fallback ? "The fallback, on every device: forceFallback is set." : "Nothing: forceFallback is set, and there is no fallback."));
  }
  return h(
    "div",
    { class: "business" },
    from,
    text?.message && bubble(text.message),
    image && h("figure", { class: "card", style: `inline-size:${ALONE}px` }, media(image, 168)),
    standaloneCard && card(standaloneCard, ALONE),
    carouselCard && carousel(carouselCard),
    chips(suggestions),
    without(fallback),
  );
}

function carousel({ cardContents, cardWidth }) {
  const width = WIDTH[cardWidth] ?? WIDTH.MEDIUM;
  const cards = Array.isArray(cardContents) ? cardContents : [];
  return h("div", { class: "carousel", role: "group", tabindex: "0", "aria-label": `Carousel of ${cards.length} cards, ${width} DP wide` }, ...cards.map((content) => card(content ?? {}, width)));
}

function card({ title, description, media: picture, suggestions }, width) {
  return h(
    "article",
    { class: "card", style: `inline-size:${width}px` },
    picture && media(picture.contentInfo ?? {}, HEIGHT[picture.height] ?? HEIGHT.MEDIUM, picture.height),
    h("div", { class: "words", dir: "auto" }, title && h("h4", {}, title), description && h("p", {}, description)),
    chips(suggestions),
  );
}

/** A placeholder of an image. Images are not loaded, because this page makes no request to other hosts. */
function media({ fileUrl, altText }, height, name = "") {
  const file = String(fileUrl ?? "").split(/[?#]/)[0].split("/").at(-1) || "no file";
  return h("div", { class: "media", role: "img", "aria-label": altText ?? `Picture ${file}`, style: `block-size:${height}px` }, h("span", {}, file), h("small", {}, `${name} ${height} DP`.trim()));
}

function chips(suggestions) {
  const replies = (Array.isArray(suggestions) ? suggestions : []).map((suggestion) => suggestion?.reply).filter(Boolean);
  return replies.length > 0 && h("p", { class: "chips" }, ...replies.map(({ text }) => h("span", { class: "chip", dir: "auto" }, text ?? "")));
}

function without(fallback) {
  const seen = fallback ? bubble(fallback) : h("p", { class: "cost fair" }, "Nothing: without a fallback the provider refuses the message when the device cannot show it.");
  return h("details", { open: true, class: "fallback" }, h("summary", {}, "The fallback, on other devices"), seen);
}

const bubble = (text) => h("div", { class: "bubble chat", dir: "auto", ...scrolls(String(text)) }, String(text));
