// The price of a text. Prices by prefix need the tools module, which this file does not load.
import * as glue from "../pkg/web/cpaas.js";
import { kind, list, object, options as known, string } from "./arguments.js";
import { PRICE_RULE, parsePrice, times } from "./decimal.js";
import { requireReady, tryCall } from "./module-state.js";
import { TextError, count, optionError, toError } from "./sms-parts.js";
import { requireTools, tools, tryTool } from "./tools-module.js";

/** Replaces the merge fields `{{name}}` of a text by the values of a row. `place` names the row in errors. */
function merged(text, row, place) {
  return text.replace(/\{\{([^{}]*)\}\}/g, (_, inside) => {
    const name = inside.trim();
    const value = Object.hasOwn(row, name) ? row[name] : undefined;
    if (value === undefined || value === null) throw new TextError(`text.fields a merge field of the text has no value in ${place}`);
    return String(value);
  });
}

function partsOfRows(text, rows) {
  const sent = (row, index) => merged(text, object("estimate", `recipient ${index + 1}`, row), `row ${index + 1}`);
  return rows.reduce((parts, row, index) => parts + count("estimate", sent(row, index)).count, 0);
}

/** The text with its merge fields replaced by a sample row, if there is one. */
function withFields(text, fields) {
  return fields === undefined ? text : merged(text, object("estimate", "the option fields", fields), "the option fields");
}

/** The price of one message. */
function estimateOne(text, price) {
  const pricePerPart = parsePrice(price);
  if (pricePerPart === undefined) throw new TextError(`text.price ${PRICE_RULE}`);
  const { parts, ...counts } = JSON.parse(tryCall("estimate", toError, glue.segments, text));
  return { ...counts, pricePerPart, total: times(pricePerPart, counts.count) };
}

function withRecipients(text, price, { recipients, fields }) {
  const sample = withFields(text, fields);
  const isNumber = Number.isSafeInteger(recipients) && recipients >= 0;
  if (!isNumber && (typeof recipients !== "object" || typeof recipients?.[Symbol.iterator] !== "function")) {
    throw new TypeError(`estimate: the option recipients must be an integer of 0 or more, or a list of rows, got ${kind(recipients)}`);
  }
  const rows = isNumber ? undefined : [...recipients];
  const estimated = estimateOne(sample, price);
  const parts = rows ? partsOfRows(text, rows) : estimated.count * recipients;
  return { ...estimated, total: times(estimated.pricePerPart, parts), recipients: rows?.length ?? recipients, parts };
}

export function estimate(text, price, options) {
  requireReady("estimate");
  string("estimate", "the text", text);
  if (price?.prices !== undefined || price?.to !== undefined) {
    return estimateTo(text, known("estimate", "the options", price, ["prices", "to", "fields"], optionError));
  }
  string("estimate", "the price of a part", price);
  if (options !== undefined) return withRecipients(text, price, { recipients: 1, ...known("estimate", "the options", options, ["recipients", "fields"], optionError) });
  return estimateOne(text, price);
}

function estimateTo(text, { prices, to, fields }) {
  requireTools("estimate");
  string("estimate", "the option prices", prices);
  const each = (number, index) => string("estimate", `number ${index + 1} of the option to`, number);
  const numbers = typeof to === "string" ? to : JSON.stringify(Array.from(list("estimate", "the option to", to), each));
  return JSON.parse(tryTool("estimate", toError, tools.estimateTo, withFields(text, fields), prices, numbers));
}
