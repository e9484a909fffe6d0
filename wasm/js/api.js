// All exports except `init` and `schema`, which find the module's bytes differently on each platform.
export { annotate, causes, checkSender } from "./annotation.js";
export { appHash, autofillBody, checkAutofill } from "./autofill.js";
export { intent } from "./intent.js";
export { escapeMarkup, parseMarkup } from "./markup.js";
export { localize, messages, problemDetails } from "./messages.js";
export { normalizeNumber } from "./phone-number.js";
export { estimate } from "./estimate.js";
export { operations, validate, validateText, version } from "./validate.js";
export { initSync, isReady } from "./module-state.js";
export { NotInitialised } from "./not-initialised.js";
export { TextError, countSegments, segments } from "./sms-parts.js";
export { checkBotUsername, checkCardHeight, checkFile, checkPhoto } from "./check-values.js";
