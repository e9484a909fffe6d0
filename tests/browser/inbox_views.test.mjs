// The views of the inbox in Chromium: list and thread, callbacks with their attempts, filters and their URL, deletion, explanations, JSON.
import assert from "node:assert/strict";
import { test } from "node:test";
import { box, hook, noticed, open, phone } from "./inbox_setup.mjs";
import { inbox, webhook } from "./fixtures.mjs";

const shown = (page) => page.locator("section.phone").evaluateAll((all) => all.map((element) => element.dataset.phone));
const entries = (page, pane) => page.locator(`#pane-${pane} .log > li`);
/** The filters of the log whose tab is selected. */
const bar = (page) => page.locator("#log-filters");
const live = (page) => page.locator("#live[data-state=on]").waitFor();
const hash = (page) => page.evaluate(() => location.hash);
/** Waits until the URL has this fragment. */
const hasHash = (page, expected) => page.waitForFunction((text) => location.hash === text, expected);

test("acc_198 the list and the messages of one number are side by side, and the URL keeps both views", () =>
  open(async (page) => {
    await box.sms("306900000201", "first");
    await box.sms("306900000202", "second");
    await phone(page, "306900000202").waitFor();
    assert.deepEqual(await shown(page), ["306900000202", "306900000201"], "without a choice, all messages are shown");
    const [list, thread] = await Promise.all([page.locator("#numbers").boundingBox(), phone(page, "306900000202").boundingBox()]);
    assert.ok(list.x + list.width <= thread.x, "the list is beside the messages");
    assert.ok(thread.height < 400, `a phone with one message is as high as its content: ${thread.height}`);
    await page.getByRole("button", { name: "+306900000201" }).click();
    await phone(page, "306900000202").waitFor({ state: "detached" });
    assert.deepEqual(await shown(page), ["306900000201"]);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Messages of +306900000201");
    await hasHash(page, "#phone=306900000201");
    await page.reload();
    await live(page);
    await phone(page, "306900000201").waitFor();
    assert.deepEqual(await shown(page), ["306900000201"]);
    await page.getByRole("button", { name: "Show all" }).click();
    await phone(page, "306900000202").waitFor();
    await hasHash(page, "");
    await page.getByRole("button", { name: "Phones", exact: true }).click();
    await hasHash(page, "#view=phones");
    assert.ok(!(await page.locator("#numbers").isVisible()));
    const [one, two] = await Promise.all(["306900000202", "306900000201"].map((number) => phone(page, number).boundingBox()));
    assert.ok(one.y === two.y && one.x + one.width <= two.x, "phones are columns");
    await page.reload();
    await live(page);
    assert.equal(await page.locator("#view-phones").getAttribute("aria-pressed"), "true");
    await page.getByRole("button", { name: "List", exact: true }).click();
    await page.locator("#numbers").waitFor();
  }));

test("acc_198 a number appears in the list as soon as its message arrives, without a request", () =>
  open(async (page) => {
    await box.sms("306900000211", "hello");
    await page.locator("[data-number='306900000211']").waitFor();
    let requests = 0;
    page.on("request", (request) => (requests += /_sandbox\/(phones|messages)/.test(request.url())));
    await box.sms("306900000212", "newer");
    await page.locator("[data-number='306900000212']").waitFor();
    await box.sms("306900000211", "newest");
    await page.locator(".number-rows > li:first-child [data-number='306900000211']").waitFor();
    await page.getByText("2 numbers").waitFor();
    assert.match(await page.locator(".number-rows > li").first().innerText(), /newest[\s\S]*accepted[\s\S]*2 messages/);
    await box.control("POST", "/clock", { advance: "1m" });
    await page.locator(".number-rows > li:first-child .state.good").waitFor();
    assert.equal(requests, 0);
  }));

test("acc_198 a callback is one row with its parameters as a list and its attempts as a time line", () =>
  open(async (page) => {
    const failing = await webhook(500, 503, 200);
    await box.sms("306900000221", "hello", { callback: `${failing.url}?token=very-secret&order=81&empty=` });
    await box.control("POST", "/clock", { advance: "10m" });
    await page.locator("#pane-attempts .entry").nth(2).waitFor();
    const row = entries(page, "attempts");
    assert.equal(await row.count(), 1);
    assert.match(await row.locator(".head").first().innerText(), /^delivered\s*SMS report\s*3 attempts\s*Replay$/);
    assert.match(await row.locator(".url").innerText(), /^GET http:\/\/127\.0\.0\.1:\d+\/hook$/);
    const pairs = await row.locator(".parameters").evaluate((list) => [...list.querySelectorAll("dt")].map((name) => [name.textContent, name.nextElementSibling.textContent]));
    assert.deepEqual(pairs.slice(0, 3), [["token", "[secret]"], ["order", "81"], ["empty", "(empty)"]]);
    assert.ok(pairs.some(([name, value]) => name === "status" && value === "delivered"));
    assert.deepEqual(await row.locator(".attempts > .entry").evaluateAll((all) => all.map((entry) => entry.querySelector(".badge").textContent)), ["200", "503", "500"]);
    await row.getByText("Request and response").nth(1).click();
    await noticed(page, "Sent again: responded with 200", () => page.getByRole("button", { name: /^Replay attempt 3/ }).click());
    await row.nth(1).waitFor();
    assert.match(await row.nth(0).innerText(), /^delivered[\s\S]*1 attempt[\s\S]*replay of callback \d+/);
    assert.equal(await page.locator("#pane-attempts details[open]").count(), 1, "open details stay open");
    failing.stop();
  }));

test("acc_198 a retry joins the row of its callback while the page is open", () =>
  open(async (page) => {
    const failing = await webhook(500, 410);
    await box.account({ callback: { url: failing.url, method: "POST" } });
    await box.sms("306900000225", "hello");
    await box.control("POST", "/clock", { advance: "1s" });
    const row = entries(page, "attempts");
    await row.getByText("will be retried").waitFor();
    assert.ok((await row.locator(".parameters").innerText()).includes("delivered"), "members of a flat JSON body are listed too");
    await row.getByText("Request and response").click();
    await box.control("POST", "/clock", { advance: "10s" });
    await row.getByText("Target disabled").waitFor();
    assert.match(await row.locator(".head").first().innerText(), /^failed[\s\S]*2 attempts/);
    assert.equal(await row.count(), 1);
    assert.equal(await row.locator(".entry").nth(1).locator("details[open]").count(), 1, "open details stay open");
    failing.stop();
  }));

test("acc_198 a log is filtered by status, operation, time and text; the URL keeps the filters", () =>
  open(async (page) => {
    await box.sms("306900000231", "the needle");
    await assert.rejects(box.sms("", "bad"));
    await box.otp("306900000232");
    await page.getByRole("tab", { name: /Requests/ }).click();
    const rows = entries(page, "requests");
    await rows.nth(2).waitFor();
    const found = (count) => page.locator("#log-filters .found").getByText(`${count} found`, { exact: true }).waitFor();
    await bar(page).getByLabel("Operation").selectOption("sms.send");
    await found(2);
    await bar(page).getByLabel("Status").selectOption("4xx");
    await found(1);
    assert.match(await rows.innerText(), /^4\d\d/);
    await hasHash(page, "#tab=requests&log-status=4xx&log-operation=sms.send");
    await page.reload();
    await live(page);
    await found(1);
    assert.equal(await rows.count(), 1);
    assert.equal(await bar(page).getByLabel("Operation").inputValue(), "sms.send");
    await assert.rejects(box.sms("", "again"));
    await found(2);
    await page.getByLabel("Filter requests").press("Escape");
    await rows.nth(3).waitFor();
    await hasHash(page, "#tab=requests");
    await page.getByLabel("Filter requests").fill("NEEDLE");
    await found(1);
    await page.getByLabel("Filter requests").fill("in no request");
    await page.getByText("No stored entry matches these filters.").waitFor();
    await bar(page).getByRole("button", { name: "Clear" }).click();
    await rows.nth(3).waitFor();
    await page.locator("#log-filters summary").click();
    await bar(page).getByLabel("Until").fill("2025-12-31T00:00");
    await page.getByText("No stored entry matches these filters.").waitFor();
    await page.keyboard.press("Escape");
    assert.ok(!(await bar(page).getByLabel("Until").isVisible()), "Escape closes the period first");
    await page.keyboard.press("Escape");
    await rows.nth(3).waitFor();
    await page.getByRole("tab", { name: /Faults/ }).click();
    assert.ok(!(await bar(page).isVisible()));
    page.problems = page.problems.filter((text) => !/status of 4\d\d/.test(text));
  }));

test("acc_198 the failed callback is found by its status, with all of its attempts", () =>
  open(async (page) => {
    const failing = await webhook(500, 200);
    await box.sms("306900000235", "failing", { callback: failing.url });
    for (let n = 0; n < 5; n++) await box.sms("306900000236", "fine", { callback: hook.url });
    await box.control("POST", "/clock", { advance: "1m" });
    const rows = entries(page, "attempts");
    await rows.nth(5).waitFor();
    await bar(page).getByLabel("Status").selectOption("5xx");
    await bar(page).getByText("1 found").waitFor();
    assert.equal(await rows.count(), 1);
    assert.equal(await rows.locator(".entry").count(), 2, "the later attempt is shown too");
    await page.getByRole("tab", { name: /Events/ }).click();
    await page.getByLabel("Filter events").fill("callback.failed");
    await bar(page).getByText("1 found").waitFor();
    await page.getByRole("tab", { name: /Callbacks/ }).click();
    assert.equal(await bar(page).getByLabel("Status").inputValue(), "5xx", "each log keeps its filters");
    failing.stop();
  }));

test("acc_198 the filters of messages are in the URL, and an empty search offers to clear them near the top", () =>
  open(async (page) => {
    await box.sms("306900000241", "hello");
    await box.otp("306900000242");
    await phone(page, "306900000242").waitFor();
    await page.locator("#filters summary").click();
    await page.getByLabel("Sent by").selectOption("otp.send");
    await page.getByText("1 message found").waitFor();
    assert.deepEqual(await shown(page), ["306900000242"]);
    await page.keyboard.press("Escape");
    await page.getByLabel("Search", { exact: true }).fill("nowhere");
    await page.getByText("Nothing found").waitFor();
    await hasHash(page, "#text=nowhere&operation=otp.send");
    const [main, empty] = await Promise.all([page.locator("#phones").boundingBox(), page.locator("#empty").boundingBox()]);
    assert.ok(empty.y - main.y < 150, `${empty.y - main.y} pixels below the top`);
    await page.reload();
    await page.getByText("Nothing found").waitFor();
    assert.equal(await page.getByLabel("Search", { exact: true }).inputValue(), "nowhere");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await phone(page, "306900000241").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), "search");
    await hasHash(page, "");
    await page.evaluate(() => (location.hash = "#status=nonsense&text=hello"));
    await page.getByText("`status` must be one of").waitFor();
    await page.getByLabel("Search", { exact: true }).press("Escape");
    await phone(page, "306900000242").waitFor();
    page.problems = page.problems.filter((text) => !/status of 400/.test(text));
  }));

test("acc_198 a slash moves the focus to the filters, but is a character in a text field", () =>
  open(async (page) => {
    await box.sms("306900000245", "hello");
    await phone(page, "306900000245").waitFor();
    const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.getAttribute("aria-label"));
    await page.keyboard.press("/");
    assert.equal(await focused(), "search");
    await page.keyboard.type("a/b");
    assert.equal(await page.getByLabel("Search", { exact: true }).inputValue(), "a/b");
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    assert.deepEqual([await focused(), await page.getByLabel("Search", { exact: true }).inputValue()], ["search", ""], "the field has the focus already");
    await page.getByRole("tab", { name: /Requests/ }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("/");
    assert.equal(await focused(), "Filter requests");
    const reply = phone(page, "306900000245").getByLabel(/^Reply from/);
    await reply.fill("");
    await reply.press("/");
    assert.equal(await reply.inputValue(), "/");
  }));

test("acc_198 the tabs keep their places when the counts grow", () =>
  open(async (page) => {
    const places = () => page.locator(".tabs button:not(.narrow)").evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().x));
    await box.sms("306900000251", "hello");
    const before = await places();
    for (let n = 0; n < 120; n++) await box.sms("306900000251", `hello ${n}`);
    const count = page.locator("#tab-requests .count");
    await count.getByText("99+").waitFor();
    await page.waitForFunction(() => document.querySelector("#tab-requests .count").title === "121");
    assert.deepEqual(await places(), before);
  }));

test("acc_198 a message is deleted by two presses, in every page that shows it", () =>
  open(async (page) => {
    await box.sms("306900000261", "keep");
    await box.sms("306900000261", "remove");
    await box.sms("306900000262", "alone");
    const other = await inbox(page.context().browser(), box);
    const row = phone(page, "306900000261").locator(".row").filter({ hasText: "remove" });
    await row.locator("summary").click();
    await row.getByRole("button", { name: "Delete", exact: true }).click();
    assert.equal((await box.control("GET", "/messages?to=306900000261")).messages.length, 2, "one press deletes nothing");
    await noticed(page, "The message was deleted", () => row.getByRole("button", { name: "Delete this message?" }).click());
    await row.waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => document.activeElement.closest(".row")?.querySelector(".bubble").innerText), "keep", "the next message has the focus");
    await phone(other, "306900000261").getByText("remove", { exact: true }).waitFor({ state: "detached" });
    assert.equal(await phone(page, "306900000261").locator(".row").count(), 1);
    const last = phone(page, "306900000262").locator(".row");
    await last.locator("summary").click();
    await last.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByLabel("Search", { exact: true }).focus();
    await last.getByRole("button", { name: "Delete", exact: true }).click();
    await last.getByRole("button", { name: "Delete this message?" }).click();
    await phone(page, "306900000262").waitFor({ state: "detached" });
    assert.notEqual(await page.evaluate(() => document.activeElement.tagName), "BODY");
    await page.getByText("1 number", { exact: true }).waitFor();
    await other.context().close();
  }));

test("acc_198 the count of a search follows a deletion, and one button deletes all messages", () =>
  open(async (page) => {
    await box.sms("306900000263", "the needle");
    await box.sms("306900000263", "hay");
    await box.sms("306900000264", "hay");
    await phone(page, "306900000264").waitFor();
    const top = () => page.locator(".beside").evaluate((element) => element.getBoundingClientRect().y);
    const before = await top();
    await page.getByLabel("Search", { exact: true }).fill("needle");
    await page.getByText("1 message found").waitFor();
    assert.equal(await top(), before, "the messages keep their place");
    await box.control("DELETE", `/messages/${(await box.control("GET", "/messages?text=needle")).messages[0].id}`);
    await page.getByText("Nothing found").waitFor();
    await page.waitForFunction(() => document.querySelector("#found").textContent === "");
    await page.getByLabel("Search", { exact: true }).press("Escape");
    await page.getByText("2 numbers").waitFor();
    await page.getByRole("button", { name: "Clear all messages" }).click();
    await noticed(page, "All messages were deleted", () => page.getByRole("button", { name: "Delete all messages?" }).click());
    await page.getByText("No messages yet").waitFor();
    await page.locator("#numbers").waitFor({ state: "hidden" });
    assert.equal((await box.control("GET", "/messages")).messages.length, 0);
  }));

test("acc_198 a filtered list and a filtered log change while traffic flows", () =>
  open(async (page) => {
    await box.sms("306900000265", "flow 0", { callback: hook.url });
    await box.control("POST", "/clock", { advance: "1m" });
    await page.getByLabel("Search", { exact: true }).fill("flow");
    await page.getByText("1 message found").waitFor();
    await bar(page).getByLabel("Status").selectOption("2xx");
    await bar(page).getByText("1 found").waitFor();
    const reply = phone(page, "306900000265").getByLabel(/^Reply from/);
    await reply.fill("a draft");
    // The browser applies every message before the pause of 250 ms ends, until both numbers have changed.
    let flows = true;
    const traffic = (async () => {
      for (let n = 1; flows; n++) {
        await box.sms("306900000265", `flow ${n}`, { callback: hook.url });
        await box.control("POST", "/clock", { advance: "1m" });
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    try {
      await page.waitForFunction(() => {
        const [, messages] = /^(\d+) messages found/.exec(document.querySelector("#found").textContent) ?? [];
        const [, callbacks] = /^(\d+) found/.exec(document.querySelector("#log-filters .found").textContent) ?? [];
        return messages > 1 && callbacks > 1;
      });
    } finally {
      flows = false;
      await traffic;
    }
    assert.equal(await reply.inputValue(), "a draft", "the phone stays while its messages change");
  }));

test("acc_198 the browser's Back closes a number and returns to the tab before", () =>
  open(async (page) => {
    await box.sms("306900000266", "hello");
    await page.locator("[data-number='306900000266']").click();
    await hasHash(page, "#phone=306900000266");
    await page.getByRole("tab", { name: /Requests/ }).click();
    await hasHash(page, "#phone=306900000266&tab=requests");
    await page.goBack();
    await page.locator("#pane-attempts").waitFor();
    assert.equal(await page.locator("[data-number='306900000266']").getAttribute("aria-current"), "true");
    await page.goBack();
    await page.locator("[data-number='306900000266']:not([aria-current])").waitFor();
    await hasHash(page, "");
    await page.goForward();
    await page.locator("[data-number='306900000266'][aria-current=true]").waitFor();
    await hasHash(page, "#phone=306900000266");
  }));

test("acc_198 a replay reports its outcome, its callback gets the focus, and the tab counts callbacks", () =>
  open(async (page) => {
    const failing = await webhook(500, 200);
    await box.sms("306900000267", "hello", { callback: failing.url });
    await box.sms("306900000268", "hello", { callback: hook.url });
    await box.control("POST", "/clock", { advance: "1m" });
    const rows = entries(page, "attempts");
    await rows.nth(1).waitFor();
    await page.locator("#pane-attempts .entry").nth(2).waitFor();
    failing.stop();
    await noticed(page, "Sent again, and failed: connect", () => rows.filter({ hasText: "2 attempts" }).getByRole("button", { name: /^Replay/ }).click());
    await rows.nth(2).waitFor();
    assert.match(await rows.nth(0).innerText(), /replay of callback/);
    await page.waitForFunction(() => document.querySelector("#pane-attempts .log > li").contains(document.activeElement));
    assert.equal(await page.locator("#tab-attempts .count").innerText(), "3", "three callbacks with four attempts");
    await bar(page).getByLabel("Status").selectOption("failed");
    await bar(page).getByText("2 found").waitFor();
  }));

test("acc_198 the example of an empty inbox can be copied, and the tab of requests marks failures", () =>
  open(async (page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByText("the account's SMS key").waitFor();
    await noticed(page, "Copied the example", () => page.locator("#copy-example").click());
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.locator("#example").innerText());
    await box.sms("306900000269", "hello");
    const tab = page.getByRole("tab", { name: "Requests 1", exact: true });
    await tab.waitFor();
    await assert.rejects(box.sms("12", "bad"));
    await page.getByRole("tab", { name: "Requests 2 (1 failed)", exact: true }).waitFor();
  }));

test("acc_198 a failure says why, and its link leads to the place in the documentation", () =>
  open(async (page) => {
    const failing = await webhook(500);
    await box.sms("9995000001", "hello", { color: "blue", callback: failing.url });
    await assert.rejects(box.sms("12", "bad"));
    await box.control("POST", "/clock", { advance: "1s" });
    await phone(page, "9995000001").getByText("Magic number: failed.").waitFor();
    await page.locator("#pane-attempts").getByText("The target must respond with 2xx.").first().waitFor();
    await page.getByRole("tab", { name: /Requests/ }).click();
    await page.locator("#pane-requests").getByText("a number is invalid: send 7 to 15 digits").waitFor();
    const links = await page.getByRole("link", { name: /^Documentation: / }).evaluateAll((all) => all.map((link) => link.href));
    assert.deepEqual([...new Set(links.map((link) => new URL(link).pathname))].sort(), ["/docs/problems.txt", "/docs/provider-codes.txt", "/docs/sandbox.txt"]);
    for (const link of links) {
      const [address, text] = link.split("#:~:text=");
      assert.ok((await (await fetch(address)).text()).includes(decodeURIComponent(text)), link);
      assert.ok(!/[-,&]/.test(text), "a directive of a text fragment encodes these characters");
    }
    const [page2] = await Promise.all([page.context().waitForEvent("page"), page.locator("#pane-requests .why a").first().click()]);
    await page2.waitForLoadState();
    assert.match(await page2.locator("body").innerText(), /^# Codes of the provider/);
    page.problems = page.problems.filter((text) => !/status of 400/.test(text));
    failing.stop();
  }));

test("acc_198 JSON has colors, keeps its literals, and is copied as it is shown", () =>
  open(async (page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const evil = `<img src=x onerror="window.hit=1">`;
    const body = `{"from":"Acme","to":"306900000271","text":${JSON.stringify(evil)},"type":"auto","extra_id":12345678901234567890,"rate":1.50,"none":null,"list":[],"deep":[{"a":true}]}`;
    await fetch(`${box.url}/sms.json`, { method: "POST", headers: { "content-type": "application/json", "X-Service-API-Key": box.config.sms_key }, body });
    await page.getByRole("tab", { name: /Requests/ }).click();
    const entry = entries(page, "requests");
    await entry.getByText("Request and response").click();
    const code = entry.locator("pre").first();
    const text = await code.innerText();
    assert.ok(text.includes(`\n  "extra_id": 12345678901234567890,\n  "rate": 1.50,\n  "none": null,\n  "list": [],\n  "deep": [\n    {\n      "a": true\n    }\n  ]\n}`), text);
    assert.deepEqual(JSON.parse(text), JSON.parse(body));
    const colored = async (kind) => code.locator(`.json-${kind}`).evaluateAll((all) => all.map((element) => element.textContent));
    assert.deepEqual(await colored("number"), ["12345678901234567890", "1.50"]);
    assert.deepEqual(await colored("word"), ["null", "true"]);
    assert.ok((await colored("name")).includes('"extra_id"') && (await colored("string")).includes(JSON.stringify(evil)));
    await noticed(page, "Copied body", () => entry.getByRole("button", { name: "Copy Body" }).click());
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
    assert.equal(await page.locator("#pane-requests img").count(), 0);
    assert.equal(await page.evaluate(() => window.hit), undefined);
  }));

test("acc_198 on a narrow page a number leads from the list to its messages, and back", () =>
  open(
    async (page) => {
      await box.sms("306900000281", "hello");
      await box.sms("306900000282", "newer");
      await page.locator("[data-number='306900000281']").click();
      await phone(page, "306900000281").waitFor();
      assert.ok(!(await page.locator("#numbers").isVisible()));
      await page.getByRole("button", { name: "Back to the list" }).click();
      await page.locator("#numbers").waitFor();
      assert.equal(await page.evaluate(() => document.activeElement.dataset.number), "306900000281");
      assert.equal(await hash(page), "");
    },
    { viewport: { width: 390, height: 844 } },
  ));
