// All exports except `init` and `schema`, which find the module's bytes differently on each platform.
export { escapeMarkup, parseMarkup } from "./markup.js";
export { localize, messages, problemDetails } from "./messages.js";
export { normalizeNumber } from "./numbers.js";
export {
  checkBotUsername, checkCardHeight, checkFile, checkPhoto, operations, validate, validateText, version,
} from "./rules.js";
export { NotInitialised, initSync, isReady } from "./state.js";
export { TextError, annotate, causes, checkSender, countSegments, estimate, segments } from "./text.js";
