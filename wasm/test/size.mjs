// `node size.mjs`: what `import { … } from "cpaas"` makes a page load, packed, and the limit for it. The scripts are
// counted as a bundler ships them: minified, with everything that the main entry exports.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";

/** Bytes of gzip. */
const LIMIT = 92_160;

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
console.log(`limit      gzip: ${LIMIT} bytes: ${gzip <= LIMIT ? `${LIMIT - gzip} left` : `exceeded by ${gzip - LIMIT}`}`);
process.exit(gzip <= LIMIT ? 0 : 1);
