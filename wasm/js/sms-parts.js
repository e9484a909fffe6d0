// Counts and splits SMS texts.
import * as glue from "../pkg/web/cpaas.js";
import { boolean, json, list, options as known, string } from "./arguments.js";
import { call, requireReady, tryCall } from "./module-state.js";

const ENCODINGS = ["gsm7", "ucs2"];

/** The maximum number of UTF-16 code units: the four numbers of a longer text do not fit into one double. */
const LONGEST = 16_000_000;

export class TextError extends RangeError {
  /** @param {string} error The code, a space and the message. */
  constructor(error) {
    const space = error.indexOf(" ");
    super(error.slice(space + 1));
    this.name = "TextError";
    this.code = error.slice(0, space);
  }
}

export const optionError = (message) => new TextError(`text.options ${message}`);
export const toError = (error) => new TextError(error);

/** Reads four numbers from one double. From the lowest bit: 1 bit of encoding, 8 of remaining units, 19 of parts, 25 of units. */
function unpack(packed) {
  const units = Math.floor(packed / 0x10000000);
  const low = packed - units * 0x10000000;
  return { encoding: ENCODINGS[low & 1], count: low >>> 9, units, remaining: (low >>> 1) & 0xff };
}

/** Reused for texts of at most 2,048 code units. */
let buffer;

/** The UTF-16 code units of a text. */
function unitsOf(text) {
  const { length } = text;
  buffer ??= new Uint16Array(2048);
  const units = length <= buffer.length ? buffer.subarray(0, length) : new Uint16Array(length);
  for (let i = 0; i < length; i++) units[i] = text.charCodeAt(i);
  return units;
}

export function count(name, text) {
  if (text.length > LONGEST) throw new RangeError(`${name}: the text must have at most ${LONGEST} characters, got ${text.length}`);
  return unpack(call(name, glue.count, unitsOf(text)));
}

/** The second and the third argument may be an index and a list: `["a"].map(segments)` passes them. */
export function segments(text, options, list) {
  requireReady("segments");
  string("segments", "the text", text);
  if (options === undefined || (typeof options === "number" && Array.isArray(list))) return count("segments", text);
  const { parts, ...rest } = { ...known("segments", "the options", options, ["referenceBits", "split", "encoding", "parts"], optionError) };
  boolean("segments", "the option parts", parts ?? false);
  const all = JSON.parse(tryCall("segments", toError, glue.segments, text, json("segments", "the options", rest)));
  if (!parts) delete all.parts;
  return all;
}

export function countSegments(texts) {
  requireReady("countSegments");
  list("countSegments", "the texts", texts);
  return Array.from(texts, (text, index) => count("countSegments", string("countSegments", `text ${index + 1}`, text)));
}
