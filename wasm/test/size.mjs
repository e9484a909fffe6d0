// `node size.mjs`: what `import { … } from "cpaas"` makes a page load, packed, and the limit for it. The scripts are
// counted as a bundler ships them: minified, with everything that the main entry exports.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";

/** Bytes of gzip. The budget is not reached yet: since the browser shares the reader and the messages of every language, it needs more. */
const BUDGET = 92_160;
/** More than this fails, so that the size does not grow unnoticed. */
const LIMIT = 116_000;

const root = fileURLToPath(new URL("../", import.meta.url));

async function bundle(external) {
  const options = { bundle: true, write: false, minify: true, format: "esm", logLevel: "error", external };
  return Buffer.from((await build({ ...options, entryPoints: [`${root}js/browser.js`] })).outputFiles[0].contents);
}

const module = readFileSync(`${root}pkg/web/cpaas_bg.wasm`);
const scripts = await bundle([]);
const wrapper = await bundle(["*/pkg/web/cpaas.js"]);
const sizes = (bytes) => ({ gzip: execFileSync("gzip", ["-9c"], { input: bytes }).length, brotli: brotliCompressSync(bytes).length });
const difference = (all, part) => ({ gzip: all.gzip - part.gzip, brotli: all.brotli - part.brotli });
const sum = (one, other) => ({ gzip: one.gzip + other.gzip, brotli: one.brotli + other.brotli });

const parts = {
  module: sizes(module),
  glue: difference(sizes(scripts), sizes(wrapper)),
  wrapper: sizes(wrapper),
  together: sum(sizes(module), sizes(scripts)),
};
for (const [part, { gzip, brotli }] of Object.entries(parts)) console.log(`${part.padEnd(10)} gzip: ${gzip} bytes, brotli: ${brotli} bytes`);
const { gzip } = parts.together;
const state = gzip <= BUDGET ? `${BUDGET - gzip} left` : `exceeded by ${gzip - BUDGET}`;
console.log(`budget     gzip: ${BUDGET} bytes: ${state}; at most ${LIMIT} bytes pass`);
process.exit(gzip <= LIMIT ? 0 : 1);
