// The composer in Chromium: editing, accessibility (axe), keyboard. With SHOTS=folder, the tests write the screenshots of docs/.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { root } from "./chromium.mjs";
import { choose, composer, field, settled, shoot, shots, verdict } from "./composer_page.mjs";

const axe = readFileSync(`${root}node_modules/axe-core/axe.min.js`, "utf8");
test("one click reduces a text of two parts to one", async () => {
  await composer({}, async (page) => {
    await choose(page, "sms.send", "A text that costs twice");
    const before = await page.textContent(".sms .cost");
    assert.match(before, /UCS-2/);
    assert.ok((await page.locator(".boundary").count()) >= 1);
    assert.ok((await page.locator(".bubble .forces").count()) >= 2);
    await shoot(page, "sms");
    await page.locator(".sms .fix").click();
    await settled(page);
    assert.match(await page.textContent(".sms .cost"), /1 part in GSM 7-bit/);
    assert.equal(await page.locator(".forces").count(), 0);
    assert.match(await page.inputValue("#json"), /we'll hold/);
  });
});

test("the bubble shows the first 2,000 code units of a text, and an ellipsis for the rest", async () => {
  await composer({}, async (page) => {
    const write = async (text) => {
      await field(page, "/text").locator("textarea").fill(text);
      await settled(page);
      await page.locator(".sms .cost", { hasText: `${text.length} ` }).first().waitFor();
      const parts = await page.locator(".sms .part").evaluateAll((all) => all.map((part) => part.lastChild.textContent));
      return [parts.join(""), Math.min(...parts.map((part) => part.length)) > 0, await page.textContent(".sms .bubble > :last-child")];
    };
    const whole = "x".repeat(2000);
    const [text, filled, last] = await write(whole);
    assert.deepEqual([text, filled, last.endsWith("x")], [whole, true, true]);
    assert.deepEqual(await write(`${whole}${"y".repeat(1000)}`), [whole, true, "…"]);
    assert.deepEqual(await write(`${"я".repeat(1999)}😀${"я".repeat(100)}`), ["я".repeat(1999), true, "…"]);
  });
});

test("the form and the JSON editor show the same value", async () => {
  await composer({}, async (page) => {
    await field(page, "/text").locator("textarea").fill("From the form");
    await settled(page);
    assert.equal(JSON.parse(await page.inputValue("#json")).text, "From the form");
    await page.fill("#json", '{"from": "Acme", "to": "306912345678", "text": "From JSON"}');
    await settled(page);
    assert.equal(await field(page, "/text").locator("textarea").inputValue(), "From JSON");
    await page.fill("#json", '{"from": ');
    assert.match(await page.textContent("#problems"), /json\.syntax/);
    await page.locator("#problems .place").click();
    assert.equal(await page.evaluate(() => document.activeElement.id), "json");
  });
});

test("a problem links to its field, and its button applies the fix", async () => {
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

test("the fix of a number in a text with commas changes that number, and its field is marked", async () => {
  await composer({}, async (page) => {
    await page.selectOption("#operation", "sms.send_bulk");
    await page.fill("#json", '{"from": "Acme", "to": "306912345678,+306912345679", "text": "Hi"}');
    await settled(page);
    assert.equal(await field(page, "/to").locator("input, textarea").getAttribute("aria-invalid"), "true");
    await page.locator("#problems .fix").click();
    await settled(page);
    assert.match(await page.inputValue("#json"), /"306912345678,306912345679"/);
    assert.match(await verdict(page), /Ready/);
  });
});

test("counters name their unit, turn amber at 90 % of the limit and red above the limit", async () => {
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

test("a carousel is drawn in its true proportions, with suggestions and the fallback text", async () => {
  await composer({}, async (page) => {
    await choose(page, "messages.send", "Business chat: carousel");
    const size = async (selector) => page.locator(selector).first().boundingBox();
    assert.equal((await size(".carousel .card")).width, 280);
    assert.equal((await size(".carousel .media")).height, 168);
    await shoot(page, "carousel");
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

test("markup is rendered, and an error has a caret at its position", async () => {
  await composer({}, async (page) => {
    await choose(page, "messages.send", "Messenger C: markup");
    assert.equal(await page.textContent(".bubble strong"), "Your order is on its way");
    assert.equal(await page.textContent(".bubble u"), "today");
    const area = field(page, "/messenger_c/text/message").locator("textarea");
    await area.fill("Price: *5 euro");
    await settled(page);
    assert.equal(await page.evaluate(() => document.querySelector(".caret").previousSibling.textContent), "Price: ");
    await shoot(page, "markup");
    await page.locator("#problems .fix").first().click();
    assert.match(await verdict(page), /Ready/);
  });
});

test("a bubble that is updated piece by piece equals one that is drawn at once", async () => {
  await composer({}, async (page) => {
    await choose(page, "messages.send", "Messenger C: markup");
    const area = field(page, "/messenger_c/text/message").locator("textarea");
    const html = () => page.evaluate(() => document.querySelector(".rich").innerHTML);
    const texts = ["*a* b _c_ d", "*a* b _c_ de", "*a* bb _c_ de", "x *a* bb _c_ de", "x *a* bb _c __u___ de", "*a*", "*a* *a* *a*", "*a* *a*", "*a*\n>q\nx", "plain", "*p*lain"];
    for (const text of texts) {
      await area.fill(text);
      await settled(page);
      const grown = await html();
      await area.fill("*");
      await settled(page);
      assert.equal(await page.locator(".rich").count(), 0);
      await area.fill(text);
      await settled(page);
      assert.equal(grown, await html(), text);
    }
  });
});

test("a keystroke in plain text keeps the bubble's nodes", async () => {
  await composer({}, async (page) => {
    await choose(page, "messages.send", "Messenger C: markup");
    const area = field(page, "/messenger_c/text/message").locator("textarea");
    await area.fill("*a* and some words");
    await settled(page);
    await page.evaluate(() => (window.before = [...document.querySelector(".rich").childNodes]));
    for (const text of ["*a* and some more words", "*a* words", "*a* other words"]) {
      await area.fill(text);
      await settled(page);
      assert.ok(await page.evaluate(() => [...document.querySelector(".rich").childNodes].every((node, index) => node === window.before[index])));
      assert.equal(await page.textContent(".rich"), text.replaceAll("*", ""));
    }
  });
});

test("a redrawn form shows its problems, but not the fixed ones", async () => {
  await composer({}, async (page) => {
    await page.fill("#json", '{"from": "Acme", "to": "306912345678"}');
    await settled(page);
    const invalid = () => field(page, "/text").locator("textarea").getAttribute("aria-invalid");
    assert.equal(await invalid(), "true");
    await page.fill("#json", '{"from": "Acme", "to": "306912345679"}');
    await settled(page);
    assert.equal(await invalid(), "true");
    await field(page, "/text").locator("textarea").fill("Hi");
    assert.equal(await invalid(), "false");
  });
});

test("a lone surrogate is reported at its field", async () => {
  await composer({}, async (page) => {
    await field(page, "/text").locator("textarea").evaluate((area) => {
      area.value = "🙂".slice(0, 1);
      area.dispatchEvent(new Event("input"));
    });
    assert.match(await field(page, "/text").locator(".said").textContent(), /lone surrogate/);
  });
});

test("a group shows its problems, and a selected problem expands its item and selects its range", async () => {
  await composer({}, async (page) => {
    await choose(page, "messages.send", "Business chat: carousel");
    const cards = "/business_chat/carouselCard/cardContents";
    await page.locator('button[aria-label="Remove Card 3"]').click();
    await page.locator('button[aria-label="Remove Card 2"]').click();
    assert.match(await field(page, cards).locator("> .said").textContent(), /too few cards/);
    const toggle = field(page, `${cards}/0`).locator("> legend .toggle");
    await toggle.click();
    assert.equal(await toggle.getAttribute("aria-expanded"), "false");
    assert.equal(await field(page, `${cards}/0/title`).isVisible(), false);
    await page.locator("#problems .place", { hasText: `${cards}/0/media` }).first().click();
    assert.equal(await field(page, `${cards}/0/title`).isVisible(), true);
    await choose(page, "messages.send", "Messenger C: markup");
    await field(page, "/messenger_c/text/message").locator("textarea").fill("Price: *5 euro");
    await page.locator("#problems .place").first().click();
    assert.deepEqual(await page.evaluate(() => [document.activeElement.selectionStart, document.activeElement.selectionEnd]), [7, 8]);
  });
});

test("the focus moves on when its button disappears, and a carousel keeps its scroll position when a text changes", async () => {
  await composer({}, async (page) => {
    const focused = () => page.evaluate(() => document.activeElement.closest("[data-pointer]")?.dataset.pointer ?? document.activeElement.localName);
    await choose(page, "sms.send", "A text that costs twice");
    await page.locator(".sms .fix").press("Enter");
    await settled(page);
    assert.equal(await focused(), "sms-counter");
    await choose(page, "sms.send", "A text that costs twice");
    await page.locator(".bubble .forces").first().press("Enter");
    await settled(page);
    assert.equal(await focused(), "sms-counter");
    await page.fill("#json", '{"from": "Acme", "to": "306912345678", "txt": "Hi"}');
    await settled(page);
    await page.locator("#problems .fix").press("Enter");
    assert.equal(await focused(), "/text");
    await choose(page, "messages.send", "Business chat: carousel");
    await page.evaluate(() => (document.querySelector(".carousel").scrollLeft = 200));
    await settled(page);
    await field(page, "/business_chat/carouselCard/cardContents/2/title").locator("input").fill("Other boot");
    await settled(page);
    assert.equal(await page.evaluate(() => document.querySelector(".carousel").scrollLeft), 200);
    assert.equal(await page.textContent(".carousel .card:last-child h4"), "Other boot");
  });
});

test("joined letters are marked together, and letters with a replacement separately", async () => {
  await composer({}, async (page) => {
    await page.fill("#json", JSON.stringify({ from: "Acme", to: "306912345678", text: "مرحبا it’s" }));
    await settled(page);
    assert.deepEqual(await page.locator(".bubble mark").allTextContents(), ["مرحبا"]);
    assert.deepEqual(await page.locator(".bubble .forces").allTextContents(), ["’"]);
  });
});

test("forceFallback shows only the fallback", async () => {
  await composer({}, async (page) => {
    await page.selectOption("#operation", "messages.send");
    await settled(page); // the sample of the operation has replaced the request
    await page.fill("#json", JSON.stringify({ business_chat: { text: { message: "Rich" }, fallback: "Plain", forceFallback: true } }));
    await settled(page);
    assert.deepEqual(await page.locator(".business .bubble").allTextContents(), ["Plain"]);
  });
});

test("the page sends no request to other hosts, and its content security policy forbids such requests", async () => {
  await composer({ bypassCSP: false }, async (page) => {
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    for (const [operation, sample] of [["messages.send", "Business chat: carousel"], ["messages.send", "Messenger C: markup"], ["sms.send", "A booking"]]) {
      await choose(page, operation, sample);
      await settled(page, 200);
    }
    assert.deepEqual(asked, []);
    await choose(page, "messages.send", "Business chat: carousel");
    assert.equal((await page.locator(".carousel .card").first().boundingBox()).width, 280);
    assert.match(await page.getAttribute('meta[http-equiv="Content-Security-Policy"]', "content"), /default-src 'none'.*style-src 'self';.*connect-src 'self'/);
  });
});

test("the code panel shows the request in five languages", async () => {
  await composer({}, async (page) => {
    await choose(page, "sms.send");
    for (const [language, text] of [["curl", "$CPAAS_SMS_URL/sms"], ["Python", "import cpaas"], ["JavaScript", 'from "cpaas/client"'], ["Rust", "call_json"], ["C", "cpaas_call"]]) {
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

test("by keyboard alone: every control is reachable in order, the focus is visible, and there is no focus trap", async () => {
  await composer({}, async (page) => {
    await choose(page, "messages.send", "Business chat: carousel");
    const wanted = await page.evaluate(() => [...document.querySelectorAll("button, input, select, textarea, summary, [tabindex='0']")].filter((element) => element.checkVisibility()).length);
    await page.focus("#operation");
    let reached = 1;
    let unseen = 0;
    let back = 0;
    for (; reached <= wanted; reached++) {
      await page.keyboard.press("Tab");
      const state = await page.evaluate(() => {
        const here = document.activeElement;
        if (here === document.body) return undefined;
        const before = window.before;
        window.before = here;
        return { outline: getComputedStyle(here).outlineStyle, back: Boolean(before && before.compareDocumentPosition(here) & Node.DOCUMENT_POSITION_PRECEDING) };
      });
      if (!state) break;
      if (state.outline === "none") unseen++;
      if (state.back) back++;
    }
    assert.deepEqual({ reached, unseen, back }, { reached: wanted, unseen: 0, back: 0 });
  });
});

test("by keyboard alone: a user reaches the text from the list of operations, and replaces it", async () => {
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

const account = "0f8fad5b-d9cb-469f-a165-70867728950e";
const word = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen".repeat(4);
const STATES = [
  ["sms.send", {}],
  ["sms.send", { from: "Acme", to: "306912345678", text: `مرحبا، طاولتك جاهزة ${word} it’s “here” 👋` }],
  ["messages.send", { trafficAccountId: account, destination: "4711", messenger_c: { text: { message: `${"*b* _i_ ||s|| ".repeat(60)}*open`, parseMode: "MarkdownV2" } } }],
  ["messages.send", { trafficAccountId: account, destination: "4711", messenger_c: { text: { message: "||s|| `c`\n>q\n\n[l](https://a.example) ".repeat(50), parseMode: "MarkdownV2" } } }],
  ["messages.send", { trafficAccountId: 5, destination: null, sms: { text: 5 }, business_chat: { fallback: word, suggestions: [null, {}], carouselCard: { cardWidth: "SMALL", cardContents: [{ title: word }, 5, {}] } }, unknown: 1 }],
  ["messages.send", "{ no JSON"],
];

const SIZES = { desktop: [1440, 1000], tablet: [768, 1024], phone: [390, 844], "narrow phone": [360, 740], "200 %": [720, 500] };
const SCHEMES = { light: { colorScheme: "light" }, dark: { colorScheme: "dark" }, "forced colors": { forcedColors: "active" } };
const EVERY_LOOK = Object.entries(SIZES).flatMap(([size, [width, height]]) =>
  Object.entries(SCHEMES).map(([scheme, colors]) => [`${size}, ${scheme}`, { ...colors, viewport: { width, height } }]));
/** Each size and each color scheme once; `tests/nightly/browser_looks` combines all. */
const LOOKS = ["desktop, light", "tablet, light", "phone, dark", "narrow phone, forced colors", "200 %, dark"];
const SHOTS = { "desktop, dark": "dark", "phone, light": "phone" };
const isTested = (name) => process.env.CPAAS_EVERY_LOOK || LOOKS.includes(name) || (shots && SHOTS[name]);

for (const [name, options] of EVERY_LOOK.filter(([name]) => isTested(name))) {
  test(`axe finds no violation, and nothing is wider than the page: ${name}`, async () => {
    await composer(options, async (page) => {
      await page.evaluate(axe);
      await page.locator("#cost-panel > summary").click();
      await page.fill("#recipients", "to,name\n306912345678,Nia\n12,Bo");
      for (const [operation, sample] of [["sms.send", "A text that costs twice"], ["messages.send", "Business chat: carousel"], ["messages.send", "Messenger C: markup"]]) {
        await choose(page, operation, sample);
        const found = await page.evaluate(async () => (await window.axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary}`));
        assert.deepEqual(found, [], `${operation} ${sample}`);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
      }
      for (const [operation, value] of STATES) {
        await page.selectOption("#operation", operation);
        await page.fill("#json", typeof value === "string" ? value : JSON.stringify(value));
        await settled(page, 200);
        const found = await page.evaluate(async () => (await window.axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary}`));
        assert.deepEqual(found, [], JSON.stringify(value).slice(0, 200));
        const wider = await page.evaluate(() => [document.documentElement, ...document.querySelectorAll(".pane")].filter((box) => box.scrollWidth > box.clientWidth).length);
        assert.equal(wider, 0, "no sideways scrolling");
      }
      await choose(page, "messages.send", "Business chat: carousel");
      await settled(page, 200);
      if (SHOTS[name]) await shoot(page, SHOTS[name]);
    });
  });
}
