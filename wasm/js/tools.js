// The module of everything but counting and validation: it is part of this script, and compiled at the first call. A bundler leaves
// it out if nothing of it is imported.
import * as tools from "../pkg/tools/cpaas_tools.js";
import { BASE64 } from "../pkg/tools/bytes.js";
import { caller, failing } from "./state.js";

let ready = false;
let compiled;

/** Runtimes that compile no bytes import the module as a file. */
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
