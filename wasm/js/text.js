// Parts, characters, prices and senders.
import { loaded, memory, string } from "./state.js";

const ENCODINGS = ["gsm7", "ucs2"];
const encoder = /* @__PURE__ */ new TextEncoder();

export class TextError extends RangeError {
  constructor(said) {
    const space = said.indexOf(" ");
    super(said.slice(space + 1));
    this.name = "TextError";
    this.code = said.slice(0, space);
  }
}

/** Four numbers in one double: 1 bit of encoding, 8 of remaining room, 19 of parts, 25 of units. */
function unpack(packed) {
  const low = packed % 0x10000000;
  return {
    encoding: ENCODINGS[low & 1],
    count: low >>> 9,
    units: Math.floor(packed / 0x10000000),
    remaining: (low >>> 1) & 0xff,
  };
}

const SHORT = 2048;
let room = new Uint16Array(0);

/** Counts a text of at most SHORT units, written straight into the module's memory. */
function short(wasm, text) {
  // Memory that grew has another buffer; the view of the former one is empty.
  if (room.length === 0) room = new Uint16Array(memory(), wasm.shortText(), SHORT);
  for (let i = 0; i < text.length; i++) room[i] = text.charCodeAt(i);
  return wasm.countShort(text.length);
}

function answer(call) {
  try {
    return JSON.parse(call());
  } catch (error) {
    throw error instanceof Error && /^text\.\S+ /.test(error.message) ? new TextError(error.message) : error;
  }
}

export function segments(text, options) {
  const wasm = loaded("segments");
  string("segments", "the text", text);
  if (options === undefined) return unpack(text.length > SHORT ? wasm.count(text) : short(wasm, text));
  const { parts, ...rest } = options;
  const all = answer(() => wasm.segments(text, JSON.stringify(rest)));
  if (!parts) delete all.parts;
  return all;
}

export function countSegments(texts) {
  const wasm = loaded("countSegments");
  const list = Array.from(texts, (text) => string("countSegments", "each text", text));
  const bytes = new Uint8Array(3 * list.reduce((sum, { length }) => sum + length, 0));
  const ends = new Uint32Array(list.length);
  let end = 0;
  list.forEach((text, index) => {
    end += encoder.encodeInto(text, bytes.subarray(end)).written;
    ends[index] = end;
  });
  return Array.from(wasm.countMany(bytes.subarray(0, end), ends), unpack);
}

export function annotate(text) {
  const wasm = loaded("annotate");
  return JSON.parse(wasm.annotate(string("annotate", "the text", text)));
}

export function estimate(text, price) {
  const wasm = loaded("estimate");
  string("estimate", "the text", text);
  string("estimate", "the price of a part", price);
  return answer(() => wasm.estimate(text, price));
}

export function checkSender(sender) {
  const wasm = loaded("checkSender");
  return JSON.parse(wasm.checkSender(string("checkSender", "the sender", sender)));
}
