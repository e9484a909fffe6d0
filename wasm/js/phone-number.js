// Normalizes phone numbers.
import { string } from "./arguments.js";
import { requirePhone } from "./phone-state.js";
import { callTool, requireTools, tools } from "./tools-module.js";

export function normalizeNumber(number, region = null) {
  requireTools("normalizeNumber");
  string("normalizeNumber", "the number", number);
  if (region === null) return callTool("normalizeNumber", tools.normalizeNumber, number) ?? null;
  string("normalizeNumber", "the region", region);
  const phone = requirePhone("normalizeNumber: a region");
  const toError = (message) => new RangeError(`normalizeNumber: ${message}`);
  return JSON.parse(phone.tryCall("normalizeNumber", toError, phone.normalizeNumber, number, region)).number;
}
