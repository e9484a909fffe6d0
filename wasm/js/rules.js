// Requests and what stands in none, against the rules of the provider.
import { json, number, object, string } from "./arguments.js";
import { halves } from "./halves.js";
import { ask, loaded } from "./state.js";

/** The keys that a JSON pointer names; a token is an index only where the value is an array, which `root` is asked for then. */
function path(pointer, root) {
  const keys = pointer.split("/").slice(1);
  if (pointer.includes("~")) keys.forEach((key, index) => (keys[index] = key.replace(/~1/g, "/").replace(/~0/g, "~")));
  if (!keys.some((key) => /^\d+$/.test(key))) return keys;
  let value = root();
  return keys.map((key) => {
    const step = Array.isArray(value) && /^\d+$/.test(key) ? Number(key) : key;
    value = value?.[step];
    return step;
  });
}

const FACTS = ["limit", "actual", "unit", "span"];

function enrich(problem, root) {
  problem.path = path(problem.pointer, root);
  for (const name of FACTS) {
    if (problem.params?.[name] !== undefined) problem[name] = problem.params[name];
  }
}

/** The report on a request, which is read here only where a key may be an index. */
function report(json, text) {
  const said = JSON.parse(json);
  let asked;
  const root = () => (asked ??= { value: parsed(text) }).value;
  for (const problem of said.errors) enrich(problem, root);
  for (const problem of said.warnings) enrich(problem, root);
  return said;
}

function parsed(json) {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** JSON that was written here has no fault of syntax but texts with half a character: where they stand. */
function located(said, text) {
  if (said.errors[0]?.code !== "json.syntax") return said;
  const root = parsed(text);
  const errors = halves(root);
  for (const problem of errors) enrich(problem, () => root);
  return errors.length > 0 ? { ...said, errors } : said;
}

function checked(name, operation, write) {
  loaded(name);
  string(name, "the operation", operation);
  const text = write();
  const said = ask(name, "validateText", operation, text);
  if (said.startsWith("!")) throw new RangeError(`${name}: ${said.slice(1)}`);
  return [report(said, text), text];
}

export function validateText(operation, text) {
  return checked("validateText", operation, () => string("validateText", "the request", text))[0];
}

export function validate(operation, value) {
  return located(...checked("validate", operation, () => json("validate", "the request", value)));
}

export function operations() {
  return ask("operations", "operations").split(" ");
}

export function version() {
  return ask("version", "version");
}

/** What stands in no request: `read` holds the members to their types. */
function check(name, rule, read) {
  loaded(name);
  const text = JSON.stringify(read());
  return located(report(ask(name, "checkText", rule, text), text), text);
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
