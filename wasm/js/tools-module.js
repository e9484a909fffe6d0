// Calls the functions of the tools module: prices by prefix, characters, senders, numbers, markup, and values that are not part of a
// request. Each entry of the package provides them in its own way: `browser.js` loads them beside the module, the others contain them.
import { caller, failing, requireReady } from "./module-state.js";
import { NotInitialised } from "./not-initialised.js";

/** The functions of the module; undefined until they are provided. */
export let tools;
let call;
let failure;

/** Provides the glue of the module. If it has no module yet, `module()` returns one at the first call. */
export function provide(glue, module) {
  let ready = module === undefined;
  const prepare = () => {
    if (!ready) glue.initSync({ module: module() });
    ready = true;
  };
  call = caller(glue, prepare);
  tools = glue;
}

/** Stores why the module was not loaded: its functions throw it. */
export function failed(error) {
  failure = error;
}

/** Throws if the functions cannot be called; `name` is the function that the user called. */
export function requireTools(name) {
  requireReady(name);
  if (tools) return;
  if (!failure) throw new NotInitialised(name, "cpaas/tools", "call `await loadTools()` of cpaas/tools first");
  throw new Error(`${name}: the tools module was not loaded: ${failure.message ?? failure}; cpaas/inline contains it`, { cause: failure });
}

export const callTool = (name, exported, ...args) => call(name, exported, ...args);
export const tryTool = /* @__PURE__ */ failing(callTool);
