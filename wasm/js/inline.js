// `cpaas/inline`, whose module is part of the script. `bundle.mjs` writes the bundle to pkg/inline.
import bytes from "../pkg/inline/cpaas_bg.wasm";
import { schemaWith } from "./schema.js";
import { initSync as load, start } from "./module-state.js";

export {
  NotInitialised, TextError, annotate, appHash, autofillBody, causes, checkAutofill, checkBotUsername, checkCardHeight, checkFile,
  checkPhoto, checkSender, countSegments, escapeMarkup, estimate, intent, isReady, localize, messages, normalizeNumber, operations, parseMarkup, problemDetails, segments, validate,
  validateText, version,
} from "./api.js";

export const init = (source) => start(() => source ?? bytes, source);
export const initSync = (source = bytes) => load(source);
export const schema = /* @__PURE__ */ schemaWith(init);
