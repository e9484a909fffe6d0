// `cpaas/segments` for browsers, workers and bundlers; `bundle.mjs` writes it to pkg/segments, beside its module.
import { besideVite } from "./beside-vite.js";
import { start } from "./state.js";

export * from "./counting.js";

export function init(source) {
  return start(() => source ?? (besideVite(import.meta.url, "segments/segments_bg.wasm") || new URL("./segments_bg.wasm", import.meta.url)));
}
