// The panels of the composer in Chromium: sending, cost, problems; also help, saved state and layout.
import assert from "node:assert/strict";
import test from "node:test";
import { choose, composer, field, server, settled, shoot, verdict } from "./composer_page.mjs";

const shared = (operation, request, more = {}) => `#${new URLSearchParams({ operation, request: typeof request === "string" ? request : JSON.stringify(request), ...more })}`;

test("if no sandbox serves the page, the send button explains how to start one, and sends nothing", async () => {
  await composer({}, async (page) => {
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.getByRole("button", { name: "Send to sandbox" }).click();
    await page.getByText(/not served by a sandbox.*cpaas-sandbox --composer/).waitFor();
    assert.deepEqual(asked, []);
  });
});

test("the cost panel adds the prices of recipients with merge fields, and shows a sample row", async () => {
  await composer({}, async (page) => {
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.locator("#cost-panel > summary").click();
    await page.fill("#prices", "prefix,price,currency\n30,0.045,EUR\n3069,0.05,EUR\n44,0.035,EUR");
    await page.fill("#recipients", "name;phone\nNia;+306912345678\n\"Bo \"\"B\"\" ; Jr\";302101234567\nAlexandra;447700900123");
    await field(page, "/text").locator("textarea").fill(`Hello {{ name }}${"x".repeat(145)}`);
    // 154, 162 and 160 characters: one part at 0.05 EUR, two at 0.045 EUR, one at 0.035 EUR.
    await page.getByText("0.175 EUR").waitFor();
    assert.equal(await page.textContent(".total .cost"), "0.175 EUR for 3 of 3 recipients, 4 parts");
    assert.match(await page.textContent(".sample .bubble"), /^Hello Niax/);
    assert.deepEqual(asked, []);
    await page.fill("#prices", "prefix,price,currency\n30,0.045,EUR\n3069,0.05,EUR\n44,0.035,GBP");
    await page.getByText("0.14 EUR + 0.035 GBP").waitFor();
    await page.fill("#recipients", "to,name\n306912345678,Nia\n447700900123,Alexandra\n12,Bo");
    await field(page, "/text").locator("textarea").fill("Hello {{ name }}, your table is ready. See you at 19:30!");
    await page.getByText("1 row cannot be sent").waitFor();
    await shoot(page, "cost");
  });
});

test("the cost panel marks the first rows with a problem, and reads uploads in the page", async () => {
  await composer({}, async (page) => {
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.locator("#cost-panel > summary").click();
    const rows = ["to,name", "306912345678,Nia", "12,Bo", "306912345678,Al", "306912345679,", "8612345678901,Li", ...Array.from({ length: 30 }, (_, n) => `7${n},x`)];
    await page.setInputFiles("#recipients-file", { name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(`\uFEFF${rows.join("\r\n")}\r\n`) });
    await page.setInputFiles("#prices-file", { name: "prices.csv", mimeType: "text/csv", buffer: Buffer.from("prefix,price,currency\n30,0.045,EUR\n49,x,EUR") });
    await page.getByText("Prices, line 3: the price must be a decimal number such as 0.0075").waitFor();
    await page.fill("#prices", "prefix,price,currency\n30,0.045,EUR");
    await field(page, "/text").locator("textarea").fill("Hello {{ name }}");
    await page.getByText("34 rows cannot be sent").waitFor();
    const table = await page.locator("tr.wrong").evaluateAll((all) => all.map((row) => [row.firstChild.textContent, row.lastChild.textContent]));
    assert.deepEqual(table.slice(0, 4), [
      ["3", "a phone number should have 7 to 15 digits"], ["4", "the number appears twice"], ["5", "name is empty"], ["6", "no price for this prefix"],
    ]);
    assert.equal(table.length, 20);
    await page.getByText("and 14 more rows").waitFor();
    await field(page, "/text").locator("textarea").fill("Hello {{ nmae }}");
    await page.getByText("no column is named nmae").first().waitFor();
    assert.deepEqual(asked, [], "nothing leaves the page");
  });
});

test("a problem is titled by the labels of its field, with the pointer in small print", async () => {
  await composer({}, async (page) => {
    await page.goto(`${server.origin}/composer/${shared("messages.send", { trafficAccountId: "x", destination: "306912345678", business_chat: { fallback: "x", carouselCard: { cardContents: [{ title: "A" }, { title: "x".repeat(300) }] } } })}`);
    await page.reload();
    const row = page.locator("#problems li").filter({ hasText: "/cardContents/1/title" }).first();
    await row.waitFor();
    assert.match(await row.locator(".place").textContent(), /Card 2, Title \/business_chat/);
    const size = (selector) => row.locator(selector).first().evaluate((element) => parseFloat(getComputedStyle(element).fontSize));
    assert.ok((await size(".pointer")) < (await size(".place")));
  });
});

test("problems that the report omits are counted", async () => {
  await composer({}, async (page) => {
    const msisdn = Array.from({ length: 1100 }, (_, index) => `x${index}`);
    await page.goto(`${server.origin}/composer/${shared("lookup.numbers", { msisdn })}`);
    await page.reload();
    await page.locator("#problems li.none").waitFor();
    assert.equal(await page.locator("#problems li.none").textContent(), "and 1040 more");
    assert.equal(await verdict(page), "Ready to send, 1000 remarks and 100 more");
  });
});

test("an empty field shows an error only after the user has left it", async () => {
  await composer({}, async (page) => {
    await page.selectOption("#operation", "otp.verify");
    await settled(page);
    assert.match(await verdict(page), /^Not complete: 3 fields to fill in/);
    assert.equal(await page.locator('[aria-invalid="true"], .said.error, #problems .error').count(), 0);
    await field(page, "/service").locator("input").fill("login");
    await settled(page);
    assert.match(await verdict(page), /^Not complete: 2 fields/);
    assert.equal(await page.locator('[aria-invalid="true"]').count(), 0);
    await field(page, "/requestId").locator("input").focus();
    await field(page, "/code").locator("input").focus();
    await settled(page);
    assert.equal(await field(page, "/requestId").locator("input").getAttribute("aria-invalid"), "true");
    assert.notEqual(await field(page, "/code").locator("input").getAttribute("aria-invalid"), "true");
    assert.match(await verdict(page), /^Would be refused/);
  });
});

test("remarks are not red", async () => {
  await composer({ colorScheme: "light" }, async (page) => {
    await choose(page, "messages.send", "Business chat: card");
    await field(page, "/business_chat/fallback").locator("textarea").fill("");
    await settled(page, 200);
    assert.match(await verdict(page), /Ready to send, 2 remarks/);
    const red = await page.evaluate(() => {
      const bad = getComputedStyle(Object.assign(document.body.appendChild(document.createElement("p")), { className: "bad" })).color;
      document.body.lastElementChild.remove();
      return [...document.querySelectorAll("main *, .verdict")].filter((element) => element.checkVisibility() && getComputedStyle(element).color === bad && element.textContent.trim()).map((element) => element.outerHTML.slice(0, 100));
    });
    assert.deepEqual(red, []);
  });
});

test("fields have help, and documented values are choices", async () => {
  await composer({}, async (page) => {
    await choose(page, "messages.send", "Messenger C: markup");
    const mode = field(page, "/messenger_c/text/parseMode").locator("select");
    assert.ok((await mode.locator("option").allTextContents()).includes("MarkdownV2"));
    const about = await field(page, "/trafficAccountId").locator("input").getAttribute("aria-describedby");
    assert.match(await page.textContent(`#${about.split(" ")[0]}`), /account/);
    await choose(page, "otp.send");
    assert.deepEqual(await field(page, "/channel").locator("option").allTextContents(), ["–", "sms", "call"]);
  });
});

test("the form comes before the preview, also for the keyboard; below 768 pixels they are in one column", async () => {
  for (const [width, columns] of [[360, 1], [767, 1], [768, 2], [1440, 3]]) {
    await composer({ viewport: { width, height: 800 } }, async (page) => {
      const panes = await page.evaluate(() => [...document.querySelectorAll("main > section")].map((pane) => [pane.id, pane.getBoundingClientRect().left, pane.getBoundingClientRect().top]));
      assert.deepEqual(panes.map(([id]) => id), ["editor", "seen", ""]);
      assert.equal(new Set(panes.map(([, left]) => Math.round(left))).size, columns, `${width}`);
      if (columns === 1) assert.ok(panes[0][2] < panes[1][2] && panes[1][2] < panes[2][2]);
    });
  }
});

test("the page saves its state in the address and in local storage", async () => {
  await composer({ permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
    const home = page.url();
    await choose(page, "messages.send", "SMS");
    await field(page, "/sms/text").locator("textarea").fill("Grüße & mehr #1 =?");
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const address = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(address, page.url());
    await page.goto("about:blank");
    await page.goto(home);
    await page.waitForFunction(() => !document.querySelector("#verdict").textContent.startsWith("Loading"));
    assert.equal(await field(page, "/sms/text").locator("textarea").inputValue(), "Grüße & mehr #1 =?", "from local storage");
    await choose(page, "sms.send", "A booking");
    await page.goto("about:blank");
    await page.goto(address);
    await page.waitForFunction(() => !document.querySelector("#verdict").textContent.startsWith("Loading"));
    assert.equal(await page.inputValue("#operation"), "messages.send");
    assert.equal(await field(page, "/sms/text").locator("textarea").inputValue(), "Grüße & mehr #1 =?");
    await page.goto("about:blank");
    await page.goto(`${home}${shared("sms.send", '{"from": ')}`);
    await page.waitForFunction(() => !document.querySelector("#verdict").textContent.startsWith("Loading"));
    assert.equal(await page.inputValue("#json"), '{"from": ');
    assert.match(await verdict(page), /refused/);
  });
});

test("controls are at least 24 pixels wide and high", async () => {
  await composer({}, async (page) => {
    await choose(page, "messages.send", "Business chat: carousel");
    await page.locator("#cost-panel > summary").click();
    const small = await page.evaluate(() => [...document.querySelectorAll("button, select, input, textarea, summary")].filter((element) => element.checkVisibility() && !element.closest(".bubble, .causes") && Math.min(element.getBoundingClientRect().height, element.getBoundingClientRect().width) < 24).map((element) => element.outerHTML.slice(0, 120)));
    assert.deepEqual(small, []);
  });
});

test("problems are grouped by severity, and equal ones are one entry with their places", async () => {
  await composer({}, async (page) => {
    await choose(page, "sms.send", "A booking");
    const request = { from: "Acme", to: "+306912345678", text: "Hi {{name", one: 1, two: 2, three: 3, four: 4, five: 5 };
    await page.fill("#json", JSON.stringify(request));
    await settled(page);
    const groups = await page.locator("#problems h3").allTextContents();
    assert.deepEqual(groups.map((text) => text.replace(/ \(\d+\)$/, "")), ["Errors", "Warnings"]);
    const entry = page.locator("#problems li", { hasText: "msg.field.unknown" });
    assert.equal(await entry.count(), 1);
    assert.match(await entry.locator(".message").textContent(), /^unknown field.* \(5 times\)$/);
    assert.deepEqual(await entry.locator(".place").evaluateAll((all) => all.map((place) => place.checkVisibility())), [true, true, true, false, false]);
    await entry.getByText("2 more places").click();
    await entry.locator(".place").last().click();
    await field(page, "/text").locator("textarea").fill("Hi {{name and more");
    await settled(page);
    assert.equal(await entry.locator(".place").last().isVisible(), true, "an opened list stays open");
    assert.equal(await verdict(page), "Would be refused: 1 error, 5 remarks");
    await page.getByRole("group", { name: "Problems" }).getByRole("heading", { name: "Errors (1)" }).waitFor();
    await page.locator("#problems .fix").first().click();
    assert.match(await verdict(page), /^Ready to send, 5 remarks/);
    assert.deepEqual(await page.locator("#problems h3").allTextContents(), ["Warnings (5)"]);
  });
});

test("a passcode is counted and drawn with its digits, and edits keep the token", async () => {
  await composer({}, async (page) => {
    await choose(page, "otp.send");
    const write = async (text) => {
      await field(page, "/body").locator("textarea").fill(text);
      await settled(page, 250);
    };
    // 154 characters and six digits are 160 septets; the token itself would be 8 septets, because each brace is two.
    await write(`${"a".repeat(154)}{code}`);
    assert.match(await page.locator(".sms .cost").first().textContent(), /^1 part in GSM 7-bit: 160 septets, space for 0 more/);
    assert.equal(await page.textContent(".sms .bubble"), `${"a".repeat(154)}123456`);
    assert.deepEqual(await page.locator(".sms .digits").allTextContents(), ["123456"]);
    await page.getByText("The provider replaces {code} by six digits.").waitFor();
    await write("It’s {code} – or {code}");
    assert.deepEqual(await page.locator(".sms .digits").allTextContents(), ["123456", "123456"]);
    await page.locator(".bubble .forces").first().click();
    await settled(page);
    assert.equal(JSON.parse(await page.inputValue("#json")).body, "It's {code} – or {code}");
    await page.locator(".sms .fix").click();
    await settled(page, 250);
    assert.equal(JSON.parse(await page.inputValue("#json")).body, "It's {code} - or {code}");
    assert.match(await page.locator(".sms .cost").first().textContent(), /^1 part in GSM 7-bit: 23 septets/);
    await page.locator("#part-panel > summary").click();
    await page.locator(".octets .septet").first().waitFor();
    assert.match((await page.locator(".octets .septet").allTextContents()).join(""), /^It's␣123456/);
    await write("{code}{code");
    assert.equal(await page.textContent(".sms .bubble"), "123456{code");
    await choose(page, "sms.send", "A booking");
    await field(page, "/text").locator("textarea").fill("{code}");
    await settled(page);
    assert.equal(await page.textContent(".sms .bubble"), "{code}", "only a passcode has a code");
    assert.equal(await page.getByText("The provider replaces {code} by six digits.").isVisible(), false);
  });
});

test("each operation keeps its own draft while the page is open", async () => {
  await composer({}, async (page) => {
    const text = () => field(page, "/text").locator("textarea");
    await text().fill("My draft");
    await choose(page, "otp.send");
    await choose(page, "sms.send_bulk");
    await page.fill("#json", '{"from": ');
    await choose(page, "sms.send");
    assert.equal(await text().inputValue(), "My draft");
    assert.equal(await page.locator("#sample option:checked").textContent(), "Your request");
    await choose(page, "sms.send_bulk");
    assert.equal(await page.inputValue("#json"), '{"from": ', "also text that is not a request");
    await choose(page, "otp.send");
    assert.notEqual(await page.locator("#sample option:checked").textContent(), "Your request", "nothing was edited");
    await choose(page, "sms.send", "A text that costs twice");
    assert.notEqual(await text().inputValue(), "My draft", "a sample replaces the draft");
  });
});

test("the cost of the request's own recipients comes first, and example prices are marked", async () => {
  await composer({}, async (page) => {
    await page.locator("#cost-panel > summary").click();
    await page.fill("#json", '{"from": "Acme", "to": "4915112345678", "text": "Hi"}');
    await page.getByText("0.075 EUR").waitFor();
    assert.equal(await page.textContent(".total .cost"), "0.075 EUR for 1 of 1 recipient, 1 part, at example prices");
    assert.equal(await page.inputValue("#recipients"), "to\n4915112345678");
    assert.ok(await page.locator("#cost > :first-child").evaluate((first) => first.classList.contains("total")));
    assert.ok(await page.getByText("These are example prices").isVisible());
    await page.fill("#prices", "prefix,price,currency\n49,0.08,EUR");
    await page.getByText("0.08 EUR").waitFor();
    assert.equal(await page.textContent(".total .cost"), "0.08 EUR for 1 of 1 recipient, 1 part");
    assert.equal(await page.getByText("These are example prices").isVisible(), false);
    await choose(page, "sms.send_bulk");
    await page.fill("#json", '{"from": "Acme", "to": "4915112345678, 4915112345679", "text": "Hi"}');
    await page.getByText("0.16 EUR").waitFor();
    await page.fill("#recipients", "to\n4915112345670");
    await page.fill("#json", '{"from": "Acme", "to": "4915112345671", "text": "Hello"}');
    await page.locator(".sample .bubble", { hasText: "Hello" }).waitFor();
    assert.equal(await page.inputValue("#recipients"), "to\n4915112345670", "recipients that the user edited stay");
  });
});

test("the reason why a request is not sent disappears when it no longer applies", async () => {
  await composer({}, async (page) => {
    await page.getByRole("button", { name: "Send to sandbox" }).click();
    await page.getByText(/not served by a sandbox/).waitFor();
    await field(page, "/text").locator("textarea").fill("Hi");
    assert.ok(await page.getByText(/not served by a sandbox/).isVisible(), "it still applies");
  });
});

test("the verdict leads to the problems, and the hint of UCS-2 names its characters", async () => {
  await composer({}, async (page) => {
    await page.fill("#json", '{"from": "Acme", "to": "306912345678", "text": "it’s ready"}');
    await settled(page);
    assert.match(await field(page, "/text").locator(".said").textContent(), /^1 character \(’ U\+2019\) forces UCS-2: /);
    assert.ok(await page.getByRole("button", { name: /^Replace with '/ }).isVisible());
    await page.locator("#verdict").getByRole("button", { name: /^Ready to send, \d remark/ }).click();
    assert.ok(await page.evaluate(() => document.querySelector("#problems").contains(document.activeElement)));
    await page.fill("#json", '{"from": "Acme", "to": "306912345678", "text": "it is ready", "type": "auto"}');
    await settled(page);
    assert.equal(await verdict(page), "Ready to send");
    assert.equal(await page.locator("#verdict button").count(), 0);
  });
});
