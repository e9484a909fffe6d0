// National language tables in the composer, in Chromium: the choice, the parts that it saves, the cost, and the picture of a part.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { root } from "./chromium.mjs";
import { choose, composer, field, settled, shots } from "./composer_page.mjs";

const axe = readFileSync(`${root}node_modules/axe-core/axe.min.js`, "utf8");

const TURKISH = "Siparişiniz yola çıktı, ışıkları açın. ".repeat(3);
const write = async (page, text) => {
  await field(page, "/text").locator("textarea").fill(text);
  await settled(page, 250);
};
const cost = (page) => page.locator(".sms .cost").first().textContent();
const allow = async (page, value) => {
  await page.getByLabel("National language tables").selectOption(value);
  await settled(page, 250);
};

test("while national tables are off, the panel shows the saving and a button that allows them", async () => {
  await composer({}, async (page) => {
    assert.equal(await page.getByLabel("National language tables").inputValue(), "");
    await write(page, TURKISH);
    assert.match(await cost(page), /^2 parts in UCS-2/);
    assert.match(await page.locator(".saving").textContent(), /Turkish.*would save 1 part, if the provider supports them/);
    await page.getByRole("button", { name: "Allow Turkish" }).click();
    await settled(page, 250);
    assert.equal(await page.getByLabel("National language tables").inputValue(), "tr");
    assert.match(await cost(page), /^1 part in GSM 7-bit: 117 septets/);
    assert.equal(await page.locator(".sms .tables").textContent(), "National tables: Turkish (locking shift), which save 1 part");
    assert.equal(await page.locator(".saving").count(), 0);
    await write(page, "Plain text, two parts. ".repeat(12));
    assert.equal(await page.locator(".saving, .sms .tables").count(), 0);
  });
});

test("with every choice of languages, the page counts parts as the package does", async () => {
  await composer({}, async (page) => {
    const text = "Olá, você está aqui? ção ões ".repeat(8);
    await write(page, text);
    for (const [value, languages] of [["", []], ["auto", "auto"], ["pt", ["pt"]], ["hi", ["hi"]]]) {
      await allow(page, value);
      const found = await page.evaluate(([words, allowed]) => import("./cpaas/js/sms.js").then((sms) => sms.segments(words, { languages: allowed })), [text, languages]);
      const encoding = found.encoding === "gsm7" ? "GSM 7-bit" : "UCS-2";
      assert.ok((await cost(page)).startsWith(`${found.count} parts in ${encoding}: ${found.units} `), `${value}: ${await cost(page)}`);
      assert.equal(await page.locator(".sms .boundary").count(), found.count - 1);
      const capacity = found.parts.at(-1).units + found.remaining;
      assert.equal(await page.locator(".sms .cell .number").last().textContent(), `${found.count}: ${found.parts.at(-1).units}/${capacity}`);
    }
    assert.equal(await page.getByRole("group", { name: "Allowed languages" }).isVisible(), false);
    await allow(page, "several");
    for (const name of ["Turkish", "Portuguese"]) await page.getByLabel(name, { exact: true }).check();
    await settled(page, 250);
    assert.match(await page.locator(".sms .tables").textContent(), /Portuguese/);
  });
});

test("characters outside the allowed tables are marked", async () => {
  await composer({}, async (page) => {
    await allow(page, "tr");
    await write(page, "ışık漢");
    assert.deepEqual(await page.locator(".bubble mark").allTextContents(), ["漢"]);
    await allow(page, "");
    assert.ok((await page.locator(".bubble mark, .bubble .forces").count()) > 1);
  });
});

test("the cost panel counts parts with the chosen languages", async () => {
  await composer({}, async (page) => {
    await page.locator("#cost-panel > summary").click();
    await write(page, TURKISH);
    await page.getByText("0.09 EUR for 1 of 1 recipient, 2 parts").waitFor();
    await allow(page, "auto");
    await page.getByText("0.045 EUR for 1 of 1 recipient, 1 part").waitFor();
    await page.getByText("1 part, tables: Turkish (locking shift)").waitFor();
  });
});

test("the address contains the chosen languages", async () => {
  await composer({}, async (page) => {
    await write(page, TURKISH);
    await allow(page, "several");
    for (const name of ["Turkish", "Spanish"]) await page.getByLabel(name, { exact: true }).check();
    await page.getByRole("button", { name: "Copy link" }).click();
    const address = page.url();
    assert.equal(new URLSearchParams(new URL(address).hash.slice(1)).get("languages"), "tr,es");
    await page.evaluate(() => localStorage.clear());
    await page.goto("about:blank");
    await page.goto(address);
    await page.waitForFunction(() => !document.querySelector("#verdict").textContent.startsWith("Loading"));
    assert.equal(await page.getByLabel("National language tables").inputValue(), "several");
    assert.ok(await page.getByLabel("Spanish", { exact: true }).isChecked());
    assert.match(await cost(page), /^1 part/);
    await choose(page, "otp.verify");
    assert.equal(await page.getByLabel("National language tables").isVisible(), false);
  });
});

test("the picture of a part shows its header, fill bits, septets and octets", async () => {
  await composer({}, async (page) => {
    await page.locator("#part-panel > summary").click();
    await write(page, "hellohello");
    // 3GPP TS 23.038: "hellohello" is E8329BFD4697D9EC37.
    const octets = () => page.locator(".octets tr:not(.units) td").allTextContents();
    assert.deepEqual((await octets()).join(""), "E8329BFD4697D9EC37");
    assert.equal(await page.locator(".octets caption").textContent(), "9 octets: septets. User data length 10 septets.");
    assert.equal((await page.locator(".octets .septet").allTextContents()).join(""), "hellohello");
    assert.equal(await page.locator(".octets .fill").getAttribute("colspan"), "2", "70 of 72 bits are used, 2 are unused");
    await allow(page, "tr");
    await write(page, `${"ş".repeat(200)}€`);
    const header = await page.locator(".header > div").evaluateAll((all) => all.map((element) => [element.firstChild.textContent, element.lastChild.textContent]));
    assert.equal(header.map(([octet]) => octet).join(""), "080003070201250101");
    assert.deepEqual(header.map(([, meaning]) => meaning), ["length of the header", "element: concatenation", "its length", "reference", "parts", "this part", "element: locking shift", "its length", "language"]);
    assert.equal(await page.locator(".octets caption").textContent(), "140 octets: 9 octets of header, 5 fill bits, then septets. User data length 160 septets.");
    assert.equal(await page.locator(".octets .septet").count(), 149);
    const widths = await page.locator(".octets .units").evaluateAll((rows) => rows.map((row) => [...row.cells].slice(1).reduce((sum, one) => sum + one.colSpan, 0)));
    assert.deepEqual(widths, Array(20).fill(56), "a line has 56 bits");
    await page.getByRole("button", { name: "Part 2" }).click();
    assert.equal(await page.getByRole("button", { name: "Part 2" }).getAttribute("aria-pressed"), "true");
    // 11 characters of one septet are left; the euro sign has a code in the Turkish locking table.
    const second = await page.evaluate((text) => import("./cpaas/js/sms.js").then((sms) => {
      const part = sms.encode(text, { languages: ["tr"], reference: 7 })[1];
      return [...part.udh, ...part.ud].map((octet) => octet.toString(16).padStart(2, "0").toUpperCase()).join("");
    }), `${"ş".repeat(200)}€`);
    assert.equal((await octets()).join(""), second);
    await allow(page, "");
    await write(page, "漢😀");
    assert.equal((await octets()).join(""), "6F22D83DDE00");
    assert.deepEqual(await page.locator(".octets .septet").allTextContents(), ["漢", "😀◖", "😀◗"]);
  });
});

test("axe finds no violation while the languages and the picture of a part are open", async () => {
  for (const scheme of [{ colorScheme: "light" }, { colorScheme: "dark" }, { forcedColors: "active" }]) {
    for (const width of [360, 1440]) {
      await composer({ ...scheme, viewport: { width, height: 900 } }, async (page) => {
        await page.locator("#part-panel > summary").click();
        await allow(page, "several");
        await page.getByLabel("Turkish", { exact: true }).check();
        await write(page, "Siparişiniz yola çıktı, ışıkları açın. Kapıda ödeme {{tutar}} TL. ".repeat(3));
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run());
        assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((element) => element.html).join(" ").slice(0, 300)}`), [], JSON.stringify([scheme, width]));
        const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        assert.equal(wide, false, `scrolls sideways at ${width}`);
      });
    }
  }
});

test("writes the screenshot of a part for docs/sms-text.md", { skip: !shots }, async () => {
  await composer({ colorScheme: "light", viewport: { width: 1760, height: 1900 } }, async (page) => {
    await page.locator("#part-panel > summary").click();
    await allow(page, "tr");
    await write(page, "Siparişiniz yola çıktı. Kapıda ödeme 45 € tutar. ".repeat(4));
    await page.locator("#part").screenshot({ path: `${shots}/composer-part.png` });
  });
});
