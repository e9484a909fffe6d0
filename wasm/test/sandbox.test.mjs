// The composer as the sandbox serves it: `cpaas-sandbox --composer wasm/composer`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import test, { after, before } from "node:test";
import { root, withPage } from "./chromium.mjs";

const binary = `${process.env.CARGO_TARGET_DIR ?? `${root}../target`}/debug/cpaas-sandbox`;
const folder = process.env.COMPOSER ?? `${root}composer`;
let child, url;

before(async () => {
  child = spawn(binary, ["--composer", folder], { stdio: ["ignore", "pipe", "inherit"] });
  url = await new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the sandbox ended with ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => line.startsWith("{") && resolve(JSON.parse(line).url));
  });
});
after(() => child.kill());

test("acc_198 the sandbox serves a composer that works", async () => {
  await withPage({}, async (page) => {
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(`${url}/composer`);
    await page.waitForFunction(() => !document.querySelector("#verdict").textContent.startsWith("Loading"));
    assert.equal(page.url(), `${url}/composer/`);
    assert.ok(asked.some((one) => one.endsWith(".wasm")) && asked.every((one) => one.startsWith(`${url}/composer`)), asked.join("\n"));
    await page.selectOption("#operation", "sms.send");
    await page.fill("#json", '{"from": "Acme", "to": "+306912345678", "text": "Hi"}');
    await page.waitForFunction(() => /\/to/.test(document.querySelector("#problems").textContent));
    await page.fill("#json", '{"from": "Acme", "to": "306912345678", "text": "Hi"}');
    await page.waitForFunction(() => !/\/to/.test(document.querySelector("#problems").textContent));
  });
});

test("only files of the folder are served", async () => {
  const status = async (path) => (await fetch(url + path)).status;
  assert.equal(await status("/composer/index.html"), 200);
  assert.equal(await status("/composer/nothing.html"), 404);
  assert.equal(await status("/composer/%2e%2e/Cargo.toml"), 404);
  assert.equal((await fetch(`${url}/composer/cpaas/pkg/web/cpaas_bg.wasm`)).headers.get("content-type"), "application/wasm");
});
