// The state of the module of servers, which `cpaas/client` and `cpaas/callbacks` share: loaded at first use, and instantiated again after a trap.
import * as glue from "../../pkg/call/cpaas_call.js";
import { compiled } from "#server-module";

let loaded = false;
let trapped = false;
let generation = 0;

/** The number of instances so far. Objects of the module belong to one instance and cannot be used with the next one. */
export const instance = () => generation;

/** Thrown if the module trapped: its instance and everything in it is lost. */
export class ModuleTrapped extends Error {
  constructor(cause) {
    super("cpaas: the module of this package failed (it has no more memory, or a defect); it was loaded again", { cause });
    this.name = "ModuleTrapped";
  }
}

/** Runs `use(glue)`, which only calls functions of the module: each exception is a trap, after which the next call gets a new instance. */
export function withModule(use) {
  if (!loaded) {
    glue.initSync({ module: compiled() });
    loaded = true;
  }
  if (trapped) {
    glue.renew(); // wasm-bindgen makes the new instance before the next call
    glue.version();
    trapped = false;
    generation += 1;
  }
  try {
    return use(glue);
  } catch (error) {
    trapped = true;
    throw new ModuleTrapped(error);
  }
}
