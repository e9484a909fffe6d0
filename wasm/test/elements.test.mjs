// `<sms-counter>` of `cpaas/elements`, in Chromium and in Node. With SHOTS=folder, the tests write the picture of docs/elements.md.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import test, { after, before } from "node:test";
import { build } from "esbuild";
import { root, serve, withPage } from "./chromium.mjs";

const axe = readFileSync(`${root}node_modules/axe-core/axe.min.js`, "utf8");
/** More than 255 parts are an error. */
const vectors = JSON.parse(readFileSync(`${root}../tests/vectors/segments.json`, "utf8")).cases.filter(({ segments }) => segments <= 255);
let server;
before(async () => (server = await serve({ cpaas: root })));
after(() => server.close());

const BODY = '<label for="text">Text</label> <textarea id="text" rows="4" cols="60"></textarea> <sms-counter for="text"></sms-counter>';
const SCRIPT = 'import "/cpaas/elements/elements.js";';

/** Opens a page with a body and a module script. `policy` is its content security policy; `routes` handles requests by the end of their path. */
async function open({ body = BODY, script = SCRIPT, policy, routes = {}, ...options }, use) {
  await withPage(options, async (page) => {
    const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Counter</title></head><body><main><h1>Counter</h1>${body}</main><script type="module" src="test.js"></script></body></html>`;
    await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
    await page.route("**/site/test.html", (route) => route.fulfill({ contentType: "text/html", body: html, headers: policy && { "content-security-policy": policy } }));
    await page.route("**/site/test.js", (route) => route.fulfill({ contentType: "text/javascript", body: script }));
    for (const [end, handler] of Object.entries(routes)) await page.route(`**/${end}`, handler);
    await page.goto(`${server.origin}/site/test.html`);
    await use(page);
  });
}

const loaded = (page) => page.evaluate(async () => {
  await customElements.whenDefined("sms-counter");
  await document.querySelector("sms-counter").ready;
});
const value = (page) => page.evaluate(() => document.querySelector("sms-counter").value);
const status = (page) => page.locator("sms-counter [role=status]").first().textContent();
const line = (page) => page.locator("sms-counter .cost").textContent();

test("it counts the texts of the vectors", async () => {
  await open({}, async (page) => {
    await loaded(page);
    const texts = vectors.map(({ text }) => text);
    const found = await page.evaluate((all) => {
      const [counter, area] = [document.querySelector("sms-counter"), document.querySelector("textarea")];
      return all.map((text) => {
        counter.control = null;
        counter.htmlFor = "";
        counter.text = text;
        const alone = counter.value;
        counter.htmlFor = "text";
        area.value = text;
        area.dispatchEvent(new Event("input"));
        return [alone, area.value === text ? counter.value : alone];
      });
    }, texts);
    assert.ok(found.length >= 40, `${found.length} texts`);
    found.forEach(([alone, bound], index) => {
      const { id, encoding, segments, units } = vectors[index];
      assert.deepEqual([alone?.encoding, alone?.count, alone?.units], [encoding, segments, units], id);
      assert.deepEqual(bound, alone, id);
    });
  });
});

test("it shows parts, encoding, units and the exact price, and a bar for each part", async () => {
  await open({ body: BODY.replace("<sms-counter ", '<sms-counter price="0.0075" currency="EUR" ') }, async (page) => {
    await loaded(page);
    await page.fill("#text", "a".repeat(307));
    assert.equal(await line(page), "3 parts in GSM 7-bit, 0.0225 EUR: 307 septets, space for 152 more at this price");
    assert.deepEqual(await page.locator("sms-counter .number").allTextContents(), ["1: 153/153", "2: 153/153", "3: 1/153"]);
    assert.equal(await page.locator("sms-counter .bar").getAttribute("aria-label"), "3 parts; the last has 1 of 153");
    assert.deepEqual(await value(page), { count: 3, encoding: "gsm7", units: 307, remaining: 152, total: "0.0225", causes: [] });
    const totalOf = (price) => page.evaluate((given) => {
      const counter = document.querySelector("sms-counter");
      counter.price = given;
      return counter.value.total;
    }, price);
    assert.equal(await totalOf("0.1"), "0.3", "no binary floating point");
    assert.equal(await totalOf(2), "6");
    assert.equal(await totalOf("007.50"), "22.50");
    for (const bad of ["1e-3", "-1", "1,5", "", ".5", "5.", " 1", "1".repeat(29), Number.NaN, "٣"]) {
      assert.equal(await totalOf(bad), null, String(bad));
      assert.equal(await page.locator("sms-counter .error").textContent(), "a price must be a decimal number of at most 28 digits, such as 0.0075, without a sign or an exponent");
      assert.match(await line(page), /^3 parts in GSM 7-bit: 307 septets/);
    }
    assert.equal(await totalOf(null), null);
    assert.equal(await page.locator("sms-counter .error").isVisible(), false);
    await page.fill("#text", "a".repeat(153 * 25));
    assert.equal(await page.locator("sms-counter .cell").count(), 20);
    assert.equal(await page.locator("sms-counter .bar > :last-child").textContent(), "and 5 more");
  });
});

test("a text of more than 255 parts, or of more than 16,000,000 characters, is explained, and a shorter text is counted again", async () => {
  await open({}, async (page) => {
    await loaded(page);
    await page.fill("#text", "a".repeat(153 * 255 + 1));
    assert.match(await page.locator("sms-counter .error").textContent(), /^The parts cannot be counted: .*255/);
    assert.equal(await value(page), null);
    assert.equal(await page.locator("sms-counter .bar").isVisible(), false);
    await page.fill("#text", "Hi");
    assert.match(await line(page), /^1 part in GSM 7-bit: 2 septets/);
    assert.equal(await page.locator("sms-counter .error").isVisible(), false);
    await page.evaluate(() => {
      const counter = document.querySelector("sms-counter");
      counter.htmlFor = "";
      counter.text = "a".repeat(16_000_001);
    });
    assert.match(await page.locator("sms-counter .error").textContent(), /^The parts cannot be counted: /);
  });
});

test("a button replaces a character in the control: the text can be restored by undo, and frameworks receive the event input", async () => {
  await open({}, async (page) => {
    await loaded(page);
    const text = "It’s – we’ll wait 漢";
    await page.fill("#text", text);
    await page.evaluate(() => {
      window.inputs = [];
      window.edits = [];
      document.querySelector("textarea").addEventListener("input", ({ target }) => window.inputs.push(target.value));
      document.addEventListener("sms-replace", ({ detail }) => window.edits.push(detail.text));
    });
    assert.equal(await page.getByRole("button", { name: /^Replace all/ }).isVisible(), false, "one character has no replacement");
    await page.getByRole("button", { name: "Replace U+2019 by ' everywhere" }).click();
    const replaced = "It's – we'll wait 漢";
    assert.equal(await page.inputValue("#text"), replaced);
    assert.deepEqual(await page.evaluate(() => [window.inputs, window.edits]), [[replaced], [replaced]]);
    assert.equal(await page.evaluate(() => document.activeElement.id), "text", "typing continues in the control");
    await page.keyboard.press("Control+Z");
    assert.equal(await page.inputValue("#text"), text);
    assert.equal((await value(page)).causes.length, 3);
    await page.fill("#text", "It’s “here” – we’ll wait");
    await page.getByRole("button", { name: /^Replace all/ }).press("Enter");
    assert.equal(await page.inputValue("#text"), `It's "here" - we'll wait`);
    assert.equal((await value(page)).encoding, "gsm7");
    assert.equal(await page.locator("sms-counter .causes").isVisible(), false);
  });
});

test("a replacement that is longer than maxlength is not cut, and a control that cannot be edited has no buttons", async () => {
  await open({}, async (page) => {
    await loaded(page);
    await page.evaluate(() => (document.querySelector("textarea").maxLength = 6));
    await page.fill("#text", "Wait…я");
    await page.getByRole("button", { name: /^Replace U\+2026/ }).click();
    assert.equal(await page.inputValue("#text"), "Wait...я");
    for (const name of ["readOnly", "disabled"]) {
      await page.evaluate((property) => {
        const area = document.querySelector("textarea");
        area.value = "It’s";
        area[property] = true;
        document.querySelector("sms-counter").update();
      }, name);
      assert.equal(await page.locator("sms-counter button").count(), 0, name);
      assert.deepEqual(await page.locator("sms-counter mark").allTextContents(), ["’"]);
      await page.evaluate((property) => (document.querySelector("textarea")[property] = false), name);
    }
  });
});

test("replacing each character is what `annotate` returns as the replaced text", async () => {
  const { annotate, init } = await import("cpaas/segments");
  await init();
  let compared = 0;
  for (const text of [...vectors.map((vector) => vector.text), "It’s “here” – we’ll… «a» ‹b› 5 × 3", "a\u200bb\u00a0c\u2028d", "e\u0301 n\u0303"]) {
    const { causes, replaced } = annotate(text);
    if (!replaced) continue;
    compared++;
    assert.equal(causes.reduce((edited, { character, replacement }) => edited.replaceAll(character, replacement), text), replaced.text);
  }
  assert.ok(compared >= 2, `${compared} texts`);
});

test("the live region changes with the parts, the encoding and the price only", async () => {
  const body = BODY.replace("<sms-counter ", '<sms-counter price="1" currency="EUR" ');
  await open({ body }, async (page) => {
    await loaded(page);
    await page.evaluate(() => {
      window.said = [];
      const region = document.querySelector("sms-counter").shadowRoot.querySelector("[role=status]");
      new MutationObserver(() => window.said.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true });
    });
    await page.focus("#text");
    for (const character of "Hello, wo") await page.keyboard.type(character);
    await page.keyboard.type("я");
    await page.keyboard.type("ждать");
    assert.deepEqual(await page.evaluate(() => window.said), ["1 part in UCS-2, 1 EUR"]);
    await page.keyboard.type("a".repeat(60));
    assert.equal(await status(page), "2 parts in UCS-2, 2 EUR");
    assert.deepEqual(await page.evaluate(() => window.said), ["1 part in UCS-2, 1 EUR", "2 parts in UCS-2, 2 EUR"]);
  });
});

test("the event sms-count has the value, and only when it changes", async () => {
  await open({}, async (page) => {
    await loaded(page);
    await page.evaluate(() => {
      window.counts = [];
      document.addEventListener("sms-count", ({ detail }) => window.counts.push([detail.count, detail.units]));
    });
    await page.fill("#text", "ab");
    await page.fill("#text", "cd");
    await page.fill("#text", "abc");
    assert.deepEqual(await page.evaluate(() => window.counts), [[1, 2], [1, 3]]);
  });
});

/** Each width and each color scheme once; `tests/nightly/browser_looks` combines all. */
const EVERY_WIDTH = [1440, 768, 390];
for (const [name, options, widths] of [["light", { colorScheme: "light" }, EVERY_WIDTH], ["dark", { colorScheme: "dark" }, [390]], ["forced colors", { forcedColors: "active" }, [768]]]) {
  test(`axe finds no violation, and nothing is wider than the page: ${name}`, async () => {
    for (const width of process.env.CPAAS_EVERY_LOOK ? EVERY_WIDTH : widths) {
      await open({ ...options, viewport: { width, height: 800 } }, async (page) => {
        await page.evaluate((scheme) => Object.assign(document.documentElement.style, { colorScheme: scheme, background: "Canvas" }), options.colorScheme ?? "light dark");
        await loaded(page);
        await page.evaluate(axe);
        for (const text of ["", "Hi", "It’s “here” – we’ll wait ".repeat(9), `漢${"x".repeat(3000)}`, "a".repeat(153 * 255 + 1)]) {
          await page.fill("#text", text);
          const found = await page.evaluate(async () => (await window.axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary}`));
          assert.deepEqual(found, [], `${width} ${text.slice(0, 20)}`);
          assert.ok(await page.evaluate(() => document.querySelector("sms-counter").getBoundingClientRect().right <= innerWidth), "no sideways scrolling");
        }
      });
    }
  });
}

test("it works under a strict policy that requires Trusted Types", async () => {
  const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";
  await open({ policy }, async (page) => {
    await loaded(page);
    await page.locator("#text").pressSequentially("It’s");
    assert.match(await line(page), /^1 part in UCS-2/);
    assert.ok(await page.locator("sms-counter .cell").evaluate((cell) => getComputedStyle(cell).borderTopWidth === "1px" && cell.firstChild.getBoundingClientRect().width > 1), "it has its styles");
    await page.getByRole("button", { name: /^Replace all/ }).click();
    assert.equal(await page.inputValue("#text"), "It's");
  });
});

test("before the module is loaded it shows the number of characters; after a failure the next input tries again", async () => {
  let release;
  const held = new Promise((done) => (release = done));
  let requests = 0;
  const handler = async (route) => {
    requests++;
    if (requests > 1) return route.continue();
    await held;
    return route.fulfill({ status: 200, contentType: "application/wasm", body: "no module" });
  };
  await open({ routes: { "segments_bg.wasm": handler } }, async (page) => {
    await page.evaluate(() => customElements.whenDefined("sms-counter"));
    await page.fill("#text", "Hi 😀");
    assert.equal(await line(page), "4 characters");
    assert.equal(await page.locator("sms-counter [aria-busy=true]").count(), 1);
    assert.equal(await value(page), null);
    assert.equal(requests, 1);
    release();
    await page.locator("sms-counter .error", { hasText: "The parts cannot be counted: init: the module was not loaded" }).waitFor();
    await page.fill("#text", "Hi");
    await page.waitForFunction(() => document.querySelector("sms-counter").value !== null);
    assert.match(await line(page), /^1 part in GSM 7-bit: 2 septets/);
    assert.equal(await page.locator("sms-counter [aria-busy=true]").count(), 0);
    assert.equal(requests, 2);
  });
});

test("an element that was removed does not listen; one that is inserted again counts the current text", async () => {
  await open({}, async (page) => {
    await loaded(page);
    await page.fill("#text", "ab");
    const found = await page.evaluate(() => {
      const [counter, area] = [document.querySelector("sms-counter"), document.querySelector("textarea")];
      let events = 0;
      counter.addEventListener("sms-count", () => events++);
      const type = (text) => {
        area.value = text;
        area.dispatchEvent(new Event("input", { bubbles: true }));
      };
      const seen = [];
      for (let round = 0; round < 3; round++) {
        counter.remove();
        type("x".repeat(10 + round));
        seen.push(events);
        area.after(counter);
        seen.push(counter.value.units);
      }
      events = 0;
      type("y".repeat(33));
      seen.push(events);
      return seen;
    });
    assert.deepEqual(found, [0, 10, 1, 11, 2, 12, 1]);
  });
});

test("a control may appear later, be replaced, be reset by its form, be set by a script, and be in another tree", async () => {
  await open({ body: '<sms-counter for="text"></sms-counter><form><div id="place"></div><button type="reset">Reset</button></form><div id="host"></div>' }, async (page) => {
    await page.evaluate(() => customElements.whenDefined("sms-counter").then(() => document.querySelector("sms-counter").ready));
    const units = () => page.evaluate(() => document.querySelector("sms-counter").value?.units);
    const insert = (text) => page.evaluate((initial) => {
      const area = Object.assign(document.createElement("textarea"), { id: "text", defaultValue: initial });
      area.setAttribute("aria-label", "Text");
      document.querySelector("#place").replaceChildren(area);
    }, text);
    assert.equal(await units(), 0);
    await insert("abc");
    await page.fill("#text", "abcd");
    assert.equal(await units(), 4);
    await insert("x");
    await page.fill("#text", "another");
    assert.equal(await units(), 7);
    await page.getByRole("button", { name: "Reset" }).click();
    await page.waitForFunction(() => document.querySelector("sms-counter").value.units === 1);
    await page.evaluate(() => {
      document.querySelector("#text").value = "by a script";
      document.querySelector("sms-counter").update();
    });
    assert.equal(await units(), 11);
    await page.evaluate(() => {
      const shadow = document.querySelector("#host").attachShadow({ mode: "open" });
      const input = Object.assign(document.createElement("input"), { value: "in a shadow tree" });
      input.setAttribute("aria-label", "Other text");
      shadow.append(input);
      document.querySelector("sms-counter").control = input;
    });
    assert.equal(await units(), 16);
    await page.getByLabel("Other text").fill("typed");
    assert.equal(await units(), 5);
    await page.evaluate(() => (document.querySelector("sms-counter").control = null));
    assert.equal(await units(), 11, "the attribute `for` counts again");
  });
});

test("properties that were set before the element was registered count", async () => {
  const script = `
    const counter = document.querySelector("sms-counter");
    counter.text = "It’s";
    counter.price = "0.5";
    counter.messages = { parts: ({ count }) => count + " Teil", price: ({ total }) => total + " Euro" };
    import("/cpaas/elements/elements.js");
  `;
  await open({ body: "<sms-counter></sms-counter>", script }, async (page) => {
    await loaded(page);
    assert.equal(await status(page), "1 Teil, 0.5 Euro");
    assert.match(await line(page), /UTF-16/, "other texts stay English");
  });
});

test("a page can set the functions that count, which then need no other module", async () => {
  const requested = [];
  const script = `
    import * as sms from "/cpaas/js/sms.js";
    import "/cpaas/elements/elements.js";
    await sms.init();
    const options = { languages: ["tr"] };
    const counter = document.createElement("sms-counter");
    counter.counting = { segments: (text) => sms.segments(text, options), annotate: (text) => sms.annotate(text, options) };
    counter.text = "Siparişiniz yola çıktı";
    document.querySelector("main").append(counter);
  `;
  const routes = { "segments_bg.wasm": (route) => (requested.push(route.request().url()), route.continue()) };
  await open({ body: "", script, routes }, async (page) => {
    await page.waitForFunction(() => document.querySelector("sms-counter")?.value?.units === 22);
    assert.match(await line(page), /^1 part in GSM 7-bit: 22 septets/);
    await page.evaluate(() => (document.querySelector("sms-counter").counting = { segments: () => ({ count: 2, encoding: "gsm7", units: 200, remaining: 106 }) }));
    assert.deepEqual(await page.locator("sms-counter .number").allTextContents(), ["1: 200/306"], "without parts, the bar has one cell");
    assert.deepEqual(requested, []);
  });
});

test("two copies of the package can be loaded: the first one stays registered", async () => {
  const copy = (path) => [`copy/${path}`, (route) => route.fulfill({ contentType: path.endsWith(".wasm") ? "application/wasm" : "text/javascript", body: readFileSync(`${root}${path}`) })];
  const files = ["elements/elements.js", "elements/sms-counter.js", "elements/counter-view.js", "elements/counter-messages.js", "js/decimal.js", "pkg/segments/browser.js"];
  const script = `${SCRIPT} import { SmsCounter } from "/copy/elements/elements.js"; window.other = SmsCounter;`;
  await open({ script, routes: Object.fromEntries(files.map(copy)) }, async (page) => {
    await loaded(page);
    await page.fill("#text", "Hi");
    assert.match(await line(page), /^1 part/);
    assert.ok(await page.evaluate(() => window.other && !(document.querySelector("sms-counter") instanceof window.other)));
  });
});

test("text is never interpreted as HTML", async () => {
  await open({}, async (page) => {
    await loaded(page);
    await page.evaluate(() => {
      const counter = document.querySelector("sms-counter");
      counter.currency = "<img src=x onerror=document.title='bad'>";
      counter.price = "1";
    });
    await page.fill("#text", "<img src=x onerror=document.title='bad'> я");
    assert.match(await status(page), /1 <img/);
    assert.equal(await page.locator("sms-counter img").count(), 0);
    assert.equal(await page.title(), "Counter");
  });
});

test("a server can import it, and the second import does nothing", () => {
  const script = 'const { SmsCounter } = await import("cpaas/elements"); console.log(typeof SmsCounter, globalThis.customElements === undefined);';
  assert.equal(execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: root, encoding: "utf8" }), "function true\n");
});

test("bundlers keep the import of the element, and nothing of it is in the main entry", async () => {
  const bundle = async (contents) => (await build({ bundle: true, write: false, minify: true, format: "esm", conditions: ["browser"], logLevel: "error", stdin: { contents, resolveDir: root } })).outputFiles[0].text;
  assert.match(await bundle('import "cpaas/elements";'), /customElements/);
  const main = await bundle('export * from "cpaas";');
  assert.ok(!main.includes("customElements") && !main.includes("sms-counter"));
  const element = await bundle('import "cpaas/elements";');
  assert.ok(!element.includes("carouselCard") && !element.includes("validateText("), "the validator is left out");
});
