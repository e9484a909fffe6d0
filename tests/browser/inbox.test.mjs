// Row 198 of the acceptance table: the sandbox's inbox in Chromium.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { box, hook, noticed, open, phone } from "./inbox_setup.mjs";
import { webhook } from "./fixtures.mjs";
import { card, carousel, failover, sendExamples, reply } from "./example_messages.mjs";

test("acc_198 a message that is sent appears without reload, with its parts and its encoding", () =>
  open(async (page) => {
    await page.evaluate(() => (window.notReloaded = true));
    assert.ok(await page.getByText("No messages yet").isVisible());
    await box.sms("306900000001", "Grüße aus Athen");
    const bubble = phone(page, "306900000001").locator(".bubble");
    await bubble.waitFor();
    assert.equal(await bubble.innerText(), "Grüße aus Athen");
    await box.sms("306900000001", "x".repeat(307));
    await phone(page, "306900000001").getByText("3 parts · GSM-7 · 307").waitFor();
    assert.deepEqual(await phone(page, "306900000001").locator(".part").evaluateAll((all) => all.map((element) => element.textContent.length)), [153, 153, 1]);
    assert.match(await page.locator("#news").innerText(), /^New SMS to \+306900000001: x/);
    assert.ok(await page.evaluate(() => window.notReloaded));
  }));

test("acc_198 the newest phone comes first, and the search finds by number, text and code", () =>
  open(async (page) => {
    await box.sms("306900000001", "first");
    await box.sms("306900000002", "second");
    await phone(page, "306900000002").waitFor();
    const order = () => page.locator("section.phone").evaluateAll((all) => all.map((element) => element.dataset.phone));
    assert.deepEqual(await order(), ["306900000002", "306900000001"]);
    await box.sms("306900000001", "third");
    await phone(page, "306900000001").getByText("third").waitFor();
    assert.deepEqual(await order(), ["306900000001", "306900000002"]);
    await page.getByLabel("Search", { exact: true }).fill("SECOND");
    await page.getByText("1 message found").waitFor();
    assert.deepEqual(await order(), ["306900000002"]);
    await page.getByLabel("Search", { exact: true }).fill("+306900000001");
    await page.getByText("2 messages found").waitFor();
    assert.deepEqual(await order(), ["306900000001"]);
    await page.getByLabel("Search", { exact: true }).fill("nowhere");
    await page.getByText("Nothing found").waitFor();
  }));

test("acc_198 the clock's button delivers a message, and the page shows its new state", () =>
  open(async (page) => {
    await box.message("306900000003", { messenger_a: { type: "regular", regular: { type: "text", text: "hello" } } });
    const state = phone(page, "306900000003").locator(".state");
    await phone(page, "306900000003").getByText("Ready").waitFor();
    await page.getByRole("button", { name: "Advance 1 min" }).click();
    await phone(page, "306900000003").getByText("Delivered").waitFor();
    assert.equal(await state.innerText(), "Delivered");
  }));

test("acc_198 a tap on a suggestion reaches the webhook with text and postback data", () =>
  open(async (page) => {
    await box.account({ inbound_callback: hook.url });
    const table = card("Table for two", "By the window", "MEDIUM", reply("Yes, please", "book:20:30"));
    await box.message("306900000004", { business_chat: { standaloneCard: table, suggestions: [reply("Call me", "call")] } });
    await noticed(page, "The webhook: responded with 200", () => page.getByRole("button", { name: "Yes, please" }).click());
    const call = await hook.next((request) => request.body.includes("book:20:30"));
    const body = JSON.parse(call.body);
    assert.deepEqual(body.suggestionResponse, { text: "Yes, please", postbackData: "book:20:30" });
    assert.equal(body.userId, "306900000004");
    await phone(page, "306900000004").locator(".mine").getByText("Yes, please").waitFor();
    await page.getByRole("button", { name: "Call me" }).press("Enter");
    await hook.next((request) => request.body.includes('"postbackData":"call"'));
  }));

test("acc_198 the clock's button makes a passcode expire", () =>
  open(async (page) => {
    const { requestID } = await box.otp("306900000005");
    const here = phone(page, "306900000005");
    await here.getByText("valid until").waitFor();
    const { messages } = await box.control("GET", "/messages?to=306900000005");
    assert.equal(await here.locator("mark.code").innerText(), messages[0].otp);
    await page.getByRole("button", { name: "Advance 10 min" }).click();
    await here.locator(".passcode").getByText("expired").waitFor();
    const record = await box.send(`/2fa/search/${requestID}`, undefined, box.basic());
    assert.equal(record.status, "expired");
    await page.getByLabel(/^Length of time/).fill("14d");
    await page.getByRole("button", { name: "Advance", exact: true }).click();
    await page.locator("#clock time").getByText(/15 Jan|16 Jan/).waitFor();
  }));

test("acc_198 a message shows where its code fills itself in, or why it does not", () =>
  open(async (page) => {
    const here = phone(page, "306900000009");
    await box.otp("306900000009", { body: "{code} is your code.\n\n@shop.example #{code}" });
    await here.getByText("Fills in on shop.example", { exact: true }).waitFor();
    await box.sms("306900000009", "747723\n@shop.example #747723 @pay.example FA+9qCX9VSu");
    await here.getByText("Fills in on pay.example in shop.example and the app FA+9qCX9VSu").waitFor();
    await box.sms("306900000009", "747723\n@shop.example #747723\n");
    await here.getByText("the code does not fill itself in: `@host #{code}` must be the last line").waitFor();
    await box.sms("306900000009", "No code at all");
    await here.getByText("No code at all").waitFor();
    assert.equal(await here.getByText("Fills in on").count(), 2);
  }));

test("acc_198 cards have the documented sizes, and a text that does not fit is cut", () =>
  open(async (page) => {
    const words = "A long description. ".repeat(40);
    await box.message("306900000006", { business_chat: carousel("SMALL", card("One", "Short", "SHORT"), card("Two", "Medium", "MEDIUM")) });
    await box.message("306900000007", { business_chat: { standaloneCard: card("Three", words, "TALL") } });
    await box.message("306900000008", { business_chat: { standaloneCard: { title: "Four" } } });
    await page.getByLabel("Card: Four").waitFor();
    const size = async (locator) => {
      const box = await locator.boundingBox();
      return [Math.round(box.width), Math.round(box.height)];
    };
    const media = (name) => page.getByLabel(`Card: ${name}`).locator(".picture");
    assert.deepEqual(await size(media("One")), [136, 112]);
    assert.deepEqual(await size(media("Two")), [136, 168]);
    assert.deepEqual(await size(media("Three")), [280, 264]);
    assert.deepEqual(await size(page.getByLabel("Card: Three")), [280, 344]);
    assert.deepEqual(await size(page.getByLabel("Card: Four")), [280, 112]);
    await page.locator(".card.cut").waitFor();
    assert.equal(await page.locator(".card.cut").count(), 1);
  }));

test("acc_198 messages of each channel are shown with their formatting", () =>
  open(async (page) => {
    await sendExamples(box);
    await page.getByLabel("Card: Table for two tonight?").waitFor(); // the last message
    const c = phone(page, "480012");
    assert.equal(await c.locator("strong").filter({ hasText: "Table 4" }).count(), 1);
    assert.equal(await c.locator("blockquote s").innerText(), "18:00");
    const spoiler = c.locator("button.spoiler");
    await spoiler.click();
    assert.equal(await spoiler.getAttribute("aria-expanded"), "true");
    assert.equal(await c.getByRole("link", { name: "Our menu" }).getAttribute("href"), "https://acme.example/menu");
    assert.equal(await c.getByLabel("Location 37.9755, 23.7348").count(), 1);
    const glyphs = await page.locator(".glyph").evaluateAll((all) => all.map((element) => [element.textContent, getComputedStyle(element).maskImage.slice(0, 24), element.getBoundingClientRect().width > 12]));
    assert.ok(glyphs.length > 3 && glyphs.every(([text, image, isVisible]) => text === "" && image === 'url("data:image/svg+xml,' && isVisible), JSON.stringify(glyphs));
    const chat = phone(page, "306900000033");
    assert.equal(await chat.locator("p.text strong").innerText(), "three");
    assert.equal(await chat.locator("p.text em").innerText(), "fresh");
    const b = phone(page, "306900000044");
    assert.equal(await b.getByRole("link", { name: "Open the bill" }).getAttribute("href"), "https://acme.example/bills");
    assert.match(await phone(page, "306900000055").locator(".spoken").innerText(), /^“Hello\. Your code is \d{6}\. Once more: \d{6}\.”$/);
    assert.match(await phone(page, "999422000100").locator(".state").innerText(), /accepted/);
  }));

test("acc_198 the text of a message is never markup of the page", () =>
  open(async (page) => {
    const evil = `<img src=x onerror="window.hit=1"><script>window.hit=1</script>`;
    await box.sms("306900000009", evil);
    await box.message("480013", { messenger_c: { text: { parseMode: "Html", message: `<a href="javascript:window.hit=1">here</a> &lt;img src=x&gt;` } } });
    await box.message("306900000010", { messenger_b: { type: "transactional", text: evil, button: { caption: "tap", action: "acme://open" } } });
    await phone(page, "306900000010").waitFor();
    assert.equal(await phone(page, "306900000009").locator(".bubble").innerText(), evil);
    assert.equal(await page.locator(".thread img, .thread script, a[href^='javascript'], a[href^='acme']").count(), 0);
    assert.equal(await page.evaluate(() => window.hit), undefined);
  }));

test("acc_198 a reply from a phone reaches the webhook, and a missing webhook is reported", () =>
  open(async (page) => {
    await box.sms("306900000011", "Reply C to cancel");
    const here = phone(page, "306900000011");
    const field = here.getByLabel("Reply from +306900000011");
    await field.fill("C");
    const toast = (text) => page.locator("#toast").getByText(text, { exact: true }).waitFor();
    const reason = "Acme is not in Numbers that receive SMS (two_way)";
    await Promise.all([toast(`Not forwarded: no webhook for replies (inbound_callback) is set, and ${reason}`), field.press("Enter")]);
    await box.account({ inbound_callback: hook.url });
    await field.fill("C once more");
    await Promise.all([toast(`Not forwarded: ${reason}`), field.press("Enter")]);
    const replies = here.locator(".mine");
    await replies.nth(1).getByText(`Not forwarded: ${reason}`).waitFor();
    await page.getByRole("tab", { name: /Events/ }).click();
    await page.locator("#pane-events .parameters").first().getByText(reason, { exact: true }).waitFor();
    await box.account({ two_way: ["Acme"] });
    await field.fill("C again");
    await here.getByRole("button", { name: "Send" }).click();
    const body = JSON.parse((await hook.next((request) => request.body.includes("C again"))).body);
    assert.deepEqual([body.from, body.to, body.text], ["306900000011", "Acme", "C again"]);
    await replies.nth(2).waitFor();
    assert.equal(await replies.getByText("Not forwarded").count(), 2);
  }));

test("acc_198 a callback attempt shows status, response and time of the next attempt, but no token", () =>
  open(async (page) => {
    const failing = await webhook(500, 200);
    await box.sms("306900000012", "hello", { callback: `${failing.url}?token=very-secret` });
    await page.getByRole("button", { name: "Advance 1 min" }).click();
    const entries = page.locator("#pane-attempts .entry");
    await entries.nth(1).waitFor();
    assert.match(await entries.nth(1).innerText(), /500[\s\S]*SMS report[\s\S]*attempt 1[\s\S]*token=\[secret\][\s\S]*Next try [\d:]+:05 \(5 s later\)/);
    assert.match(await entries.nth(0).innerText(), /200[\s\S]*attempt 2/);
    await entries.nth(1).getByText("Request and response").click();
    await entries.nth(1).getByText("not now").waitFor();
    assert.ok(!(await page.content()).includes("very-secret"));
    failing.stop();
  }));

test("acc_079_198 the request log shows warnings and code to copy, and no key", () =>
  open(async (page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const bodies = [];
    // Copies each response before the page receives it, because the browser may discard its body afterwards.
    await page.route(/inbox$|requests|callbacks/, async (route) => {
      const response = await route.fetch();
      bodies.push(await response.text());
      await route.fulfill({ response });
    });
    await box.sms("306900000013", "hello", { color: "blue" });
    await box.send(`/lookup?key=${box.config.sms_key}&msisdn=306900000013`);
    await page.getByRole("tab", { name: /Requests/ }).click();
    const entry = page.locator("#pane-requests .entry").filter({ hasText: "sms.send" });
    await entry.getByText(/color/).first().waitFor();
    await entry.getByText("Request and response").click();
    for (const [name, part] of [["curl", "curl -X POST"], ["Python", "import cpaas\n\nwith cpaas.Client() as client:"], ["JavaScript", 'import { Client } from "cpaas/client";'], ["Rust", "client.call_json("]]) {
      await noticed(page, `Copied as ${name}`, () => entry.getByRole("button", { name, exact: true }).click());
      assert.ok((await page.evaluate(() => navigator.clipboard.readText())).startsWith(part), name);
    }
    await page.reload();
    await page.locator("#live[data-state=on]").waitFor();
    assert.ok(bodies.length >= 3);
    const seen = [await page.content(), ...bodies].join("\n");
    for (const name of ["api_key", "sms_key", "messenger_b_token", "bot_id"]) assert.ok(!seen.includes(box.config[name]), name);
  }));

test("acc_198 faults can be set, applied, counted and cleared", () =>
  open(async (page) => {
    await page.getByRole("tab", { name: /Faults/ }).click();
    await page.getByLabel("Operation").selectOption("sms.send");
    await page.getByLabel("Status", { exact: true }).fill("503");
    await page.getByRole("button", { name: "Add fault" }).click();
    await page.getByText("status 503").waitFor();
    await assert.rejects(box.sms("306900000014", "lost"), /503/);
    await page.getByText("hit 1 of 1 matching requests").waitFor();
    await page.getByLabel("Kind").selectOption("latency");
    await page.getByLabel("Probability").fill("7");
    await noticed(page, /`probability` must be between 0 and 1/, () => page.getByRole("button", { name: "Add fault" }).click());
    await page.getByRole("button", { name: "Remove fault 1, status" }).click();
    await page.getByText("No rule is set").waitFor();
    await box.sms("306900000014", "there");
    assert.deepEqual((await box.control("GET", "/faults")).rules, []);
    page.problems = page.problems.filter((text) => !/status of 400/.test(text));
  }));

test("acc_198 accounts are separate and can be switched", () =>
  open(async (page) => {
    const { sid } = await box.control("POST", "/accounts");
    await box.sms("306900000015", "to the first");
    await phone(page, "306900000015").waitFor();
    await page.getByLabel("Account").focus();
    await page.locator(`#account option[value="${sid}"]`).waitFor({ state: "attached" });
    await page.getByLabel("Account").selectOption(sid);
    await page.getByText("No messages yet").waitFor();
    await page.getByLabel("Account").selectOption(box.config.account_sid);
    await phone(page, "306900000015").waitFor();
  }));

test("acc_198 the page and its tabs can be used with the keyboard alone", () =>
  open(async (page) => {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the phones");
    await page.getByRole("tab", { name: /Callbacks/ }).focus();
    await page.keyboard.press("ArrowRight");
    assert.ok(await page.locator("#pane-requests").isVisible());
    await page.keyboard.press("End");
    assert.ok(await page.locator("#pane-faults").isVisible());
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.equal(outline, "solid");
  }));

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const ALL = ["Callbacks", "Requests", "Events", "Settings", "Faults"];
const SIZES = [["360", { width: 360, height: 800 }], ["390", { width: 390, height: 844 }], ["768", { width: 768, height: 1024 }], ["1440", { width: 1440, height: 900 }]];
const LOOKS = [["light", { colorScheme: "light" }], ["dark", { colorScheme: "dark" }], ["forced colors", { forcedColors: "active" }]];
/** Each size in light colors, dark at the smallest and forced colors at the largest; `tests/nightly/browser_looks` combines all. */
const sizesOf = (look) => (look === "light" || process.env.CPAAS_EVERY_LOOK ? SIZES : [SIZES.at(look === "dark" ? 0 : -1)]);
const pages = LOOKS.flatMap(([look, colors]) => sizesOf(look).map(([size, viewport]) => [`${look}, ${size} px`, viewport.width > 860 ? ALL : ["Phones", ...ALL], { ...colors, viewport }]));

for (const [name, names, options] of pages) {
  test(`acc_198 axe-core finds nothing: ${name}`, () =>
    open(async (page) => {
      const failing = await webhook(500);
      await box.account({ chat_callback: hook.url });
      await sendExamples(box);
      await box.sms("9995000001", "hello", { color: "blue", callback: `${failing.url}?token=t&order=81` });
      await assert.rejects(box.sms("12", "bad"));
      await box.post(failover(box, "9994080001"));
      await box.sms("306912000001", "Sale", { reference: "00ff00ff00ff00ff-0-1" });
      await box.control("POST", "/clock", { advance: "2m" });
      await page.getByRole("button", { name: "List", exact: true }).click();
      await page.locator(".number").first().waitFor();
      const { attempts } = await box.control("GET", "/callbacks");
      await page.locator("#pane-attempts .entry").nth(attempts.length - 1).waitFor({ state: "attached" });
      const check = async (what) => {
        assert.equal(await page.evaluate(() => document.getAnimations().length), 0, "no animation may run: axe cannot measure the contrast of an element that fades in");
        // The debugger evaluates this, so the content security policy of the page does not apply.
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run(document));
        assert.deepEqual(violations.map((violation) => [violation.id, violation.nodes.slice(0, 3).map((node) => node.html.slice(0, 160))]), [], what);
      };
      await page.locator("#filters summary").click();
      await check("the list, with open filters");
      await page.keyboard.press("Escape");
      await page.locator("[data-number='9995000001']").click();
      await phone(page, "9995000001").locator("summary").click();
      await check("the messages of one number");
      await page.getByRole("button", { name: "Phones", exact: true }).click();
      await check("the phones");
      await page.getByLabel("Search", { exact: true }).fill("nowhere");
      await page.getByText("Nothing found").waitFor();
      await check("an empty search");
      await page.getByLabel("Search", { exact: true }).press("Escape");
      for (const tab of names) {
        await page.getByRole("tab", { name: new RegExp(tab) }).click();
        const summary = page.locator(".pane:not([hidden]) .entry summary").first();
        if (await summary.isVisible()) await summary.click();
        await check(tab);
      }
      failing.stop();
      page.problems = page.problems.filter((text) => !/status of 4\d\d/.test(text));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
      const hidden = await page.evaluate(() => {
        const tabs = document.querySelector(".tabs");
        return tabs.scrollWidth - tabs.clientWidth;
      });
      assert.ok(hidden <= 0, `${hidden} pixels of the tabs are out of sight`);
    }, options));
}

test("acc_198 the files of the page have their content types, a policy that forbids inline scripts, and no method but GET", async () => {
  const page = await fetch(`${box.url}/`);
  assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
  const policy = page.headers.get("content-security-policy");
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
  assert.ok(!policy.includes("unsafe"));
  assert.equal(page.headers.get("cache-control"), "no-cache");
  const types = { "app.js": "text/javascript; charset=utf-8", "style.css": "text/css; charset=utf-8", "icon.svg": "image/svg+xml" };
  for (const [name, type] of Object.entries(types)) {
    assert.equal((await fetch(`${box.url}/assets/inbox/${name}`)).headers.get("content-type"), type);
  }
  assert.equal((await fetch(`${box.url}/assets/inbox/nothing.js`)).status, 404);
  assert.equal((await fetch(`${box.url}/`, { method: "POST" })).status, 405);
});
