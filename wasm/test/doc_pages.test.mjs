// Runs the page and the form of docs/browser.md in Chromium, and its server and the block of wasm/README.md in Node.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync, mkdirSync } from "node:fs";
import test, { after, before } from "node:test";
import { root, serve, withPage } from "./chromium.mjs";
import { blocks, section } from "./doc_blocks.mjs";

let server;
before(async () => {
  mkdirSync(`${root}test/react/block`, { recursive: true });
  writeFileSync(`${root}test/react/block/index.html`, blocks("docs/browser.md", "html")[0].replace("</title>", '</title><link rel="icon" href="data:," />'));
  server = await serve({ cpaas: root, page: `${root}test/react/block`, form: `${root}test/.react`, composer: `${root}composer`, pages: `${root}test/pages` });
});
after(() => server.close());

test("the plain page counts, refuses an empty text and sends a valid one", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${server.origin}/page/`);
    await page.waitForFunction(() => document.querySelector("#cost").textContent !== "");
    assert.match(await page.textContent("#cost"), /^1 SMS, \d+ left \(ucs2\)$/);
    await page.fill("textarea", "");
    assert.notEqual(await page.textContent("#fault"), "");
    await page.click("button");
    assert.equal(new URL(page.url()).search, "");
    await page.fill("textarea", "Hi");
    assert.equal(await page.textContent("#fault"), "");
    await page.click("button");
    await page.waitForURL(/text=Hi/);
  });
});

test("a plain page refuses an invalid carousel and accepts the fixed one", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${server.origin}/pages/empty.html`);
    const said = await page.evaluate(async () => {
      const { schema } = await import("/cpaas/js/browser.js");
      const card = { title: "Red shoe", media: { height: "MEDIUM", contentInfo: { fileUrl: "https://shop.example/red.png" } } };
      const message = (...cardContents) => ({
        trafficAccountId: "0f8fad5b-d9cb-469f-a165-70867728950e",
        destination: "306912345678",
        business_chat: { fallback: "Shoes", carouselCard: { cardWidth: "MEDIUM", cardContents } },
      });
      const { validate } = schema("messages.send")["~standard"];
      const bad = await validate(message(card));
      return { path: bad.issues[0].path, good: (await validate(message(card, card))).issues === undefined };
    });
    assert.deepEqual(said, { path: ["business_chat", "carouselCard", "cardContents"], good: true });
  });
});

test("the React form refuses an invalid carousel and accepts the fixed one", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${server.origin}/form/`);
    await page.click("text=Send");
    await page.waitForFunction(() => document.querySelector("[role=alert]").textContent !== "");
    assert.match(await page.textContent("[role=alert]"), /2/);
    assert.equal(await page.title(), "Form");
    await page.click("text=One more card");
    await page.click("text=Send");
    await page.waitForFunction(() => document.title !== "Form");
    assert.equal(await page.title(), "sent 2");
  });
});

test("the documented content security policy is sufficient", async () => {
  await withPage({}, async (page) => {
    await page.route("**/pages/empty.html", async (route) => {
      const response = await route.fetch();
      const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:";
      await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": policy } });
    });
    await page.goto(`${server.origin}/pages/empty.html`);
    assert.equal(await page.evaluate(async () => { const api = await import("/cpaas/js/browser.js"); await api.init(); return api.segments("a").count; }), 1);
  });
});

test("the server of docs/browser.md responds in Node", () => {
  const block = section("docs/browser.md", "On a server, in Node", "js")[0];
  const script = `${block}
    server.listen(0, "127.0.0.1", async () => {
      const url = "http://127.0.0.1:" + server.address().port;
      const send = async (body) => { const response = await fetch(url, { method: "POST", body }); return [response.status, (await response.json()).errors.map(({ code }) => code)]; };
      console.log(JSON.stringify([await send('{"from":"Acme","to":"306912345678","text":"Hi"}'), await send("{")]));
      server.close(); server.closeAllConnections();
    });`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { cwd: root, encoding: "utf8" });
  assert.equal(stdout, '[[202,[]],[422,["json.syntax"]]]\n', stderr);
});

test("the block of the package's README runs unchanged", () => {
  const block = blocks("wasm/README.md", "js")[0];
  const { stdout, status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", block], { cwd: root, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /encoding: 'ucs2', count: 1, units: 9, remaining: 61/);
  assert.match(stdout, /^\/text /m);
});
