// Problems: issues of a schema, the limit of a report, messages in other languages, problem details, and JSON Schemas against the
// rules: `node --test wasm/test`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { before } from "node:test";
import { vectors } from "./problem_vectors.mjs";
import Ajv from "ajv";
import Ajv2020 from "ajv/dist/2020.js";
import * as api from "cpaas";
import * as glue from "../pkg/web/cpaas.js";

const good = { from: "Acme", to: "306912345678", text: "Hi" };
const long = { trafficAccountId: "0f8fad5b-d9cb-469f-a165-70867728950e", destination: "306912345678", sms: { text: "Hi", sender: "Acme Company Ltd" } };
const root = new URL("../", import.meta.url);
before(() => api.init());

const short = ({ pointer, code, severity }) => ({ pointer, code, severity });

test("issues of a schema carry code, params, fix and severity", () => {
  const { issues } = api.schema("messages.send")["~standard"].validate(long);
  const [issue] = issues;
  assert.equal(issue.code, "sms.sender.alnum_too_long");
  assert.equal(issue.severity, "error");
  assert.deepEqual([issue.params.limit, issue.params.actual, issue.params.unit], [11, 16, "code points"]);
  assert.deepEqual(issue.path, ["sms", "sender"]);
  const workflow = api.schema("otp.workflows.create")["~standard"].validate({ name: "a", channels: [{ channel: "Sms", interval: "60" }] });
  assert.deepEqual([workflow.issues[0].fix.op, workflow.issues[0].fix.insert], ["replace", "sms"]);
});

test("problems have the order of the vectors, which is that of the other languages", () => {
  let mixed = 0;
  for (const { id, operation, request, expect } of vectors()) {
    if (expect === undefined) continue;
    // JavaScript reports each lone surrogate, the other languages the first one as an error in the syntax.
    if (expect[0]?.code === "json.syntax") continue;
    const { errors, warnings } = api.validate(operation, request);
    assert.deepEqual([...errors, ...warnings].map(short), expect, id);
    const severities = warnings.map(({ severity }) => severity);
    if (severities.includes("warning") && severities.indexOf("info") >= 0 && severities.indexOf("info") < severities.lastIndexOf("warning")) mixed++;
  }
  assert.ok(mixed > 0, "a vector has an info before a warning");
});

test("requests of every size are encoded completely", () => {
  for (const letter of ["a", "é", "€", "😀"]) {
    for (const units of [16_000, 16_312, 16_313, 16_314, 16_384, 16_400, 40_000]) {
      // A truncated request would be a syntax error.
      const { errors } = api.validateText("sms.send", JSON.stringify({ ...good, x: letter.repeat(units / letter.length) }));
      assert.deepEqual(errors, [], `${letter} ${units}`);
    }
  }
});

test("each empty report is a new object, and the module writes it in the form that is not parsed", () => {
  const written = glue.validateText("sms.send", new TextEncoder().encode(JSON.stringify(good)));
  assert.equal(written, '{"ok":true,"errors":[],"warnings":[]}');
  const [one, other] = [api.validate("sms.send", good), api.validateText("sms.send", JSON.stringify(good))];
  assert.deepEqual(one, { ...JSON.parse(written), more: 0 });
  one.errors.push(1);
  assert.deepEqual(other, { ...JSON.parse(written), more: 0 });
});

test("a report has at most 1,000 problems, and counts the rest", () => {
  const many = Array.from({ length: 2500 }, (_, index) => `x${index}`); // 2,500 warnings
  const withError = { msisdn: [...many, ""] };
  const report = api.validate("lookup.numbers", withError);
  assert.deepEqual([report.errors.length, report.warnings.length, report.more], [1, 999, 1501]);
  const short = api.validate("lookup.numbers", withError, { limit: 10 });
  assert.deepEqual([short.errors.length, short.warnings.length, short.more], [1, 9, 2491]);
  assert.equal(api.validateText("lookup.numbers", JSON.stringify({ msisdn: many }), { limit: 5000 }).more, 0);
  assert.equal(api.validate("sms.send", good).more, 0);
  assert.equal(api.validate("lookup.numbers", withError, { limit: 0 }).ok, false);
  const unknown = Object.fromEntries(many.map((name) => [name, 1])); // at most 100 are listed
  assert.deepEqual(api.validate("sms.send", { ...good, ...unknown }).warnings.length, 101);
  for (const limit of [-1, 1.5, "5", NaN]) assert.throws(() => api.validate("sms.send", good, { limit }), { name: "TypeError", message: /^validate: the option limit must be an integer of 0 or more/ });
  assert.throws(() => api.validate("sms.send", good, { most: 5 }), { name: "RangeError", message: /^validate: unknown option; valid options: limit/ });
});

test("positions are also counted in characters", () => {
  const syntax = api.validateText("messages.send", JSON.stringify({ trafficAccountId: "0f8fad5b-d9cb-469f-a165-70867728950e", destination: "123456", messenger_c: { text: { message: "🙂é 1.5", parseMode: "MarkdownV2" } } }));
  const { span } = syntax.errors.find((problem) => problem.span);
  assert.deepEqual([span.start16, span.startCharacter], [5, 4]);
});

test("a getter that throws is an error with its path", () => {
  const request = { ...good, nested: [{ get text() { throw new Error("secret"); } }] };
  const { ok, errors } = api.validate("sms.send", request);
  assert.equal(ok, false);
  assert.deepEqual([errors[0].pointer, errors[0].path, errors[0].code, errors[0].severity], ["/nested/0/text", ["nested", 0, "text"], "json.syntax", "error"]);
  assert.equal(errors[0].message, "must have a value, got an exception when it was read");
  const { issues } = api.schema("sms.send")["~standard"].validate({ get to() { throw new TypeError("secret"); } });
  assert.deepEqual([issues.length, issues[0].path, issues[0].code], [1, ["to"], "json.syntax"]);
});

test("undefined is reported as undefined", () => {
  const said = (value) => api.validate("sms.send", value).errors[0];
  assert.equal(said(undefined).message, "expected an object, got undefined");
  assert.deepEqual([said(undefined).pointer, said(undefined).path, said(undefined).code, said(undefined).actual], ["", [], "msg.field.type", "undefined"]);
  assert.equal(said(() => 1).message, "expected an object, got a function");
  assert.equal(said(null).message, "expected an object, got null");
});

test("schema suggests the operation that validate suggests", () => {
  assert.throws(() => api.schema("sms.sned"), { name: "RangeError", message: "schema: unknown operation; did you mean `sms.send`?" });
  assert.throws(() => api.schema("constructor"), { message: "schema: unknown operation; see operations()" });
  const message = (call) => {
    try {
      call();
    } catch (error) {
      return error.message.replace(/^\w+: /, "").replace("; see operations()", "");
    }
    throw new Error("no exception");
  };
  const misspelled = ["", "sms", "SMS_SEND", "messages send bulk", "x".repeat(49)];
  for (const name of api.operations()) {
    for (let at = 0; at < name.length; at++) {
      const [head, tail] = [name.slice(0, at), name.slice(at + 1)];
      misspelled.push(head + tail, `${head}x${tail}`, `${head}${tail[0] ?? ""}${name[at]}${tail.slice(1)}`, `x${head}_${tail}y`);
    }
  }
  const unknown = misspelled.filter((name) => !api.operations().includes(name));
  assert.ok(unknown.length > 1000, `${unknown.length}`);
  for (const name of unknown) assert.equal(message(() => api.schema(name)), message(() => api.validate(name, {})), name);
});

test("a problem has only documented members", () => {
  const documented = ["pointer", "path", "code", "severity", "message", "limit", "actual", "unit", "span", "params", "fix"];
  const deep = JSON.parse(`${"[".repeat(200)}${"]".repeat(200)}`);
  const reports = [undefined, null, 5, deep, { get to() { throw new Error("secret"); } }, { ...good, text: "\ud83d" }].map((value) => api.validate("sms.send", value));
  for (const { operation, request } of vectors()) reports.push(api.validate(operation, request));
  for (const { errors, warnings } of reports) {
    for (const problem of [...errors, ...warnings]) assert.deepEqual(Object.keys(problem).filter((name) => !documented.includes(name)), [], problem.code);
  }
});

test("messages are English in the package; an application adds other languages", () => {
  const english = api.messages("en");
  const known = new Set([...readFileSync(new URL("../docs/problems.md", root), "utf8").matchAll(/^\| `([^`]+)` \|/gm)].map(([, code]) => code));
  assert.deepEqual(new Set(Object.keys(english)), known);
  assert.equal(english["sms.sender.alnum_too_long"], "alphanumeric sender too long: at most {limit} characters, got {actual}");
  assert.throws(() => api.messages("de"), { name: "RangeError", message: "messages: no catalogue for this locale; catalogues: en" });
  assert.throws(() => api.messages("de", { "sms.sent": "x" }), { name: "RangeError", message: /^messages: unknown code/ });
  const german = api.messages("de", { "sms.sender.alnum_too_long": "höchstens {limit} Zeichen, es sind {actual}" });
  assert.equal(german["sms.sender.alnum_too_long"], "höchstens {limit} Zeichen, es sind {actual}");
  assert.equal(german["sms.text.required"], english["sms.text.required"]);
  assert.deepEqual(api.messages("de"), german);
  const [problem] = api.validate("messages.send", long).errors;
  assert.equal(api.localize(problem, "de"), "höchstens 11 Zeichen, es sind 16");
  assert.equal(api.localize(problem, "en"), problem.message);
  const { issues } = api.schema("messages.send", { message: (problem) => api.localize(problem, "de") })["~standard"].validate(long);
  assert.equal(issues[0].message, "höchstens 11 Zeichen, es sind 16");
});

test("a locale without a catalogue gets English messages, with English numbers", () => {
  const [problem] = api.validate("messages.send", long).errors;
  for (const locale of ["fr", "fr-CA", "xx", "", "not a tag"]) assert.equal(api.localize(problem, locale), problem.message, locale);
  const large = { code: "messenger_b.file.too_large", message: "", params: { limit: 10_485_760, actual: 10_485_761, unit: "bytes" } };
  const code = Object.keys(api.messages("en")).find((name) => api.messages("en")[name].includes("{limit}"));
  assert.equal(api.localize({ ...large, code }, "fr"), api.localize({ ...large, code }, "en"));
  assert.match(api.localize({ ...large, code }, "fr"), /10,485,760/);
  assert.equal(api.localize({ ...large, code }, "en-not a tag"), api.localize({ ...large, code }, "en"));
  assert.throws(() => api.localize(problem, undefined), TypeError);
});

test("the locale of a catalogue is a BCP 47 tag, because numbers are formatted for it", () => {
  for (const locale of ["", "x y", "de_DE.UTF-8"]) {
    assert.throws(() => api.messages(locale, {}), { name: "RangeError", message: "messages: the locale must be a BCP 47 tag, such as de or pt-BR" });
  }
  assert.throws(() => api.messages(5, {}), { name: "TypeError", message: /^messages: the locale must be a string/ });
});

test("templates and parameters produce every English message of the vectors", () => {
  let all = 0;
  for (const { id, operation, request } of vectors()) {
    const { errors, warnings } = api.validate(operation, request);
    for (const problem of [...errors, ...warnings]) {
      all++;
      // A template has only the plural form.
      const message = problem.message.replace(/^1 character forces /, "1 characters force ");
      assert.equal(api.localize({ ...problem, message: "" }, "en"), message, `${id}: ${problem.code}`);
    }
  }
  assert.ok(all > 1000, `${all}`);
});

test("a bracketed part of a template is omitted if the problem lacks its parameter", () => {
  const template = "άγνωστο πεδίο [sic][: μήπως {suggestion};]";
  api.messages("el", { "msg.field.unknown": template, "msg.field.misspelled": template });
  const shown = (request) => {
    const { errors, warnings } = api.validate("sms.send", { ...good, ...request });
    return api.localize([...errors, ...warnings][0], "el");
  };
  assert.deepEqual([shown({ zzzzzzz: 1 }), shown({ callbak: 1 })], ["άγνωστο πεδίο [sic]", "άγνωστο πεδίο [sic]: μήπως callback;"]);
});

test("problemDetails makes RFC 9457 problem details of a report", () => {
  const report = api.validate("sms.send", { ...good, text: "", "a/b": 1 });
  const details = api.problemDetails(report, { instance: "/messages/5" });
  assert.deepEqual([details.type, details.title, details.status, details.detail, details.instance], ["about:blank", "Unprocessable Content", 422, "1 error, 1 warning", "/messages/5"]);
  assert.deepEqual(details.errors, [{ pointer: "#/text", detail: report.errors[0].message, code: "sms.text.required", severity: "error" }]);
  assert.deepEqual(details.warnings[0].pointer, "#/a~1b");
  assert.equal(JSON.stringify(JSON.parse(JSON.stringify(details))), JSON.stringify(details));
  const unlisted = api.validate("sms.send", {}, { limit: 0 });
  assert.deepEqual([unlisted.errors, api.problemDetails(unlisted).status], [[], 422]);
  const spaced = api.problemDetails(api.validate("sms.send", { ...good, "a b%": 1 })).warnings[0];
  assert.equal(spaced.pointer, "#/a%20b%25");
});

test("a proxy that throws is an error with its path", async () => {
  const fails = () => { throw new Error("secret"); };
  const cases = [[new Proxy(good, { get: fails }), ""], [new Proxy(good, { ownKeys: fails }), ""], [{ ...good, x: [1, new Proxy(good, { get: fails })] }, "/x/1"]];
  for (const [value, pointer] of cases) {
    assert.deepEqual(api.validate("sms.send", value).errors.map(({ code, pointer }) => [code, pointer]), [["json.syntax", pointer]]);
    assert.equal((await api.schema("sms.send")["~standard"].validate(value)).issues.length, 1);
  }
});

test("a code with the name of an inherited member has no template", () => {
  assert.equal(api.localize({ code: "constructor" }, "en"), "");
});

test("problem details equal those of the vectors", () => {
  const { cases } = JSON.parse(readFileSync(new URL("../../tests/vectors/problem_details.json", import.meta.url), "utf8"));
  assert.equal(cases.length, 4);
  for (const { name, operation, request, members, expect } of cases) assert.deepEqual(api.problemDetails(api.validate(operation, request), members), expect, name);
});

test("the error about an unknown option of segments lists the valid options, and segments works in map", () => {
  assert.throws(() => api.segments("x", { typo: 1 }), { name: "TextError", code: "text.options", message: "unknown option; valid options: referenceBits, split, encoding, parts" });
  assert.deepEqual(["a", "я"].map(api.segments), [api.segments("a"), api.segments("я")]);
  assert.throws(() => api.segments("a", 5), TypeError);
});

const recipients = JSON.parse(readFileSync(new URL("../tests/vectors/recipients.json", root), "utf8")).cases;

test("the setting normalize changes recipients as a client does", () => {
  let count = 0;
  for (const { id, config, operation, request, expect, plans } of recipients) {
    if (plans || Object.keys(config).some((name) => name !== "normalize")) continue;
    const { errors, warnings } = api.validate(operation, request, config);
    assert.deepEqual([...errors, ...warnings].map(short), expect, id);
    count += 1;
  }
  assert.ok(count > 30, `${count}`);
  assert.throws(() => api.validate("sms.send", {}, { normalize: "GR" }), { name: "RangeError", message: /normalize.*numbering plans/ });
  assert.throws(() => api.validate("sms.send", {}, { normalize: 1 }), { name: "TypeError" });
});

test("normalizeNumber returns the canonical form, or null for a text that is not a number", () => {
  const { cases } = JSON.parse(readFileSync(new URL("../tests/vectors/numbers.json", root), "utf8"));
  for (const { number, form, region } of cases) {
    if (region === undefined) assert.equal(api.normalizeNumber(number), form ?? null, number);
  }
});

test("estimate with prices by prefix uses the canonical form of a number", () => {
  const { cases } = JSON.parse(readFileSync(new URL("../tests/vectors/prices.json", root), "utf8"));
  for (const { id, text, prices, to, total, currency, byCurrency, recipients, error, message } of cases) {
    if (error !== undefined) {
      assert.throws(() => api.estimate(text, { prices, to }), { name: "TextError", code: error, message }, id);
      continue;
    }
    const found = api.estimate(text, { prices, to });
    const counts = Object.fromEntries(Object.entries(found.byPrefix).map(([prefix, share]) => [prefix, share.recipients]));
    assert.deepEqual([found.total, found.currency, counts], [total, currency, recipients], id);
    const sums = Object.fromEntries(Object.entries(found.byCurrency).map(([name, share]) => [name, share.total]));
    assert.deepEqual(sums, byCurrency ?? { [currency]: total }, id);
  }
});

test("estimate accepts many recipients and replaces merge fields", () => {
  assert.deepEqual(api.estimate("Hi", "0.0075", { recipients: 1000 }), { encoding: "gsm7", count: 1, units: 2, remaining: 158, pricePerPart: "0.0075", total: "7.5000", recipients: 1000, parts: 1000 });
  const rows = [{ name: "Ann" }, { name: "я" }, { name: "x".repeat(170) }];
  const said = api.estimate("Hi {{name}}", "0.10", { recipients: rows });
  assert.deepEqual([said.recipients, said.parts, said.total], [3, 4, "0.40"]);
  assert.equal(api.estimate("Hi {{name}}", "0.10", { recipients: 5, fields: { name: "я".repeat(70) } }).total, "1.00");
  assert.throws(() => api.estimate("Hi {{name}}", "0.10", { recipients: [{ name: "Ann" }, { nam: "x" }] }), { name: "TextError", code: "text.fields", message: "a merge field of the text has no value in row 2" });
  for (const rows of [[{}], [{ other: 1 }], [{ name: null }], [{ name: undefined }]]) {
    assert.throws(() => api.estimate("Hi {{name}}", "0.10", { recipients: rows }), { code: "text.fields", message: /no value in row 1$/ }, JSON.stringify(rows));
  }
  for (const fields of [{}, { other: 1 }, { name: null }]) {
    assert.throws(() => api.estimate("Hi {{name}}", "0.10", { recipients: 5, fields }), { code: "text.fields", message: /in the option fields$/ }, JSON.stringify(fields));
    assert.throws(() => api.estimate("Hi {{name}}", { prices: "prefix,price,currency\n30,0.05,EUR", to: "306912345678", fields }), { code: "text.fields" });
  }
  assert.equal(api.estimate("Hi", "0.10", { recipients: [{}] }).parts, 1);
  assert.equal(api.estimate("Hi {{name}}", "0.10").count, 1);
  assert.throws(() => api.estimate("a", "1", { recipients: -1 }), { name: "TypeError", message: /^estimate: the option recipients must be an integer of 0 or more, or a list/ });
  assert.throws(() => api.estimate("a", "1", { recipient: 1 }), { name: "TextError", code: "text.options", message: "unknown option; valid options: recipients, fields" });
  assert.equal(api.estimate("a", "1", { recipients: 0 }).total, "0");
});

const valid = { "draft-2020-12": (schema) => new Ajv2020({ strict: false, allErrors: true }).compile(schema), "draft-07": (schema) => new Ajv({ strict: false, allErrors: true }).compile(schema) };

test("JSON Schemas have limits, patterns and enums, and accept every request that is valid", () => {
  const schema = api.schema("messages.send")["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  assert.deepEqual([schema.$defs.Carousel.properties.cardContents.minItems, schema.$defs.Carousel.properties.cardContents.maxItems], [2, 10]);
  assert.ok(schema.$defs.Carousel.properties.cardWidth.enum.includes("SMALL"));
  assert.ok(schema.properties.trafficAccountId.pattern.length > 10);
  let checked = 0;
  const compiled = {};
  for (const { id, operation, request } of vectors()) {
    // The rules treat a null member as absent; the JSON Schemas do not allow null.
    if (!api.validate(operation, request).ok || JSON.stringify(request).includes("null")) continue;
    for (const [target, compile] of Object.entries(valid)) {
      const check = (compiled[operation + target] ??= compile(api.schema(operation)["~standard"].jsonSchema.input({ target })));
      // For some required members, the rules report only a warning if the member is absent.
      assert.ok(check(request) || check.errors.every(({ keyword }) => keyword === "required"), `${id} ${target} ${JSON.stringify(check.errors)}`);
      checked++;
    }
  }
  assert.ok(checked > 100, `${checked}`);
});

/** Errors about several members, a parsed text or a computed length, for which JSON Schema has no keyword. */
const INEXPRESSIBLE = [
  "bulk.version",
  "business_chat.card.empty",
  "business_chat.carousel.nested",
  "business_chat.carousel.small_tall",
  "business_chat.content.missing",
  "business_chat.rich_text.misplaced",
  "business_chat.suggestion.kind",
  "extra.known_field",
  "failover.channel.unknown",
  "failover.timeout.accounts",
  "failover.timeout.required",
  "lookup.msisdn.required",
  "messenger_a.regular.required",
  "messenger_b.button.action.invalid",
  "messenger_b.content.missing",
  "messenger_b.file.name.derived_too_long",
  "messenger_b.file.name.underivable",
  "messenger_b.media_url.invalid",
  "messenger_c.caption.too_long",
  "messenger_c.content.missing",
  "messenger_c.document.extension",
  "messenger_c.markup.attribute",
  "messenger_c.markup.custom_emoji",
  "messenger_c.markup.date_format",
  "messenger_c.markup.invalid_unicode",
  "messenger_c.markup.reserved_character",
  "messenger_c.markup.span_class",
  "messenger_c.markup.unclosed_entity",
  "messenger_c.markup.unclosed_tag",
  "messenger_c.markup.unclosed_url",
  "messenger_c.markup.unexpected_end_tag",
  "messenger_c.markup.unmatched_end_tag",
  "messenger_c.markup.unsupported_tag",
  "messenger_c.text.empty",
  "messenger_c.text.too_long",
  "messenger_c.video.extension",
  "messenger_c.voice.extension",
  "msg.channel.missing",
  "msg.channel.multiple",
  "msg.destination.not_number",
  "otp.account_sid.required",
  "otp.bucket.interval.required",
  "otp.date.invalid",
  "otp.limit.buckets.required",
  "otp.list.type",
  "otp.workflow.channel.unknown",
  "otp.workflow.interval.required",
  "sms.callback.invalid",
  "sms.date.invalid",
  "sms.sender.charset",
  "sms.text.parts_over_255",
  "webhook.messenger_b.url",
  "webhook.messenger_c.url",
];

/** Errors that keywords of JSON Schema could partly express, but that the schemas do not contain. */
const NOT_IN_SCHEMAS = [
  "business_chat.card.media.file_url",
  "failover.timeout.seconds",
  "messenger_a.text.required",
  "messenger_c.location.latitude",
  "messenger_c.location.longitude",
  "messenger_c.parse_mode.unknown",
  "msg.field.misspelled",
  "msg.field.type",
  "otp.sid.dots",
  "sms.to.not_digits",
  "sms.to.prefix",
  "sms.to.required",
  "webhook.messenger_c.bot_id.dots",
];

test("JSON Schemas reject every request that the rules reject, except for the errors of the two lists", () => {
  const compiled = {}, accepted = {};
  let rejected = 0;
  for (const { operation, request } of vectors()) {
    const { errors } = api.validate(operation, request);
    if (errors.length === 0) continue;
    const check = (compiled[operation] ??= valid["draft-2020-12"](api.schema(operation)["~standard"].jsonSchema.input({ target: "draft-2020-12" })));
    if (!check(JSON.parse(JSON.stringify(request)))) rejected++;
    else for (const { code } of errors) accepted[code] = true;
  }
  assert.deepEqual(Object.keys(accepted).sort(), [...INEXPRESSIBLE, ...NOT_IN_SCHEMAS].sort());
  assert.ok(rejected > 100, `${rejected}`);
});

test("schemas for OpenAPI 3.0 use its dialect", () => {
  const schema = api.schema("otp.send")["~standard"].jsonSchema.input({ target: "openapi-3.0" });
  assert.equal(schema.$schema, undefined);
  assert.deepEqual(schema.properties.guardTime, { anyOf: [{ type: "number" }, { type: "string" }] });
  const text = JSON.stringify(api.schema("messages.send")["~standard"].jsonSchema.input({ target: "openapi-3.0" }));
  assert.ok(!text.includes('"examples"') && !text.includes('"$defs"') && text.includes('"#/components/schemas/'), text.slice(0, 300));
});

test("the schema files for editors have descriptions", () => {
  for (const operation of api.operations()) {
    for (const [target, name] of [["draft-2020-12", `${operation}.json`], ["draft-07", `${operation}.draft-07.json`], ["openapi-3.0", `${operation}.openapi-3.0.json`]]) {
      const file = JSON.parse(readFileSync(new URL(`schemas/${name}`, root), "utf8"));
      assert.ok(Object.values(file.properties ?? {}).every(({ description }) => description), name);
      assert.ok(file.description, name);
      assert.equal(file.$schema, api.schema(operation)["~standard"].jsonSchema.input({ target }).$schema);
    }
  }
});

/** Names that a caller chose: control characters, characters that reverse the direction, 10,000 characters. */
const NAMES = ["\n\u001b[31m\u2028\u202e", "x".repeat(10_000), `a\r\b\u007f\u009b31m\u2066/~${"\u200by".repeat(5_000)}`, `\ufeff${"é".repeat(10_000)}\u0085\u2029\u{e0041}`, "\ud800\n"];
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

function assertPrintable(text) {
  assert.doesNotMatch(text, UNPRINTABLE);
  assert.ok([...text].length <= 2_000, `${text.length} characters`);
}

/** The requests in which one object of `value` has the member `name` too. */
function* withName(value, name) {
  if (value === null || typeof value !== "object") return;
  if (!Array.isArray(value)) yield { ...value, [name]: { [name]: 1 } };
  for (const [key, member] of Object.entries(value)) {
    for (const changed of withName(member, name)) yield Array.isArray(value) ? value.with(key, changed) : { ...value, [key]: changed };
  }
}

test("messages about names that a caller chose contain no control character and have a maximum length", () => {
  api.messages("xx", { "msg.field.unknown": "unknown{position}[, perhaps {suggestion}]: {name}" });
  let problems = 0;
  for (const name of NAMES) {
    for (const { operation, request } of vectors().slice(0, 200)) {
      for (const changed of withName(request, name)) {
        const report = api.validate(operation, changed);
        for (const problem of [...report.errors, ...report.warnings]) {
          problems++;
          assertPrintable(problem.message);
          assertPrintable(api.localize(problem, "en"));
          assertPrintable(api.localize({ ...problem, message: "", params: { ...problem.params, name, suggestion: name } }, "xx"));
        }
      }
    }
    const calls = [
      () => api.validate(name, {}), () => api.validateText("sms.send", name), () => api.validate("sms.send", {}, { [name]: 1 }), () => api.schema(name),
      () => api.schema("sms.send", name), () => api.segments("a", { [name]: 1 }), () => api.estimate("a", name), () => api.parseMarkup("a", name),
      () => api.messages(name, { [name]: "a" }), () => api.messages("yy", { [name]: "a" }), () => api.messages(`none-${name}`), () => api.checkPhoto({ [name]: 1 }),
      () => (api.messages(name, {}), api.messages("none")),
    ];
    for (const call of calls) {
      try {
        call();
      } catch (error) {
        assertPrintable(error.message);
        problems++;
      }
    }
  }
  assert.ok(problems > 1_000, `${problems}`);
});
