// The markup of messenger_c, parsed once for the counter and the bubble.
import { parseMarkup } from "./cpaas/js/browser.js";
import { remembered } from "./dom.js";

export const parsedOnce = remembered((text, mode) => parseMarkup(text, mode));
