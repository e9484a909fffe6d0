// The composer as the sandbox serves it: `cpaas-sandbox --composer wasm/composer`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
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
    assert.match(await page.getByRole("link", { name: "Show in the inbox" }).getAttribute("href"), /^\/#tab=requests&account=AC/);
    assert.equal(rejected.length, 1);
    await page.fill("#json", '{"from": "Acme"');
    await page.getByRole("button", { name: "Send to sandbox" }).click();
    await page.getByText("The JSON text is not a request.").waitFor();
    await page.fill("#json", '{"from": "Acme", "to": "306912345678", "text": "Hi"}');
    await page.getByText("The JSON text is not a request.").waitFor({ state: "detached" });
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

const json = (page, value) => page.fill("#json", JSON.stringify(value));
const send = (page) => page.getByRole("button", { name: "Send to sandbox" }).click();

const streams = (page) => page.evaluate(() => window.sources.map(({ readyState }) => readyState));

test("the states of sent messages are live, and the stream ends with the last state", async () => {
  await withPage({}, async (page) => {
    await page.addInitScript(() => {
      window.sources = [];
      const { EventSource } = window;
      window.EventSource = class extends EventSource {
        constructor(...args) {
          super(...args);
          window.sources.push(this);
        }
      };
    });
    await page.goto(`${url}/composer/`);
    await ready(page);
    assert.deepEqual(await streams(page), [], "no stream before the first request");
    for (const [to, state] of [["306912345678", "delivered"], ["9994220001", "undelivered"]]) {
      await json(page, { from: "Acme", to, text: "Hi" });
      await send(page);
      await page.locator(".arrived .state", { hasText: new RegExp(`^${state}$`) }).waitFor();
      assert.equal((await streams(page)).at(-1), 2, "closed");
    }
    await page.selectOption("#operation", "messages.send");
    await page.selectOption("#sample", "Messenger A");
    await page.waitForFunction(() => /Messenger|messenger_a/.test(document.querySelector("#json").value));
    await page.evaluate(() => {
      window.states = [];
      new MutationObserver(() => window.states.push(document.querySelector(".arrived .state")?.textContent)).observe(document.querySelector("#send"), { childList: true, characterData: true, subtree: true });
    });
    await send(page);
    await page.locator(".arrived .state", { hasText: /^Delivered$/ }).waitFor();
    assert.ok((await page.evaluate(() => window.states)).includes("Sent"), "the states on the way are shown too");
    assert.equal(await page.locator(".arrived [role=status]").count(), 1);
    assert.ok((await streams(page)).every((state) => state === 2));
    await page.selectOption("#operation", "messages.send");
    await page.selectOption("#sample", "Messenger A");
    await page.locator('[data-pointer="/destination"] input').fill("9994250001"); // never leaves the status Created
    await send(page);
    await page.locator(".arrived .state", { hasText: /^Created$/ }).waitFor();
    assert.equal((await streams(page)).at(-1), 1, "the stream stays open while another state can follow");
    await page.evaluate(() => window.dispatchEvent(new Event("pagehide")));
    await page.locator(".arrived .state", { hasText: "Created (no longer followed)" }).waitFor();
    assert.equal((await streams(page)).at(-1), 2);
  });
});

test("a response is labeled when the request changes, and no longer when the change is undone; it can be cleared", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${url}/composer/`);
    await ready(page);
    const request = { from: "Acme", to: "306912345678", text: "First" };
    await json(page, request);
    await send(page);
    await page.locator(".arrived .bubble", { hasText: "First" }).waitFor();
    const stale = page.locator("#send .stale");
    assert.equal(await stale.isVisible(), false);
    await page.locator('[data-pointer="/text"] textarea').fill("Second");
    await stale.waitFor();
    assert.match(await stale.textContent(), /^This is the response to the request as it was sent at .+\. You have changed the request since\./);
    await page.locator('[data-pointer="/text"] textarea').fill("First");
    await stale.waitFor({ state: "hidden" });
    await page.selectOption("#operation", "sms.send_bulk");
    await stale.waitFor();
    await stale.getByRole("button", { name: "Clear" }).click();
    assert.equal(await page.locator("#send .arrived, #send .snippet").count(), 0);
    assert.equal(await page.locator("#send [role=status]").first().textContent(), "");
    assert.equal(await stale.isVisible(), false);
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Send to sandbox");
  });
});

test("without a stream the request is sent, and the state says that it is no longer followed", async () => {
  await withPage({}, async (page) => {
    await page.route("**/_sandbox/stream*", (route) => route.fulfill({ status: 503, body: "{}" }));
    await page.goto(`${url}/composer/`);
    await ready(page);
    await page.selectOption("#operation", "messages.send");
    await page.selectOption("#sample", "Messenger A");
    await page.locator('[data-pointer="/destination"] input').fill("9994250002");
    await send(page);
    await page.locator(".arrived .state", { hasText: /^Created \(no longer followed\)$/ }).waitFor();
    assert.match(await page.textContent("#send .cost"), /^Accepted: status 200/);
  }).catch((error) => {
    // The browser reports the stream in its console.
    if (!/^errors of the page: Failed to load resource: [^;]*503[^;]*$/.test(error.message)) throw error;
  });
});

test("axe finds no violation while a labeled response or an error in the JSON is shown", async () => {
  await withPage({ bypassCSP: true }, async (page) => {
    await page.goto(`${url}/composer/`);
    await ready(page);
    await json(page, { from: "Acme", to: "306912345678", text: "It’s {{name", one: 1, two: 2, three: 3, four: 4 });
    await send(page);
    await page.locator(".arrived .bubble").waitFor();
    await page.evaluate(readFileSync(`${root}node_modules/axe-core/axe.min.js`, "utf8"));
    const check = async (state) => {
      for (const width of [1440, 768, 390]) {
        await page.setViewportSize({ width, height: 900 });
        for (const colorScheme of ["light", "dark"]) {
          await page.emulateMedia({ colorScheme });
          const found = await page.evaluate(async () => (await window.axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary}`));
          assert.deepEqual(found, [], `${state} ${width} ${colorScheme}`);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
        }
      }
    };
    await page.locator('[data-pointer="/text"] textarea').fill("Changed");
    await page.locator("#send .stale").waitFor();
    await page.getByText("1 more place").click();
    await check("labeled");
    await page.fill("#json", '{"from": "Acme", "to" "306912345678"}');
    await page.locator("#json-place").waitFor();
    await send(page);
    await page.getByText("The JSON text is not a request. Correct it, or edit the form.").waitFor();
    assert.equal(await page.locator(".arrived").count(), 0);
    await check("syntax error");
  });
});

test("a late response is labeled, one that is not awaited is dropped, and a second click sends nothing", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${url}/composer/`);
    await ready(page);
    let release;
    let sent = 0;
    const held = () => new Promise((done) => (release = done));
    let wait = held();
    await page.route(`${url}/sms`, async (route) => {
      sent++;
      await wait;
      await route.continue().catch(() => {});
    });
    await json(page, { from: "Acme", to: "306912345678", text: "Late" });
    await send(page);
    await page.getByText("Waiting for the response…").waitFor();
    await page.locator(".send").click({ force: true });
    await page.waitForFunction(() => document.querySelector(".send").getAttribute("aria-disabled") === "true");
    await json(page, { from: "Acme", to: "306912345678", text: "Changed" });
    await page.getByText(/^The request was sent at .+\. You have changed the request since\./).waitFor();
    while (sent === 0) await new Promise((done) => setTimeout(done, 20));
    release();
    await page.locator(".arrived .bubble", { hasText: "Late" }).waitFor();
    await page.getByText(/^This is the response to the request as it was sent at/).waitFor();
    assert.equal(sent, 1);
    wait = held();
    await send(page);
    await page.getByRole("button", { name: "Stop waiting" }).click();
    await page.getByText(/^No response: You stopped waiting/).waitFor();
    release();
    await page.waitForTimeout(200);
    assert.equal(await page.locator(".arrived").count(), 0, "the response is dropped");
    assert.equal(await page.getByRole("button", { name: "Stop waiting" }).isVisible(), false);
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
