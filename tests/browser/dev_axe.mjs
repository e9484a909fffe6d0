import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { browser } from "./fixtures.mjs";
import { serveSite } from "./site_files.mjs";
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const server = await serveSite(); const where = await browser();
const seen = new Map();
for (const colorScheme of ["light", "dark"]) for (const width of [1440, 390]) for (const path of process.argv.slice(2)) {
  const context = await where.newContext({ viewport: { width, height: 900 }, colorScheme, reducedMotion: "reduce", bypassCSP: true });
  const page = await context.newPage(); page.setDefaultTimeout(60000);
  await page.goto(`${server.origin}/cpaas/${path}`);
  if (path.startsWith("composer")) await page.waitForTimeout(4000);
  if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) console.log("WIDE", path, width);
  for (const frame of page.frames()) {
    await frame.evaluate(axe);
    for (const { id, nodes } of await frame.evaluate(async () => (await window.axe.run({ iframes: false })).violations)) for (const n of nodes) {
      const colors = n.any?.[0]?.data?.contrastRatio ? `${n.any[0].data.fgColor} on ${n.any[0].data.bgColor} ${n.any[0].data.contrastRatio}` : "";
      const key = `${id} ${colors || n.target.join(" ")}`;
      if (!seen.has(key)) { seen.set(key, 0); console.log(colorScheme, width, path, key, n.target.join(" ").slice(0,90), n.html.replace(/\s+/g, " ").slice(0, 110)); }
    }
  }
  await context.close();
}
await where.close(); server.close();
