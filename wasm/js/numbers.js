// Phone numbers.
import * as glue from "../pkg/web/cpaas.js";
import { string } from "./arguments.js";
import { call, requireReady } from "./state.js";

export function normalizeNumber(number, region = null) {
  requireReady("normalizeNumber");
  string("normalizeNumber", "the number", number);
  if (region !== null) throw new TypeError("normalizeNumber: region must be null: the browser module has no numbering plans");
  return call("normalizeNumber", glue.normalizeNumber, number) ?? null;
}
