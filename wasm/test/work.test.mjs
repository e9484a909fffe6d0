// The work of each public function that takes text is at most 2.5 times as much for twice the text, whatever the text is: measured over
// four doublings.
import assert from "node:assert/strict";
import test from "node:test";
import * as api from "cpaas";
import * as sms from "cpaas/sms";

await api.init();
await sms.init();

/** Texts of a length: plain, all escapes, all surrogate pairs, lone surrogates, open brackets, fields, markup. */
const TEXTS = {
  letters: (n) => "a".repeat(n),
  escapes: (n) => "[".repeat(n),
  quotes: (n) => '"'.repeat(n),
  emoji: (n) => "🙂".repeat(n / 2),
  accents: (n) => "e\u0301".repeat(n / 2),
  replaced: (n) => "“’".repeat(n / 2),
  markup: (n) => "*_`[.".repeat(n / 5),
  tags: (n) => "<b>".repeat(n / 3),
  field: (n) => `{{${" ".repeat(n)}`,
  fields: (n) => "{{name}}".repeat(n / 8),
  digits: (n) => "3".repeat(n),
  spaces: (n) => " ".repeat(n),
};

const accepts = (call) => (text) => {
  try {
    call(text);
  } catch (error) {
    if (error.name !== "TextError" && !(error instanceof RangeError)) throw error;
  }
};

/** One call for each function that takes text, or a value that contains text. */
const CALLS = {
  "cpaas annotate": api.annotate,
  "cpaas appHash": (text) => api.appHash(text, new TextEncoder().encode(text)),
  "cpaas autofillBody": (text) => api.autofillBody(text, { host: "shop.example" }),
  "cpaas causes": api.causes,
  "cpaas checkAutofill": api.checkAutofill,
  "cpaas checkSender": api.checkSender,
  "cpaas checkBotUsername": api.checkBotUsername,
  "cpaas countSegments": (text) => api.countSegments([text]),
  "cpaas escapeMarkup": (text) => api.escapeMarkup(text, "MarkdownV2"),
  "cpaas estimate": (text) => api.estimate(text, "0.05", { recipients: [{ name: "Ann" }] }),
  "cpaas intent": api.intent,
  "cpaas localize": (text) => (api.messages("xx", { "json.syntax": text }), api.localize({ code: "json.syntax", params: {} }, "xx")),
  "cpaas messages": (text) => api.messages("xx", { "json.syntax": text }),
  "cpaas normalizeNumber": (text) => api.normalizeNumber(text),
  "cpaas parseMarkup": (text) => api.parseMarkup(text, "MarkdownV2"),
  "cpaas problemDetails": (text) => api.problemDetails({ errors: [{ pointer: text, message: text }], warnings: [] }),
  "cpaas schema": (text) => api.schema("sms.send")["~standard"].validate({ from: "Acme", to: "306912345678", text }),
  "cpaas segments": (text) => api.segments(text, { parts: true }),
  "cpaas validate": (text) => api.validate("messages.send", { destination: text, messenger_c: { text: { message: text, parseMode: "MarkdownV2" } }, [text]: text }),
  "cpaas validateText": (text) => api.validateText("sms.send", text),
  "cpaas/sms annotate": sms.annotate,
  "cpaas/sms countSegments": (text) => sms.countSegments([text], { languages: ["tr"] }),
  "cpaas/sms decode": (text) => sms.decode([{ ud: text, udl: 5 }]),
  "cpaas/sms encode": (text) => sms.encode(text),
  "cpaas/sms estimate": (text) => sms.estimate(text, "0.05"),
  "cpaas/sms segments": (text) => sms.segments(text, { languages: ["tr"], transliterate: true }),
  "cpaas/sms templateSegments": (text) => sms.templateSegments(text, { fields: { name: 5 } }),
  "cpaas/sms transliterate": sms.transliterate,
};

/** Functions that take no text of a user: errors, loading, numbers. */
const WITHOUT_TEXT = ["NotInitialised", "TextError", "checkCardHeight", "checkFile", "checkPhoto", "init", "initSync", "isReady", "operations", "start", "version"];

test("each export is in the list", () => {
  const exported = Object.entries({ cpaas: api, "cpaas/sms": sms }).flatMap(([entry, all]) => Object.keys(all).filter((name) => !WITHOUT_TEXT.includes(name)).map((name) => `${entry} ${name}`));
  assert.deepEqual(exported.sort(), Object.keys(CALLS).sort());
});

/** The CPU time of one call, in microseconds. */
function cost(call, value) {
  const before = process.cpuUsage();
  call(value);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** A limit of 2.5 for each of four doublings: linear work is 16, quadratic 256, and a collection of garbage or a page fault hides neither. */
const [TIMES, LIMIT] = [16, 2.5 ** 4];

/** The ratio of the smallest costs for a size and a sixteenth of it: noise of the machine only adds to a cost. */
function ratio(call, make, size) {
  const [part, whole] = [make(size / TIMES), make(size)];
  let [least, most] = [Infinity, Infinity];
  for (let round = 0; round < 9; round++) {
    least = Math.min(least, cost(call, part), cost(call, part));
    most = Math.min(most, cost(call, whole));
    if (most <= LIMIT * least) break;
  }
  return most / least;
}

/** Compares at a size that every function accepts, and at the size (of at most 2 million) where a call takes 4 ms. */
function check(call, make, what) {
  call(make(16_000));
  let large = 32_000;
  while (cost(call, make(large)) < 4000 && large < 2_000_000) large *= 2;
  for (const size of [16_000, large]) {
    const found = cost(call, make(size)) < 500 ? 1 : ratio(call, make, size);
    assert.ok(found <= LIMIT, `${what}: ${found.toFixed(1)} times the work for ${size} instead of ${size / TIMES} characters`);
  }
}

for (const [name, call] of Object.entries(CALLS)) {
  test(`${name}: texts`, () => {
    for (const [shape, make] of Object.entries(TEXTS)) check(accepts(call), make, shape);
  });
}

const nested = (levels, innermost) => {
  let value = innermost;
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
  return value;
};
const throwing = { get text() { throw new Error("not readable"); } };
const validate = (value) => api.validate("sms.send", value);
const SHAPES = {
  "nested arrays and objects": (n) => nested(n, 1),
  "nested values, the innermost throws": (n) => nested(n, throwing),
  "an array, the last element throws": (n) => ({ a: [...Array(n).fill([1]), throwing] }),
  "an object, the last member throws": (n) => ({ ...Object.fromEntries(Array.from({ length: n / 10 }, (_, at) => [`m${at}`, { a: 1 }])), throwing }),
  "unknown members": (n) => Object.fromEntries(Array.from({ length: n / 10 }, (_, at) => [`m${at}`, 1])),
  "lone surrogates": (n) => ({ a: Array(n / 10).fill("\ud83d") }),
  "recipients": (n) => ({ from: "Acme", text: "Hi", to: Array(n / 10).fill("x") }),
};

for (const [shape, make] of Object.entries(SHAPES)) {
  test(`validate: ${shape}`, () => check(validate, make, shape));
}

/** An array that contains each of its levels twice: its JSON has 2 ** levels values. */
const doubled = (levels) => {
  let value = [1];
  for (let level = 0; level < levels; level++) value = [value, value];
  return value;
};

test("validate: values that occur several times", () => {
  const shared = (values) => ({ from: "Acme", to: "306912345678", text: "Hi", zz: doubled(Math.round(Math.log2(values))) });
  for (const size of [2 ** 17, 2 ** 18]) assert.ok(ratio(validate, shared, size) <= LIMIT, String(size));
});

test("a request of more than 1,000,000 values is too large", () => {
  const error = { name: "RangeError", message: "validate: the input is too large: it must have at most 1,000,000 values" };
  for (const levels of [20, 60, 120]) assert.throws(() => validate(doubled(levels)), error, String(levels));
  assert.throws(() => validate({ a: Array(1_000_000).fill(1) }), error);
  assert.ok(!validate({ a: Array(999_998).fill(1) }).ok);
  const issues = [{ message: "the request is too large to check", path: [], code: "json.syntax", severity: "error" }];
  assert.deepEqual(api.schema("sms.send")["~standard"].validate(doubled(60)).issues, issues);
});

test("more than 127 levels are too deep", () => {
  const found = (levels) => validate(nested(levels, 1)).errors.map(({ pointer, path, code, limit }) => [pointer, path, code, limit]);
  for (const levels of [128, 1000, 50_000, 200_000]) assert.deepEqual(found(levels), [["", [], "json.too_deep", 127]], String(levels));
  assert.ok(!found(127).some(([, , code]) => code.startsWith("json.")));
  const text = `${"[".repeat(128)}${"]".repeat(128)}`;
  assert.equal(api.validateText("sms.send", text).errors[0].code, "json.too_deep");
  let created = 0;
  const endless = { toJSON: () => (created++ < 100_000 ? { endless } : 1) };
  assert.equal(validate({ endless }).errors[0].code, "json.too_deep");
  assert.equal(api.schema("sms.send")["~standard"].validate(nested(50_000, 1)).issues[0].code, "json.too_deep");
});
