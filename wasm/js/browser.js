// For browsers, workers and bundlers.
import * as api from "./api.js";
import { withTools } from "./load-tools.js";
import { viteDevServerAddress } from "./vite-dev-server.js";
import { schemaWith } from "./schema.js";
import { start } from "./module-state.js";

export * from "./api.js";

// A bundler keeps `withTools`, and with it the tools module, only if a page uses one of these functions.
export const annotate = /* @__PURE__ */ withTools(api.annotate);
export const appHash = /* @__PURE__ */ withTools(api.appHash);
export const autofillBody = /* @__PURE__ */ withTools(api.autofillBody);
export const causes = /* @__PURE__ */ withTools(api.causes);
export const checkAutofill = /* @__PURE__ */ withTools(api.checkAutofill);
export const checkBotUsername = /* @__PURE__ */ withTools(api.checkBotUsername);
export const checkCardHeight = /* @__PURE__ */ withTools(api.checkCardHeight);
export const checkFile = /* @__PURE__ */ withTools(api.checkFile);
export const checkPhoto = /* @__PURE__ */ withTools(api.checkPhoto);
export const checkSender = /* @__PURE__ */ withTools(api.checkSender);
export const escapeMarkup = /* @__PURE__ */ withTools(api.escapeMarkup);
export const intent = /* @__PURE__ */ withTools(api.intent);
export const normalizeNumber = /* @__PURE__ */ withTools(api.normalizeNumber);
export const parseMarkup = /* @__PURE__ */ withTools(api.parseMarkup);

export function init(source) {
  return start(() => source ?? (viteDevServerAddress(import.meta.url, "web/cpaas_bg.wasm") || new URL("../pkg/web/cpaas_bg.wasm", import.meta.url)), source);
}

export const schema = /* @__PURE__ */ schemaWith(init);
