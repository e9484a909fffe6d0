// The module's state: loaded or not. Importing this file does nothing.
import { load, loadSync, tag } from "../pkg/web/cpaas.js";

export class NotInitialised extends Error {
  constructor(name) {
    super(`${name}: call \`await init()\` first (or \`initSync(bytes)\`)`);
    this.name = "NotInitialised";
  }
}

let ready = false;
let starting;

let instance;

export const isReady = () => ready;

function become(exports) {
  instance = exports;
  ready = true;
}

/** `initSync` may overtake it. */
async function found(find) {
  const source = ready || (await find());
  const exports = ready || (await load(source));
  if (!ready) become(exports);
}

/** Loads the module once; after a failure the next call tries again. */
export function start(find) {
  starting ??= found(find).catch((error) => {
    starting = undefined;
    throw new Error(`init: the module was not loaded: ${error?.message ?? error}`, { cause: error });
  });
  return starting;
}

const isBytes = (value) => ArrayBuffer.isView(value) || /^(Shared)?ArrayBuffer$|^WebAssembly\.Module$/.test(tag(value));

export function initSync(bytes) {
  if (!isBytes(bytes)) throw new TypeError("initSync: the bytes must be an ArrayBuffer, a view of one, or a WebAssembly.Module");
  if (!ready) become(loadSync(bytes));
}

/** The buffer of the module's memory, which is another one after it grew. */
export const memory = () => instance.memory.buffer;

/** The exports, for the function of that name. */
export function loaded(name) {
  if (!ready) throw new NotInitialised(name);
  return instance;
}

/** What the module is asked, by the numbers of `answer` in wasm/src/lib.rs. */
const WHAT = ["validateText", "segments", "annotate", "estimate", "checkSender", "parseMarkup", "escapeMarkup", "checkText", "operations", "version"];
const NONE = 0xffffffff;

const encoder = /* @__PURE__ */ new TextEncoder();
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

/** Writes texts into the module's memory, one behind the other: how many bytes each takes. */
export function write(wasm, ...texts) {
  // No unit takes more than three bytes.
  const most = 3 * texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  const at = wasm.room(most);
  if (at === 0) throw new RangeError("the module has no memory for a text of that length");
  let rest = new Uint8Array(memory(), at >>> 0, most);
  return texts.map((text) => {
    if (text === undefined) return NONE;
    const { written } = encoder.encodeInto(text, rest);
    rest = rest.subarray(written);
    return written;
  });
}

/** What the module answers about one text or two. */
export function ask(wasm, name, first = "", second) {
  const [one, two] = write(wasm, first, second);
  const at = wasm.ask(WHAT.indexOf(name), one, two);
  return decoder.decode(new Uint8Array(memory(), at >>> 0, wasm.answered() >>> 0));
}
