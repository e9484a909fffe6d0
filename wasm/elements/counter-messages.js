// The English texts of `<sms-counter>`. A page replaces them with its property `messages`.
import { PRICE_RULE } from "../js/decimal.js";

const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
const ENCODINGS = { gsm7: "GSM 7-bit", ucs2: "UCS-2" };
const UNITS = { gsm7: "septet", ucs2: "UTF-16 unit" };

export const ENGLISH = {
  parts: ({ count, encoding }) => `${plural(count, "part")} in ${ENCODINGS[encoding]}`,
  price: ({ total, currency }) => `${total} ${currency}`.trim(),
  units: ({ units, remaining, encoding }) => `${plural(units, UNITS[encoding])}, space for ${remaining} more at this price`,
  bar: ({ count, used, capacity }) => `${plural(count, "part")}; the last has ${used} of ${capacity}`,
  causes: ({ count }) => `${plural(count, "character")} ${count === 1 ? "forces" : "force"} UCS-2, in which a part holds less`,
  cause: ({ name, count, replacement }) => `${name}, ${plural(count, "time")}: ${instead(replacement)}`,
  replace: ({ name, replacement }) => `Replace ${name} by ${visible(replacement)} everywhere`,
  replaceAll: ({ saved }) => (saved > 0 ? `Replace all, saves ${plural(saved, "part")}` : "Replace all"),
  more: ({ count }) => `and ${count} more`,
  loading: ({ characters }) => plural(characters, "character"),
  failed: ({ message }) => `The parts cannot be counted: ${message}`,
  badPrice: () => PRICE_RULE,
};

const visible = (text) => (text === "" ? "nothing" : text === " " ? "a space" : text);

function instead(replacement) {
  if (replacement === null) return "no replacement";
  return replacement === "" ? "can be removed" : `becomes ${visible(replacement)}`;
}
