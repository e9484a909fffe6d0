// The composer in Chromium: what people do with it, what axe finds, how long a keystroke takes. With SHOTS=folder
// it writes the screenshots of docs/.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { after, before } from "node:test";
import { root, serve, withPage } from "./chromium.mjs";

let server;
before(async () => (server = await serve({ composer: `${root}composer` })));
after(() => server.close());

const axe = readFileSync(`${root}node_modules/axe-core/axe.min.js`, "utf8");
const shots = process.env.SHOTS;

async function composer(options, use) {
  await withPage({ viewport: { width: 1440, height: 1000 }, bypassCSP: true, ...options }, async (page) => {
    await page.goto(`${server.origin}/composer/`);
    await page.waitForFunction(() => !document.querySelector("#verdict").textContent.startsWith("Loading"));
    await use(page);
  });
}

const verdict = (page) => page.textContent("#verdict");
/** Drawn; long requests and code are drawn when no key came for a while. */
const settled = (page, pause = 0) => page.evaluate((wait) => new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), wait)), pause);
async function choose(page, operation, sample) {
  await page.selectOption("#operation", operation);
  if (sample) await page.selectOption("#sample", sample);
  await settled(page);
}
const field = (page, pointer) => page.locator(`[data-pointer="${pointer}"]`);

test("a text that costs twice is made to cost once with one click", async () => {
  await composer({}, async (page) => {
    await choose(page, "sms.send", "A text that costs twice");
    const before = await page.textContent(".sms .cost");
    assert.match(before, /UCS-2/);
    assert.ok((await page.locator(".boundary").count()) >= 1);
    assert.ok((await page.locator(".bubble .forces").count()) >= 2);
    if (shots) await page.screenshot({ path: `${shots}/composer-sms.png` });
    await page.locator(".sms .fix").click();
    await settled(page);
    assert.match(await page.textContent(".sms .cost"), /1 part in GSM 7-bit/);
    assert.equal(await page.locator(".forces").count(), 0);
    assert.match(await page.inputValue("#json"), /we'll hold/);
  });
});

test("form and JSON are one value", async () => {
  await composer({}, async (page) => {
    await field(page, "/text").locator("textarea").fill("From the form");
    await settled(page);
    assert.equal(JSON.parse(await page.inputValue("#json")).text, "From the form");
    await page.fill("#json", '{"from": "Acme", "to": "306912345678", "text": "From JSON"}');
    await settled(page);
    assert.equal(await field(page, "/text").locator("textarea").inputValue(), "From JSON");
    await page.fill("#json", '{"from": ');
    assert.match(await page.textContent("#problems"), /json\.syntax/);
  });
});

test("a problem leads to its field, and its fix mends it", async () => {
  await composer({}, async (page) => {
    await page.fill("#json", '{"from": "Acme", "to": "306912345678", "txt": "Hi"}');
    await settled(page);
    assert.match(await verdict(page), /refuse/);
    await page.locator("#problems .place", { hasText: "/text" }).click();
    assert.equal(await page.evaluate(() => document.activeElement.closest("[data-pointer]").dataset.pointer), "/text");
    assert.equal(await field(page, "/text").locator("textarea").getAttribute("aria-invalid"), "true");
    await page.locator("#problems .fix", { hasText: "Rename to text" }).click();
    assert.match(await verdict(page), /Ready/);
  });
});

test("counters name their unit, turn amber at 90 % and red above", async () => {
  await composer({}, async (page) => {
    await choose(page, "messages.send", "Business chat: carousel");
    const pointer = "/business_chat/carouselCard/cardContents/0/suggestions/0/reply/text";
    const input = field(page, pointer).locator("input");
    const counter = field(page, pointer).locator(".counter");
    for (const [length, state] of [[10, ""], [23, "nearly"], [26, "over"]]) {
      await input.fill("x".repeat(length));
      await settled(page);
      assert.match(await counter.textContent(), new RegExp(`^${length} of 25 \\w+`));
      assert.equal((await counter.getAttribute("class")).trim(), `counter ${state}`.trim());
    }
  });
});

test("a carousel has its true proportions, chips, and what is seen without the channel", async () => {
  await composer({}, async (page) => {
    await choose(page, "messages.send", "Business chat: carousel");
    const size = async (selector) => page.locator(selector).first().boundingBox();
    assert.equal((await size(".carousel .card")).width, 280);
    assert.equal((await size(".carousel .media")).height, 168);
    if (shots) await page.screenshot({ path: `${shots}/composer-carousel.png` });
    await field(page, "/business_chat/carouselCard/cardWidth").locator("select").first().selectOption("SMALL");
    await settled(page);
    assert.equal((await size(".carousel .card")).width, 136);
    assert.ok((await page.locator(".chip").count()) >= 5);
    assert.match(await page.textContent(".fallback"), /New shoes are in/);
    await page.locator('button[aria-label="Remove Card 3"]').click();
    await page.locator('button[aria-label="Remove Card 2"]').click();
    assert.match(await verdict(page), /refuse/);
    await page.locator("button", { hasText: /^\+ Card$/ }).click();
    await field(page, "/business_chat/carouselCard/cardContents/1/title").locator("input").fill("Another");
    await settled(page);
    assert.equal(JSON.parse(await page.inputValue("#json")).business_chat.carouselCard.cardContents.length, 2);
  });
});

test("markup is rendered, and a fault has a caret at its place", async () => {
  await composer({}, async (page) => {
    await choose(page, "messages.send", "Messenger C: markup");
    assert.equal(await page.textContent(".bubble strong"), "Your order is on its way");
    assert.equal(await page.textContent(".bubble u"), "today");
    const area = field(page, "/messenger_c/text/message").locator("textarea");
    await area.fill("Price: *5 euro");
    await settled(page);
    assert.equal(await page.evaluate(() => document.querySelector(".caret").previousSibling.textContent), "Price: ");
    if (shots) await page.screenshot({ path: `${shots}/composer-markup.png` });
    await page.locator("#problems .fix").first().click();
    assert.match(await verdict(page), /Ready/);
  });
});

test("code to copy in five languages", async () => {
  await composer({}, async (page) => {
    await choose(page, "sms.send");
    for (const [language, text] of [["curl", "$CPAAS_SMS_URL/sms"], ["Python", "import cpaas"], ["JavaScript", 'from "cpaas"'], ["Rust", "call_json"], ["C", "cpaas_call"]]) {
      await page.locator(".tabs button", { hasText: new RegExp(`^${language}$`) }).click();
      assert.ok((await page.textContent(".snippet")).includes(text), language);
    }
  });
});

test("every operation has a form", async () => {
  await composer({}, async (page) => {
    const operations = await page.locator("#operation option").evaluateAll((options) => options.map(({ value }) => value));
    assert.ok(operations.length >= 30);
    for (const operation of operations) {
      await page.selectOption("#operation", operation);
      assert.notEqual(await verdict(page), "", operation);
    }
  });
});

test("by keyboard alone: from the operation to a mended text", async () => {
  await composer({}, async (page) => {
    await choose(page, "sms.send");
    await page.focus("#operation");
    const reached = [];
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press("Tab");
      reached.push(await page.evaluate(() => document.activeElement.closest("[data-pointer]")?.dataset.pointer ?? document.activeElement.id));
      if (reached.at(-1) === "/text") break;
    }
    assert.equal(reached.at(-1), "/text", reached.join(" "));
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Typed");
    await settled(page);
    assert.equal(JSON.parse(await page.inputValue("#json")).text, "Typed");
  });
});

for (const [name, options] of [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["phone", { colorScheme: "light", viewport: { width: 390, height: 844 } }],
]) {
  test(`axe finds nothing, nothing is wider than the page: ${name}`, async () => {
    await composer(options, async (page) => {
      await page.evaluate(axe);
      for (const [operation, sample] of [["sms.send", "A text that costs twice"], ["messages.send", "Business chat: carousel"], ["messages.send", "Messenger C: markup"]]) {
        await choose(page, operation, sample);
        const found = await page.evaluate(async () => (await window.axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary}`));
        assert.deepEqual(found, [], `${operation} ${sample}`);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
      }
      await choose(page, "messages.send", "Business chat: carousel");
      if (shots && name !== "light") await page.screenshot({ path: `${shots}/composer-${name}.png` });
    });
  });
}

test("a keystroke in a long text takes under 4 ms of work at a quarter of the speed", { skip: !process.env.TIMES }, async () => {
  await composer({}, async (page) => {
    await choose(page, "messages.send", "Messenger C: markup");
    await field(page, "/messenger_c/text/message").locator("textarea").fill("word *bold* and _more_ ".repeat(178).slice(0, 4096));
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    const [best, median] = await page.evaluate(async () => {
      const { validateText, parseMarkup } = await import("./cpaas/js/browser.js");
      const json = document.querySelector("#json").value;
      const { message, parseMode } = JSON.parse(json).messenger_c.text;
      const times = [];
      for (let run = 0; run < 60; run++) {
        const start = performance.now();
        validateText("messages.send", json);
        parseMarkup(message, parseMode);
        times.push(performance.now() - start);
      }
      times.sort((a, b) => a - b);
      return [times[0], times[30]];
    });
    console.log(`keystroke, 4,096 characters of markup, 4x throttled: best ${best.toFixed(2)} ms, median ${median.toFixed(2)} ms`);
    // The best: what else runs on the machine is no work of ours.
    assert.ok(best < 4, `${best} ms`);
  });
});
