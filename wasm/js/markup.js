// The markup of messenger_c.
import * as glue from "../pkg/web/cpaas.js";
import { string } from "./arguments.js";
import { call, requireReady } from "./state.js";

function run(name, exported, text, mode) {
  requireReady(name);
  string(name, "the text", text);
  string(name, "the mode", mode);
  return JSON.parse(call(name, exported, text, mode));
}

export function parseMarkup(text, mode) {
  return run("parseMarkup", glue.parseMarkup, text, mode);
}

export function escapeMarkup(text, mode) {
  const result = run("escapeMarkup", glue.escapeMarkup, text, mode);
  if (result.error) throw new RangeError(result.error.message);
  return result.text;
}
