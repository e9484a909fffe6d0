// Runs every block of docs/elements.md in Chromium. Vite builds those for React, Vue and Svelte, which import the package by its name.
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import test, { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { build } from "vite";
import { root, serve, withPage } from "./chromium.mjs";
import { blocks, section } from "./doc_blocks.mjs";

const doc = "docs/elements.md";
/** Inside the package, so that its name and those of the frameworks can be resolved. */
const folder = `${root}test/.elements`;
const shots = process.env.SHOTS;
let server;
before(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  server = await serve({ cpaas: root, site: folder });
});
after(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const html = (script, body = '<div id="root"></div>') => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,"></head><body>${body}<script type="module" src="${script}"></script></body></html>`;

/** Builds a page with Vite. `files` are its sources, with `main.js` or `main.jsx` as the entry. */
async function built(name, files, plugins = []) {
  const site = `${folder}/${name}`;
  mkdirSync(site);
  for (const [file, text] of Object.entries(files)) writeFileSync(`${site}/${file}`, text);
  const [main] = Object.keys(files).filter((file) => file.startsWith("main."));
  writeFileSync(`${site}/index.html`, html(`./${main}`));
  await build({ root: site, configFile: false, logLevel: "error", base: "./", plugins, esbuild: { jsx: "automatic" }, build: { target: "es2022", assetsInlineLimit: 0 } });
  return `${server.origin}/site/${name}/dist/index.html`;
}

/** A user types, replaces a character and clears the text; the framework sees each change. */
async function works(address) {
  await withPage({}, async (page) => {
    await page.goto(address);
    const line = page.locator("sms-counter .cost");
    await page.locator("sms-counter .cost", { hasText: "1 part in UCS-2, 0.045 EUR: 34 UTF-16 units" }).waitFor();
    await page.locator("#text").press("Control+End");
    await page.keyboard.type("!");
    assert.match(await line.textContent(), /^1 part in UCS-2, 0.045 EUR: 35 /);
    await page.getByRole("button", { name: "Replace all" }).click();
    assert.equal(await page.inputValue("#text"), "Your table is ready - see you soon!");
    assert.match(await line.textContent(), /^1 part in GSM 7-bit, 0.045 EUR: 35 septets/);
    await page.fill("#text", "a".repeat(161));
    assert.match(await line.textContent(), /^2 parts in GSM 7-bit, 0.090 EUR: 161 septets/);
    if ((await page.getByRole("button", { name: "Send" }).count()) === 0) return;
    assert.equal(await page.getByRole("button", { name: "Send" }).isEnabled(), true);
    await page.fill("#text", "");
    await page.locator("button:disabled", { hasText: "Send" }).waitFor();
    await page.fill("#text", "It’s");
    await page.getByRole("button", { name: /^Replace U\+2019/ }).click();
    await page.locator("button:enabled", { hasText: "Send" }).waitFor();
    assert.equal(await page.inputValue("#text"), "It's", "the framework keeps the replacement");
  });
}

test("the plain page", async () => {
  writeFileSync(`${folder}/plain.html`, section(doc, "A plain page", "html")[0].replace("</title>", '</title><link rel="icon" href="data:," />'));
  await works(`${server.origin}/site/plain.html`);
});

test("the block for React", async () => {
  const [block] = section(doc, "React", "tsx");
  const main = 'import { createRoot } from "react-dom/client"; import { Reminder } from "./Reminder.tsx"; createRoot(document.querySelector("#root")).render(<Reminder />);';
  await works(await built("react", { "Reminder.tsx": block, "main.jsx": main }));
});

test("React sets properties, and a server renders the element", async () => {
  const main = `
    import "cpaas/elements";
    import { createRoot } from "react-dom/client";
    import { useState } from "react";
    function Preview() {
      const [text, setText] = useState("It’s");
      return <><button onClick={() => setText("x".repeat(161))}>Longer</button><sms-counter text={text} price={0.5} onsms-replace={({ detail }) => setText(detail.text)} /><output>{text}</output></>;
    }
    createRoot(document.querySelector("#root")).render(<Preview />);`;
  const address = await built("react-text", { "main.jsx": main });
  await withPage({}, async (page) => {
    await page.goto(address);
    await page.getByRole("button", { name: /^Replace U\+2019/ }).click();
    assert.equal(await page.textContent("output"), "It's");
    await page.getByRole("button", { name: "Longer" }).click();
    await page.locator("sms-counter .cost", { hasText: "2 parts in GSM 7-bit, 1.0" }).waitFor();
  });
  const { createElement } = await import("react");
  const { renderToString } = await import("react-dom/server");
  await import("cpaas/elements");
  assert.equal(renderToString(createElement("sms-counter", { for: "text", price: "0.045" })), '<sms-counter for="text" price="0.045"></sms-counter>');
});

test("the blocks for Vue", async () => {
  const [block] = section(doc, "Vue", "vue");
  writeFileSync(`${folder}/vue.config.mjs`, section(doc, "Vue", "js")[0]);
  const { default: config } = await import(pathToFileURL(`${folder}/vue.config.mjs`).href);
  const main = 'import { createApp } from "vue"; import Reminder from "./Reminder.vue"; createApp(Reminder).mount("#root");';
  await works(await built("vue", { "Reminder.vue": block, "main.js": main }, config.plugins));
});

test("the block for Svelte", async () => {
  const [block] = section(doc, "Svelte", "svelte");
  const main = 'import { mount } from "svelte"; import Reminder from "./Reminder.svelte"; mount(Reminder, { target: document.querySelector("#root") });';
  await works(await built("svelte", { "Reminder.svelte": block, "main.js": main }, [svelte({ configFile: false })]));
});

test("the blocks for other functions, other texts and styles", async () => {
  const [counting, messages] = section(doc, "Attributes, properties and events", "js");
  const [css] = section(doc, "Styles", "css");
  assert.equal(blocks(doc, "js").length, 3);
  const body = '<label for="text">Text</label><textarea id="text">Siparişiniz yola çıktı</textarea><sms-counter for="text" price="0.045" currency="EUR"></sms-counter>';
  for (const [name, block] of Object.entries({ counting, messages })) {
    mkdirSync(`${folder}/${name}`);
    writeFileSync(`${folder}/${name}/main.js`, block);
    writeFileSync(`${folder}/${name}/index.html`, html("./main.js", `<style>${css}</style>${body}`));
    await build({ root: `${folder}/${name}`, configFile: false, logLevel: "error", base: "./", build: { target: "es2022", assetsInlineLimit: 0 } });
  }
  await withPage({}, async (page) => {
    await page.goto(`${server.origin}/site/counting/dist/index.html`);
    await page.locator("sms-counter .cost", { hasText: "1 part in GSM 7-bit, 0.045 EUR: 22 septets" }).waitFor();
    const style = (selector, name) => page.locator(`sms-counter ${selector}`).first().evaluate((node, property) => getComputedStyle(node)[property], name);
    assert.equal(await style(".cell", "borderTopColor"), "rgb(128, 128, 128)");
    assert.equal(await style(".fill", "backgroundColor"), "rgb(207, 220, 251)");
    assert.equal(await style(".cost", "fontSize"), "14px");
    await page.fill("#text", "It’s");
    assert.equal(await style("button.fix", "backgroundColor"), "rgb(31, 79, 216)");
    assert.equal(await style("button.fix", "color"), "rgb(255, 255, 255)");
    await page.goto(`${server.origin}/site/messages/dist/index.html`);
    await page.locator("sms-counter .cost", { hasText: "1 Teil, 0,045 EUR: 22 Zeichen, noch 48 frei" }).waitFor();
  });
});

test("every documented property, method, event and custom property exists", async () => {
  const { readFileSync } = await import("node:fs");
  const page = readFileSync(`${root}../${doc}`, "utf8");
  const source = ["sms-counter", "counter-view"].map((name) => readFileSync(`${root}elements/${name}.js`, "utf8")).join("\n");
  const sorted = (found) => [...new Set(found)].sort();
  const names = (text) => sorted([...text.matchAll(/--sms-counter-[a-z-]+/g)].map(([name]) => name));
  assert.deepEqual(names(page), names(source));
  const parts = (text) => sorted([...text.matchAll(/part: "([a-z]+)"/g)].map(([, name]) => name));
  const documented = /^`::part\(count\)`.*$/m.exec(page)[0];
  assert.deepEqual(parts(source), sorted([...documented.matchAll(/`(?:::part\()?([a-z]+)\)?`/g)].map(([, name]) => name)));
  const accessors = sorted([...source.matchAll(/^ {2}get (\w+)\(\)/gm)].map(([, name]) => name));
  for (const name of accessors) assert.ok(page.includes(`\`${name}\``), name);
});

test("writes the picture of docs/elements.md", { skip: !shots }, async () => {
  writeFileSync(`${folder}/picture.html`, html("/cpaas/elements/elements.js", `<style>
    body { margin: 0; padding: 20px; inline-size: 560px; font: 16px/1.45 system-ui, sans-serif; }
    label { font-weight: 600; } textarea { display: block; box-sizing: border-box; inline-size: 100%; margin-block: 6px; padding: 8px; font: inherit; }
    sms-counter { --sms-counter-accent: #1f4fd8; --sms-counter-on-accent: white; --sms-counter-fill: #cfdcfb; --sms-counter-border: #7d8694; }
    </style><label for="text">Text</label><textarea id="text" rows="3"></textarea><sms-counter for="text" price="0.045" currency="EUR"></sms-counter>`));
  await withPage({ viewport: { width: 600, height: 400 }, deviceScaleFactor: 2 }, async (page) => {
    await page.goto(`${server.origin}/site/picture.html`);
    await page.evaluate(() => document.querySelector("sms-counter").ready);
    await page.fill("#text", "Your table is ready – we’ll hold it for 15 minutes. Running late? Just reply to this message.");
    await page.evaluate(() => document.activeElement.blur());
    const height = await page.evaluate(() => document.querySelector("sms-counter").getBoundingClientRect().bottom + 12);
    await page.screenshot({ path: `${shots}/elements.png`, clip: { x: 0, y: 0, width: 600, height } });
  });
});
