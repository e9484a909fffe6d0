// Prices by prefix of the number: `prefix,price,currency`. Amounts are exact decimals.
import { parseRows } from "./csv.js";

/** Decimal places of the sums. */
const PLACES = 12;

/** `"0.045"` in units of 10^-12, or undefined. */
function amountOf(text) {
  const found = /^(\d{1,9})(?:\.(\d{1,12}))?$/.exec(text);
  return found ? BigInt(found[1] + (found[2] ?? "").padEnd(PLACES, "0")) : undefined;
}

/** `{ prices, problems }` of a table; a problem has the line and a message. */
export function parsePrices(text) {
  const prices = new Map();
  const problems = [];
  parseRows(text).forEach(({ line, cells: [prefix = "", price = "", currency = ""] }, index) => {
    const digits = prefix.replace(/^\+|^00/, "");
    if (index === 0 && !/^\d*$/.test(digits)) return; // the header
    const problem = problemOf(digits, price, currency, prices);
    if (problem) problems.push({ line, message: problem });
    else prices.set(digits, { amount: amountOf(price), currency });
  });
  return { prices, problems };
}

function problemOf(prefix, price, currency, prices) {
  if (!/^\d{0,15}$/.test(prefix)) return "prefix must have at most 15 digits";
  if (amountOf(price) === undefined) return "price must be a decimal number such as 0.045";
  if (!/^[A-Z]{3}$/.test(currency)) return "currency must be a code of three capital letters, such as EUR";
  return prices.has(prefix) ? "prefix appears twice" : undefined;
}

/** The price of one part to a number: that of the longest prefix. */
export function priceOf(prices, number) {
  for (let length = number.length; length >= 0; length--) {
    const price = prices.get(number.slice(0, length));
    if (price) return price;
  }
  return undefined;
}

/** `45000000000n` as `0.045`, with at least two decimal places. */
export function written(amount) {
  const digits = String(amount).padStart(PLACES + 1, "0");
  const fraction = digits.slice(-PLACES).replace(/0+$/, "").padEnd(2, "0");
  return `${new Intl.NumberFormat("en").format(BigInt(digits.slice(0, -PLACES)))}.${fraction}`;
}

/** Adds parts at a price to the sums by currency. */
export function charge(sums, { amount, currency }, parts) {
  sums.set(currency, (sums.get(currency) ?? 0n) + amount * BigInt(parts));
}
