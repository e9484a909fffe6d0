// `node size.mjs`: prints the compressed size of what a page loads for an import, and fails above the limit.
// Scripts are counted as a bundler writes them: minified, and only what is imported.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";

/** Bytes of gzip of `import { init, segments, validate, schema } from "cpaas"`. */
const LIMIT = 110_000;

const root = fileURLToPath(new URL("../", import.meta.url));

async function bundle(contents, external = []) {
  const options = { bundle: true, write: false, minify: true, format: "esm", logLevel: "error", external };
  return Buffer.from((await build({ ...options, stdin: { contents, resolveDir: root } })).outputFiles[0].contents);
}

const file = (name) => readFileSync(`${root}pkg/${name}`);
const sizes = (bytes) => ({ gzip: execFileSync("gzip", ["-9c"], { input: bytes }).length, brotli: brotliCompressSync(bytes).length });
const combined = (one, other, sign) => ({ gzip: one.gzip + sign * other.gzip, brotli: one.brotli + sign * other.brotli });

const NAMES = 'export { init, segments, validate, schema } from "./js/browser.js";';
const module = sizes(file("web/cpaas_bg.wasm"));
const scripts = sizes(await bundle(NAMES));
const wrapper = sizes(await bundle(NAMES, ["*/pkg/web/cpaas.js"]));
const together = combined(module, scripts, 1);
const counting = combined(sizes(file("segments/segments_bg.wasm")), sizes(file("segments/browser.js")), 1);
const all = sizes(await bundle('export * from "./js/browser.js";'));

const parts = {
  "module": module,
  "glue": combined(scripts, wrapper, -1),
  "wrapper": wrapper,
  "init, segments, validate, schema": together,
  "every export of cpaas": combined(module, all, 1),
  "cpaas/segments": counting,
  "cpaas/inline": sizes(file("inline/inline.js")),
};
for (const [part, { gzip, brotli }] of Object.entries(parts)) console.log(`${part.padEnd(34)} gzip: ${gzip} bytes, brotli: ${brotli} bytes`);
const { gzip } = together;
const state = gzip <= LIMIT ? `${LIMIT - gzip} left` : `exceeded by ${gzip - LIMIT}`;
console.log(`${"budget".padEnd(34)} gzip: ${LIMIT} bytes: ${state}`);
process.exit(gzip <= LIMIT ? 0 : 1);
