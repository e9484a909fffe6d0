// The page of the login recipe in docs/recipes.md, in Chromium: a code fills itself in, with WebOTP and without.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { browser } from "./fixtures.mjs";

let where, server, url;
const submitted = [];

before(async () => {
  const text = await readFile(new URL("../../docs/recipes.md", import.meta.url), "utf8");
  const [, html] = text.match(/^```html\n(.*?)^```/ms);
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      if (request.method === "POST") submitted.push(body);
      response.setHeader("content-type", "text/html");
      response.end(request.url === "/login" ? html : "<p>done</p>");
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${server.address().port}/login`; // a secure context, as localhost is
  where = await browser();
});

after(async () => {
  await where?.close();
  server?.close();
});

/** Opens the page after a script that prepares WebOTP. */
async function open(prepare) {
  const context = await where.newContext();
  const page = await context.newPage();
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(String(error)));
  await page.addInitScript(prepare);
  await page.goto(url, { waitUntil: "commit" }); // the page may submit at once
  return page;
}

test("the field asks for a one-time code, and only six digits are valid", async () => {
  const page = await open(() => delete window.OTPCredential);
  const field = page.getByLabel("Code");
  const attributes = await field.evaluate((input) => [input.autocomplete, input.inputMode, input.type, isSecureContext]);
  assert.deepEqual(attributes, ["one-time-code", "numeric", "text", true]);
  for (const [code, valid] of [["747723", true], ["012345", true], ["74772", false], ["74772a", false], ["", false]]) {
    await field.fill(code);
    assert.equal(await field.evaluate((input) => input.checkValidity()), valid, code);
  }
  await field.fill("012345");
  await page.getByRole("button").click();
  await page.getByText("done").waitFor();
  assert.equal(submitted.pop(), "code=012345", "leading zeros are kept");
  assert.deepEqual(page.problems, []);
});

test("WebOTP fills the code in and submits it", async () => {
  const page = await open(() => {
    window.OTPCredential ??= class {};
    navigator.credentials.get = async ({ otp, signal }) => {
      if (otp.transport[0] !== "sms" || !(signal instanceof AbortSignal)) throw new TypeError("wrong options");
      return { code: "747723" };
    };
  });
  await page.getByText("done").waitFor();
  assert.equal(submitted.pop(), "code=747723");
  assert.deepEqual(page.problems, []);
});

test("a code that is typed ends the wait of WebOTP, and its failure is no error of the page", async () => {
  const page = await open(() => {
    window.OTPCredential ??= class {};
    navigator.credentials.get = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(new DOMException("", "AbortError"))));
  });
  const ended = page.waitForEvent("console", (message) => message.text() === "AbortError");
  await page.getByLabel("Code").fill("747723");
  await page.getByRole("button").click();
  await ended;
  await page.getByText("done").waitFor();
  assert.equal(submitted.pop(), "code=747723");
  assert.deepEqual(page.problems, []);
});
