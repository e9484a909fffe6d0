// The documented behavior of the package, in Node: `node --test wasm/test`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import test, { before } from "node:test";

const root = new URL("../", import.meta.url);
const run = (script) => execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: root, encoding: "utf8" });

test("importing uses no fetch, no files and no globals, and each function throws NotInitialised before init", () => {
  const said = run(`
    import fs from "node:fs"; import { promises } from "node:fs"; import { syncBuiltinESMExports } from "node:module";
    const touched = [];
    for (const name of ["readFile", "readFileSync", "open", "openSync"]) {
      const real = fs[name];
      fs[name] = (...args) => { if (/cpaas_bg/.test(String(args[0]))) touched.push(name); return real(...args); };
    }
    const readFile = promises.readFile;
    promises.readFile = (...args) => { if (/cpaas_bg/.test(String(args[0]))) touched.push("promises.readFile"); return readFile(...args); };
    syncBuiltinESMExports();
    globalThis.fetch = () => { touched.push("fetch"); };
    const globals = Object.getOwnPropertyNames(globalThis).length;
    const { init, initSync, isReady, schema, messages, localize, problemDetails, NotInitialised, TextError, default: none, ...rest } = await import("cpaas");
    const more = Object.getOwnPropertyNames(globalThis).length - globals;
    const bad = [];
    for (const [name, call] of Object.entries(rest)) {
      try { call({}); bad.push(name + " returned"); }
      catch (error) { if (!(error instanceof NotInitialised && error.message.includes("init()") && error.message.startsWith(name))) bad.push(name + ": " + error); }
    }
    schema("sms.send");
    console.log(JSON.stringify({ touched, more, bad, calls: Object.keys(rest).length, ready: isReady() }));
  `);
  const { calls, ...rest } = JSON.parse(said);
  assert.deepEqual(rest, { touched: [], more: 0, bad: [], ready: false });
  assert.ok(calls >= 15, `${calls} functions`);
});

test("importing the browser entry uses nothing of the page", () => {
  assert.equal(run(`
    const touched = [];
    for (const name of ["window", "document", "self", "navigator", "location", "localStorage", "indexedDB", "fetch", "XMLHttpRequest", "WebAssembly", "process"]) {
      Object.defineProperty(globalThis, name, { configurable: true, get() { touched.push(name); return undefined; } });
    }
    const { schema, isReady } = await import("./js/browser.js");
    schema("sms.send");
    console.log(touched.length + " " + touched + isReady());
  `), "0 false\n");
});

test("a bundle that uses one function omits the schemas, and a bundle that uses no function is empty", async () => {
  const { build } = await import("esbuild");
  const bundle = async (contents) => {
    const options = { bundle: true, write: false, minify: true, format: "esm", conditions: ["browser"], logLevel: "error" };
    return (await build({ ...options, stdin: { contents, resolveDir: root.pathname } })).outputFiles[0].text;
  };
  assert.equal(await bundle('import "cpaas";'), "");
  const some = await bundle('import { init, segments } from "cpaas"; console.log(init, segments);');
  assert.ok(!some.includes("carouselCard") && !some.includes("json-schema.org"), "the schemas are left out");
});

test("initSync accepts bytes", () => {
  assert.equal(run(`
    import { readFileSync } from "node:fs";
    import { initSync, segments } from "cpaas";
    initSync(readFileSync("pkg/web/cpaas_bg.wasm"));
    console.log(segments("it’s here").units);
  `), "9\n");
});

test("a failed init can be tried again", () => {
  assert.equal(run(`
    import { init, isReady } from "cpaas";
    await init(new Uint8Array([1, 2, 3])).then(() => console.log("?"), () => console.log(isReady()));
    await Promise.all([init(), init()]);
    console.log(isReady());
  `), "false\ntrue\n");
});

test("a schema returns a promise until it has loaded the module, and then a result", () => {
  assert.equal(run(`
    import { schema } from "cpaas";
    const { validate } = schema("sms.send")["~standard"];
    const value = { from: "Acme", to: "306912345678", text: "Hi" };
    const first = validate(value);
    console.log(first instanceof Promise, (await first).value === value);
    const then = validate({ ...value, text: "" });
    console.log(JSON.stringify(then.issues.map(({ path }) => path)));
  `), 'true true\n[["text"]]\n');
});

let api;
before(async () => {
  api = await import("cpaas");
  await api.init();
});

const card = { title: "Red shoe", media: { height: "TALL", contentInfo: { fileUrl: "https://shop.example/red.png" } } };
const message = (cards) => ({
  trafficAccountId: "0f8fad5b-d9cb-469f-a165-70867728950e",
  destination: "306912345678",
  business_chat: { carouselCard: { cardWidth: "MEDIUM", cardContents: cards }, fallback: "Shoes" },
});

test("problems contain their position as a path, and their parameters", () => {
  const { ok, errors } = api.validate("messages.send", message([card]));
  assert.equal(ok, false);
  const problem = errors[0];
  assert.equal(problem.pointer, "/business_chat/carouselCard/cardContents");
  assert.deepEqual(problem.path, ["business_chat", "carouselCard", "cardContents"]);
  assert.deepEqual([problem.severity, problem.limit, problem.actual], ["error", 2, 1]);
  assert.ok(problem.code.startsWith("business_chat.") && problem.message.length > 10 && problem.unit);
  const deep = api.validate("messages.send", message([card, { ...card, title: 5 }])).errors[0];
  assert.deepEqual(deep.path, ["business_chat", "carouselCard", "cardContents", 1, "title"]);
});

test("a key of digits in an object is a string in the path", () => {
  const value = { from: "Acme", to: "306912345678", text: "Hi", 7: 1 };
  const { warnings } = api.validate("sms.send", value);
  assert.deepEqual(warnings.at(-1).path, ["7"]);
  assert.deepEqual(api.validateText("sms.send", JSON.stringify(value)).warnings.at(-1).path, ["7"]);
});

test("fixes are edits of the text or of the name", () => {
  const { warnings } = api.validate("sms.send", { from: "Acme", to: "306912345678", text: "it’s here" });
  const { fix, span } = warnings.find((problem) => problem.fix);
  assert.ok(span === undefined || span.end16 > span.start16);
  const text = "it’s here";
  assert.equal(text.slice(0, fix.start16) + fix.insert + text.slice(fix.end16), "it's here");
  const renamed = api.validate("sms.send", { from: "Acme", to: "306912345678", txt: "Hi" });
  const rename = [...renamed.errors, ...renamed.warnings].find((problem) => problem.fix?.op === "rename");
  assert.equal(rename.fix.insert, "text");
});

test("a syntax error and undefined are reported as problems", () => {
  assert.equal(api.validateText("sms.send", "{").errors[0].code, "json.syntax");
  assert.equal(api.validate("sms.send", undefined).ok, false);
});

test("an unknown operation is a RangeError with a suggestion", () => {
  assert.throws(() => api.validate("sms.sent", {}), { name: "RangeError", message: /sms\.send/ });
  assert.throws(() => api.schema("sms.sent"), RangeError);
});

test("parts are returned only on request", () => {
  const text = "я".repeat(71);
  assert.deepEqual(api.segments(text), { encoding: "ucs2", count: 2, units: 71, remaining: 63 });
  assert.equal("parts" in api.segments(text, {}), false);
  assert.deepEqual(api.segments(text, { parts: true }).parts.map(({ start16, end16 }) => [start16, end16]), [[0, 67], [67, 71]]);
  assert.equal(api.segments("👨‍👩‍👧".repeat(9), { split: "grapheme" }).countByGrapheme, 2);
});

test("counts of long texts are exact", () => {
  const text = "a".repeat(3_000_000);
  assert.deepEqual(api.segments(text), { encoding: "gsm7", count: 19_608, units: 3_000_000, remaining: 24 });
});

test("countSegments counts many texts, also empty ones and lone surrogates", () => {
  const texts = ["a", "", "\ud83d", "\ude00", "€", "я".repeat(71)];
  assert.deepEqual(api.countSegments(texts), texts.map((text) => api.segments(text)));
  assert.deepEqual(api.countSegments(new Set(["a"])), [api.segments("a")]);
  assert.deepEqual(api.countSegments([]), []);
});

test("errors of texts and prices have codes, and prices of several recipients are added", () => {
  assert.throws(() => api.segments("a".repeat(50_000), { parts: true }), { name: "TextError", code: /^text\./ });
  assert.throws(() => api.segments("a", { splt: "grapheme" }), { name: "TextError" });
  assert.throws(() => api.estimate("a", "1e3"), { name: "TextError", code: "text.price" });
  const prices = "prefix,price,currency\n30,0.05,EUR\n3069,0.0375,EUR\n";
  const many = api.estimate("я".repeat(71), { prices, to: ["+30 690 000 0001", "306900000002", "302100000001"] });
  assert.equal(many.total, "0.2500");
  assert.deepEqual([many.currency, many.recipients, many.pricePerPart], ["EUR", 3, null]);
  assert.deepEqual(many.byCurrency, { EUR: { recipients: 3, parts: 6, total: "0.2500" } });
  assert.deepEqual(many.byPrefix["3069"], { recipients: 2, parts: 4, pricePerPart: "0.0375", total: "0.1500", currency: "EUR" });
  assert.equal(api.estimate("a", { prices, to: "306900000001" }).pricePerPart, "0.0375");
  assert.throws(() => api.estimate("a", { prices, to: "447000000001" }), { name: "TextError", code: "text.no_price" });
  assert.throws(() => api.estimate("a", { prices: "x", to: [] }), { name: "TextError", code: "text.prices" });
  assert.throws(() => api.estimate("a", { prices }), TypeError);
  assert.throws(() => api.estimate("a", { prices, to: [], recipients: 2 }), { name: "TextError", code: "text.options", message: /prices, to, fields/ });
  const merged = api.estimate("Hi {{name}}", { prices, to: "306900000001", fields: { name: "a".repeat(158) } });
  assert.deepEqual([merged.count, merged.total], [2, "0.0750"]);
  assert.throws(() => api.estimate("a", { prices, to: [306900000001] }), TypeError);
  assert.equal(api.estimate("я".repeat(71), "0.0075").total, "0.0150");
  assert.throws(() => api.segments(7), TypeError);
});

test("phone numbers are normalized to the form that is sent", () => {
  for (const number of ["306912345678", "+30 691 234-5678", "0030 (691) 2345678"]) assert.equal(api.normalizeNumber(number), "306912345678");
  for (const number of ["", "ann", "6912", "0691234567", "+0030691234567"]) assert.equal(api.normalizeNumber(number), null);
  assert.equal(api.normalizeNumber("306912345678", null), "306912345678");
  assert.throws(() => api.normalizeNumber("6912345678", "GR"), { name: "RangeError", message: /loadPhone/ });
  assert.throws(() => api.normalizeNumber(306912345678), TypeError);
});

test("annotate, checkSender, parseMarkup, escapeMarkup and the checks of values return the documented results", () => {
  const { causes, replaced } = api.annotate("it’s " + "a".repeat(100));
  assert.deepEqual([causes[0].character, causes[0].replacement, replaced.saved], ["’", "'", 1]);
  assert.deepEqual([api.checkSender("Acme").kind, api.checkSender("+306912345678").hasPlus], ["alphanumeric", true]);
  assert.deepEqual(api.parseMarkup("*a*", "MarkdownV2").entities, [{ type: "Bold", offset: 0, length: 1 }]);
  assert.equal(api.parseMarkup("*a", "MarkdownV2").error.kind.length > 0, true);
  assert.equal(api.escapeMarkup("a.b", "MarkdownV2"), "a\\.b");
  assert.throws(() => api.escapeMarkup("a", "markdown"), /Markdown/);
  assert.equal(api.checkPhoto({ bytes: 1, width: 100, height: 100 }).ok, true);
  assert.equal(api.checkPhoto({ bytes: 10485761, width: 100, height: 100 }).errors[0].limit, 10485760);
  assert.equal(api.checkFile({ bytes: 209715201 }).ok, false);
  assert.equal(api.checkBotUsername("shop_bot").ok, true);
  assert.equal(api.checkCardHeight(111).ok, false);
});

test("the JSON Schema of every operation and target contains all objects that it refers to", () => {
  for (const operation of api.operations()) {
    for (const target of ["draft-2020-12", "draft-07", "openapi-3.0"]) {
      const { jsonSchema } = api.schema(operation)["~standard"];
      const schema = jsonSchema.input({ target });
      const references = [...JSON.stringify(schema).matchAll(/"\$ref":"#\/([^"]+)"/g)];
      for (const [, place] of references) assert.ok(place.split("/").reduce((value, key) => value?.[key], schema), `${operation} ${place}`);
      assert.equal(schema.type, "object");
    }
  }
  assert.throws(() => api.schema("sms.send")["~standard"].jsonSchema.input({ target: "draft-04" }), /draft-07/);
});

test("version() returns the version of package.json", () => {
  const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
  assert.equal(api.version(), version);
});
