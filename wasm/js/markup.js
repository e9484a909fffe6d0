// The markup of messenger_c.
import { string } from "./arguments.js";
import { ask, loaded } from "./state.js";

export function parseMarkup(text, mode) {
  loaded("parseMarkup");
  string("parseMarkup", "the text", text);
  return JSON.parse(ask("parseMarkup", "parseMarkup", text, string("parseMarkup", "the mode", mode)));
}

export function escapeMarkup(text, mode) {
  loaded("escapeMarkup");
  string("escapeMarkup", "the text", text);
  const said = JSON.parse(ask("escapeMarkup", "escapeMarkup", text, string("escapeMarkup", "the mode", mode)));
  if (said.error) throw new RangeError(said.error.message);
  return said.text;
}
