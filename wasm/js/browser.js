// For browsers, workers and bundlers.
import { schemaWith } from "./schema.js";
import { start } from "./state.js";

export * from "./api.js";

/** Vite's development server bundles packages into `node_modules/.vite/deps`, without the module's file. */
function besideVite(here) {
  return /\/node_modules\/\.vite\/deps/.test(here) && new URL("../../cpaas/pkg/web/cpaas_bg.wasm", here);
}

export function init(source) {
  return start(() => source ?? (besideVite(import.meta.url) || new URL("../pkg/web/cpaas_bg.wasm", import.meta.url)));
}

export const schema = /* @__PURE__ */ schemaWith(init);
