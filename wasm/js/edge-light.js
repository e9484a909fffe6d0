// For the edge runtime of Next and Vercel, whose bundlers import a module by `?module`.
import * as glue from "../pkg/tools/cpaas_tools.js";
import tools from "../pkg/tools/cpaas_tools_bg.wasm?module";
import module from "../pkg/web/cpaas_bg.wasm?module";
import { schemaWith } from "./schema.js";
import { start } from "./module-state.js";
import { provide } from "./tools-module.js";

export * from "./api.js";

provide(glue, () => tools);
export const init = (source) => start(() => source ?? module, source);
export const schema = /* @__PURE__ */ schemaWith(init);
