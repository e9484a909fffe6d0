// For Cloudflare Workers, which import modules as `WebAssembly.Module`.
import tools from "../pkg/tools/cpaas_tools_bg.wasm";
import module from "../pkg/web/cpaas_bg.wasm";
import { schemaWith } from "./schema.js";
import { start } from "./module-state.js";
import { provide } from "./tools-module.js";

export * from "./api.js";

provide(tools);
export const init = (source) => start(() => source ?? module);
export const schema = /* @__PURE__ */ schemaWith(init);
