// Calls the functions of the tools module: prices, characters, senders, numbers, markup, and values that are not part of a request.
// The module is part of this script and is compiled at the first call. A bundler omits it if a page imports none of its functions.
import * as tools from "../pkg/tools/cpaas_tools.js";
import { BASE64 } from "../pkg/tools/bytes.js";
import { caller, failing } from "./module-state.js";

let ready = false;
let compiled;

/** Sets the module for runtimes that import it as a file because they do not compile bytes. */
export function provide(module) {
  compiled = module;
}

function prepare() {
  if (ready) return;
  const module = compiled ?? new WebAssembly.Module(Uint8Array.from(atob(BASE64), (character) => character.charCodeAt(0)));
  tools.initSync({ module });
  ready = true;
}

export { tools };
export const callTool = /* @__PURE__ */ caller(tools, prepare);
export const tryTool = /* @__PURE__ */ failing(callTool);
