// The numbering plans: regions and kinds of numbers. This entry has its own module, which `loadPhone` loads.
import * as glue from "../pkg/phone/cpaas_phone.js";
import { string } from "./arguments.js";
import { compile } from "./compile-module.js";
import { caller, failing } from "./module-state.js";
import { notLoaded } from "./not-loaded.js";
import { loaded, provide, requirePhone } from "./phone-state.js";

const call = /* @__PURE__ */ caller(glue, undefined, requirePhone);

const functions = { tryCall: /* @__PURE__ */ failing(call), normalizeNumber: glue.normalizeNumber, validateWith: glue.validateWith };

let starting;

async function load(find) {
  const module = await compile(await find(), "checkNumber");
  if (loaded()) return;
  await glue.default({ module_or_path: module });
  provide(functions);
}

/** Loads the module once; after a failure the next call tries again. `source` is what the user gave, which `find` returns or replaces. */
export function start(find, source) {
  starting ??= load(find).catch((error) => {
    starting = undefined;
    throw notLoaded("loadPhone", error, source);
  });
  return starting;
}

export function loadPhone(source) {
  return start(() => source ?? new URL("../pkg/phone/cpaas_phone_bg.wasm", import.meta.url), source);
}

export function checkNumber(number, region = null) {
  requirePhone("checkNumber");
  string("checkNumber", "the number", number);
  if (region !== null) string("checkNumber", "the region", region);
  const toError = (message) => new RangeError(`checkNumber: ${message}`);
  return JSON.parse(functions.tryCall("checkNumber", toError, glue.checkNumber, number, region));
}
