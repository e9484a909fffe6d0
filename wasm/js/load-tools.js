// Loads the tools module by `import()`, so that it is a separate file of a bundle.
import { whenInit } from "./module-state.js";
import { failed, provide, tools } from "./tools-module.js";

let loading;

async function load() {
  const { glue, instantiate } = await import("./tools-script.js");
  await instantiate();
  provide(glue);
}

/** Loads the module once; after a failure the next call tries again. */
export function loadTools() {
  if (tools) return Promise.resolve();
  loading ??= load().catch((error) => {
    loading = undefined;
    failed(error);
    throw new Error(`loadTools: the tools module was not loaded: ${error?.message ?? error}`, { cause: error });
  });
  return loading;
}

/** A function that needs the module: `init` loads the module too if a page uses such a function. */
export function withTools(used) {
  whenInit(loadTools);
  return used;
}
