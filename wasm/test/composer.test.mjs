// The composer in Chromium: editing, accessibility (axe), keyboard. With SHOTS=folder it writes the screenshots of docs/.
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
/** Waits until the page is drawn; long requests and code are drawn in pauses of typing. */
const settled = (page, pause = 0) => page.evaluate((wait) => new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), wait)), pause);
async function shoot(page, name) {
  if (!shots) return;
  await settled(page, 250);
  await page.evaluate(() => (document.activeElement.blur(), scrollTo(0, 0)));
  await page.screenshot({ path: `${shots}/composer-${name}.png` });
}
async function choose(page, operation, sample) {
  await page.selectOption("#operation", operation);
  if (sample) await page.selectOption("#sample", sample);
  await settled(page);
}
const field = (page, pointer) => page.locator(`[data-pointer="${pointer}"]`);

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

test("form and JSON show the same value", async () => {
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

test("a carousel has its true proportions, chips and the fallback text", async () => {
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

test("problems of groups appear at the group, items collapse, a selected problem expands them and selects its range", async () => {
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

test("a button that disappears does not lose the focus, and a changed text does not reset the carousel's scroll position", async () => {
  await composer({}, async (page) => {
    const focused = () => page.evaluate(() => document.activeElement.closest("[data-pointer]")?.dataset.pointer ?? document.activeElement.className);
    await choose(page, "sms.send", "A text that costs twice");
    await page.locator(".sms .fix").press("Enter");
    await settled(page);
    assert.equal(await focused(), "cost");
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

test("joining letters are marked together, letters with a replacement alone", async () => {
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
    await page.fill("#json", JSON.stringify({ business_chat: { text: { message: "Rich" }, fallback: "Plain", forceFallback: true } }));
    await settled(page);
    assert.deepEqual(await page.locator(".business .bubble").allTextContents(), ["Plain"]);
  });
});

test("the page sends no request to other hosts, and a policy forbids it", async () => {
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

test("by keyboard alone: every control is reachable in order, the focus is visible, and there is no focus trap", async () => {
  await composer({}, async (page) => {
    await choose(page, "messages.send", "Business chat: carousel");
    const wanted = await page.evaluate(() => [...document.querySelectorAll("button, input, select, textarea, summary, [tabindex='0']")].filter((one) => one.checkVisibility()).length);
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

test("by keyboard alone: from the operation to a fixed text", async () => {
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

for (const [name, options] of [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["phone", { colorScheme: "light", viewport: { width: 360, height: 740 } }],
  ["phone, dark", { colorScheme: "dark", viewport: { width: 360, height: 740 } }],
  ["forced colours", { forcedColors: "active" }],
  ["phone, forced colours", { forcedColors: "active", viewport: { width: 360, height: 740 } }],
  ["200 %", { colorScheme: "dark", viewport: { width: 720, height: 500 } }],
]) {
  test(`axe finds nothing, nothing is wider than the page: ${name}`, async () => {
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
      if (shots && ["dark", "phone"].includes(name)) await shoot(page, name);
    });
  });
}

const shared = (operation, request, more = {}) => `#${new URLSearchParams({ operation, request: typeof request === "string" ? request : JSON.stringify(request), ...more })}`;

test("where no sandbox serves the page, the button explains itself, and sends nothing", async () => {
  await composer({}, async (page) => {
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.getByRole("button", { name: "Send to sandbox" }).click();
    await page.getByText(/not served by a sandbox.*cpaas-sandbox --composer/).waitFor();
    assert.deepEqual(asked, []);
  });
});

test("the cost: price table, recipients with merge fields, a sample row, and the sum", async () => {
  await composer({}, async (page) => {
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.locator("#cost-panel > summary").click();
    await page.fill("#prices", "prefix,price,currency\n30,0.045,EUR\n3069,0.05,EUR\n44,0.035,GBP");
    await page.fill("#recipients", "name;phone\nNia;+306912345678\n\"Bo \"\"B\"\" ; Jr\";302101234567\nAlexandra;447700900123");
    await field(page, "/text").locator("textarea").fill(`Hello {{ name }}${"x".repeat(145)}`);
    // 154, 162 and 160 characters: one part at 0.05 EUR, two at 0.045 EUR, one at 0.035 GBP.
    await page.getByText("0.14 EUR + 0.035 GBP").waitFor();
    assert.equal(await page.textContent(".total .cost"), "0.14 EUR + 0.035 GBP for 3 of 3 recipients, 4 parts");
    assert.match(await page.textContent(".sample .bubble"), /^Hello Niax/);
    assert.deepEqual(asked, []);
  });
});

test("the cost: the first problem rows are marked, an upload is read in the page", async () => {
  await composer({}, async (page) => {
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.locator("#cost-panel > summary").click();
    const rows = ["to,name", "306912345678,Nia", "12,Bo", "306912345678,Al", "306912345679,", "8612345678901,Li", ...Array.from({ length: 30 }, (_, n) => `7${n},x`)];
    await page.setInputFiles("#recipients-file", { name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(`\uFEFF${rows.join("\r\n")}\r\n`) });
    await page.setInputFiles("#prices-file", { name: "prices.csv", mimeType: "text/csv", buffer: Buffer.from("prefix,price,currency\n30,0.045,EUR\n49,x,EUR\n31,1,eur") });
    await field(page, "/text").locator("textarea").fill("Hello {{ name }}");
    await page.getByText("34 rows cannot be sent").waitFor();
    const table = await page.locator("tr.wrong").evaluateAll((all) => all.map((row) => [row.firstChild.textContent, row.lastChild.textContent]));
    assert.deepEqual(table.slice(0, 4), [
      ["3", "the number must have 7 to 15 digits"], ["4", "the number appears twice"], ["5", "name is empty"], ["6", "no price for this prefix"],
    ]);
    assert.equal(table.length, 20);
    await page.getByText("and 14 more rows").waitFor();
    await page.getByText("Line 3: price must be a decimal number such as 0.045").waitFor();
    await page.getByText("Line 4: currency must be a code of three capital letters, such as EUR").waitFor();
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
    const size = (selector) => row.locator(selector).first().evaluate((one) => parseFloat(getComputedStyle(one).fontSize));
    assert.ok((await size(".pointer")) < (await size(".place")));
  });
});

test("no error is shown before somebody types; a field that was left empty has one", async () => {
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

test("nothing is red that is only a remark", async () => {
  await composer({ colorScheme: "light" }, async (page) => {
    await choose(page, "messages.send", "Business chat: card");
    await field(page, "/business_chat/fallback").locator("textarea").fill("");
    await settled(page, 200);
    assert.match(await verdict(page), /Ready to send, 2 remarks/);
    const red = await page.evaluate(() => {
      const bad = getComputedStyle(Object.assign(document.body.appendChild(document.createElement("p")), { className: "bad" })).color;
      document.body.lastElementChild.remove();
      return [...document.querySelectorAll("main *, .verdict")].filter((one) => one.checkVisibility() && getComputedStyle(one).color === bad && one.textContent.trim()).map((one) => one.outerHTML.slice(0, 100));
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

test("on a phone the preview comes before the form, also for the keyboard", async () => {
  for (const [width, first] of [[360, "seen"], [1440, "editor"]]) {
    await composer({ viewport: { width, height: 800 } }, async (page) => {
      assert.equal(await page.evaluate(() => document.querySelector("main > section").id), first);
    });
  }
});

test("the state is in the address and in local storage", async () => {
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

test("targets have at least 24 pixels", async () => {
  await composer({}, async (page) => {
    await choose(page, "messages.send", "Business chat: carousel");
    await page.locator("#cost-panel > summary").click();
    const small = await page.evaluate(() => [...document.querySelectorAll("button, select, input, textarea, summary")].filter((one) => one.checkVisibility() && !one.closest(".bubble, .culprits") && Math.min(one.getBoundingClientRect().height, one.getBoundingClientRect().width) < 24).map((one) => one.outerHTML.slice(0, 120)));
    assert.deepEqual(small, []);
  });
});
