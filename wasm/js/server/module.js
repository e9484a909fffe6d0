// The state of the module of servers, which `cpaas/client` and `cpaas/callbacks` share: loaded at first use, and instantiated again after a trap.
import * as glue from "../../pkg/call/cpaas_call.js";
import { compiled } from "#server-module";

let loaded = false;
let trapped = false;
let generation = 0;

/** The number of traps so far. Objects of the module belong to one instance and cannot be used after its trap. */
export const instance = () => generation;

/** Thrown if the module trapped: everything in its instance is lost. */
export class ModuleTrapped extends Error {
  constructor(cause) {
    super("the module of cpaas failed: it has no more memory, or a defect", { cause });
    this.name = "ModuleTrapped";
  }
}

/** Whether an exception is a trap. Engines report an overflow of the stack inside WebAssembly as an error of JavaScript. */
const isTrap = (error) => error instanceof WebAssembly.RuntimeError || error instanceof RangeError || error?.name === "InternalError";

/**
 * Runs `use(glue)`, which only calls functions of the module. After a trap, the memory of the instance is in an undefined state, so the next call
 * gets a new instance. Any other exception is passed on: a string is an error that the function returned, and a TypeError is that of an argument.
 */
export function withModule(use) {
  if (!loaded) {
    glue.initSync({ module: compiled() });
    loaded = true;
  }
  if (trapped) {
    glue.renew(); // wasm-bindgen makes the new instance before the next call
    glue.version();
    trapped = false;
  }
  try {
    return use(glue);
  } catch (error) {
    if (!isTrap(error)) throw error;
    trapped = true;
    generation += 1;
    throw new ModuleTrapped(error);
  }
}

/** `withModule` for an object that was made in the instance `made`; throws if it is lost. */
export function withObject(made, use) {
  if (made !== generation) throw new ModuleTrapped();
  return withModule(use);
}
