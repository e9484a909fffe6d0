// Unusual and malicious values and modules, in Node: `node --test wasm/test`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import test, { before } from "node:test";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import * as api from "cpaas";

const root = fileURLToPath(new URL("../", import.meta.url));
const bytes = readFileSync(`${root}pkg/web/cpaas_bg.wasm`);
const good = { from: "Acme", to: "306912345678", text: "Hi" };
const run = (script) => execFileSync(process.execPath, ["--input-type=module", "-e", `import * as api from "cpaas"; import { readFileSync } from "node:fs"; const bytes = readFileSync("pkg/web/cpaas_bg.wasm"); ${script}`], { cwd: root, encoding: "utf8" });
before(() => api.init());

test("shared bytes are accepted, and so are views of them", () => {
  for (const load of ["api.initSync(shared)", "api.initSync(new DataView(shared))", "api.initSync(new Uint8Array(shared))", "await api.init(shared)", "await api.init(new Uint8Array(shared))"]) {
    assert.equal(run(`const shared = new SharedArrayBuffer(bytes.length); new Uint8Array(shared).set(bytes); ${load}; console.log(api.segments("я").units);`), "1\n", load);
  }
});

test("bytes that are not the module of the package are rejected, and the package's module is accepted afterwards", () => {
  const foreign = "new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])";
  assert.equal(run(`
    const results = [];
    for (const wrong of [${foreign}, new Uint8Array([1, 2, 3]), new ArrayBuffer(0), new WebAssembly.Module(${foreign})]) {
      try { api.initSync(wrong); } catch (error) { results.push(error.message.startsWith("initSync: the module was not loaded: "), error.cause instanceof Error); }
      await api.init(wrong).catch((error) => results.push(error.message.startsWith("init: the module was not loaded: ")));
      results.push(api.isReady());
    }
    api.initSync(bytes);
    await api.init();
    console.log(results.join(), api.segments("я").units);
  `), `${Array(4).fill("true,true,true,false").join()} 1\n`);
});

test("paths refer to the written JSON, also with toJSON, and no getter is called twice", () => {
  const cards = [{ title: 5 }, { title: 5 }];
  const within = (cardContents) => ({ business_chat: { carouselCard: { cardContents } } });
  const titles = (value) => api.validate("messages.send", value).errors.map(({ path }) => path).filter((path) => path.at(-1) === "title");
  const place = (index) => ["business_chat", "carouselCard", "cardContents", index, "title"];
  assert.deepEqual(titles(within(cards)), [place(0), place(1)]);
  assert.deepEqual(titles(within({ toJSON: () => cards })), [place(0), place(1)]);
  assert.deepEqual(titles(within(Object.assign([...cards], { toJSON: () => ({ ...cards }) }))), []);
  let asked = 0;
  const value = { ...good, get text() { if (asked++ > 0) throw new Error("asked again"); return [5]; }, 0: 5 };
  assert.deepEqual(api.validate("sms.send", value).errors.map(({ path }) => path), [["text"]]);
  assert.equal(asked, 1);
});

test("keys with the names of inherited members are ordinary keys", () => {
  const names = ["__proto__", "constructor", "hasOwnProperty", "toString", "", "0", "~1", "a/b", "length"];
  const body = (inner) => `{"business_chat":{"carouselCard":{"cardContents":[${inner},${inner}]}}}`;
  const text = body(`{${names.map((name) => `${JSON.stringify(name)}:{"0":[0]}`).join()}}`);
  const found = (said) => said.warnings.map(({ path }) => path).filter((path) => path[2] === "cardContents" && path[3] === 1 && path.length === 5);
  for (const said of [api.validateText("messages.send", text), api.validate("messages.send", JSON.parse(text))]) {
    assert.deepEqual(new Set(found(said).map((path) => path[4])), new Set(names));
    assert.equal(found(said).length, names.length);
  }
  const own = '{"__proto__":{"ok":true,"limit":1},"from":"Acme","to":"306912345678","text":""}';
  assert.deepEqual(api.validate("sms.send", JSON.parse(own)).errors.map(({ path }) => path), [["text"]]);
  assert.equal({}.limit, undefined);
  for (const name of ["__proto__", "constructor", "toString"]) {
    assert.throws(() => api.schema(name), RangeError);
    assert.throws(() => api.validate(name, good), RangeError);
    assert.throws(() => api.schema("sms.send")["~standard"].jsonSchema.input({ target: name }), /the target must be/);
  }
});

test("lone surrogates in very many members are reported one by one", () => {
  const many = Array(200_000).fill("a");
  const cut = "\ud83d";
  assert.deepEqual(api.validate("sms.send", { ...good, many, text: cut }).errors.map(({ path }) => path), [["text"]]);
  assert.deepEqual(api.validate("sms.send", { ...good, text: "Hi", ...Object.fromEntries(many.map((_, index) => [`a${index}`, 0])), z: cut }).errors.map(({ path }) => path), [["z"]]);
  const { errors, more } = api.validate("sms.send", { ...good, many: many.map(() => cut) });
  assert.deepEqual([errors.length, more], [1000, 199_000]);
});

test("options are own members of the object, frozen or not, and `parts` is a boolean", () => {
  assert.equal(api.segments("a", Object.freeze({ parts: true })).parts.length, 1);
  assert.deepEqual(api.segments("a", Object.create({ parts: true, split: "grapheme" })), api.segments("a"));
  assert.deepEqual(api.segments("a", { parts: undefined, split: undefined, encoding: undefined }), api.segments("a"));
  for (const parts of ["no", 1, {}]) assert.throws(() => api.segments("a", { parts }), { name: "TypeError", message: /^segments: the option parts must be true or false/ });
});

test("values of any kind have the same report as their JSON", () => {
  const values = [-0, 1e400, NaN, Infinity, 1e21, 5e-324, 2 ** 53, "\0", new String("Hi"), new Number(5), new Boolean(false), [], {}, new Date(0), new Uint8Array(2), Object.freeze({ a: 1 }), Object.create(null), new Proxy([1], {})];
  for (const text of values) {
    const value = { ...good, text };
    assert.deepEqual(api.validate("sms.send", value), api.validateText("sms.send", JSON.stringify(value)), String(JSON.stringify(text)));
  }
  const said = api.validate("messages.send", {});
  assert.deepEqual(structuredClone(said), said);
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  assert.throws(() => api.validate("sms.send", revoked.proxy), { name: "TypeError", message: "validate: the request cannot be written as JSON" });
});

test("threads can share the bytes of the module", async () => {
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  const script = `import { parentPort, workerData } from "node:worker_threads"; import { initSync, segments } from ${JSON.stringify(import.meta.resolve("cpaas"))}; initSync(workerData); parentPort.postMessage(segments("я").units);`;
  const file = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  const results = [1, 2].map(() => new Promise((done, failed) => new Worker(file, { workerData: shared }).once("message", done).once("error", failed)));
  assert.deepEqual(await Promise.all(results), [1, 1]);
});
