// Parts, characters, prices and senders.
import * as glue from "../pkg/web/cpaas.js";
import { boolean, json, kind, list, object, options as known, string } from "./arguments.js";
import { call, requireReady, tryCall } from "./state.js";

const ENCODINGS = ["gsm7", "ucs2"];

/** Above it the four numbers do not fit one double; an SMS ends at 39,015. */
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

const optionError = (message) => new TextError(`text.options ${message}`);
const toError = (error) => new TextError(error);

/** Four numbers in one double, from the lowest bit on: 1 bit of encoding, 8 of remaining units, 19 of parts, 25 of units. */
function unpack(packed) {
  const units = Math.floor(packed / 0x10000000);
  const low = packed - units * 0x10000000;
  return { encoding: ENCODINGS[low & 1], count: low >>> 9, units, remaining: (low >>> 1) & 0xff };
}

/** Reused by texts of an SMS and shorter. */
let buffer;

/** The UTF-16 code units of a text. */
function unitsOf(text) {
  const { length } = text;
  buffer ??= new Uint16Array(2048);
  const units = length <= buffer.length ? buffer.subarray(0, length) : new Uint16Array(length);
  for (let i = 0; i < length; i++) units[i] = text.charCodeAt(i);
  return units;
}

function count(name, text) {
  if (text.length > LONGEST) throw new RangeError(`${name}: the text must have at most ${LONGEST} characters, got ${text.length}`);
  return unpack(call(name, glue.count, unitsOf(text)));
}

/** The last argument is the list of `["a"].map(segments)`, whose second one is an index. */
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
  return Array.from(texts, (text) => count("countSegments", string("countSegments", "each text", text)));
}

export function annotate(text) {
  requireReady("annotate");
  return JSON.parse(call("annotate", glue.annotate, string("annotate", "the text", text)));
}

export function causes(text) {
  requireReady("causes");
  return JSON.parse(call("causes", glue.annotate, string("causes", "the text", text))).causes;
}

/** The decimal `price` times an integer, with as many decimals as the price. */
function times(price, factor) {
  const decimals = price.split(".")[1]?.length ?? 0;
  const digits = String(BigInt(price.replace(".", "")) * BigInt(factor)).padStart(decimals + 1, "0");
  return decimals ? `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` : digits;
}

/** The text with the merge fields `{{name}}` of a row. Names that no row has stay. */
function merged(text, row, names, index) {
  return text.replace(/\{\{\s*([^{}]+?)\s*\}\}/g, (field, name) => {
    if (!names.has(name)) return field;
    if (!Object.hasOwn(row, name)) throw new TextError(`text.fields a merge field of the text has no value in row ${index}`);
    return String(row[name]);
  });
}

function partsOfRows(text, rows) {
  const names = new Set(rows.flatMap((row) => Object.keys(object("estimate", "each recipient", row))));
  return rows.reduce((parts, row, index) => parts + count("estimate", merged(text, row, names, index)).count, 0);
}

/** The text with the merge fields of a sample row, if there is one. */
function withFields(text, fields) {
  return fields === undefined ? text : merged(text, object("estimate", "the option fields", fields), new Set(Object.keys(fields)), 0);
}

function withRecipients(text, price, { recipients, fields }) {
  const sample = withFields(text, fields);
  const one = (sent) => JSON.parse(tryCall("estimate", toError, glue.estimate, sent, price));
  const isNumber = Number.isSafeInteger(recipients) && recipients >= 0;
  if (!isNumber && (typeof recipients !== "object" || typeof recipients?.[Symbol.iterator] !== "function")) {
    throw new TypeError(`estimate: the option recipients must be an integer of 0 or more, or a list of rows, got ${kind(recipients)}`);
  }
  const rows = isNumber ? undefined : [...recipients];
  const said = one(sample);
  const parts = rows ? partsOfRows(text, rows) : said.count * recipients;
  return { ...said, total: times(price, parts), recipients: rows?.length ?? recipients, parts };
}

export function estimate(text, price, options) {
  requireReady("estimate");
  string("estimate", "the text", text);
  if (price?.prices !== undefined || price?.to !== undefined) {
    return estimateTo(text, known("estimate", "the options", price, ["prices", "to", "fields"], optionError));
  }
  string("estimate", "the price of a part", price);
  if (options !== undefined) return withRecipients(text, price, { recipients: 1, ...known("estimate", "the options", options, ["recipients", "fields"], optionError) });
  return JSON.parse(tryCall("estimate", toError, glue.estimate, text, price));
}

function estimateTo(text, { prices, to, fields }) {
  string("estimate", "the option prices", prices);
  const each = (number) => string("estimate", "each number of the option to", number);
  const numbers = typeof to === "string" ? to : JSON.stringify(Array.from(list("estimate", "the option to", to), each));
  return JSON.parse(tryCall("estimate", toError, glue.estimateTo, withFields(text, fields), prices, numbers));
}

export function checkSender(sender) {
  requireReady("checkSender");
  return JSON.parse(call("checkSender", glue.checkSender, string("checkSender", "the sender", sender)));
}
