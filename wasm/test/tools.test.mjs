// The functions of the tools module: which page loads it, when, and what happens without it: `node --test wasm/test`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import * as api from "cpaas";
import * as glue from "../pkg/tools/cpaas_tools.js";
import { BASE64 } from "../pkg/tools/bytes.js";
import { root, serve, withPage } from "./chromium.mjs";
import { section } from "./doc_blocks.mjs";

const source = (name) => readFileSync(`${root}js/${name}`, "utf8");
const run = (script) => execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: root, encoding: "utf8" }).trim();

/** Some base64 characters of the tools module. */
const MARK = BASE64.slice(100_000, 100_064);

let folder, server;
before(async () => {
  await api.init();
  glue.initSync({ module: readFileSync(`${root}pkg/tools/cpaas_tools_bg.wasm`) });
  folder = mkdtempSync(join(tmpdir(), "cpaas-tools-"));
  cpSync(`${root}pkg/web/cpaas_bg.wasm`, `${folder}/cpaas_bg.wasm`);
  writeFileSync(`${folder}/index.html`, '<!doctype html><html lang="en"><title>t</title><link rel="icon" href="data:,">');
  server = await serve({ site: folder, cpaas: root });
});
after(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The result of a call, or the code and the message of its TextError. */
function outcome(call) {
  try {
    return call();
  } catch (error) {
    assert.ok(error instanceof api.TextError, String(error));
    return `${error.code} ${error.message}`;
  }
}

/** The result of the module, which is JSON, or a code and a message. */
const parsed = (result) => (result.startsWith("{") ? JSON.parse(result) : result);

test("the price of a text is that of the module, for 4,000 texts and prices, also invalid ones", () => {
  const prices = ["0", "00", "007.50", "0.0075", "1", "1.", ".5", "", "-1", "+1", "1e3", "1,5", " 1", "1 ", "1\n", "1.2.3", "٣", "0.00", "0x1", "NaN", "9".repeat(28), "9".repeat(29), `${"9".repeat(27)}.9`, `${"9".repeat(28)}.9`, `0.${"0".repeat(26)}1`, `0.${"0".repeat(27)}1`];
  const texts = ["", "Hi", "€".repeat(80), "я".repeat(71), "\ud83d", "a".repeat(39_015), "a".repeat(39_016), "я".repeat(17_085), "я".repeat(17_086), "{{name}}", "a\0b"];
  let seed = 7;
  const random = (below) => (seed = (seed * 16_807) % 2_147_483_647) % below;
  const digits = (length) => Array.from({ length }, () => random(10)).join("");
  while (prices.length < 200) prices.push(random(2) ? `${digits(1 + random(20))}.${digits(1 + random(12))}` : digits(1 + random(30)));
  while (texts.length < 20) texts.push("aя€\u00e9🙂 ".repeat(random(60)).slice(random(4)));
  const kinds = { equal: 0, refused: 0 };
  for (const price of prices) {
    for (const text of texts) {
      const expected = parsed(glue.estimate(text, price));
      assert.deepEqual(outcome(() => api.estimate(text, price)), expected, `${JSON.stringify(price)} ${text.length}`);
      kinds[typeof expected === "string" ? "refused" : "equal"]++;
    }
  }
  assert.ok(kinds.equal > 1000 && kinds.refused > 500, JSON.stringify(kinds));
});

/** The bundle of a page: the entry and the scripts that it loads on demand. */
async function bundle(contents, options = {}) {
  const all = { bundle: true, write: false, minify: true, format: "esm", splitting: true, conditions: ["browser"], logLevel: "error", outdir: "/out", ...options };
  const { outputFiles } = await build({ ...all, stdin: { contents, resolveDir: root } });
  const [entry, ...others] = [...outputFiles].sort((one, other) => Number(other.path.endsWith("stdin.js")) - Number(one.path.endsWith("stdin.js")));
  return { entry: entry.text, others: others.map(({ path, text }) => ({ name: path.split("/").pop(), text })) };
}

/** The gzip of a script and of the scripts that it imports statically. */
function loaded({ entry, others }) {
  const seen = new Map([["entry", entry]]);
  for (const text of seen.values()) {
    for (const { name, text: other } of others) {
      if (new RegExp(`(from|import)\\s*"\\./${name.replaceAll(".", "\\.")}"`).test(text)) seen.set(name, other);
    }
  }
  const text = [...seen.values()].join("");
  return { text, size: gzipSync(text, { level: 9 }).length };
}

test("a page that imports estimate loads at most 1,700 bytes more than with segments, and no tools module", async () => {
  const [plain, priced] = await Promise.all(["segments", "segments, estimate"].map((names) => bundle(`export { init, ${names} } from "cpaas";`)));
  assert.ok(loaded(priced).size - loaded(plain).size <= 1700, `${loaded(priced).size} and ${loaded(plain).size} bytes`);
  assert.ok(!loaded(priced).text.includes(MARK));
  const { entry, others } = await bundle('export { init, segments, estimate } from "cpaas";', { splitting: false });
  assert.ok(others.length === 0 && !entry.includes(MARK), "also in one file");
});

test("a page that imports a function of the tools module has it in one file that init loads", async () => {
  const annotated = await bundle('export { init, annotate } from "cpaas";');
  assert.ok(!loaded(annotated).text.includes(MARK));
  assert.equal(annotated.others.filter(({ text }) => text.includes(MARK)).length, 1);
  const whole = await bundle('export { init, annotate } from "cpaas";', { splitting: false });
  assert.equal(whole.entry.split(MARK).length, 2, "once in one file");
});

test("browser.js lists each function whose file calls the tools module, except estimate, which needs it for prices by prefix only", () => {
  const files = readdirSync(`${root}js`).filter((name) => name.endsWith(".js") && /import \{.*requireTools.*\} from "\.\/tools-module\.js"/.test(source(name)));
  const names = files.flatMap((name) => [...source(name).matchAll(/^export function (\w+)/gm)].map(([, found]) => found));
  const listed = [...source("browser.js").matchAll(/^export const (\w+) = \/\* @__PURE__ \*\/ withTools\(api\.(\w+)\);$/gm)];
  for (const [, name, other] of listed) assert.equal(name, other);
  assert.deepEqual(listed.map(([, name]) => name).sort(), names.filter((name) => name !== "estimate").sort());
  assert.ok(names.includes("estimate") && names.length > 10);
});

test("each function of the tools module works in a page after init", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${server.origin}/site/index.html`);
    const said = await page.evaluate(async () => {
      const api = await import("/cpaas/js/browser.js");
      await api.init();
      return [
        api.annotate("it’s").causes.length, api.causes("it’s")[0].replacement, api.checkSender("Acme").kind, api.normalizeNumber("+30 691 234 5678"),
        api.intent("Stop!").kind, api.autofillBody("{code}", { host: "shop.example" }).includes("@shop.example"), api.checkAutofill("a").host,
        api.parseMarkup("*a*", "MarkdownV2").text, api.escapeMarkup("a.b", "MarkdownV2"), api.checkPhoto({ bytes: 1, width: 100, height: 100 }).ok,
        api.estimate("a", { prices: "prefix,price,currency\n30,0.05,EUR\n", to: "306912345678" }).total,
      ];
    });
    assert.deepEqual(said, [1, "'", "alphanumeric", "306912345678", "stop", true, null, "a", "a\\.b", true, "0.05"]);
  });
});

/** Writes a bundle to the folder that is served; returns the name of the file with the tools module. */
async function site(contents) {
  const { entry, others } = await bundle(contents);
  writeFileSync(`${folder}/main.js`, entry);
  for (const { name, text } of others) writeFileSync(`${folder}/${name}`, text);
  return others.find(({ text }) => text.includes(MARK)).name;
}

test("prices by prefix need loadTools of cpaas/tools, which names itself, and a flat price needs nothing", async () => {
  await site('import { loadTools } from "cpaas/tools"; import { init, estimate } from "cpaas"; Object.assign(globalThis, { init, estimate, loadTools });');
  await withPage({}, async (page) => {
    await page.goto(`${server.origin}/site/index.html`);
    const said = await page.evaluate(async () => {
      await import("/site/main.js");
      await globalThis.init("/site/cpaas_bg.wasm");
      const flat = globalThis.estimate("a", "0.05", { recipients: 3 }).total;
      const byPrefix = () => globalThis.estimate("a", { prices: "prefix,price,currency\n30,0.05,EUR\n", to: "306912345678" }).total;
      let missing;
      try {
        byPrefix();
      } catch (error) {
        missing = [error.name, error.message];
      }
      await Promise.all([globalThis.loadTools(), globalThis.loadTools()]);
      return { flat, missing, then: byPrefix() };
    });
    assert.deepEqual(said, { flat: "0.15", missing: ["NotInitialised", "estimate: call `await loadTools()` of cpaas/tools first"], then: "0.05" });
  });
});

test("if the tools module is not loaded, init succeeds, its functions throw the reason, and the next init tries again", async () => {
  const file = await site('export { init, annotate, segments } from "cpaas";');
  await withPage({}, async (page) => {
    await page.goto(`${server.origin}/site/index.html`);
    writeFileSync(`${folder}/${file}`, 'throw new Error("spoiled");');
    const { message, ...rest } = await page.evaluate(async () => {
      const { init, annotate, segments } = await import("/site/main.js");
      await init("/site/cpaas_bg.wasm");
      try {
        return { units: segments("я").units, causes: annotate("it’s").causes.length };
      } catch (error) {
        return { units: segments("я").units, message: error.message, cause: error.cause instanceof Error };
      }
    });
    assert.deepEqual(rest, { units: 1, cause: true });
    assert.match(message, /^annotate: the tools module was not loaded: spoiled; cpaas\/inline contains it$/);
  });
  assert.equal(run(`
    import { readFileSync } from "node:fs";
    import { start, initSync, whenInit } from "./js/module-state.js";
    let loads = 0;
    whenInit(async () => { if (loads++ === 0) throw new Error("offline"); });
    const bytes = async () => readFileSync("pkg/web/cpaas_bg.wasm");
    const first = start(bytes);
    await first;
    const second = start(bytes);
    await second;
    await start(bytes);
    console.log(loads, first === second, start(bytes) === second);
  `), "2 false true");
});

test("after initSync in a page, the functions name loadTools, which loads them", () => {
  assert.equal(run(`
    import { readFileSync } from "node:fs";
    import { annotate, initSync, segments } from "./js/browser.js";
    import { loadTools } from "./js/tools.js";
    initSync(readFileSync("pkg/web/cpaas_bg.wasm"));
    try { annotate("a"); } catch (error) { console.log(error.name, error.message); }
    await loadTools();
    console.log(annotate("it’s").causes.length, segments("a").units);
  `), "NotInitialised annotate: call `await loadTools()` of cpaas/tools first\n1 1");
});

test("in Node, the functions need no further call, also after initSync", () => {
  assert.equal(run(`
    import { readFileSync } from "node:fs";
    import { annotate, initSync } from "cpaas";
    import { loadTools } from "cpaas/tools";
    await loadTools();
    initSync(readFileSync("pkg/web/cpaas_bg.wasm"));
    console.log(annotate("it’s").causes.length);
  `), "1");
});

for (const condition of ["workerd", "edge-light"]) {
  test(`a bundle for ${condition} contains the tools module as a file, once, and not as text`, async () => {
    const contents = 'import * as cpaas from "cpaas"; import { loadTools } from "cpaas/tools"; await loadTools(); console.log(cpaas);';
    const { entry, others } = await bundle(contents, { conditions: [condition], external: ["*.wasm", "*.wasm?module"] });
    const text = [entry, ...others.map((other) => other.text)].join("");
    assert.ok(!text.includes(MARK));
    const imports = [...text.matchAll(/import \w+ from"([^"]+\.wasm)(?:\?module)?"/g)].map(([, file]) => file.split("/").pop());
    assert.deepEqual(imports.sort(), ["cpaas_bg.wasm", "cpaas_tools_bg.wasm"]);
  });
}

test("the block about prices of docs/browser.md prints what it says", () => {
  assert.equal(run(section("docs/browser.md", "Price", "js")[0]), "0.0875");
});
