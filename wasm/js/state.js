// The module's state: loaded or not. Importing this file does nothing.
import * as wasm from "../pkg/web/cpaas.js";

export class NotInitialised extends Error {
  constructor(name) {
    super(`${name}: call \`await init()\` first (or \`initSync(bytes)\`)`);
    this.name = "NotInitialised";
  }
}

let ready = false;
let instance;
let starting;

export const isReady = () => ready;

/** Loads the module once; after a failure the next call tries again. */
export function start(load) {
  starting ??= Promise.resolve()
    .then(load)
    .then((source) => ready || wasm.default({ module_or_path: source }))
    .then(
      (exports) => {
        instance ??= exports;
        ready = true;
      },
      (error) => {
        starting = undefined;
        throw error;
      },
    );
  return starting;
}

export function initSync(bytes) {
  if (!ready) instance = wasm.initSync({ module: bytes });
  ready = true;
}

/** The buffer of the module's memory, which is another one after it grew. */
export const memory = () => instance.memory.buffer;

/** The module, for the function of that name. */
export function loaded(name) {
  if (!ready) throw new NotInitialised(name);
  return wasm;
}

/** An argument that must be a string; it is not quoted. */
export function string(name, what, value) {
  if (typeof value !== "string") throw new TypeError(`${name}: ${what} is a string`);
  return value;
}
