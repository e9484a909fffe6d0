// The settings about numbers in the composer: the plans load when a setting needs them, and a policy is an error as in other languages.
import assert from "node:assert/strict";
import test from "node:test";
import { composer, server, settled, verdict } from "./composer_page.mjs";

const shows = (page, text) => page.waitForFunction((words) => document.querySelector("#problems").textContent.includes(words), text);

test("allowed countries and kinds are errors, and national notation is accepted with a region", async () => {
  await composer({}, async (page) => {
    const requested = [];
    page.on("request", (request) => requested.push(request.url()));
    const loads = () => requested.filter((url) => url.endsWith("cpaas_phone_bg.wasm")).length;
    await page.fill("#json", '{"from": "Acme", "to": "306912345678", "text": "Hi"}');
    await settled(page);
    assert.match(await verdict(page), /Ready to send/);
    assert.equal(loads(), 0, "the plans load on request");
    await page.click("#numbers-panel summary");
    await page.fill("#allowCountries", "CY, IT");
    await shows(page, "policy.country");
    assert.match(await verdict(page), /Would be refused: 1 error/);
    assert.equal(loads(), 1);
    await page.fill("#allowCountries", "GR");
    await page.waitForFunction(() => /Ready to send/.test(document.querySelector("#verdict").textContent));
    await page.fill("#allowTypes", "fixed_line");
    await shows(page, "policy.type");
    await page.fill("#allowTypes", "");
    await page.fill("#normalize", "GR");
    await page.fill("#json", '{"from": "Acme", "to": "691 234 5678", "text": "Hi"}');
    await shows(page, "number.normalized");
    assert.match(await verdict(page), /Ready to send/);
    assert.equal(loads(), 1);
  });
});

test("a setting that is not valid is explained and not applied, and settings are part of the address", async () => {
  await composer({}, async (page) => {
    await page.click("#numbers-panel summary");
    await page.fill("#allowCountries", "IT");
    await page.fill("#json", '{"from": "Acme", "to": "306912345678", "text": "Hi"}');
    await shows(page, "policy.country");
    await page.fill("#allowCountries", "Italy");
    await page.waitForFunction(() => /Not applied: `allowCountries`/.test(document.querySelector("#numbers-state").textContent));
    await shows(page, "policy.country");
    await page.fill("#allowCountries", "IT");
    await settled(page, 600);
    const address = page.url();
    await page.goto("about:blank");
    await page.goto(address);
    await shows(page, "policy.country");
    assert.equal(await page.inputValue("#allowCountries"), "IT");
  });
});

test("an address keeps its policy while the numbering plans load, and the verdict waits for them", async () => {
  await composer({}, async (page) => {
    let release;
    const held = new Promise((done) => (release = done));
    await page.route("**/cpaas_phone_bg.wasm", async (route) => {
      await held;
      await route.continue();
    });
    const request = JSON.stringify({ from: "Acme", to: "306912345678", text: "Hi" });
    const numbers = JSON.stringify({ allowCountries: ["IT"] });
    await page.goto("about:blank");
    await page.goto(`${server.origin}/composer/#${new URLSearchParams({ operation: "sms.send", request, numbers })}`);
    await page.waitForFunction(() => document.querySelector("#verdict").textContent === "Waiting for the numbering plans");
    await settled(page, 600);
    assert.equal(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("numbers"), numbers);
    assert.equal(await verdict(page), "Waiting for the numbering plans");
    release();
    await shows(page, "policy.country");
    assert.match(await verdict(page), /Would be refused: 1 error/);
  });
});

test("while a setting is not applied, no request is ready to send", async () => {
  await composer({}, async (page) => {
    await page.fill("#json", '{"from": "Acme", "to": "306912345678", "text": "Hi"}');
    await page.click("#numbers-panel summary");
    await page.fill("#allowCountries", "Greece");
    await page.waitForFunction(() => /Not applied: `allowCountries`/.test(document.querySelector("#numbers-state").textContent));
    assert.equal(await verdict(page), "Not checked: a setting about numbers is not applied");
    await page.fill("#allowCountries", "GR");
    await page.waitForFunction(() => /Ready to send/.test(document.querySelector("#verdict").textContent));
  });
});
