// The packed package in a separate project: Vite's development server, which bundles packages without the module's file.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { createServer } from "vite";
import { root, withPage } from "./chromium.mjs";
import { blocks } from "./doc_blocks.mjs";

let folder, server;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cpaas-vite-"));
  mkdirSync(`${folder}/node_modules`);
  writeFileSync(`${folder}/package.json`, '{ "private": true, "type": "module" }');
  for (const name of readdirSync(`${root}node_modules`)) {
    if (!name.startsWith(".")) symlinkSync(`${root}node_modules/${name}`, `${folder}/node_modules/${name}`);
  }
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root, encoding: "utf8" }).trim();
  execFileSync("tar", ["xzf", packed], { cwd: folder });
  cpSync(`${folder}/package`, `${folder}/node_modules/cpaas`, { recursive: true });
  cpSync(`${root}test/react/index.html`, `${folder}/index.html`);
  cpSync(`${root}test/react/main.tsx`, `${folder}/main.tsx`);
  writeFileSync(`${folder}/tools.html`, '<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,"><script type="module" src="tools.js"></script>');
  writeFileSync(`${folder}/tools.js`, 'import { annotate, init } from "cpaas"; await init(); document.title = `${annotate("it’s").causes.length} cause`;');
  mkdirSync(`${folder}/block`);
  writeFileSync(`${folder}/block/form-0.tsx`, blocks("docs/browser.md", "tsx")[0]);
  server = await createServer({ root: folder, configFile: false, logLevel: "error", esbuild: { jsx: "automatic" }, server: { host: "127.0.0.1", port: 0 } });
  await server.listen();
});
after(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the form works in Vite's development server without configuration", async () => {
  const visit = (page) => page.goto(`http://127.0.0.1:${server.httpServer.address().port}/`, { waitUntil: "networkidle" });
  // On the first visit Vite discovers the packages and reloads the page: errors of that visit are ignored.
  await withPage({}, visit).catch(() => {});
  await withPage({}, async (page) => {
    await visit(page);
    await page.click("text=Send");
    await page.waitForFunction(() => document.querySelector("[role=alert]").textContent !== "");
    assert.match(await page.textContent("[role=alert]"), /2/);
    await page.click("text=One more card");
    await page.click("text=Send");
    await page.waitForFunction(() => document.title === "sent 2");
  });
});

test("init loads the tools module in Vite's development server", async () => {
  await withPage({}, async (page) => {
    await page.goto(`http://127.0.0.1:${server.httpServer.address().port}/tools.html`);
    await page.waitForFunction(() => document.title === "1 cause");
  });
});

test("the packed package contains licenses, README and types, and no tests or sources", () => {
  const files = readdirSync(`${folder}/node_modules/cpaas`, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => name);
  for (const name of ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY-LICENSES", "cpaas.cdx.json", "index.d.ts", "requests.d.ts", "cpaas_bg.wasm"]) assert.ok(files.includes(name), name);
  assert.ok(files.every((name) => !/test|bench|\.rs$|composer/.test(name)), files.join(" "));
});
