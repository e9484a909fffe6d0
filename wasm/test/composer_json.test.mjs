// The JSON editor of the composer: its tokens in Node, its colors and its marker in Chromium. With SHOTS=folder, it writes a screenshot.
import assert from "node:assert/strict";
import test from "node:test";
import { indexOf, marked, tokens } from "../composer/json-tokens.js";
import { expectation } from "../composer/json-expectation.js";
import { choose, composer, settled, shoot } from "./composer_page.mjs";

const kinds = (json) => tokens(json).map(({ kind, text }) => [kind, text]);

test("tokens are keys, strings, numbers, literals and the text between them", () => {
  assert.deepEqual(kinds('{"a": "b:c", "d" :[-1.5e3,true, null]}'), [
    ["plain", "{"], ["key", '"a"'], ["plain", ": "], ["string", '"b:c"'], ["plain", ", "], ["key", '"d"'], ["plain", " :["], ["number", "-1.5e3"],
    ["plain", ","], ["literal", "true"], ["plain", ", "], ["literal", "null"], ["plain", "]}"],
  ]);
  assert.deepEqual(kinds('"a\\"b\\\\"'), [["string", '"a\\"b\\\\"']]);
  assert.deepEqual(kinds('"https://a.example": 1'), [["key", '"https://a.example"'], ["plain", ": "], ["number", "1"]]);
  assert.deepEqual(kinds("truest nullify - t"), [["plain", "truest nullify - t"]]);
});

test("every text is the sum of its tokens, and long texts are divided in linear time", () => {
  const texts = ["", '"open', '{"a": "b\n"c": 1}', '"\\', "\\", '{"a" "b"}', "-", "😀\u2028", '{"a": 01, "b": nul}', "a\nb\n", '"a":'.repeat(50)];
  for (const text of texts) assert.equal(tokens(text).map((token) => token.text).join(""), text, JSON.stringify(text));
  const start = performance.now();
  for (const piece of ['"', '\\"', "-", "t", '"a":', '"a"     ']) tokens(piece.repeat(20_000 / piece.length));
  assert.ok(performance.now() - start < 2_000);
});

test("a range divides its tokens", () => {
  const divided = (json, start, end) => marked(tokens(json), start, end).map(({ text, isMarked }) => (isMarked ? `<${text}>` : text));
  assert.deepEqual(divided('{"a":1}', 2, 3), ["{", '"', "<a>", '"', ":", "1", "}"]);
  assert.deepEqual(divided('{"a":1}', 0, 1), ["<{>", '"a"', ":", "1", "}"]);
  assert.deepEqual(divided('{"a":1}', 6, 7), ["{", '"a"', ":", "1", "<}>"]);
});

test("the expectation at a syntax error names what is missing or one too many", () => {
  const value = "expected a value: a string in double quotes, a number, true, false, null, { or [";
  for (const [before, after, expected] of [
    ['{"a":1\n', '"b":2}', "a comma or } is missing after line 1"],
    ['{"a" ', "1}", "a colon is missing before this place"],
    ["[1 ", "2]", "a comma or ] is missing before this place"],
    ['{"a":[1]', "", "a comma or } is missing at the end"],
    ['{"a":1,', "}", "the comma before } is one too many"],
    ["[1,", "]", "the comma before ] is one too many"],
    ['{"a": ', "}", value],
    ['{"a": tru', "}", value],
    ["{", "'a':1}", "expected a name in double quotes or }"],
    ['{"a":1,', "b:2}", "expected a name in double quotes"],
    ['{"a": "x', "\n}", "the closing double quote is missing"],
    ['{"a": "\\', 'q"}', 'expected an escape such as \\n or \\"'],
    ['{"a":1} ', "x", "expected nothing after the end of the request"],
  ]) assert.equal(expectation(before + after, before.length), expected, before + after);
});

test("the column of an error counts bytes", () => {
  assert.equal(indexOf('{"a" 1}', { line: 1, column: 6 }), 5);
  assert.equal(indexOf('{\n"я😀" 1}', { line: 2, column: 10 }), 8);
  assert.equal(indexOf('{\n  "a": ', { line: 2, column: 7 }), 8);
  assert.equal(indexOf("{\n", { line: 2, column: 0 }), 2);
});

const overlay = (page) => page.evaluate(() => [document.querySelector("#json-colors").textContent, document.querySelector("#json").value]);
const mark = (page) => page.locator("#json-colors .at-error").allTextContents();

test("the colors follow every change of the text, from the form and from the editor", async () => {
  await composer({}, async (page) => {
    await choose(page, "sms.send", "A text that costs twice");
    assert.deepEqual(await page.locator("#json-colors .key").allTextContents(), ['"from"', '"to"', '"text"']);
    await page.locator('[data-pointer="/text"] textarea').fill('A "new" text\n1');
    await settled(page);
    for (const text of ['{"from": "Acme"}', '{"from": "Acme", "n": 1}', "", "[", '{"a": [true, null, -1]}', "x".repeat(100)]) {
      const [colors, json] = await overlay(page);
      assert.equal(colors, json);
      await page.fill("#json", text);
      const [after, value] = await overlay(page);
      assert.equal(after, value, "without waiting for a frame");
    }
    await page.fill("#json", JSON.stringify({ from: "Acme", to: "306912345678", text: "x".repeat(20_000) }));
    assert.equal(await page.textContent("#json-colors"), "", "a long text has no colors");
    assert.equal(await page.locator("#json").evaluate((area) => getComputedStyle(area).webkitTextFillColor === getComputedStyle(area).color), true);
  });
});

test("text and colors are at the same place, also when they wrap and scroll", async () => {
  for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    await composer({ viewport }, async (page) => {
      const words = "Your table is ready, see you at 19:30. ضيوف كرام 😀 ".repeat(30);
      await page.fill("#json", JSON.stringify({ from: "Acme", to: "306912345678", text: words, more: Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`key${n}`, n])) }, null, 2));
      await settled(page, 200);
      const sizes = await page.evaluate(() => ["#json", "#json-colors"].map((id) => {
        const box = document.querySelector(id);
        return [box.clientWidth, box.clientHeight, box.scrollHeight];
      }));
      assert.deepEqual(sizes[0].slice(0, 2), sizes[1].slice(0, 2));
      assert.ok(Math.abs(sizes[0][2] - sizes[1][2]) <= 2, `${sizes}`);
      await page.locator("#json").evaluate((area) => (area.scrollTop = 300));
      await settled(page);
      assert.equal(await page.locator("#json-colors").evaluate((box) => box.scrollTop), 300);
    });
  }
});

test("a syntax error is marked at its line and column, explained, and reached by a button", async () => {
  await composer({}, async (page) => {
    const json = '{\n  "from": "Acme",\n  "to" "306912345678",\n  "text": "Hi"\n}';
    await page.fill("#json", json);
    assert.deepEqual(await mark(page), ['"']);
    assert.equal(await page.textContent("#json-error"), "must be valid JSON: error at line 3, column 8: a colon is missing before this place");
    assert.equal(await page.getAttribute("#json", "aria-invalid"), "true");
    assert.match(await page.getAttribute("#json", "aria-describedby"), /\bjson-error\b/);
    assert.equal(await page.locator("#json-stale").isVisible(), true);
    await shoot(page, "json");
    await page.getByRole("button", { name: "Go to line 3, column 8" }).click();
    const caret = () => page.evaluate(() => [document.activeElement.id, document.activeElement.selectionStart]);
    assert.deepEqual(await caret(), ["json", json.indexOf('"3069')]);
    await page.evaluate(() => document.querySelector("#json").setSelectionRange(0, 0));
    await page.locator("#problems .place").click();
    assert.deepEqual(await caret(), ["json", json.indexOf('"3069')]);
    await page.fill("#json", '{"text": "я😀" 1}');
    assert.deepEqual(await mark(page), ["1"]);
    await page.fill("#json", '{"from": \n');
    assert.deepEqual(await mark(page), [" "], "the end of the text is marked before it");
    await page.fill("#json", json.replace('"to" ', '"to": '));
    assert.deepEqual(await mark(page), []);
    assert.equal(await page.locator("#json-place").isVisible(), false);
    assert.equal(await page.locator("#json-stale").isVisible(), false);
    await page.fill("#json", "[1]");
    assert.equal(await page.locator("#json-place").isVisible(), false);
    assert.equal(await page.locator("#json-stale").isVisible(), true, "no object");
    await page.fill("#json", json.replace('"to" ', '"to": '));
    assert.equal(await page.getAttribute("#json", "aria-invalid"), "false");
  });
});

test("an error far below is scrolled into view", async () => {
  await composer({}, async (page) => {
    await page.fill("#json", `{\n${Array.from({ length: 200 }, (_, n) => `"key${n}": ${n},\n`).join("")}"to" 1}`);
    await page.getByRole("button", { name: /^Go to line 202/ }).click();
    await settled(page);
    const visible = await page.evaluate(() => {
      const [mark, box] = [document.querySelector(".at-error").getBoundingClientRect(), document.querySelector("#json").getBoundingClientRect()];
      return mark.top >= box.top && mark.bottom <= box.bottom;
    });
    assert.ok(visible);
  });
});
