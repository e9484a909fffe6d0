// `cpaas/segments` for Node, Deno and Bun; `bundle.mjs` writes it to pkg/segments, beside its module.
import { sourceOr } from "./read-file.js";
import { start } from "./module-state.js";

export * from "./segments-api.js";

const file = () => new URL("./segments_bg.wasm", import.meta.url);
const script = () => import("./bytes.js");

export function init(source) {
  return start(() => sourceOr(source, file, script), source);
}
