// Parses and escapes the markup of messenger_c.
import { string } from "./arguments.js";
import { callTool, requireTools, tools } from "./tools-module.js";

function run(name, exported, text, mode) {
  requireTools(name);
  string(name, "the text", text);
  string(name, "the mode", mode);
  return JSON.parse(callTool(name, exported, text, mode));
}

export function parseMarkup(text, mode) {
  return run("parseMarkup", tools.parseMarkup, text, mode);
}

export function escapeMarkup(text, mode) {
  const result = run("escapeMarkup", tools.escapeMarkup, text, mode);
  if (result.error) throw new RangeError(result.error.message);
  return result.text;
}
