// `node chromium_vectors.mjs ANSWERS`: every vector in headless Chromium, against what Rust answered.
import { dirname, basename } from "node:path";
import { resolve } from "node:path";
import { root, serve, withPage } from "./chromium.mjs";

const file = resolve(process.argv[2]);
const server = await serve({ wasm: root, answers: dirname(file), empty: `${root}test/pages` });
try {
  await withPage({}, async (page) => {
    await page.goto(`${server.origin}/empty/empty.html`);
    const { right, wrong, all } = await page.evaluate(async (name) => {
      const api = await import("/wasm/js/browser.js");
      const { hold } = await import("/wasm/test/answers.mjs");
      await api.init();
      const answers = await (await fetch(`/answers/${name}`)).json();
      return { ...hold(answers, api), all: answers.length };
    }, basename(file));
    for (const line of wrong.slice(0, 10)) console.log(line);
    console.log(`${right} of ${all} answers byte-identical in Chromium`);
    if (wrong.length > 0 || all < 1000) process.exitCode = 1;
  });
} finally {
  server.close();
}
