// Reads the arguments of `callRaw`.
import { kind } from "../arguments.js";
import { nearest } from "../nearest.js";
import { printable } from "../printable.js";
import { invalidArgument } from "./errors.js";
import { described, isPlain } from "./json-text.js";
import { requestText } from "./request-text.js";

const TEXTS = ["method", "family", "path"];
const MEMBERS = [...TEXTS, "query", "body"];

const invalidCall = (message) => invalidArgument("raw", message);
const shown = (name) => printable(name).slice(0, 200);

/** The call as JSON for the module, which checks the values of `method`, `family` and `path`. */
export function rawCallText(call) {
  if (call === null || typeof call !== "object" || Array.isArray(call)) throw invalidCall(`the call must be an object with method, family and path, got ${kind(call)}`);
  for (const name of Object.keys(call)) {
    if (MEMBERS.includes(name)) continue;
    const meant = nearest(name, MEMBERS);
    throw invalidCall(`/${shown(name)}: unknown member; ${meant ? `did you mean \`${meant}\`?` : `the members of a call are ${MEMBERS.join(", ")}`}`);
  }
  const { method, family, path, query, body } = call;
  for (const [name, value] of Object.entries({ method, family, path })) {
    if (typeof value !== "string") throw invalidCall(`/${name}: must be a string, got ${kind(value)}`);
  }
  return requestText("raw", { method, family, path, query: pairs(query), body });
}

/** The parameters of the query as pairs of strings; one without a value is absent. */
function pairs(query) {
  if (query === undefined) return [];
  if (query === null || typeof query !== "object" || !isPlain(query)) throw invalidCall(`/query: must be a plain object, got ${described(query)}`);
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => {
    const isText = typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
    if (!isText) throw invalidCall(`/query/${shown(name)}: must be a string, a finite number, true or false, got ${described(value)}`);
    return [name, String(value)];
  });
}
