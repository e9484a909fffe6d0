// The entries and conditions of the packed package, in Node and Chromium: `node --test wasm/test`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { build } from "esbuild";
import { root, serve, withPage } from "./chromium.mjs";

let folder, server;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cpaas-entries-"));
  const packed = execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], { cwd: root, encoding: "utf8" }).trim();
  execFileSync("tar", ["xzf", packed], { cwd: folder });
  mkdirSync(`${folder}/node_modules`);
  cpSync(`${folder}/package`, `${folder}/node_modules/cpaas`, { recursive: true });
  writeFileSync(`${folder}/index.html`, '<!doctype html><html lang="en"><title>t</title><link rel="icon" href="data:,">');
  server = await serve({ site: folder });
});
after(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a file in the folder where the package is installed. */
function run(name, script, ...flags) {
  writeFileSync(`${folder}/${name}`, script);
  return execFileSync(process.execPath, [...flags, name], { cwd: folder, encoding: "utf8" }).trim();
}

const good = '{ from: "Acme", to: "306912345678", text: "" }';

test("cpaas/inline works with require and with import, and loads no file", () => {
  const said = `c.segments("я").units, c.validate("sms.send", ${good}).errors[0].pointer, c.isReady()`;
  assert.equal(run("a.cjs", `const c = require("cpaas/inline"); c.initSync(); console.log(${said});`), "1 /text true");
  assert.equal(run("b.cjs", `const c = require("cpaas/inline"); c.init().then(() => console.log(${said}));`), "1 /text true");
  assert.equal(run("c.mjs", `import * as c from "cpaas/inline"; await c.init(); console.log(${said});`), "1 /text true");
  assert.equal(run("d.cjs", `const { schema } = require("cpaas/inline"); schema("sms.send")["~standard"].validate(${good}).then(({ issues }) => console.log(issues[0].path.join()));`), "text");
  const names = (file, code) => run(file, code).split(",").sort().join();
  const inline = names("e.cjs", 'console.log(Object.keys(require("cpaas/inline")).join())');
  assert.equal(inline, names("f.mjs", 'import * as c from "cpaas"; console.log(Object.keys(c).join())'));
});

test("cpaas/segments counts with its own module, which the main entry rejects", () => {
  assert.equal(run("g.mjs", `
    import { annotate, causes, countSegments, init, initSync, isReady, segments } from "cpaas/segments";
    import { readFileSync } from "node:fs";
    await init();
    console.log(segments("it’s").encoding, segments("я".repeat(71), { parts: true }).parts.length, causes("it’s")[0].replacement, annotate("ab").characters.length, countSegments(["a", "b"]).length, isReady());
  `), "ucs2 2 ' 2 2 true");
  assert.equal(run("h.mjs", `
    import { initSync } from "cpaas";
    import { readFileSync } from "node:fs";
    try { initSync(readFileSync(new URL(import.meta.resolve("cpaas/segments_bg.wasm")))); } catch (error) { console.log(error.message); }
  `), "initSync: the module was not loaded: it is not the module of this package");
});

test("NotInitialised names its entry, also in minified scripts", () => {
  for (const entry of ["cpaas", "cpaas/inline", "cpaas/segments", "cpaas/sms"]) {
    assert.equal(run("n.mjs", `
      import { NotInitialised, segments } from "${entry}";
      try { segments("a"); } catch (error) { console.log(error instanceof NotInitialised, error.name, error.stack.split("\\n")[0]); }
    `), `true NotInitialised NotInitialised: segments: call \`await init()\` of ${entry} first (or \`initSync(bytes)\`)`);
  }
});

test("the module of cpaas/segments is at most a third of the main module", () => {
  const size = (name) => readFileSync(`${root}pkg/${name}`).length;
  assert.ok(size("segments/segments_bg.wasm") * 3 < size("web/cpaas_bg.wasm"));
  assert.doesNotMatch(readFileSync(`${root}pkg/segments/browser.js`, "utf8"), /validateText\(/);
});

test("cpaas/sms has its own module, which is in the package", () => {
  assert.equal(run("k.mjs", `
    import { encode, init, segments } from "cpaas/sms";
    import { readFileSync } from "node:fs";
    await init();
    console.log(segments("ışık", { languages: ["tr"] }).lockingShift, encode("a").length, readFileSync(new URL(import.meta.resolve("cpaas/cpaas_sms_bg.wasm"))).length > 0);
  `), "tr 1 true");
});

test("cpaas/codes returns the meaning of the provider's codes", () => {
  assert.equal(run("codes.mjs", `
    import { providerCode, providerCodes } from "cpaas/codes";
    console.log(providerCode("otp", 492).meaning, providerCode("sms", 1), providerCodes.some((row) => row.family === "report"));
  `), "a limit with this name already exists undefined true");
});

test("the package exports the schema files and the modules", () => {
  assert.equal(run("i.cjs", 'console.log(require("cpaas/schemas/sms.send.json").type, require.resolve("cpaas/cpaas_bg.wasm").split("/").pop())'), "object cpaas_bg.wasm");
});

/** An esbuild plugin that compiles `import module from "….wasm"`, as the bundler of the runtime does. */
const modules = {
  name: "modules",
  setup(build) {
    build.onLoad({ filter: /\.wasm$/ }, ({ path }) => ({ contents: `export default new WebAssembly.Module(Uint8Array.from(atob("${readFileSync(path).toString("base64")}"), (c) => c.charCodeAt(0)))` }));
  },
};

for (const condition of ["workerd", "edge-light"]) {
  test(`the condition ${condition} imports the module statically`, async () => {
    const contents = `import { init, validate } from "cpaas"; await init(); console.log(validate("sms.send", ${good}).errors[0].pointer);`;
    const options = { bundle: true, write: false, format: "esm", logLevel: "error", conditions: [condition], plugins: [modules] };
    const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir: folder } });
    assert.doesNotMatch(outputFiles[0].text, /node:fs/);
    assert.equal(run(`${condition}.mjs`, outputFiles[0].text), "/text");
  });
}

test("deno, bun and node get the entry that reads files", () => {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  for (const entry of [".", "./segments"]) {
    assert.deepEqual([exports[entry].deno, exports[entry].bun], [exports[entry].node, exports[entry].node]);
  }
});

test("the script for CDNs works with a content security policy without connect-src", async () => {
  await withPage({}, async (page) => {
    await page.route("**/site/index.html", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; img-src data:" } });
    });
    await page.goto(`${server.origin}/site/index.html`);
    await page.addScriptTag({ url: "/site/package/pkg/inline/inline.global.js" });
    assert.equal(await page.evaluate(async () => { await globalThis.cpaas.init(); return globalThis.cpaas.segments("я").units; }), 1);
  });
});

test("cpaas/segments works in a page", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${server.origin}/site/index.html`);
    assert.equal(await page.evaluate(async () => { const api = await import("/site/package/pkg/segments/browser.js"); await api.init(); return api.segments("я").units; }), 1);
  });
});
