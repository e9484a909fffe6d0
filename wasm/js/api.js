// All exports except `init` and `schema`, which find the module's bytes differently on each platform.
export { annotate, causes, checkSender } from "./annotation.js";
export { escapeMarkup, parseMarkup } from "./markup.js";
export { localize, messages, problemDetails } from "./messages.js";
export { normalizeNumber } from "./numbers.js";
export { estimate } from "./price.js";
export { operations, validate, validateText, version } from "./rules.js";
export { NotInitialised, initSync, isReady } from "./state.js";
export { TextError, countSegments, segments } from "./text.js";
export { checkBotUsername, checkCardHeight, checkFile, checkPhoto } from "./values.js";
