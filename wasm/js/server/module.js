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

/**
 * Runs `use(glue)`, which only calls functions of the module. An exception that is a string is an error that the function returned; any other
 * is a trap: the memory of the instance is then in an undefined state, so the next call gets a new instance.
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
    if (typeof error === "string") throw error;
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
