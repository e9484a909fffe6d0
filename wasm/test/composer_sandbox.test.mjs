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
    const requested = [];
    page.on("request", (request) => requested.push(request.url()));
    await page.goto(`${url}/composer`);
    await page.waitForFunction(() => !document.querySelector("#verdict").textContent.startsWith("Loading"));
    assert.equal(page.url(), `${url}/composer/`);
    assert.ok(requested.some((request) => request.endsWith(".wasm")) && requested.every((request) => request.startsWith(`${url}/composer`) || request === `${url}/_sandbox/accounts`), requested.join("\n"));
    await page.selectOption("#operation", "sms.send");
    await page.fill("#json", '{"from": "Acme", "to": "+306912345678", "text": "Hi"}');
    await page.waitForFunction(() => /\/to/.test(document.querySelector("#problems").textContent));
    await page.fill("#json", '{"from": "Acme", "to": "306912345678", "text": "Hi"}');
    await page.waitForFunction(() => !/\/to/.test(document.querySelector("#problems").textContent));
  });
});

test("acc_198 no page may frame the composer, and its files keep their types", async () => {
  for (const path of ["/composer/", "/composer/index.html", "/composer/snippets.js", "/composer/style.css", "/composer/none"]) {
    const { headers } = await fetch(url + path);
    assert.equal(headers.get("content-security-policy"), "frame-ancestors 'none'", path);
    assert.equal(headers.get("x-content-type-options"), "nosniff", path);
  }
});

const ready = (page) => page.waitForFunction(() => !document.querySelector("#verdict").textContent.startsWith("Loading"));

test("samples use the sandbox's account, one click sends, and the pages link to each other", async () => {
  await withPage({}, async (page) => {
    const { accounts } = await (await fetch(`${url}/_sandbox/accounts`)).json();
    const own = accounts[0].config;
    await page.goto(`${url}/composer/`);
    await ready(page);
    for (const [operation, sample, words] of [
      ["sms.send", "A booking", "See you at 19:30"],
      ["sms.send_bulk", "A sale", "20% off"],
      ["messages.send", "Messenger A", "Your table is ready."],
      ["messages.send_failover", "Business chat, then SMS", "Your table is ready."],
      ["messages.send_bulk", "Two recipients", "closed today"],
      ["otp.send", "A code", "Your code is"],
    ]) {
      await page.selectOption("#operation", operation);
      await page.selectOption("#sample", sample);
      if (operation.startsWith("messages.")) await page.waitForFunction((id) => JSON.parse(document.querySelector("#json").value).trafficAccountId === id, own.traffic_account_id);
      await page.getByRole("button", { name: "Send to sandbox" }).click();
      await page.locator("#send .arrived .bubble", { hasText: words }).first().waitFor();
      assert.match(await page.textContent("#send .cost"), /^Accepted: status 200/, operation);
      assert.ok((await page.textContent("#send .snippet")).length > 10);
    }
    const code = /\d{4,}/.exec(await page.textContent("#send .arrived .bubble"))[0];
    await page.getByRole("link", { name: "Show in the inbox" }).click();
    await page.locator('section.phone[data-phone="306912345678"]', { hasText: code }).waitFor();
    assert.equal(new URL(page.url()).pathname, "/");
    await page.getByRole("tab", { name: /Requests/ }).click();
    const entry = page.locator("#pane-requests .entry").filter({ hasText: "messages.send_failover" });
    await entry.getByText("Request and response").click();
    await entry.getByRole("link", { name: "Open in the composer" }).click();
    await page.waitForURL(/\/composer\//);
    await ready(page);
    assert.equal(await page.inputValue("#operation"), "messages.send_failover");
    assert.match(await page.inputValue("#json"), /timeoutFailover/);
    assert.match(await page.textContent("#verdict"), /Ready/);
    await page.getByRole("link", { name: "Open the inbox" }).click();
    await page.locator("#live[data-state=on]").waitFor();
    await page.getByRole("link", { name: "Composer" }).waitFor();
  });
});

test("a rejected request shows the response, and a closed connection is reported", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${url}/composer/`);
    await ready(page);
    const rejected = [];
    page.on("response", (response) => response.status() >= 400 && rejected.push(response.status()));
    await page.fill("#json", '{"from": "Acme", "to": "", "text": "Hi"}');
    await page.getByRole("button", { name: "Send to sandbox" }).click();
    await page.getByText(/^Rejected: status 4/).waitFor();
    assert.match(await page.textContent("#send .snippet"), /responseText/);
    assert.equal(rejected.length, 1);
    await fetch(`${url}/_sandbox/faults`, { method: "PUT", body: JSON.stringify({ rules: [{ kind: "close-after-read" }] }) });
    await page.fill("#json", '{"from": "Acme", "to": "306912345678", "text": "Hi"}');
    await page.getByRole("button", { name: "Send to sandbox" }).click();
    await page.getByText(/^No response: /).waitFor();
    await fetch(`${url}/_sandbox/faults`, { method: "DELETE" });
  }).catch((error) => {
    // The browser reports both failures in its console.
    if (!/^errors of the page: Failed to load resource: [^;]*4\d\d[^;]*; Failed to load resource: net::ERR_EMPTY_RESPONSE$/.test(error.message)) throw error;
  });
});

test("acc_198 another site cannot read the keys of the sandbox or send requests to it", async () => {
  const page = await (await fetch(`${url}/composer/`)).text();
  assert.match(page, /<meta name="cpaas-sandbox"/);
  assert.match(page, /Content-Security-Policy/);
  assert.ok(!page.includes("sms_key"));
  const foreign = await fetch(`${url}/_sandbox/reset`, { method: "POST", headers: { origin: "http://evil.example" } });
  assert.equal(foreign.status, 403);
});

test("only files of the folder are served", async () => {
  const status = async (path) => (await fetch(url + path)).status;
  assert.equal(await status("/composer/index.html"), 200);
  assert.equal(await status("/composer/nothing.html"), 404);
  assert.equal(await status("/composer/%2e%2e/Cargo.toml"), 404);
  assert.equal((await fetch(`${url}/composer/cpaas/pkg/web/cpaas_bg.wasm`)).headers.get("content-type"), "application/wasm");
});
