// The documentation site that docs/site has built into site/: links, search, colors, tabs, the composer, accessibility, no other host.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { TIMEOUT, browser } from "./fixtures.mjs";
import { checkLinks, serveSite, siteFiles, sitePages } from "./site_files.mjs";

/** One page of each kind. */
const KINDS = { home: "", guide: "callbacks/", migration: "migration-twilio/", "long tables": "specification/", tabs: "other-languages/", "Python reference": "python-api/operations/", "source file": "include/cpaas.h/", composer: "composer/" };
const SIZES = { "1440 pixels": { width: 1440, height: 1000 }, "390 pixels": { width: 390, height: 844 } };

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let server, where;
before(async () => {
  server = await serveSite();
  where = await browser();
});
after(async () => {
  await where?.close();
  server?.close();
});

/** Opens a page of the site, and runs `use(page)`. Fails if the page reports an error, or requests another host, which is refused. */
async function withPage(path, options, use) {
  const context = await where.newContext({ viewport: SIZES["1440 pixels"], reducedMotion: "reduce", bypassCSP: true, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT);
  const problems = [];
  page.requested = [];
  await context.route("**", (route) => {
    const url = route.request().url();
    page.requested.push(url);
    return url.startsWith(`${server.origin}/cpaas/`) ? route.continue() : route.abort();
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(`${message.text()} ${message.location().url}`));
  try {
    await page.goto(`${server.origin}/cpaas/${path}`);
    await use(page);
    assert.deepEqual(page.requested.filter((url) => !url.startsWith(`${server.origin}/cpaas/`)), []);
    assert.ok(page.requested.length > 1);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
  }
}

/** The composer in the frame of its page, after it has loaded its module. */
async function composer(page) {
  const frame = await (await page.waitForSelector("iframe.composer")).contentFrame();
  await frame.waitForFunction(() => !document.querySelector("#verdict")?.textContent.startsWith("Loading"));
  return frame;
}

test("every internal link leads to a page and an anchor, and nothing is loaded from other hosts", () => {
  const pages = sitePages();
  const { count, broken, repeated, loaded } = checkLinks(pages, new Set(siteFiles()));
  assert.ok(pages.size > 60 && count > 5000, `${pages.size} pages, ${count} links`);
  assert.deepEqual(broken, []);
  assert.deepEqual(repeated, []);
  assert.deepEqual(loaded, []);
});

test("the check of links finds a missing page, a missing anchor, an id that occurs twice and another host", () => {
  const page = '<link href="https://fonts.example/a.css"><h1 id="a"></h1><p id="a"><a href="../b/#c">c</a><a href="../b/#d">d</a><a href="../e/">e</a><a href="https://other.example">f</a>';
  const pages = new Map([["a/index.html", page], ["b/index.html", '<h1 id="c"></h1>']]);
  assert.deepEqual(checkLinks(pages, new Set(pages.keys())), {
    count: 3,
    broken: ["a/index.html: ../b/#d", "a/index.html: ../e/"],
    repeated: ["a/index.html: #a"],
    loaded: ["a/index.html: <link> https://fonts.example/a.css"],
  });
});

test("each page has one title", () => {
  for (const [name, page] of sitePages()) assert.equal([...page.matchAll(/<h1[ >]/g)].length, 1, name);
});

test("the search finds passcode", () =>
  withPage("", {}, async (page) => {
    await page.getByRole("textbox", { name: "Search" }).fill("passcode");
    const first = page.locator('.md-search-result__item a[href*="h=passcode"]').first();
    await first.waitFor();
    assert.match(await first.textContent(), /passcode/i);
    await first.click();
    await page.waitForURL(/[?&]h=passcode/);
    await page.locator("mark", { hasText: /passcode/i }).first().waitFor({ state: "attached" });
  }));

/** The background of the page: its brightness from 0 to 255. */
const brightness = (page) => page.evaluate(() => Math.max(...getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).map(Number)));

test("the button for the colors switches to light, then to dark, and the next page keeps it", () =>
  withPage("", { colorScheme: "dark" }, async (page) => {
    assert.ok((await brightness(page)) < 60, "the colors of the system");
    await page.getByTitle("Switch to light colors").click();
    assert.ok((await brightness(page)) > 200);
    await page.getByTitle("Switch to dark colors").click();
    assert.ok((await brightness(page)) < 60);
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(`${server.origin}/cpaas/composer/`);
    assert.ok((await brightness(page)) < 60);
    const frame = await composer(page);
    assert.ok((await brightness(frame)) < 60, "the composer has the colors of the page");
  }));

test("tabs show one language each, and a link to a section opens its tab", () =>
  withPage("", {}, async (page) => {
    const rust = page.getByText("sms::SendSms::new").first();
    assert.equal(await rust.isVisible(), false);
    await page.locator(".tabbed-labels label", { hasText: "Rust" }).click();
    await rust.waitFor();
    await page.goto(`${server.origin}/cpaas/other-languages/#ruby`);
    await page.getByText("fiddle/import").first().waitFor();
    assert.equal(await page.getByText("require(\"ffi\")").first().isVisible(), false, "the tab of LuaJIT is closed");
    await page.goto(`${server.origin}/cpaas/migration-twilio/#after-cpaas-in-javascript`);
    await page.locator("#after-cpaas-in-javascript").waitFor();
    assert.equal(await page.locator("#after-cpaas-in-python").isVisible(), false, "a section within a tab opens the tab, too");
  }));

test("a button copies a block of code", () =>
  withPage("rust/", { permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
    const block = page.locator(".highlight", { hasText: "or_env" }).first();
    await block.hover();
    await block.locator("button").first().click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes("let config = Config::default()"));
    assert.doesNotMatch(await page.evaluate(() => navigator.clipboard.readText()), /# Ok/, "lines that rustdoc hides");
  }));

test("the composer runs in its page without a server: it counts a text, and shows the request", () =>
  withPage("composer/", {}, async (page) => {
    const frame = await composer(page);
    await frame.selectOption("#operation", "sms.send");
    await frame.locator('[data-pointer="/text"] textarea').fill("a".repeat(161));
    await frame.waitForFunction(() => document.querySelector("#json").value.includes("a".repeat(161)));
    await frame.locator("sms-counter").getByText(/2 (parts|SMS)/).first().waitFor();
    const code = frame.locator("#code pre", { hasText: "a".repeat(161) });
    assert.match(await code.textContent(), /^curl "\$CPAAS_SMS_URL\//);
    assert.ok(page.requested.some((url) => url.endsWith("/composer/app/cpaas/pkg/web/cpaas_bg.wasm")));
  }));

for (const [size, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ["light", "dark"]) {
    for (const [kind, path] of Object.entries(KINDS)) {
      test(`axe finds no violation, and nothing is wider than the page: ${kind}, ${size}, ${colorScheme}`, () =>
        withPage(path, { viewport, colorScheme }, async (page) => {
          if (kind === "composer") await composer(page);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "wider than the page");
          for (const frame of page.frames()) {
            await frame.evaluate(axe);
            const found = await frame.evaluate(async () => (await window.axe.run({ iframes: false })).violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`)));
            assert.deepEqual(found.slice(0, 5), [], `${found.length} violations`);
          }
        }));
    }
  }
}
