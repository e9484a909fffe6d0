// `cpaas/segments` for browsers, workers and bundlers; `bundle.mjs` writes it to pkg/segments, beside its module.
import { viteDevServerAddress } from "./vite-dev-server.js";
import { start } from "./module-state.js";

export * from "./segments-api.js";

export function init(source) {
  return start(() => source ?? (viteDevServerAddress(import.meta.url, "segments/segments_bg.wasm") || new URL("./segments_bg.wasm", import.meta.url)), source);
}
