// For Node, Deno and Bun, and for vitest, where `fetch` does not read files.
import { schemaWith } from "./schema.js";
import { start } from "./state.js";

export * from "./api.js";

export function init(source) {
  return start(async () => {
    if (source !== undefined) return source;
    const { readFile } = await import("node:fs/promises");
    return readFile(new URL("../pkg/web/cpaas_bg.wasm", import.meta.url));
  });
}

export const schema = /* @__PURE__ */ schemaWith(init);
