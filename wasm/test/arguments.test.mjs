// Invalid arguments, many calls, several copies and threads, in Node: `node --test wasm/test`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { before } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import * as api from "cpaas";

const root = fileURLToPath(new URL("../", import.meta.url));
const bytes = readFileSync(`${root}pkg/web/cpaas_bg.wasm`);
const good = { from: "Acme", to: "306912345678", text: "Hi" };
const run = (script) => execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: root, encoding: "utf8" });
before(() => api.init());

const cycle = {};
cycle.self = cycle;
const wrong = [undefined, null, 5, NaN, 5n, true, Symbol("a"), {}, [], () => "a", new Date(), new Map(), new Proxy({}, {})];
const calls = {
  segments: [(value) => api.segments(value), "the text"],
  annotate: [(value) => api.annotate(value), "the text"],
  estimate: [(value) => api.estimate(value, "1"), "the text"],
  "estimate of a price": [(value) => api.estimate("a", value), "the price of a part"],
  checkSender: [(value) => api.checkSender(value), "the sender"],
  parseMarkup: [(value) => api.parseMarkup(value, "Default"), "the text"],
  "parseMarkup in a mode": [(value) => api.parseMarkup("a", value), "the mode"],
  escapeMarkup: [(value) => api.escapeMarkup(value, "Default"), "the text"],
  validateText: [(value) => api.validateText("sms.send", value), "the request"],
  validate: [(value) => api.validate(value, good), "the operation"],
  schema: [(value) => api.schema(value), "the operation"],
  checkBotUsername: [(value) => api.checkBotUsername(value), "the username"],
  countSegments: [(value) => api.countSegments(["a", value]), "text 2"],
  "estimate to numbers": [(value) => api.estimate("a", { prices: "prefix,price,currency\n30,0.04,EUR", to: ["306912345678", value] }), "number 2 of the option to"],
};

for (const [name, [call, argument]] of Object.entries(calls)) {
  test(`${name}: a value other than a string is a TypeError that names ${argument}`, () => {
    for (const value of wrong) {
      assert.throws(() => call(value), (error) => error instanceof TypeError && error.message.startsWith(`${name.split(" ")[0]}: ${argument} must be a string, got `), String(typeof value));
    }
  });
}

test("types of numbers, objects and lists are checked too", () => {
  const refused = (call, message) => assert.throws(call, { name: "TypeError", message });
  for (const value of [undefined, null, 5, "a", []]) refused(() => api.checkPhoto(value), /^checkPhoto: the photo must be an object/);
  for (const value of [undefined, NaN, Infinity, "5", 5n]) {
    refused(() => api.checkPhoto({ bytes: 1, width: value, height: 1 }), /^checkPhoto: the photo's width must be a finite number/);
    refused(() => api.checkFile({ bytes: value }), /^checkFile: the file's bytes must be a finite number/);
    refused(() => api.checkCardHeight(value), /^checkCardHeight: the height must be a finite number/);
  }
  for (const value of [null, 5, "grapheme", []]) refused(() => api.segments("a", value), /^segments: the options must be an object/);
  for (const value of [undefined, null, 5, "one text", {}]) refused(() => api.countSegments(value), /^countSegments: the texts must be a list/);
  for (const value of [undefined, null, 5, "a", {}, new Response("a")]) refused(() => api.initSync(value), /^initSync: the bytes must be/);
});

test("rows count from 1 in messages", () => {
  assert.throws(() => api.estimate("a", "1", { recipients: [{}, 5] }), { name: "TypeError", message: "estimate: recipient 2 must be an object, got a number" });
  assert.throws(() => api.estimate("{{name}}", "1", { recipients: [{ name: "Ann" }, {}] }), { code: "text.fields", message: /in row 2$/ });
});

test("a request is checked as JSON.stringify writes it; a value that JSON cannot represent is a TypeError", async () => {
  for (const value of [5n, cycle, { ...good, text: 5n }]) {
    assert.throws(() => api.validate("sms.send", value), { name: "TypeError", message: "validate: the request cannot be written as JSON" });
    const { issues } = api.schema("sms.send")["~standard"].validate(value);
    assert.deepEqual(issues, [{ message: "the request cannot be written as JSON", path: [], code: "json.syntax", severity: "error" }]);
  }
  for (const value of [undefined, null, NaN, () => good, Symbol("a"), 5, "a", [], new Date()]) {
    assert.deepEqual(api.validate("sms.send", value).errors.map(({ pointer, code }) => [pointer, code]), [["", "msg.field.type"]]);
  }
  for (const text of [undefined, NaN, () => "a", Symbol("a")]) {
    assert.deepEqual(api.validate("sms.send", { ...good, text }).errors.map(({ pointer }) => pointer), ["/text"]);
  }
  assert.equal(api.validate("sms.send", new Proxy({ ...good }, {})).ok, true);
  assert.equal(api.validate("sms.send", { ...good, text: new Date(0) }).ok, true);
  assert.equal(api.validate("sms.send", { ...good, text: "\ud83d" }).ok, false);
  const fault = new Error("mine");
  assert.throws(() => api.validate("sms.send", { toJSON() { throw fault; } }), fault);
});

test("the data of a form is a TypeError that names the conversion", async () => {
  for (const [value, name] of [[new FormData(), "FormData"], [new URLSearchParams("to=306912345678"), "URLSearchParams"]]) {
    const rule = `the request must be a plain object, got ${name}: pass Object.fromEntries(data)`;
    assert.throws(() => api.validate("sms.send", value), { name: "TypeError", message: `validate: ${rule}` });
    const { issues } = api.schema("sms.send")["~standard"].validate(value);
    assert.deepEqual(issues, [{ message: rule, path: [], code: "json.syntax", severity: "error" }]);
  }
  const form = new FormData();
  for (const [field, text] of Object.entries(good)) form.append(field, text);
  assert.equal(api.validate("sms.send", Object.fromEntries(form)).ok, true);
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  assert.throws(() => api.validate("sms.send", revoked.proxy), { name: "TypeError", message: "validate: the request cannot be written as JSON" });
});

test("validateText reports an escaped lone surrogate as a syntax error, and reads an unescaped one as U+FFFD", () => {
  const escaped = api.validateText("sms.send", JSON.stringify({ ...good, text: "\ud83d" }));
  assert.deepEqual(escaped.errors.map(({ code, pointer }) => [code, pointer]), [["json.syntax", ""]]);
  const raw = api.validateText("sms.send", `{"from":"Acme","to":"306912345678","text":"\ud83d"}`);
  const sent = api.validateText("sms.send", `{"from":"Acme","to":"306912345678","text":"\ufffd"}`);
  assert.equal(raw.ok, true);
  assert.deepEqual(raw, sent);
});

test("a lone surrogate is reported with its position", async () => {
  const cut = "Hi 🙂".slice(0, 4);
  const errors = (value, operation = "sms.send") => api.validate(operation, value).errors;
  const span = { start: 9, end: 12, start16: 6, end16: 7, startCharacter: 5, endCharacter: 6 };
  assert.deepEqual(errors({ ...good, text: `é🙂${cut}` }), [{
    pointer: "/text", path: ["text"], code: "json.syntax", severity: "error",
    message: "the text has a lone surrogate (half of a character) at position 5: cut strings between characters",
    params: { span }, span,
  }]);
  const { issues } = api.schema("sms.send")["~standard"].validate({ ...good, text: cut });
  assert.deepEqual([issues.length, issues[0].message, issues[0].path], [1, errors({ text: cut })[0].message, ["text"]]);

  const cards = [{ title: "a" }, { title: "\udc00b", "a/b~\ud83d": { c: "\ud83d" } }];
  const found = errors({ destination: "\ud83d", business_chat: { carouselCard: { cardContents: cards } } }, "messages.send");
  const place = "/business_chat/carouselCard/cardContents/1";
  assert.deepEqual(found.map(({ pointer }) => pointer), ["/destination", `${place}/title`, `${place}/a~1b~0\ud83d`, `${place}/a~1b~0\ud83d/c`]);
  assert.deepEqual(found[2].path, ["business_chat", "carouselCard", "cardContents", 1, "a/b~\ud83d"]);
  assert.match(found[2].message, /^the member's name has a lone surrogate \(half of a character\) at position 4:/);

  assert.equal(errors("\ud83d")[0].pointer, "");
  assert.deepEqual(errors({ ...good, text: { toJSON: () => cut } })[0].path, ["text"]);
  assert.equal(api.checkBotUsername("\ud83dbot").errors[0].pointer, "/username");
  let deep = 5;
  for (let depth = 0; depth < 1000; depth++) deep = [deep];
  assert.deepEqual(errors({ ...good, text: deep }).map(({ pointer, code }) => [pointer, code]), api.validateText("sms.send", JSON.stringify({ ...good, text: deep })).errors.map(({ pointer, code }) => [pointer, code]));
  assert.deepEqual(errors({ ...good, text: "🙂 é" }), []);
  assert.equal(api.validateText("sms.send", JSON.stringify({ ...good, text: cut })).errors[0].pointer, "", "in JSON text, the escape is a syntax error of the whole text");
});

test("huge and deep values are checked, and the module stays usable", () => {
  const text = "x".repeat(20_000_000);
  assert.equal(api.validateText("sms.send", JSON.stringify({ ...good, text })).errors[0].actual, 130_719);
  assert.throws(() => api.segments(text), { name: "RangeError", message: /^segments: the text must have at most 16000000 characters, got 20000000/ });
  assert.throws(() => api.countSegments(["a", text]), { name: "RangeError", message: /^countSegments: / });
  assert.equal(api.validateText("sms.send", "[".repeat(1_000_000)).errors[0].code, "json.too_deep");
  assert.equal(api.validateText("sms.send", "").errors[0].code, "json.syntax");
  assert.equal(api.validate("sms.send", good).ok, true);
});

test("memory does not grow over 100,000 calls", () => {
  assert.equal(run(`
    const seen = [];
    const { Memory, instantiate } = WebAssembly;
    // Node's fetch also instantiates a module; only a module of this package exports validateText.
    WebAssembly.instantiate = async (...args) => {
      const made = await instantiate(...args);
      const { exports } = made.instance ?? made;
      if (exports.validateText) seen.push(exports.memory);
      return made;
    };
    const { annotate, countSegments, estimate, init, parseMarkup, segments, validate, validateText } = await import("cpaas");
    await init();
    const round = (index) => {
      const text = "it’s here " + "я".repeat(index % 300);
      validate("sms.send", { from: "Acme", to: "306912345678", text });
      validateText("messages.send", '{"destination": 5, "sms": {"txt": "' + text + '"}}');
      segments(text); segments(text, { parts: true }); countSegments([text, text]); annotate(text); estimate(text, "0.01");
      parseMarkup("*" + text, "MarkdownV2"); parseMarkup("*a* " + text, "Markdown");
      try { segments(text, { splt: 1 }); } catch {}
    };
    for (let index = 0; index < 600; index++) round(index);
    const before = seen[0].buffer.byteLength;
    for (let index = 0; index < 10_000; index++) round(index);
    console.log(seen.length, seen[0].buffer.byteLength - before);
  `), "1 0\n");
});

test("initSync may finish while init is running", () => {
  assert.equal(run(`
    import { readFileSync } from "node:fs";
    import { init, initSync, segments, validate } from "cpaas";
    const bytes = readFileSync("pkg/web/cpaas_bg.wasm");
    let go;
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = async (...args) => {
      const made = await instantiate(...args);
      if ((made.instance ?? made).exports.validateText) await new Promise((done) => (go = done));
      return made;
    };
    const waits = init(bytes);
    while (!go) await new Promise(setImmediate);
    initSync(bytes);
    const asked = () => [segments("ab€").units, validate("sms.send", {}).errors.length].join();
    const first = asked();
    go();
    await waits;
    console.log(first, asked());
  `), "4,3 4,3\n");
});

test("init accepts a path, a file URL, bytes and a compiled module, and reports why it failed", () => {
  const module = pathToFileURL(`${root}pkg/web/cpaas_bg.wasm`).href;
  for (const source of ['"pkg/web/cpaas_bg.wasm"', `"${module}"`, `new URL("${module}")`, `Promise.resolve(new URL("${module}"))`, 'await WebAssembly.compile(readFileSync("pkg/web/cpaas_bg.wasm"))']) {
    assert.equal(run(`import { readFileSync } from "node:fs"; import { init, segments } from "cpaas"; await init(${source}); console.log(segments("a").units)`), "1\n", source);
  }
  assert.match(run('import { init } from "cpaas"; await init("nowhere.wasm").catch((error) => console.log(error.message))'), /^init: the module was not loaded: .*nowhere\.wasm/);
});

test("init accepts responses of fetch, also without the media type of wasm, and tries again after a failure", () => {
  const script = (type) => `
    import { readFileSync } from "node:fs";
    import { init, isReady, segments } from "cpaas";
    const bytes = readFileSync("pkg/web/cpaas_bg.wasm");
    const seen = [];
    const { compileStreaming } = WebAssembly;
    WebAssembly.compileStreaming = (...args) => { seen.push("streamed"); return compileStreaming(...args); };
    await init(new Response("none", { status: 404 })).catch((error) => seen.push(error.message));
    await init(new Response("no module", { headers: { "content-type": ${JSON.stringify(type)} } })).catch(() => seen.push(isReady()));
    await init(Promise.resolve(new Response(bytes, { headers: { "content-type": ${JSON.stringify(type)} } })));
    console.log(seen.join(), segments("a").units);`;
  const said = "init: the module was not loaded: status 404 for ";
  assert.equal(run(script("application/wasm")), `${said},streamed,false,streamed 1\n`);
  assert.equal(run(script("text/plain")), `${said},false 1\n`);
});

test("two copies of the package have separate modules", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cpaas-"));
  try {
    cpSync(`${root}js`, `${folder}/js`, { recursive: true });
    cpSync(`${root}pkg`, `${folder}/pkg`, { recursive: true });
    cpSync(`${root}package.json`, `${folder}/package.json`);
    const other = await import(pathToFileURL(`${folder}/js/node.js`).href);
    assert.equal(other.isReady(), false);
    assert.throws(() => other.segments("a"), (error) => error.name === "NotInitialised" && error instanceof other.NotInitialised && !(error instanceof api.NotInitialised));
    other.initSync(bytes);
    assert.deepEqual(other.validate("sms.send", good), api.validate("sms.send", good));
    assert.deepEqual(other.segments("я"), api.segments("я"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("each worker thread has its own instance, also of a module that another thread compiled", async () => {
  const script = `
    import { parentPort, workerData } from "node:worker_threads";
    import { init, initSync, isReady, validate } from "cpaas";
    const before = isReady();
    if (workerData) initSync(workerData); else await init();
    let errors = 0;
    for (let index = 0; index < 2000; index++) errors += validate("sms.send", { from: "Acme", to: "306912345678", text: index % 2 ? "Hi" : "" }).errors.length;
    parentPort.postMessage([before, errors]);`;
  const file = new URL(`data:text/javascript,${encodeURIComponent(script.replaceAll('"cpaas"', JSON.stringify(import.meta.resolve("cpaas"))))}`);
  const module = await WebAssembly.compile(bytes);
  const results = [undefined, module, bytes, undefined].map((workerData) => new Promise((done, failed) => new Worker(file, { workerData }).once("message", done).once("error", failed)));
  assert.deepEqual(await Promise.all(results), Array(4).fill([false, 1000]));
});

test("a text that needs more memory than available is a RangeError, and the module stays usable", () => {
  const script = `
    import { initSync, segments } from "cpaas";
    import { readFileSync } from "node:fs";
    initSync(readFileSync(${JSON.stringify(`${root}pkg/web/cpaas_bg.wasm`)}));
    let said = "";
    try { segments("A".repeat(5e6)); } catch (error) { said = error.name + ": " + error.message; }
    console.log(said + " " + segments("я").encoding);`;
  const few = [`--wasm-max-mem-pages=64`, "--input-type=module", "-e", script];
  assert.equal(execFileSync(process.execPath, few, { cwd: root, encoding: "utf8" }).trim(), "RangeError: segments: the input is too large: checking it needs more memory than is available ucs2");
});
