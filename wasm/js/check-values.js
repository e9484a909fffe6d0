// Checks values that are not part of a request against the rules of the provider.
import { number, object, string } from "./arguments.js";
import { located, toReport } from "./validate.js";
import { callTool, requireTools, tools } from "./tools-module.js";

/** Checks a value that is not part of a request; `read` checks the types of its members. */
function check(name, rule, read) {
  requireTools(name);
  const value = JSON.stringify(read());
  return located(toReport(callTool(name, tools.checkText, rule, value), value), value);
}

function numbers(name, what, value, members) {
  object(name, what, value);
  return Object.fromEntries(members.map((member) => [member, number(name, `${what}'s ${member}`, value[member])]));
}

export function checkPhoto(photo) {
  return check("checkPhoto", "photo", () => numbers("checkPhoto", "the photo", photo, ["bytes", "width", "height"]));
}

export function checkFile(file) {
  return check("checkFile", "file", () => numbers("checkFile", "the file", file, ["bytes"]));
}

export function checkBotUsername(username) {
  return check("checkBotUsername", "bot_username", () => ({ username: string("checkBotUsername", "the username", username) }));
}

export function checkCardHeight(dp) {
  return check("checkCardHeight", "card_height", () => ({ dp: number("checkCardHeight", "the height", dp) }));
}
