// `cpaas/segments` for Node, Deno and Bun.
import { read } from "./read-file.js";
import { start } from "./module-state.js";

export * from "./segments-api.js";

export function init(source) {
  return start(async () => read((await source) ?? new URL("./segments_bg.wasm", import.meta.url)));
}
