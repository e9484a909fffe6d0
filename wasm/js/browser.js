// For browsers, workers and bundlers.
import { viteDevServerAddress } from "./vite-dev-server.js";
import { schemaWith } from "./schema.js";
import { start } from "./module-state.js";

export * from "./api.js";

export function init(source) {
  return start(() => source ?? (viteDevServerAddress(import.meta.url, "web/cpaas_bg.wasm") || new URL("../pkg/web/cpaas_bg.wasm", import.meta.url)));
}

export const schema = /* @__PURE__ */ schemaWith(init);
