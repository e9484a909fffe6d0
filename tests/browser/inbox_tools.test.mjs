// The tools of the inbox in Chromium: filters, list of numbers, threads, replay, settings, fault presets, campaigns, loading and errors.
import assert from "node:assert/strict";
import { test } from "node:test";
import { box, hook, noticed, open, phone } from "./inbox_setup.mjs";
import { webhook } from "./fixtures.mjs";
import { failover } from "./example_messages.mjs";

test("acc_198 filters by channel, status and text apply to all stored messages, not only to those that the page has loaded", () =>
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
    assert.deepEqual(await page.locator("section.phone").evaluateAll((all) => all.map((element) => element.dataset.phone)), ["9995000001"]);
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

test("acc_198 a failover is shown as one thread with a time line", () =>
  open(async (page) => {
    await box.post(failover(box, "9994080001"));
    const thread = phone(page, "9994080001").locator(".failover");
    await thread.getByText("not tried").waitFor();
    assert.deepEqual(await thread.locator(".timeline > li").evaluateAll((all) => all.map((element) => element.querySelector("strong").textContent)), ["Messenger B", "SMS"]);
    assert.match(await thread.locator(".timeline > li").nth(1).innerText(), /starts 90 s after/);
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

test("acc_198 a callback can be replayed, and a passcode can be copied", () =>
  open(async (page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const failing = await webhook(410, 200);
    await box.account({ callback: { url: failing.url, method: "POST" } });
    await box.sms("306900000121", "hello");
    await box.control("POST", "/clock", { advance: "1m" });
    const entries = page.locator("#pane-attempts .entry");
    await entries.getByText("Target disabled").waitFor();
    await noticed(page, "Sent again: responded with 200", () => page.getByRole("button", { name: /^Replay attempt 1/ }).click());
    await entries.nth(1).waitFor();
    assert.match(await entries.nth(0).innerText(), /^200/);
    assert.equal(failing.calls[0].body, failing.calls[1].body);
    failing.stop();
    await box.otp("306900000122");
    const { messages } = await box.control("GET", "/messages?to=306900000122");
    await noticed(page, "Copied the code", () => phone(page, "306900000122").getByRole("button", { name: `Copy code ${messages[0].otp}` }).click());
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), messages[0].otp);
  }));

test("acc_198 callback settings can be edited; an error appears at its field, and a hidden token is kept", () =>
  open(async (page) => {
    await box.account({ callback: { url: `${hook.url}?token=very-secret` } });
    await page.reload();
    await page.locator("#live[data-state=on]").waitFor();
    await page.getByRole("tab", { name: /Settings/ }).click();
    const url = page.getByLabel("Delivery reports of SMS go to");
    assert.equal(await url.inputValue(), `${hook.url}?token=[secret]`);
    await page.getByLabel("Webhook for replies").fill("ftp://here");
    await page.getByRole("button", { name: "Save settings" }).click();
    const wrong = page.getByLabel("Webhook for replies");
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
    assert.ok((await hook.next((request) => request.method === "POST" && request.url.includes("token"))).url.endsWith("?token=very-secret"));
    assert.ok(!(await page.content()).includes("very-secret"));
    page.problems = page.problems.filter((text) => !/status of 400/.test(text));
  }));

test("acc_198 a reset asks for confirmation and empties the inbox", () =>
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

test("acc_198 one click sets a preset of faults, and an invalid number is reported at its field", () =>
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

test("acc_198 every field of the control API's forms shows its own error", () =>
  open(async (page) => {
    const at = async (label, text) => {
      const field = page.getByLabel(label, { exact: true });
      await field.locator("xpath=self::*[@aria-invalid='true']").waitFor();
      assert.equal(await page.locator(`#${(await field.getAttribute("aria-describedby")).split(" ").at(-1)}`).innerText(), text);
      assert.ok(await field.evaluate((element) => element === document.activeElement), `${label} has the focus`);
      assert.equal(await page.locator("[aria-invalid=true]").count(), 1);
    };
    await page.getByRole("tab", { name: /Faults/ }).click();
    for (const [label, value, text] of [
      ["Status", "99", "`status` must be between 100 and 999"],
      ["Status", "1.5", "must be an integer of 0 or more"],
      ["Milliseconds", "-1", "must be an integer of 0 or more"],
      ["Retry-After, seconds", "-1", "must be an integer of 0 or more"],
      ["Only the nth request", "0", "`nth` must be 1 or greater"],
      ["Ends after (hits or time)", "soon", "`expires` must be a number of hits or a length of time"],
      ["Probability", "2", "`probability` must be between 0 and 1"],
    ]) {
      await page.getByLabel(label, { exact: true }).fill(value);
      await page.getByRole("button", { name: "Add fault" }).click();
      await at(label, text);
      await page.getByLabel(label, { exact: true }).fill("");
    }
    await page.getByRole("button", { name: "Add fault" }).click();
    await page.getByText("hit 0 of 0 matching requests").waitFor();
    await page.getByRole("tab", { name: /Settings/ }).click();
    for (const [label, value] of [["Delivery reports of SMS go to", "x"], ["Reports of chat messages go to", "ftp://x"], ["Webhook for replies", "http://a:b@c"]]) {
      await page.getByLabel(label, { exact: true }).fill(value);
      await page.getByRole("button", { name: "Save settings" }).click();
      await at(label, "a callback must be an absolute http or https URL without user information");
      await page.getByLabel(label, { exact: true }).fill("");
    }
    await page.getByLabel("Template", { exact: true }).fill("a=~msgid~");
    await page.getByRole("button", { name: "Save settings" }).click();
    await at("Delivery reports of SMS go to", "`url` is required");
    await page.getByLabel("Template", { exact: true }).fill("");
    await page.getByRole("button", { name: "Save settings" }).click();
    await page.getByText("Settings saved").waitFor();
    await page.getByLabel(/^Length of time/).fill("soon");
    await page.getByRole("button", { name: "Advance", exact: true }).click();
    await at("Length of time, such as 90s or 14d", "`advance` must be a length of time, such as 14d; a clock only moves forward");
    page.problems = page.problems.filter((text) => !/status of 400/.test(text));
  }));

test("acc_198 the progress of a campaign is shown while it runs", () =>
  open(async (page) => {
    assert.equal(await page.locator("#campaigns").isVisible(), false);
    for (let row = 0; row < 30; row++) await box.sms(`3069130000${String(row).padStart(2, "0")}`, "Sale", { reference: `00ff00ff00ff00ff-${row}-1` });
    await page.getByText(/30 sent · rows up to 30 .*30 waiting/).waitFor();
    await box.control("POST", "/clock", { advance: "1m" });
    await page.getByText(/30 delivered$/).waitFor();
    assert.equal(await page.getByLabel("30 of 30 in a final state").evaluate((element) => element.value / element.max), 1);
    await box.sms("306913000099", "Other");
    await page.getByRole("button", { name: "Campaign 00ff00ff00ff00ff" }).click();
    await page.getByText("30 messages found").waitFor();
  }));

test("acc_198 skip links lead to the phones and to the panels, so that every panel is reached with at most 10 presses of Tab", () =>
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
    const small = await page.evaluate(() => [...document.querySelectorAll("button, select, input, summary, .skip")].filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 24 && !element.closest("label")).map((element) => element.outerHTML.slice(0, 100)));
    assert.deepEqual(small, [], "targets have at least 24 pixels");
  }));

test("acc_198 while messages load the page says so, and after an error it offers to try again", () =>
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
