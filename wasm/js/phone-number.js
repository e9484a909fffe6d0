// Normalizes phone numbers.
import { string } from "./arguments.js";
import { requireReady } from "./module-state.js";
import { callTool, tools } from "./tools-module.js";

export function normalizeNumber(number, region = null) {
  requireReady("normalizeNumber");
  string("normalizeNumber", "the number", number);
  if (region !== null) throw new TypeError("normalizeNumber: region must be null: the browser module has no numbering plans");
  return callTool("normalizeNumber", tools.normalizeNumber, number) ?? null;
}
