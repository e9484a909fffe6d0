// Recipients with merge fields: the text, the parts, the price and the problem of each row. All rules come from the package.
import { estimate as price, normalizeNumber, validate } from "./cpaas/js/browser.js";
import { estimate } from "./cpaas/js/sms.js";
import { parseRows } from "./csv.js";
import { cached } from "./dom.js";
import { tables } from "./languages.js";
import { Sum } from "./price-sum.js";

const NUMBER_COLUMN = /^(to|number|phone|msisdn|recipient|destination|mobile)$/i;
/** A merge field, as `estimate` of the package reads it. */
const FIELD = /\{\{([^{}]*)\}\}/g;

/** The merge fields of a text, each once. */
export const fieldsOf = (text) => [...new Set([...text.matchAll(FIELD)].map(([, name]) => name.trim()))];

/** Returns `{ columns, rows }`. The first line has the names of the columns if it contains no number. */
export function parseRecipients(text) {
  const rows = parseRows(text);
  const first = rows[0]?.cells ?? [];
  const hasHeader = first.length > 0 && !first.some((cell) => /^\+?\d{5,}$/.test(cell));
  const columns = hasHeader ? first : first.map((_, index) => (index === 0 ? "to" : `field${index}`));
  const at = Math.max(0, columns.findIndex((name) => NUMBER_COLUMN.test(name)));
  const body = hasHeader ? rows.slice(1) : rows;
  return { columns, rows: body.map(({ line, cells }) => ({ line, to: cells[at] ?? "", fields: Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? ""])) })) };
}

export const merge = (text, fields) => text.replace(FIELD, (_, name) => fields[name.trim()] ?? "");

/** The message about a price table, or undefined. */
export function problemOfPrices(prices) {
  try {
    price("", { prices, to: [] });
    return undefined;
  } catch (error) {
    return error.message;
  }
}

/** Returns a function that finds the price of a part to a number, `{ pricePerPart, currency }` or undefined. Caches the last table. */
const pricesOf = cached((prices) => {
  const known = new Map();
  return (to) => {
    if (!known.has(to)) known.set(to, priced(prices, to));
    return known.get(to);
  };
});

function priced(prices, to) {
  try {
    return price("", { prices, to });
  } catch (error) {
    if (error.code === "text.no_price") return undefined;
    throw error;
  }
}

/** The cost of a text for all recipients: `{ parts, sums, sample, problems, failed }`, with a sum for each currency; at most `most` problems are kept. */
export function costOf(text, { columns, rows }, prices, most = 20) {
  const names = fieldsOf(text);
  const unknown = names.find((name) => !columns.includes(name));
  const priceOf = pricesOf(prices);
  const options = tables();
  const sums = new Map();
  const problems = [];
  const seen = new Set();
  let parts = 0;
  let failed = 0;
  let sample;
  for (const row of rows) {
    const to = normalizeNumber(row.to) ?? row.to;
    const problem = problemOf(to, row, names, unknown, seen, priceOf);
    seen.add(to);
    if (problem) {
      failed++;
      if (problems.length < most) problems.push({ line: row.line, message: problem });
      continue;
    }
    const words = merge(text, row.fields);
    const each = priceOf(to);
    const found = estimate(words, each.pricePerPart, options);
    parts += found.count;
    if (!sums.has(each.currency)) sums.set(each.currency, new Sum());
    sums.get(each.currency).add(found.total);
    sample ??= { to, text: words, ...found };
  }
  return { parts, sums, sample, problems, failed, sent: rows.length - failed };
}

function problemOf(to, { fields }, names, unknown, seen, priceOf) {
  const { errors, warnings } = validate("sms.send", { to });
  const wrong = [...errors, ...warnings].find(({ pointer }) => pointer === "/to");
  if (wrong) return wrong.message;
  if (seen.has(to)) return "the number appears twice";
  if (unknown !== undefined) return `no column is named ${unknown}`;
  const empty = names.find((name) => fields[name] === "");
  if (empty) return `${empty} is empty`;
  return priceOf(to) ? undefined : "no price for this prefix";
}
