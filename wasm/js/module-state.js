// The state of the module: not loaded, ready, or to be instantiated again after a trap. Importing this file does nothing.
import * as glue from "../pkg/web/cpaas.js";
import { compile, compileSync, isBytesOrModule } from "./compile-module.js";
import { ENTRY } from "./entry.js";
import { NotInitialised } from "./not-initialised.js";
import { notLoaded } from "./not-loaded.js";

/** Thrown for an input that is too large: by default because a call needs more memory than the module can have. */
export class TooLarge extends RangeError {
  constructor(name, cause, rule = "checking it needs more memory than is available") {
    super(`${name}: the input is too large: ${rule}`, { cause });
    this.name = "RangeError";
  }
}

/** The name of an export that identifies the module. The module of `cpaas/segments` has no `validateText`. */
const needed = () => (glue.validateText ? "validateText" : "count");

let ready = false;
let starting;

export function isReady() {
  return ready;
}

let loadMore;

/** Sets what `init` loads beside the module. If that fails, `init` succeeds, and its next call tries again. */
export function whenInit(load) {
  loadMore = load;
}

/** Checks `ready` again after waiting, because `initSync` may have finished in the meantime. */
async function loadModule(find) {
  if (ready) return;
  const module = await compile(await find(), needed());
  if (!ready) await glue.default({ module_or_path: module });
  ready = true;
}

async function load(find) {
  const more = loadMore?.().catch(() => "failed");
  await loadModule(find);
  if ((await more) === "failed") starting = undefined;
}

/** Loads the module once; after a failure the next call tries again. `source` is what the user gave, which `find` returns or replaces. */
export function start(find, source) {
  starting ??= load(find).catch((error) => {
    starting = undefined;
    throw notLoaded("init", error, source);
  });
  return starting;
}

export function initSync(bytes) {
  if (!isBytesOrModule(bytes)) throw new TypeError("initSync: the bytes must be an ArrayBuffer, a view of one, or a WebAssembly.Module");
  if (ready) return;
  try {
    glue.initSync({ module: compileSync(bytes, needed()) });
  } catch (error) {
    throw notLoaded("initSync", error, bytes);
  }
  ready = true;
}

/** Throws if the module is not loaded; `name` is the function that the user called. */
export function requireReady(name) {
  if (!ready) throw new NotInitialised(name, ENTRY);
}

/** An argument of more characters or bytes makes the memory of an instance so large that the instance is replaced after the call. */
const LARGE = 2_500_000;

/**
 * Creates the function that calls the exports of a module; `requireLoaded`, then `prepare` run before each call. An exception of the module is a trap: the
 * stack and the memory of the instance are then in an undefined state, so the next call replaces the instance. Memory never shrinks, so a large
 * argument has the instance replaced too.
 */
export function caller({ renew, version }, prepare, requireLoaded = requireReady) {
  let isStale = false;
  const replace = () => {
    renew(); // wasm-bindgen makes the new instance before the next call
    version();
    isStale = false;
  };
  return (name, exported, ...args) => {
    requireLoaded(name);
    prepare?.();
    if (isStale) replace();
    let result;
    try {
      result = exported(...args);
    } catch (error) {
      isStale = true;
      throw error instanceof RangeError ? error : new TooLarge(name, error);
    }
    if (args.some((argument) => argument?.length > LARGE)) {
      isStale = true;
      try {
        replace();
      } catch {} // the next call tries again
    }
    return result;
  };
}

/** Creates the function that calls exports that can fail: their result is a JSON object, or a message that `toError` converts. */
export const failing = (call) => (name, toError, exported, ...args) => {
  const result = call(name, exported, ...args);
  if (!result.startsWith("{")) throw toError(result);
  return result;
};

export const call = /* @__PURE__ */ caller({ renew: glue.renew, version: glue.version });
export const tryCall = /* @__PURE__ */ failing(call);
