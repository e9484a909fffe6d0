// National language tables, user data, transliteration and templates. This entry has its own module, which its `init` loads.
import * as glue from "../pkg/sms/cpaas_sms.js";
import { json, list, object, string } from "./arguments.js";
import { NotInitialised } from "./not-initialised.js";
import { notLoaded } from "./not-loaded.js";

export { NotInitialised };

export class TextError extends RangeError {
  /** @param {string} code @param {string} message @param {{ part?: number | null, octet?: number | null }} [position] */
  constructor(code, message, { part = null, octet = null } = {}) {
    super(message);
    this.name = "TextError";
    this.code = code;
    this.part = part;
    this.octet = octet;
  }
}

let ready = false;
let starting;

async function load(find) {
  const given = await find();
  const input = given instanceof Uint8Array || given instanceof ArrayBuffer ? new WebAssembly.Module(given) : given;
  await glue.default({ module_or_path: input });
  ready = true;
}

/** Loads the module once. `find` returns an address, a response, bytes or a module; `source` is what the user gave. */
export function start(find, source) {
  starting ??= load(find).catch((error) => {
    starting = undefined;
    throw notLoaded("init", error, source);
  });
  return starting;
}

export function init(source) {
  return start(() => source ?? new URL("../pkg/sms/cpaas_sms_bg.wasm", import.meta.url), source);
}

export function initSync(bytes) {
  if (ready) return;
  glue.initSync({ module: bytes instanceof WebAssembly.Module ? bytes : new WebAssembly.Module(bytes) });
  ready = true;
}

/** Errors of the module are strings: a code, a space, the message. */
function call(name, exported, ...args) {
  if (!ready) throw new NotInitialised(name, "cpaas/sms");
  try {
    return exported(...args);
  } catch (error) {
    if (typeof error !== "string") throw error;
    const space = error.indexOf(" ");
    throw new TextError(error.slice(0, space), error.slice(space + 1));
  }
}

const optionsOf = (name, options) => (options === undefined ? undefined : json(name, "the options", object(name, "the options", options)));

export function segments(text, options) {
  return JSON.parse(call("segments", glue.segments, string("segments", "the text", text), optionsOf("segments", options)));
}

export function countSegments(texts, options) {
  const given = optionsOf("countSegments", options);
  return Array.from(list("countSegments", "the texts", texts), (text, index) => {
    const { encoding, count, units, remaining } = JSON.parse(call("countSegments", glue.segments, string("countSegments", `text ${index + 1}`, text), given));
    return { encoding, count, units, remaining };
  });
}

export function annotate(text, options) {
  return JSON.parse(call("annotate", glue.annotate, string("annotate", "the text", text), optionsOf("annotate", options)));
}

export function estimate(text, price, options) {
  string("estimate", "the text", text);
  string("estimate", "the price of a part", price);
  return JSON.parse(call("estimate", glue.estimate, text, price, optionsOf("estimate", options)));
}

const bytesOf = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const digitsOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export function encode(text, options) {
  const found = JSON.parse(call("encode", glue.encode, string("encode", "the text", text), optionsOf("encode", options)));
  return found.parts.map(({ udh, ud, udl, dcs }) => ({ udh: bytesOf(udh), ud: bytesOf(ud), udl, dcs }));
}

const octets = (value) => (ArrayBuffer.isView(value) ? digitsOf(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) : value);

export function decode(parts) {
  const given = Array.from(list("decode", "the parts", parts), (part) => (part && typeof part === "object" ? { ...part, udh: octets(part.udh), ud: octets(part.ud) } : part));
  try {
    return call("decode", glue.decode, json("decode", "the parts", given));
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    const [, part, octet, message] = /^(\d+|null) (\d+|null) ([^]*)$/.exec(error.message);
    throw new TextError(error.code, message, { part: JSON.parse(part), octet: JSON.parse(octet) });
  }
}

export function transliterate(text) {
  return JSON.parse(call("transliterate", glue.transliterate, string("transliterate", "the text", text)));
}

export function templateSegments(template, values, options) {
  string("templateSegments", "the template", template);
  const given = json("templateSegments", "the values", object("templateSegments", "the values", values));
  return JSON.parse(call("templateSegments", glue.templateSegments, template, given, optionsOf("templateSegments", options)));
}
