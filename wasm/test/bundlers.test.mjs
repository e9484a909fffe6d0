// Runs the code blocks of docs/bundlers.md that need no further packages, with the packed package: `node --test wasm/test`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { build as esbuild } from "esbuild";
import { build as vite } from "vite";
import { root, serve, withPage } from "./chromium.mjs";
import { section } from "./doc_blocks.mjs";

const page = "docs/bundlers.md";
let folder, server;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cpaas-bundlers-"));
  const packed = execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], { cwd: root, encoding: "utf8" }).trim();
  execFileSync("tar", ["xzf", packed], { cwd: folder });
  mkdirSync(`${folder}/node_modules`);
  renameSync(`${folder}/package`, `${folder}/node_modules/cpaas`);
  writeFileSync(`${folder}/package.json`, '{ "private": true, "type": "module" }');
  server = await serve({ site: folder, cpaas: `${folder}/node_modules/cpaas` });
});
after(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const html = (script) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,"><body><script type="module" src="${script}"></script>`;

async function pointerOf(path) {
  let pointer;
  await withPage({}, async (page) => {
    await page.goto(`${server.origin}${path}`);
    await page.waitForFunction(() => document.body.dataset.pointer !== undefined);
    pointer = await page.evaluate(() => document.body.dataset.pointer);
  });
  return pointer;
}

test("the block for Vite validates in a page", async () => {
  mkdirSync(`${folder}/vite`);
  writeFileSync(`${folder}/vite/main.js`, section(page, "Vite", "js")[0]);
  writeFileSync(`${folder}/vite/index.html`, html("./main.js"));
  await vite({ root: `${folder}/vite`, configFile: false, logLevel: "error", base: "./", build: { target: "es2022" } });
  assert.equal(await pointerOf("/site/vite/dist/index.html"), "/text");
});

test("the block for esbuild validates in a page", async () => {
  mkdirSync(`${folder}/esbuild`);
  writeFileSync(`${folder}/esbuild/main.js`, section(page, "esbuild", "js")[0]);
  writeFileSync(`${folder}/esbuild/index.html`, html("./dist/main.js"));
  const options = { bundle: true, format: "esm", logLevel: "error", loader: { ".wasm": "file" }, publicPath: "/site/esbuild/dist" };
  await esbuild({ ...options, entryPoints: [`${folder}/esbuild/main.js`], outdir: `${folder}/esbuild/dist` });
  assert.equal(await pointerOf("/site/esbuild/index.html"), "/text");
});

test("the block for a Web Worker validates under the documented content security policy", async () => {
  const [policy] = section(page, "Content security policy", "http");
  const [, value] = /^Content-Security-Policy: (.*)$/m.exec(policy);
  writeFileSync(`${folder}/worker.js`, section(page, "Web Worker", "js")[0].replace('"cpaas"', '"/cpaas/js/browser.js"'));
  writeFileSync(`${folder}/worker.html`, '<!doctype html><html lang="en"><title>t</title><link rel="icon" href="data:,">');
  await withPage({}, async (page) => {
    await page.route("**/site/*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": value } });
    });
    await page.goto(`${server.origin}/site/worker.html`);
    const said = await page.evaluate(() => new Promise((done) => {
      const worker = new Worker("/site/worker.js", { type: "module" });
      worker.onmessage = ({ data }) => done(data.errors[0].pointer);
      worker.postMessage('{"from":"Acme","to":"306912345678","text":""}');
    }));
    assert.equal(said, "/text");
  });
});

test("the block for a script tag counts in a page", async () => {
  writeFileSync(`${folder}/tag.html`, section(page, "A script tag", "html")[0]);
  await withPage({}, async (page) => {
    await page.goto(`${server.origin}/site/tag.html`);
    await page.waitForFunction(() => document.body.dataset.units === "4");
  });
});

test("the page has the blocks for webpack, Rollup, Next, Jest and vitest that tests/nightly/wasm_runtimes.sh runs", () => {
  for (const [name, language, count] of [["webpack", "js", 1], ["Rollup", "js", 2], ["Next", "js", 1], ["Next", "jsx", 2], ["Jest", "js", 1], ["vitest", "js", 1]]) {
    assert.equal(section(page, name, language).length, count, name);
  }
});
