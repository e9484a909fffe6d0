// The packed package in common runtimes and bundlers: `RUNTIMES=folder node --test`. The folder is a copy of wasm/test/runtimes with
// its npm packages and the packed package; tests/nightly/wasm_runtimes.sh creates it.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import test from "node:test";
import { serve, withPage } from "./chromium.mjs";
import { section } from "./doc_blocks.mjs";

const folder = process.env.RUNTIMES;
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
const bin = (name) => `${folder}/node_modules/.bin/${name}`;
const run = (command, ...args) => execFileSync(command, args, { cwd: folder, encoding: "utf8", env, stdio: ["ignore", "pipe", "pipe"] });

// The blocks of docs/bundlers.md.
const block = (heading, language, index = 0) => section("docs/bundlers.md", heading, language)[index];
for (const name of ["jest", "next/app"]) mkdirSync(`${folder}/${name}`, { recursive: true });
writeFileSync(`${folder}/webpack.js`, block("webpack", "js"));
writeFileSync(`${folder}/try.test.mjs`, block("vitest", "js"));
writeFileSync(`${folder}/jest/package.json`, '{ "type": "commonjs" }');
writeFileSync(`${folder}/jest/sms.test.js`, block("Jest", "js"));
writeFileSync(`${folder}/next/next.config.mjs`, block("Next", "js"));
writeFileSync(`${folder}/next/app/page.jsx`, block("Next", "jsx", 0));
writeFileSync(`${folder}/next/app/client.jsx`, block("Next", "jsx", 1));

test("the package works in Node", () => assert.match(run(process.execPath, "run.mjs"), /cpaas works/));
test("the package works in Deno", () => assert.match(run(bin("deno"), "run", "--allow-read", "run.mjs"), /cpaas works/));
test("the package works in Bun", () => assert.match(run(bin("bun"), "run.mjs"), /cpaas works/));
test("the block for vitest passes", () => assert.match(run(bin("vitest"), "run", "try.test.mjs"), /1 passed/));
test("the block for Jest passes in CommonJS", () => {
  run(bin("jest"), "--rootDir", "jest", "--ci"); // throws if a test fails
});

test("webpack 5 finds the module without configuration", async () => {
  run(bin("webpack"), "--mode", "production", "--entry", "./webpack.js", "--output-path", "webpack");
  const server = await serve({ webpack: `${folder}/webpack` });
  try {
    await withPage({}, async (page) => {
      await page.route("**/page", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><meta charset=utf-8><title>t</title><link rel=icon href=data:,>" }));
      await page.goto(`${server.origin}/page`);
      await page.addScriptTag({ url: "/webpack/main.js" });
      await page.waitForFunction(() => document.body.dataset.pointer === "/text");
    });
  } finally {
    server.close();
  }
});

test("the blocks for Next validate on the server and in the page", async () => {
  run(bin("next"), "build", "next");
  const next = spawn(bin("next"), ["start", "next", "-p", "0", "-H", "127.0.0.1"], { cwd: folder, env });
  try {
    const origin = await new Promise((found, failed) => {
      let said = "";
      next.stdout.on("data", (text) => {
        said += text;
        const match = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
        if (match && /Ready/.test(said)) found(match[0]);
      });
      next.on("exit", () => failed(new Error(said)));
    });
    await withPage({}, async (page) => {
      await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
      await page.goto(origin);
      assert.equal(await page.textContent("#server"), "/text");
      await page.waitForFunction(() => document.querySelector("#client").textContent === "/text");
    });
  } finally {
    next.kill();
  }
});
