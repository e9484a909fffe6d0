// Calls that end in a trap, and the calls after them, in Node: `node --test wasm/test`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const good = { from: "Acme", to: "306912345678", text: "Hi" };

/** Returns the output of a script; `few` limits the module's memory to 4 MB. */
function run(script, few = true) {
  const head = `
    import { readFileSync } from "node:fs";
    import * as api from "cpaas";
    const bytes = readFileSync("pkg/web/cpaas_bg.wasm");
    const good = ${JSON.stringify(good)};
    const secret = "s3cr3t";
    const large = (count) => ({ destination: secret, business_chat: { carouselCard: { cardContents: Array(count).fill(secret) } } });
    const said = (call) => { try { return call(); } catch (error) { return error; } };`;
  const flags = few ? ["--wasm-max-mem-pages=64"] : [];
  return execFileSync(process.execPath, [...flags, "--input-type=module", "-e", head + script], { cwd: root, encoding: "utf8" }).trim();
}

test("a request that needs more memory than available is a RangeError that names the call and quotes no input", () => {
  assert.equal(run(`
    api.initSync(bytes);
    const error = said(() => api.validate("messages.send", large(20_000)));
    console.log(error.name, error instanceof RangeError, error.message, error.cause instanceof WebAssembly.RuntimeError, (error.stack + error.cause.stack).includes(secret));
    const { issues } = api.schema("messages.send")["~standard"].validate(large(20_000));
    console.log(JSON.stringify(issues));
  `), `RangeError true validate: the input is too large: checking it needs more memory than is available true false
[{"message":"the request is too large to check","path":[],"code":"json.syntax","severity":"error"}]`);
});

test("a trap does not change the results of later calls", () => {
  assert.equal(run(`
    await api.init();
    const text = JSON.stringify(large(20_000));
    const results = () => JSON.stringify([api.segments("я"), api.segments("a".repeat(5000)), api.countSegments(["€"]), api.validate("sms.send", { ...good, to: 5 }), api.annotate("’".repeat(2000)), api.isReady()]);
    const first = results();
    let same = 0, refused = 0;
    for (let round = 0; round < 300; round++) {
      if (said(() => api.validateText("messages.send", text)) instanceof RangeError) refused++;
      if (results() === first) same++;
    }
    console.log(refused, same);
  `), "300 300");
});

test("a call that overflows the caller's stack does not affect later calls", () => {
  assert.equal(run(`
    api.initSync(bytes);
    api.parseMarkup("a", "Markdown");
    api.segments("a");
    let faults = 0;
    const fall = (depth) => {
      try { fall(depth + 1); } catch {}
      if (faults > 2000) return;
      try { api.parseMarkup("*a* _b_", "Markdown"); } catch { faults++; }
    };
    for (let round = 0; round < 40; round++) said(() => fall(0));
    console.log(faults > 300, api.parseMarkup("*a*", "Markdown").entities.length, api.segments("я").encoding, api.validate("sms.send", good).ok);
  `, false), "true 1 ucs2 true");
});

test("a value whose toJSON calls the module and traps is checked by a new instance", () => {
  assert.equal(run(`
    api.initSync(bytes);
    const nested = { ...good, text: { toJSON() { said(() => api.validate("messages.send", large(20_000))); return "Hi"; } } };
    console.log(api.validate("sms.send", nested).ok);
    function* texts() { yield "я"; said(() => api.validate("messages.send", large(20_000))); yield "€"; }
    console.log(api.countSegments(texts()).map(({ units }) => units).join());
  `), "true\n1,2");
});

test("the memory of a huge text is given back", () => {
  assert.equal(run(`
    const memories = [];
    const { Instance } = WebAssembly;
    WebAssembly.Instance = function (...args) { const made = new Instance(...args); memories.push(made.exports.memory); return made; };
    api.initSync(bytes);
    api.annotate("a"); // makes the instance of the tools module
    const calls = [
      () => api.segments("я".repeat(15_000_000)).count, () => api.countSegments(["a".repeat(15_000_000)])[0].count,
      () => api.validateText("sms.send", JSON.stringify({ ...good, text: "a".repeat(15_000_000) })).errors.length, () => api.annotate("a".repeat(3_000_000)).characters.length,
    ];
    for (const call of calls) console.log(call() > 0, memories.at(-1).buffer.byteLength < 8_000_000);
    console.log(memories.length, api.segments("я").units, api.annotate("it’s").causes.length);
  `, false), "true true\ntrue true\ntrue true\ntrue true\n6 1 1");
});
