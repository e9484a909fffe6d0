// The module's state: loaded or not. Importing this file does nothing.
import { compile, compileSync, tag } from "../pkg/web/cpaas.js";

export class NotInitialised extends Error {
  constructor(name) {
    super(`${name}: call \`await init()\` first (or \`initSync(bytes)\`)`);
    this.name = "NotInitialised";
  }
}

/** What no memory is left for. */
export class TooLarge extends RangeError {
  constructor(name, why, cause) {
    super(`${name}: ${why}`, { cause });
    this.name = "RangeError";
  }
}

/** Compiled once; instances are made of it. */
let module;
let starting;

/** What the module exports, while there is an instance that can be called. */
export let instance;

/** An instance as new: what the former one took is given back. */
function renew() {
  instance = ours(new WebAssembly.Instance(module).exports);
}

function ours(exports) {
  if (!exports.answered) throw new TypeError("it is a module of something else");
  return exports;
}

/** Chromium before 115 refuses a page more than 4 KB of module at once: there `init` makes the instance. */
function tryRenew() {
  try {
    renew();
  } catch {
    // What was there before stays.
  }
}

export function isReady() {
  if (!instance && module) tryRenew();
  return instance !== undefined;
}

/** `initSync` may overtake it. */
async function load(find) {
  if (instance) return;
  const compiled = module ?? (await compile(alone(await find())));
  const exports = ours((await WebAssembly.instantiate(compiled)).exports);
  module ??= compiled;
  instance ??= exports;
}

/** Bytes that no other thread can change, which compilers refuse otherwise. */
function alone(source) {
  const bytes = tag(source) === "SharedArrayBuffer" ? new Uint8Array(source) : source;
  return ArrayBuffer.isView(bytes) && tag(bytes.buffer) === "SharedArrayBuffer"
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).slice()
    : bytes;
}

const failed = (name, error) => new Error(`${name}: the module was not loaded: ${error?.message ?? error}`, { cause: error });

/** Loads the module once; after a failure the next call tries again. */
export function start(find) {
  starting ??= load(find).catch((error) => {
    starting = undefined;
    throw failed("init", error);
  });
  return starting;
}

const isBytes = (value) => ArrayBuffer.isView(value) || /^(Shared)?ArrayBuffer$|^WebAssembly\.Module$/.test(tag(value));

export function initSync(bytes) {
  if (!isBytes(bytes)) throw new TypeError("initSync: the bytes must be an ArrayBuffer, a view of one, or a WebAssembly.Module");
  if (isReady()) return;
  const former = module;
  try {
    module ??= compileSync(alone(bytes));
    renew();
  } catch (error) {
    module = former;
    throw failed("initSync", error);
  }
}

/** Memory of a module never shrinks: from so many bytes on it is worth another instance. */
const KEPT = 64 * 1024 * 1024;

/** After a call that took much. */
export function relieve() {
  if (memory().byteLength > KEPT) tryRenew();
}

/**
 * After a call that did not end, the instance is spoilt: its stack stands where the call left it. The next call has
 * another one. What is to be thrown comes back.
 */
export function spoilt(name, error) {
  instance = starting = undefined;
  if (error instanceof RangeError) return error;
  return new TooLarge(name, "what it was given is too large: checking it takes more memory than there is", error);
}

/** The buffer of the module's memory, which is another one after it grew. */
export const memory = () => instance.memory.buffer;

/** That there is a module, for the function of that name. */
export function loaded(name) {
  if (!isReady()) throw new NotInitialised(name);
}

/** What the module is asked, by the numbers of `answer` in wasm/src/lib.rs. */
const WHAT = ["validateText", "segments", "annotate", "estimate", "checkSender", "parseMarkup", "escapeMarkup", "checkText", "operations", "version"];
const NONE = 0xffffffff;

const encoder = /* @__PURE__ */ new TextEncoder();
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

/** Writes texts into the module's memory, one behind the other: how many bytes each takes. */
function written(name, texts) {
  // No unit takes more than three bytes.
  const most = 3 * texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  const at = most > NONE ? 0 : instance.room(most) >>> 0;
  if (at === 0) throw new TooLarge(name, "the module has no memory for a text of that length");
  let rest = new Uint8Array(memory(), at, most);
  return texts.map((text) => {
    if (text === undefined) return NONE;
    const { written } = encoder.encodeInto(text, rest);
    rest = rest.subarray(written);
    return written;
  });
}

/** What `call` makes of the module and the lengths of texts that were written. */
export function called(name, texts, call) {
  loaded(name);
  try {
    const said = call(instance, ...written(name, texts));
    relieve();
    return said;
  } catch (error) {
    throw spoilt(name, error);
  }
}

/** What the module answers about one text or two, to the function of that name. */
export function ask(name, what, first = "", second) {
  return called(name, [first, second], (wasm, one, two) => {
    const at = wasm.ask(WHAT.indexOf(what), one, two) >>> 0;
    return decoder.decode(new Uint8Array(memory(), at, wasm.answered() >>> 0));
  });
}
