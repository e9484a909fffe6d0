// The module's state: loaded or not. Importing this file does nothing.
import * as wasm from "../pkg/web/cpaas.js";

export class NotInitialised extends Error {
  constructor(name) {
    super(`${name}: call \`await init()\` first (or \`initSync(bytes)\`)`);
    this.name = "NotInitialised";
  }
}

let ready = false;
let starting;

/** What the glue calls: another one when `initSync` overtook an `init` under way. */
export let instance;

export const isReady = () => ready;

async function load(find) {
  const source = ready || (await find());
  if (ready) return;
  instance = await wasm.default({ module_or_path: source });
  ready = true;
}

/** Loads the module once; after a failure the next call tries again. */
export function start(find) {
  starting ??= load(find).catch((error) => {
    starting = undefined;
    throw new Error(`init: the module was not loaded: ${error?.message ?? error}`, { cause: error });
  });
  return starting;
}

const tag = (value) => Object.prototype.toString.call(value).slice(8, -1);
const isBytes = (value) => ArrayBuffer.isView(value) || /^(Shared)?ArrayBuffer$|^WebAssembly\.Module$/.test(tag(value));

export function initSync(bytes) {
  if (!isBytes(bytes)) throw new TypeError("initSync: the bytes must be an ArrayBuffer, a view of one, or a WebAssembly.Module");
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
