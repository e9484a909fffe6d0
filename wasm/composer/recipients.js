// Recipients with merge fields: each row's text, its parts, and what is wrong with the row.
import { segments } from "./cpaas/js/browser.js";
import { parseRows } from "./csv.js";
import { charge, priceOf } from "./prices.js";

const NUMBER_COLUMN = /^(to|number|phone|msisdn|recipient|destination|mobile)$/i;
const FIELD = /\{\{\s*([\w.-]+)\s*\}\}/g;

/** The merge fields of a text, each once. */
export const fieldsOf = (text) => [...new Set([...text.matchAll(FIELD)].map(([, name]) => name))];

/** `{ columns, rows }`: the first line names the columns if it has no number. */
export function parseRecipients(text) {
  const rows = parseRows(text);
  const first = rows[0]?.cells ?? [];
  const hasHeader = first.length > 0 && !first.some((cell) => /^\+?\d{5,}$/.test(cell));
  const columns = hasHeader ? first : first.map((_, index) => (index === 0 ? "to" : `field${index}`));
  const at = Math.max(0, columns.findIndex((name) => NUMBER_COLUMN.test(name)));
  const body = hasHeader ? rows.slice(1) : rows;
  return { columns, rows: body.map(({ line, cells }) => ({ line, to: (cells[at] ?? "").replace(/^\+/, ""), fields: Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? ""])) })) };
}

export const merge = (text, fields) => text.replace(FIELD, (_, name) => fields[name] ?? "");

/** What a text costs for all recipients: `{ parts, sums, sample, problems, more }`; at most `most` problems are kept. */
export function costOf(text, { columns, rows }, prices, most = 20) {
  const names = fieldsOf(text);
  const unknown = names.filter((name) => !columns.includes(name));
  const sums = new Map();
  const problems = [];
  const seen = new Set();
  let parts = 0;
  let failed = 0;
  let sample;
  for (const row of rows) {
    const problem = problemOf(row, names, unknown, seen, prices);
    seen.add(row.to);
    if (problem) {
      failed++;
      if (problems.length < most) problems.push({ line: row.line, to: row.to, message: problem });
      continue;
    }
    const words = merge(text, row.fields);
    const { count, encoding } = segments(words);
    parts += count;
    charge(sums, priceOf(prices, row.to), count);
    sample ??= { to: row.to, text: words, count, encoding };
  }
  return { parts, sums, sample, problems, failed, sent: rows.length - failed };
}

function problemOf({ to, fields }, names, unknown, seen, prices) {
  if (!/^\d{7,15}$/.test(to)) return "the number must have 7 to 15 digits";
  if (seen.has(to)) return "the number appears twice";
  if (unknown.length > 0) return `no column is named ${unknown[0]}`;
  const empty = names.find((name) => fields[name] === "");
  if (empty) return `${empty} is empty`;
  return priceOf(prices, to) ? undefined : "no price for this prefix";
}
