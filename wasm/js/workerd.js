// For Cloudflare Workers, which import modules as `WebAssembly.Module`.
import module from "../pkg/web/cpaas_bg.wasm";
import { schemaWith } from "./schema.js";
import { start } from "./state.js";

export * from "./api.js";

export const init = (source) => start(() => source ?? module);
export const schema = /* @__PURE__ */ schemaWith(init);
