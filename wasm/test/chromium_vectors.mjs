// `node chromium_vectors.mjs EXPECTED`: compares every vector in headless Chromium with Rust's result.
import { dirname, basename } from "node:path";
import { resolve } from "node:path";
import { root, serve, withPage } from "./chromium.mjs";

const file = resolve(process.argv[2]);
const server = await serve({ wasm: root, expected: dirname(file), empty: `${root}test/pages` });
try {
  await withPage({}, async (page) => {
    await page.goto(`${server.origin}/empty/empty.html`);
    const { equal, differences, all } = await page.evaluate(async (name) => {
      const api = await import("/wasm/js/browser.js");
      const { compare } = await import("/wasm/test/compare_with_rust.mjs");
      await api.init();
      const expected = await (await fetch(`/expected/${name}`)).json();
      return { ...compare(expected, api), all: expected.length };
    }, basename(file));
    for (const line of differences.slice(0, 10)) console.log(line);
    console.log(`${equal} of ${all} results byte-identical in Chromium`);
    if (differences.length > 0 || all < 1000) process.exitCode = 1;
  });
} finally {
  server.close();
}
