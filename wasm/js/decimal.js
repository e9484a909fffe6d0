// Prices as exact decimal numbers in strings, by the rules of `cpaas::text::Price` in Rust.

/** The maximum number of digits of a price. */
const DIGITS = 28;

/** The number without leading zeros, except for one before the point; undefined for a text that is not a price. */
export function parsePrice(text) {
  const isPrice = /^[0-9]+(\.[0-9]+)?$/.test(text) && text.replace(".", "").length <= DIGITS;
  return isPrice ? text.replace(/^0+(?=[0-9])/, "") : undefined;
}

/** The decimal `price` times an integer, with as many decimals as the price. */
export function times(price, factor) {
  const decimals = price.split(".")[1]?.length ?? 0;
  const digits = String(BigInt(price.replace(".", "")) * BigInt(factor)).padStart(decimals + 1, "0");
  return decimals ? `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` : digits;
}

/** Why a text is not a price. */
export const PRICE_RULE = `a price must be a decimal number of at most ${DIGITS} digits, such as 0.0075, without a sign or an exponent`;
