// Parts, characters, prices and senders.
import { boolean, json, list, object, string } from "./arguments.js";
import { ask, called, instance, loaded, memory, spoilt } from "./state.js";

const ENCODINGS = ["gsm7", "ucs2"];

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
/** Above it the four numbers leave their double; an SMS ends at 39,015. */
const LONGEST = 16_000_000;
let room = new Uint16Array(0);
let owner;

/** Where a short text is written: memory that grew has another buffer, and so has another instance. */
function units() {
  if (room.length === 0 || owner !== instance) {
    room = new Uint16Array(memory(), instance.short_text(), SHORT);
    owner = instance;
  }
  return room;
}

/** Counts a text of at most SHORT units, written straight into the module's memory. */
function short(name, text) {
  const to = units();
  const { length } = text;
  for (let i = 0; i < length; i++) to[i] = text.charCodeAt(i);
  try {
    const packed = instance.count_short(length);
    return {
      encoding: ENCODINGS[packed & 1],
      count: (packed >>> 9) & 0x3f,
      units: packed >>> 15,
      remaining: (packed >>> 1) & 0xff,
    };
  } catch (error) {
    throw spoilt(name, error);
  }
}

function answer(said) {
  if (said.startsWith("!")) throw new TextError(said.slice(1));
  return JSON.parse(said);
}

function counted(name, text) {
  loaded(name);
  if (text.length <= SHORT) return short(name, text);
  if (text.length > LONGEST) throw new RangeError(`${name}: the text has more than ${LONGEST} characters`);
  return unpack(called(name, [text], (wasm, length) => wasm.count(length)));
}

export function segments(text, options) {
  loaded("segments");
  string("segments", "the text", text);
  if (options === undefined) return counted("segments", text);
  const { parts, ...rest } = { ...object("segments", "the options", options) };
  boolean("segments", "the option parts", parts ?? false);
  const all = answer(ask("segments", "segments", text, json("segments", "the options", rest)));
  if (!parts) delete all.parts;
  return all;
}

export function countSegments(texts) {
  loaded("countSegments");
  list("countSegments", "the texts", texts);
  return Array.from(texts, (text) => counted("countSegments", string("countSegments", "each text", text)));
}

export function annotate(text) {
  loaded("annotate");
  return JSON.parse(ask("annotate", "annotate", string("annotate", "the text", text)));
}

export function estimate(text, price) {
  loaded("estimate");
  string("estimate", "the text", text);
  string("estimate", "the price of a part", price);
  return answer(ask("estimate", "estimate", text, price));
}

export function checkSender(sender) {
  loaded("checkSender");
  return JSON.parse(ask("checkSender", "checkSender", string("checkSender", "the sender", sender)));
}
