// For browsers, workers and bundlers.
import { schemaWith } from "./schema.js";
import { start } from "./state.js";

export * from "./api.js";

export function init(source) {
  return start(() => source ?? new URL("../pkg/web/cpaas_bg.wasm", import.meta.url));
}

export const schema = /* @__PURE__ */ schemaWith(init);
