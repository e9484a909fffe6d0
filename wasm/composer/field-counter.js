// The counter of each field: the length of its text and the limit, in the unit of the limit.
import { say } from "./dom.js";
import { limitOf } from "./field-limits.js";
import { parsedOnce } from "./parsed-markup.js";
import { at } from "./json-value.js";

/** The limit of a messenger_c text applies to the parsed text. */
function sentLength(value, path, text) {
  if (!path.includes("messenger_c") || !["message", "caption"].includes(path.at(-1))) return undefined;
  return parsedOnce(text, at(value, [...path.slice(0, -1), "parseMode"]) ?? "Default").sent?.length;
}

const amount = new Intl.NumberFormat("en").format;

/** Writes the counter; an empty one if the field is empty or has no limit. */
export function count(operation, value, { path, counter }) {
  const text = at(value, path);
  const known = typeof text === "string" && text !== "" && limitOf(operation, value, path);
  if (!known) return say(counter, "", "counter");
  const sent = sentLength(value, path, text);
  const used = sent ?? known.count(text);
  const over = known.severity === "error" ? "over" : "nearly";
  const state = used > known.limit ? over : used >= 0.9 * known.limit ? "nearly" : "";
  say(counter, `${amount(used)} of ${amount(known.limit)} ${known.unit}${sent === undefined ? "" : " after parsing"}`, `counter ${state}`.trim());
}
