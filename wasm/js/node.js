// For Node, Deno and Bun, and for vitest, where `fetch` does not read files.
import { read } from "./read-file.js";
import { schemaWith } from "./schema.js";
import { start } from "./module-state.js";

export * from "./api.js";

export function init(source) {
  return start(async () => read((await source) ?? new URL("../pkg/web/cpaas_bg.wasm", import.meta.url)));
}

export const schema = /* @__PURE__ */ schemaWith(init);
