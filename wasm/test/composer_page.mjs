// Opens the composer on a static server, for its tests. With SHOTS=folder, the tests write the screenshots of docs/.
import { after, before } from "node:test";
import { root, serve, withPage } from "./chromium.mjs";

export let server;
before(async () => (server = await serve({ composer: `${root}composer` })));
after(() => server.close());

export const shots = process.env.SHOTS;

/** Runs `use(page)` with an open composer. */
export async function composer(options, use) {
  await withPage({ viewport: { width: 1440, height: 1000 }, bypassCSP: true, ...options }, async (page) => {
    await page.goto(`${server.origin}/composer/`);
    await page.waitForFunction(() => !document.querySelector("#verdict").textContent.startsWith("Loading"));
    await use(page);
  });
}

export const verdict = (page) => page.textContent("#verdict");
/** Waits until the page is drawn. Long requests and code need a `pause`, because they are drawn when typing pauses. */
export const settled = (page, pause = 0) => page.evaluate((wait) => new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), wait)), pause);
export async function shoot(page, name) {
  if (!shots) return;
  await settled(page, 250);
  await page.evaluate(() => (document.activeElement.blur(), scrollTo(0, 0)));
  await page.screenshot({ path: `${shots}/composer-${name}.png` });
}
export async function choose(page, operation, sample) {
  await page.selectOption("#operation", operation);
  if (sample) await page.selectOption("#sample", sample);
  await settled(page);
}
export const field = (page, pointer) => page.locator(`[data-pointer="${pointer}"]`);
