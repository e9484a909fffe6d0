// For Node, Deno and Bun, and for vitest, where `fetch` does not read files.
import { sourceOr } from "./read-file.js";
import { schemaWith } from "./schema.js";
import { start } from "./module-state.js";
import { provide } from "./tools-module.js";
import { bytes, glue } from "./tools-script.js";

export * from "./api.js";

provide(glue, () => new WebAssembly.Module(bytes()));

const file = () => new URL("../pkg/web/cpaas_bg.wasm", import.meta.url);
const script = () => import("../pkg/web/bytes.js");

export function init(source) {
  return start(() => sourceOr(source, file, script), source);
}

export const schema = /* @__PURE__ */ schemaWith(init);
