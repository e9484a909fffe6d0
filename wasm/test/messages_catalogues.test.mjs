// Catalogues of messages: those of `wasm/examples/messages`, or the one in the file that the variable CATALOGUE names.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { basename, resolve } from "node:path";
import test, { before } from "node:test";
import { fileURLToPath } from "node:url";
import * as api from "cpaas";
import { vectors } from "./problem_vectors.mjs";

const folder = fileURLToPath(new URL("../examples/messages/", import.meta.url));
const own = process.env.CATALOGUE;
const files = own ? [resolve(own)] : readdirSync(folder).filter((name) => name.endsWith(".json")).map((name) => resolve(folder, name));
const english = api.messages("en");
before(() => api.init());

function read(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file}: must be a JSON file: ${error.message}`, { cause: error });
  }
}

const matches = (text, pattern) => new Set(Array.from(text.matchAll(pattern), ([, found]) => found));
const placeholders = (template) => matches(template, /\{(\w+)\}/g);
/** A template without the parts that are omitted if their parameters are missing. */
const required = (template) => template.replace(/\[[^[\]]*\]/g, (part) => (placeholders(part).size > 0 ? "" : part));
const withoutPlaceholders = (template) => template.replace(/\{\w+\}/g, "");
const numbers = (template) => matches(withoutPlaceholders(template), /(\d+)/g);
const names = (template) => matches(template, /`([^`]*)`/g);
const length = (text) => [...text].length;
const longest = (text) => Math.max(1.6 * length(text), length(text) + 40);

/** Each opening bracket is closed before the next one. */
const balanced = (template) => /^[^[\]]*(\[[^[\]]*\][^[\]]*)*$/.test(template);

/** The differences of a template from the English one. */
function* differences(template, original) {
  if (typeof template !== "string") return yield "must be a string";
  if (template.trim() === "") return yield "must not be empty";
  if (template === original) yield "is not translated";
  if (!balanced(template)) yield "brackets must be closed, and not nested";
  if (/[{}]/.test(withoutPlaceholders(template))) yield "a placeholder must be a name in braces";
  const [always, inOriginal] = [placeholders(required(template)), placeholders(required(original))];
  for (const name of placeholders(template)) if (!placeholders(original).has(name)) yield `{${name}} is not a placeholder of the English message`;
  for (const name of inOriginal) if (!always.has(name)) yield `must contain {${name}} outside of brackets`;
  for (const name of always) if (placeholders(original).has(name) && !inOriginal.has(name)) yield `{${name}} must be in brackets: some problems lack it`;
  for (const number of numbers(template)) if (!numbers(original).has(number)) yield `the number ${number} is not in the English message`;
  for (const name of names(template)) if (!names(original).has(name)) yield `\`${name}\` is not a name in the English message`;
  if (length(template) > longest(original)) yield `at most ${Math.floor(longest(original))} characters, got ${length(template)}`;
}

/** The errors of a catalogue, in the order of the English one. */
function errors(catalogue) {
  if (catalogue === null || typeof catalogue !== "object" || Array.isArray(catalogue)) return ["must be an object of codes and templates"];
  const missing = Object.keys(english).filter((code) => !Object.hasOwn(catalogue, code)).map((code) => `${code}: is missing`);
  const unknown = Object.keys(catalogue).filter((code) => !Object.hasOwn(english, code)).map((code) => `${code}: is not a code`);
  const different = Object.keys(english).filter((code) => Object.hasOwn(catalogue, code)).flatMap((code) => [...differences(catalogue[code], english[code])].map((error) => `${code}: ${error}`));
  return [...missing, ...unknown, ...different];
}

for (const file of files) {
  test(`${basename(file)}: each template corresponds to the English message`, () => assert.deepEqual(errors(read(file)), []));

  test(`${basename(file)}: the messages of the vectors have no placeholder left`, () => {
    api.messages("xx", read(file));
    let count = 0;
    for (const { id, operation, request } of vectors()) {
      const report = api.validate(operation, request);
      for (const problem of [...report.errors, ...report.warnings]) {
        count++;
        // `{code}` is a name in some English messages.
        const literal = problem.message.match(/\{\w+\}/g) ?? [];
        const message = literal.reduce((text, name) => text.replaceAll(name, ""), api.localize(problem, "xx"));
        assert.doesNotMatch(message, /[{}]/, `${id}: ${problem.code}`);
      }
    }
    assert.ok(count > 1000, `${count}`);
  });
}

test("the repository has a German and a Spanish catalogue", { skip: Boolean(own) }, () => {
  assert.deepEqual(files.map((file) => basename(file)), ["de.json", "es.json"]);
});

test("the errors of a catalogue name the code and the rule", () => {
  const valid = Object.fromEntries(Object.entries(english).map(([code, template]) => [code, `* ${template}`]));
  assert.deepEqual(errors(valid), []);
  const { "sms.text.required": removed, ...incomplete } = valid;
  assert.ok(removed);
  assert.deepEqual(errors(incomplete), ["sms.text.required: is missing"]);
  assert.deepEqual(errors({ ...valid, "sms.sent": "x" }), ["sms.sent: is not a code"]);
  assert.deepEqual(errors({ ...valid, constructor: "x" }), ["constructor: is not a code"]);
  const [parts, sender, channel, code] = ["sms.text.parts", "sms.sender.alnum_too_long", "failover.channel.unknown", "otp.body.no_code"];
  for (const [changed, template, ...expected] of [
    [sender, 5, "must be a string"],
    [sender, null, "must be a string"],
    [sender, " ", "must not be empty"],
    [sender, english[sender], "is not translated"],
    [sender, "höchstens {limit} Zeichen, aktuell {aktuell}", "{aktuell} is not a placeholder of the English message", "must contain {actual} outside of brackets"],
    [sender, "höchstens {limit} Zeichen", "must contain {actual} outside of brackets"],
    [sender, "höchstens {limit} Zeichen[, aktuell {actual}]", "must contain {actual} outside of brackets"],
    [sender, "höchstens 11 Zeichen (von {limit}), aktuell {actual}", "the number 11 is not in the English message"],
    [sender, "höchstens { limit } Zeichen, aktuell {actual}", "a placeholder must be a name in braces", "must contain {limit} outside of brackets"],
    [sender, "höchstens {limit} Zeichen, aktuell {actual", "a placeholder must be a name in braces", "must contain {actual} outside of brackets"],
    [sender, "höchstens {limit} Zeichen, aktuell {actual}}", "a placeholder must be a name in braces"],
    [sender, `{limit} {actual}${"x".repeat(96)}`], // 1.6 times 70 characters
    [sender, `{limit} {actual}${"x".repeat(96)}ü`, "at most 112 characters, got 113"],
    ["json.syntax", "🙂".repeat(58)], // 18 characters and 40 more
    ["json.syntax", "🙂".repeat(59), "at most 58 characters, got 59"],
    [channel, "unbekannter Kanal; gemeint ist `{suggestion}`", "{suggestion} must be in brackets: some problems lack it"],
    [channel, "unbekannter Kanal[; gemeint ist `{suggestion}`", "brackets must be closed, and not nested", "{suggestion} must be in brackets: some problems lack it"],
    [channel, "unbekannter Kanal[; gemeint [ist] `{suggestion}`]", "brackets must be closed, and not nested", "{suggestion} must be in brackets: some problems lack it"],
    [channel, "unbekannter Kanal]; [gemeint", "brackets must be closed, and not nested"],
    [channel, "unbekannter Kanal"],
    [channel, "unbekannter Kanal [sic][; gemeint ist `{suggestion}`]"],
    [parts, "Teile: {parts}, Länge: {units} {unit}, frei: {left}"],
    [code, "im Text fehlt `{Code}`", "{Code} is not a placeholder of the English message", "must contain {code} outside of brackets", "`{Code}` is not a name in the English message"],
    ["failover.timeout.required", "fehlt beim Typ `Zeitlimit`", "`Zeitlimit` is not a name in the English message"],
    ["sms.to.length", "7 bis 16 Ziffern", "the number 16 is not in the English message"],
  ]) {
    assert.deepEqual(errors({ ...valid, [changed]: template }), expected.map((error) => `${changed}: ${error}`), JSON.stringify(template));
  }
  for (const other of [null, [], "x", 5]) assert.deepEqual(errors(other), ["must be an object of codes and templates"]);
});
