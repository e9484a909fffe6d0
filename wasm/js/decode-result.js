// Converts the value of a response to the names of JavaScript.
import { MODELS, WITH_OK } from "./results.js";

/** @param operation A row of `OPERATIONS`. @param value The value that the module returned, parsed. Undocumented members become `extra`. */
export const decodeResult = (operation, value) => decoded(operation.result, value);

function decoded(model, value) {
  if (Array.isArray(value)) return value.map((item) => decoded(model, item));
  if (!model || typeof value !== "object" || value === null) return value;
  const members = MODELS[model];
  const result = {};
  const extra = [];
  for (const [wire, inner] of Object.entries(value)) {
    if (!Object.hasOwn(members, wire)) extra.push([wire, inner]);
    else {
      const [name, nested] = members[wire];
      result[name] = decoded(nested, inner);
    }
  }
  if (WITH_OK.has(model)) result.ok = value.code === undefined || value.code === 200;
  if (extra.length > 0) result.extra = Object.fromEntries(extra);
  return result;
}
