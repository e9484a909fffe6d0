// Parses the markup of messenger_c once, for both the counter and the bubble.
import { parseMarkup } from "./cpaas/js/browser.js";
import { cached } from "./dom.js";

export const parsedOnce = cached((text, mode) => parseMarkup(text, mode));
