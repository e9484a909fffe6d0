// The inbox in Chromium: row 198 of the sandbox's table.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, beforeEach, test } from "node:test";
import { browser, inbox, sandbox, webhook } from "./start.mjs";
import { card, carousel, play, reply } from "./scene.mjs";

let where, box, hook;

before(async () => {
  [where, box, hook] = await Promise.all([browser(), sandbox(), webhook()]);
});

after(async () => {
  await where?.close();
  hook?.stop();
  await box?.stop();
});

beforeEach(async () => {
  await box.control("POST", "/reset");
  await box.control("DELETE", "/faults");
  await box.account({ callback: null, chat_callback: null, inbound_callback: null, two_way: [] });
  hook.calls.length = 0;
});

/** Runs with an open inbox, and looks that the page had no error and asked nobody else. */
async function open(work, options) {
  const page = await inbox(where, box, options);
  try {
    await work(page);
    assert.deepEqual(page.problems, []);
  } finally {
    await page.context().close();
  }
}

/** Does something and sees the notice that it brings, which goes by itself: it is looked for from before. */
const noticed = (page, text, act) => Promise.all([page.getByText(text).waitFor(), act()]);

const phone = (page, number) => page.locator(`section.phone[data-phone="${number}"]`);

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
    assert.deepEqual(await phone(page, "306900000001").locator(".part").evaluateAll((all) => all.map((one) => one.textContent.length)), [153, 153, 1]);
    assert.match(await page.locator("#news").innerText(), /^New SMS to \+306900000001: x/);
    assert.ok(await page.evaluate(() => window.notReloaded));
  }));

test("acc_198 the newest phone comes first, and the search finds by number, text and code", () =>
  open(async (page) => {
    await box.sms("306900000001", "first");
    await box.sms("306900000002", "second");
    await phone(page, "306900000002").waitFor();
    const order = () => page.locator("section.phone").evaluateAll((all) => all.map((one) => one.dataset.phone));
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

test("acc_198 the delivery state of a message follows the clock's buttons", () =>
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
    await noticed(page, "The webhook answered 200", () => page.getByRole("button", { name: "Yes, please" }).click());
    const call = await hook.next((one) => one.body.includes("book:20:30"));
    const body = JSON.parse(call.body);
    assert.deepEqual(body.suggestionResponse, { text: "Yes, please", postbackData: "book:20:30" });
    assert.equal(body.userId, "306900000004");
    await phone(page, "306900000004").locator(".mine").getByText("Yes, please").waitFor();
    await page.getByRole("button", { name: "Call me" }).press("Enter");
    await hook.next((one) => one.body.includes('"postbackData":"call"'));
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

test("acc_198 cards have the measures of a phone", () =>
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

test("acc_198 each channel is drawn with its formatting", () =>
  open(async (page) => {
    await play(box);
    await page.getByLabel("Card: Table for two tonight?").waitFor(); // the last one
    const c = phone(page, "480012");
    assert.equal(await c.locator("strong").filter({ hasText: "Table 4" }).count(), 1);
    assert.equal(await c.locator("blockquote s").innerText(), "18:00");
    const spoiler = c.locator("button.spoiler");
    await spoiler.click();
    assert.equal(await spoiler.getAttribute("aria-expanded"), "true");
    assert.equal(await c.getByRole("link", { name: "Our menu" }).getAttribute("href"), "https://acme.example/menu");
    assert.equal(await c.getByLabel("Location 37.9755, 23.7348").count(), 1);
    const chat = phone(page, "306900000033");
    assert.equal(await chat.locator("p.text strong").innerText(), "three");
    assert.equal(await chat.locator("p.text em").innerText(), "fresh");
    const b = phone(page, "306900000044");
    assert.equal(await b.getByRole("link", { name: "Open the bill" }).getAttribute("href"), "https://acme.example/bills");
    assert.match(await phone(page, "306900000055").locator(".spoken").innerText(), /^“Hello\. Your code is \d{6}\. Once more: \d{6}\.”$/);
    assert.match(await phone(page, "999422000100").locator(".state").innerText(), /accepted/);
  }));

test("acc_198 what a message says is text and never markup of the page", () =>
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

test("acc_198 an answer from a phone reaches the webhook, and nobody's webhook is said", () =>
  open(async (page) => {
    await box.sms("306900000011", "Reply C to cancel");
    const here = phone(page, "306900000011");
    const field = here.getByLabel("Answer from +306900000011");
    await field.fill("C");
    await noticed(page, "the message was not forwarded", () => field.press("Enter"));
    await box.account({ inbound_callback: hook.url, two_way: ["Acme"] });
    await field.fill("C again");
    await here.getByRole("button", { name: "Send" }).click();
    const body = JSON.parse((await hook.next((one) => one.body.includes("C again"))).body);
    assert.deepEqual([body.from, body.to, body.text], ["306900000011", "Acme", "C again"]);
  }));

test("acc_198 callback attempts show status, answer and the next try, tokens left out", () =>
  open(async (page) => {
    const tired = await webhook(500, 200);
    await box.sms("306900000012", "hello", { callback: `${tired.url}?token=very-secret` });
    await page.getByRole("button", { name: "Advance 1 min" }).click();
    const entries = page.locator("#pane-attempts .entry");
    await entries.nth(1).waitFor();
    assert.match(await entries.nth(1).innerText(), /500[\s\S]*SMS report[\s\S]*attempt 1[\s\S]*token=\[secret\][\s\S]*Next try [\d:]+:05 \(5 s later\)/);
    assert.match(await entries.nth(0).innerText(), /200[\s\S]*attempt 2/);
    await entries.nth(1).getByText("Request and response").click();
    await entries.nth(1).getByText("not now").waitFor();
    assert.ok(!(await page.content()).includes("very-secret"));
    tired.stop();
  }));

test("acc_079_198 the request log has warnings and copies, and no key is anywhere", () =>
  open(async (page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const bodies = [];
    // Before the page asks, while the browser still has them.
    await page.route(/inbox$|requests|callbacks/, async (route) => {
      const response = await route.fetch();
      bodies.push(await response.text());
      await route.fulfill({ response });
    });
    await box.sms("306900000013", "hello", { colour: "blue" });
    await box.send(`/lookup?key=${box.config.sms_key}&msisdn=306900000013`);
    await page.getByRole("tab", { name: /Requests/ }).click();
    const entry = page.locator("#pane-requests .entry").filter({ hasText: "sms.send" });
    await entry.getByText(/colour/).first().waitFor();
    await entry.getByText("Request and response").click();
    for (const [name, part] of [["curl", "curl -X POST"], ["Python", "client.call("], ["JavaScript", "const response = await fetch("], ["Rust", "client.call_json("]]) {
      await noticed(page, `Copied as ${name}`, () => entry.getByRole("button", { name, exact: true }).click());
      assert.ok((await page.evaluate(() => navigator.clipboard.readText())).startsWith(part));
    }
    await page.reload();
    await page.locator("#live[data-state=on]").waitFor();
    assert.ok(bodies.length >= 3);
    const seen = [await page.content(), ...bodies].join("\n");
    for (const name of ["api_key", "sms_key", "messenger_b_token", "bot_id"]) assert.ok(!seen.includes(box.config[name]), name);
  }));

test("acc_198 faults are set, strike, are counted and cleared", () =>
  open(async (page) => {
    await page.getByRole("tab", { name: /Faults/ }).click();
    await page.getByLabel("Operation").selectOption("sms.send");
    await page.getByLabel("Status", { exact: true }).fill("503");
    await page.getByRole("button", { name: "Add fault" }).click();
    await page.getByText("status 503").waitFor();
    await assert.rejects(box.sms("306900000014", "lost"), /503/);
    await page.getByText("struck 1 of 1 matching").waitFor();
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

test("acc_198 the tabs and the page are used by keyboard", () =>
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

const failover = (box, destination, timeoutInSeconds = 90) => {
  const account = box.config.traffic_account_id;
  return {
    trafficAccountId: account, destination, messenger_b: { type: "promotional", text: "New shoes" }, sms: { text: "New shoes by SMS", sender: "Acme" },
    failover: { type: "Timeout", timeoutFailover: { timeoutInSeconds, status: "Delivered", trafficAccounts: [account, account] } },
  };
};

test("acc_198 filters by channel, status and text apply to everything that is kept, not to what the page has loaded", () =>
  open(async (page) => {
    await box.sms("306900000101", "the needle");
    for (let n = 0; n < 520; n++) await box.sms("306900000102", "hay");
    await box.message("306900000103", { messenger_a: { type: "regular", regular: { type: "text", text: "hay" } } });
    await box.sms("9995000001", "hay");
    await box.control("POST", "/clock", { advance: "1m" });
    await page.reload();
    await page.locator("#live[data-state=on]").waitFor();
    assert.equal(await phone(page, "306900000101").count(), 0, "it is older than the newest 500");
    await page.getByLabel("Search", { exact: true }).fill("NEEDLE");
    await page.getByText("1 message found").waitFor();
    assert.equal(await phone(page, "306900000101").getByText("the needle").count(), 1);
    await page.getByLabel("Search", { exact: true }).fill("");
    await page.locator("#status").selectOption("failed");
    await page.getByText("1 message found").waitFor();
    assert.deepEqual(await page.locator("section.phone").evaluateAll((all) => all.map((one) => one.dataset.phone)), ["9995000001"]);
    await page.locator("#status").selectOption("");
    await page.locator("#channel").selectOption("messenger_a");
    await phone(page, "306900000103").waitFor();
    await phone(page, "306900000102").waitFor({ state: "detached" });
    await box.message("306900000104", { messenger_a: { type: "regular", regular: { type: "text", text: "new" } } });
    await phone(page, "306900000104").waitFor();
  }));

test("acc_198 a list shows hundreds of numbers beside the phones, and opens one of them", () =>
  open(async (page) => {
    for (let n = 0; n < 230; n++) await box.sms(`306911000${String(n).padStart(3, "0")}`, `hello ${n}`);
    await page.getByRole("button", { name: "List", exact: true }).click();
    await page.getByText("230 numbers").waitFor();
    assert.equal(await page.locator(".number").count(), 200);
    await page.getByRole("button", { name: "Show more numbers" }).click();
    await page.locator('.number[data-number="306911000000"]').waitFor();
    assert.equal(await page.locator(".number").count(), 230);
    await page.locator('.number[data-number="306911000000"]').click();
    await page.locator('.number[data-number="306911000000"][aria-current=true]').waitFor();
    const first = page.locator("section.phone").first();
    assert.equal(await first.getAttribute("data-phone"), "306911000000");
    assert.equal(await first.locator(".bubble").innerText(), "hello 0");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Messages of +306911000000");
    await page.getByLabel("Search", { exact: true }).fill("hello 22");
    await page.getByText("11 numbers").waitFor();
    await page.reload();
    await page.locator(".number").first().waitFor();
  }));

test("acc_198 a failover is one thread with its time line", () =>
  open(async (page) => {
    await box.post(failover(box, "9994080001"));
    const thread = phone(page, "9994080001").locator(".failover");
    await thread.getByText("not tried").waitFor();
    assert.deepEqual(await thread.locator(".timeline > li").evaluateAll((all) => all.map((one) => one.querySelector("strong").textContent)), ["Messenger B", "SMS"]);
    assert.match(await thread.locator(".timeline > li").nth(1).innerText(), /its turn comes 90 s after/);
    await box.control("POST", "/clock", { advance: "90s" });
    await thread.getByText("New shoes by SMS", { exact: true }).waitFor();
    await thread.getByText("not tried").waitFor({ state: "detached" });
    assert.equal(await thread.locator(".tries > .row").count(), 2);
    assert.match(await thread.locator(".timeline > li").nth(1).innerText(), /SMS tried \d\d:\d\d:\d\d/);
    assert.equal(await phone(page, "9994080001").locator(".thread > li").count(), 1);
  }));

test("acc_198 a request shows the response that the caller received", () =>
  open(async (page) => {
    await box.sms("306900000111", "hello");
    await box.control("PUT", "/faults", { rules: [{ kind: "accept-then-gateway", gateway: "aws" }] });
    await assert.rejects(box.sms("306900000111", "hello"), /504/);
    await box.control("PUT", "/faults", { rules: [{ kind: "close-after-read" }] });
    await assert.rejects(box.sms("306900000111", "hello"));
    await page.getByRole("tab", { name: /Requests/ }).click();
    const entries = page.locator("#pane-requests .entry");
    await entries.nth(2).waitFor();
    const response = async (n) => {
      await entries.nth(n).getByText("Request and response").click();
      return entries.nth(n).innerText();
    };
    assert.match(await response(2), /^200[\s\S]*Response 200[\s\S]*"responseCode": 0/);
    assert.match(await response(1), /^504\s*provider 200[\s\S]*Response 504[\s\S]*Endpoint request timed out/);
    assert.match(await response(0), /^cut[\s\S]*The connection was cut/);
  }));

test("acc_198 a callback is replayed, and a code is copied", () =>
  open(async (page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const tired = await webhook(410, 200);
    await box.account({ callback: { url: tired.url, method: "POST" } });
    await box.sms("306900000121", "hello");
    await box.control("POST", "/clock", { advance: "1m" });
    const entries = page.locator("#pane-attempts .entry");
    await entries.getByText("Target disabled").waitFor();
    await noticed(page, "The callback was sent again", () => page.getByRole("button", { name: /^Replay attempt 1/ }).click());
    await entries.nth(1).waitFor();
    assert.match(await entries.nth(0).innerText(), /^200/);
    assert.equal(tired.calls[0].body, tired.calls[1].body);
    tired.stop();
    await box.otp("306900000122");
    const { messages } = await box.control("GET", "/messages?to=306900000122");
    await noticed(page, "Copied the code", () => phone(page, "306900000122").getByRole("button", { name: `Copy code ${messages[0].otp}` }).click());
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), messages[0].otp);
  }));

test("acc_198 callback settings are edited, their errors appear at the field, and a token is kept", () =>
  open(async (page) => {
    await box.account({ callback: { url: `${hook.url}?token=very-secret` } });
    await page.reload();
    await page.locator("#live[data-state=on]").waitFor();
    await page.getByRole("tab", { name: /Settings/ }).click();
    const url = page.getByLabel("Delivery reports of SMS go to");
    assert.equal(await url.inputValue(), `${hook.url}?token=[secret]`);
    await page.getByLabel("Messages of users go to").fill("ftp://here");
    await page.getByRole("button", { name: "Save settings" }).click();
    const wrong = page.getByLabel("Messages of users go to");
    await page.locator("#field--inbound_callback-error:not([hidden])").waitFor();
    assert.equal(await wrong.getAttribute("aria-invalid"), "true");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.pointer), "/inbound_callback");
    assert.match(await page.locator(`#${(await wrong.getAttribute("aria-describedby")).split(" ").at(-1)}`).innerText(), /absolute http or https URL/);
    await wrong.fill(hook.url);
    await page.getByLabel("Method").selectOption("POST");
    await page.getByLabel("Numbers that receive SMS").fill("Acme, 4711");
    await noticed(page, "Settings saved", () => page.getByRole("button", { name: "Save settings" }).click());
    assert.equal(await wrong.getAttribute("aria-invalid"), null);
    const { accounts } = await box.control("GET", "/accounts");
    assert.deepEqual([accounts[0].callback.method, accounts[0].inbound_callback, accounts[0].two_way], ["POST", hook.url, ["Acme", "4711"]]);
    await box.sms("306900000131", "hello");
    await box.control("POST", "/clock", { advance: "1m" });
    assert.ok((await hook.next((one) => one.method === "POST" && one.url.includes("token"))).url.endsWith("?token=very-secret"));
    assert.ok(!(await page.content()).includes("very-secret"));
    page.problems = page.problems.filter((text) => !/status of 400/.test(text));
  }));

test("acc_198 a reset asks first, and empties the inbox", () =>
  open(async (page) => {
    await box.sms("306900000141", "hello");
    await phone(page, "306900000141").waitFor();
    await page.getByRole("tab", { name: /Settings/ }).click();
    await page.getByRole("button", { name: "Reset the account" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    assert.equal(await phone(page, "306900000141").count(), 1);
    await page.getByRole("button", { name: "Reset the account" }).click();
    await noticed(page, "The account was reset", () => page.getByRole("button", { name: "Delete everything" }).click());
    await page.getByText("No messages yet").waitFor();
    assert.deepEqual((await box.control("GET", "/messages")).messages, []);
  }));

test("acc_198 a preset of faults is set with one click, and a wrong number is reported at its field", () =>
  open(async (page) => {
    await page.getByRole("tab", { name: /Faults/ }).click();
    await noticed(page, /Gateway timeout:/, () => page.getByRole("button", { name: "Gateway timeout" }).click());
    await assert.rejects(box.sms("306900000151", "accepted"), /504/);
    await phone(page, "306900000151").getByText("accepted", { exact: true }).first().waitFor();
    await page.getByLabel("Probability").fill("7");
    await page.getByRole("button", { name: "Add fault" }).click();
    const field = page.getByLabel("Probability");
    await page.locator("#field--probability-error:not([hidden])").waitFor();
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    assert.equal(await page.locator("#field--probability-error").innerText(), "`probability` must be between 0 and 1");
    page.problems = page.problems.filter((text) => !/status of 400/.test(text));
  }));

test("acc_198 the progress of a campaign is shown while it runs", () =>
  open(async (page) => {
    assert.equal(await page.locator("#campaigns").isVisible(), false);
    for (let row = 0; row < 30; row++) await box.sms(`3069130000${String(row).padStart(2, "0")}`, "Sale", { reference: `00ff00ff00ff00ff-${row}-1` });
    await page.getByText(/30 accepted · rows up to 30/).waitFor();
    await box.control("POST", "/clock", { advance: "1m" });
    await page.getByText(/30 delivered/).waitFor();
    assert.equal(await page.locator("#campaigns progress").evaluate((one) => one.value / one.max), 1);
  }));

test("acc_198 skip links lead to the phones and to the panels: at most 10 presses of Tab", () =>
  open(async (page) => {
    for (let n = 0; n < 30; n++) await box.sms(`3069150000${String(n).padStart(2, "0")}`, "hello");
    await page.reload();
    await page.locator("#live[data-state=on]").waitFor();
    let tabs = 0;
    const press = async (key) => {
      await page.keyboard.press(key);
      tabs += key === "Tab" ? 1 : 0;
      return page.evaluate(() => document.activeElement.textContent.trim());
    };
    assert.equal(await press("Tab"), "Skip to the phones");
    assert.match(await press("Tab"), /^Skip to callbacks/);
    await press("Enter");
    for (const name of ["requests", "events", "settings", "faults"]) {
      await press("ArrowRight");
      assert.ok(await page.locator(`#pane-${name}`).isVisible());
    }
    await press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.closest("[role=tabpanel]").id), "pane-faults");
    assert.ok(tabs <= 10, `${tabs} presses`);
    const small = await page.evaluate(() => [...document.querySelectorAll("button, select, input, summary, .skip")].filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 24 && !one.closest("label")).map((one) => one.outerHTML.slice(0, 100)));
    assert.deepEqual(small, [], "targets have at least 24 pixels");
  }));

test("acc_198 an error in place of the messages has a button that tries again; loading is said", () =>
  open(async (page) => {
    await box.sms("306900000161", "hello");
    let broken = true;
    let held;
    const holding = new Promise((release) => (held = release));
    await page.route("**/_sandbox/messages?*", async (route) => {
      if (broken) return route.fulfill({ status: 500, json: { message: "out of order" } });
      await holding;
      return route.continue();
    });
    await page.reload();
    await page.getByRole("heading", { name: "The sandbox could not be read" }).waitFor();
    await page.getByText("out of order").waitFor();
    broken = false;
    await page.reload();
    await page.getByRole("heading", { name: "Loading" }).waitFor();
    assert.equal(await page.locator("#empty").getAttribute("aria-busy"), "true");
    held();
    await phone(page, "306900000161").waitFor();
    broken = true;
    await page.getByLabel("Search", { exact: true }).fill("hello");
    await page.getByText("out of order").waitFor();
    broken = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await phone(page, "306900000161").waitFor();
    page.problems = page.problems.filter((text) => !/status of 500/.test(text));
  }));

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Every colour scheme at 360 and 1440 pixels. */
const ALL = ["Callbacks", "Requests", "Events", "Settings", "Faults"];
const SIZES = [["360", { width: 360, height: 800 }], ["1440", { width: 1440, height: 900 }]];
const LOOKS = [["light", { colorScheme: "light" }], ["dark", { colorScheme: "dark" }], ["forced colours", { forcedColors: "active" }]];
const pages = LOOKS.flatMap(([look, colours]) => SIZES.map(([size, viewport]) => [`${look}, ${size} px`, size === "360" ? ["Phones", ...ALL] : ALL, { ...colours, viewport }]));

for (const [name, names, options] of pages) {
  test(`acc_198 axe-core finds nothing: ${name}`, () =>
    open(async (page) => {
      await box.account({ chat_callback: hook.url });
      await play(box);
      await box.post(failover(box, "9994080001"));
      await box.sms("306912000001", "Sale", { reference: "00ff00ff00ff00ff-0-1" });
      await box.control("POST", "/clock", { advance: "2m" });
      await page.getByRole("button", { name: "List", exact: true }).click();
      await page.locator(".number").first().waitFor();
      const { attempts } = await box.control("GET", "/callbacks");
      await page.locator("#pane-attempts .entry").nth(attempts.length - 1).waitFor({ state: "attached" });
      for (const tab of names) {
        await page.getByRole("tab", { name: new RegExp(tab) }).click();
        assert.equal(await page.evaluate(() => document.getAnimations().length), 0, "a bubble that fades in has no contrast yet");
        // A debugger's evaluation is not a script of the page: its policy holds.
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run(document));
        assert.deepEqual(violations.map((one) => [one.id, one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160))]), [], tab);
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
      const hidden = await page.evaluate(() => {
        const tabs = document.querySelector(".tabs");
        return tabs.scrollWidth - tabs.clientWidth;
      });
      assert.ok(hidden <= 0, `${hidden} pixels of the tabs are out of sight`);
    }, options));
}

test("acc_198 the files have their types, a policy without inline script, and no other method", async () => {
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
