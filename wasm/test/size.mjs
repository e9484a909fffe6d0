// `node size.mjs`: prints the compressed size of what a page loads for an import beside its budget, and fails if a size in the table of
// docs/browser.md differs by more than 1 %. `node size.mjs --write` writes that table.
// Scripts are counted as a bundler writes them: minified, and only what is imported.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
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
const element = combined(sizes(file("segments/segments_bg.wasm")), sizes(await bundle('import "./elements/elements.js";')), 1);
const all = sizes(await bundle('export * from "./js/browser.js";'));

const parts = {
  "module (`cpaas_bg.wasm`)": module,
  "glue of wasm-bindgen": combined(scripts, wrapper, -1),
  "wrapper (`js/`)": wrapper,
  "the four imports together": together,
  "every export of `cpaas`": combined(module, all, 1),
  "`cpaas/segments`": counting,
  "`cpaas/elements`": element,
  "`cpaas/inline`": sizes(file("inline/inline.js")),
  "`cpaas/phone` (`cpaas_phone_bg.wasm`)": sizes(file("phone/cpaas_phone_bg.wasm")),
};
for (const [part, { gzip, brotli }] of Object.entries(parts)) console.log(`${part.padEnd(34)} gzip: ${gzip} bytes, brotli: ${brotli} bytes`);
const { gzip } = together;
const state = gzip <= LIMIT ? `${LIMIT - gzip} left` : `exceeded by ${gzip - LIMIT}`;
console.log(`${"budget".padEnd(34)} gzip: ${LIMIT} bytes: ${state}`);

const page = new URL("../../docs/browser.md", import.meta.url);
const before = readFileSync(page, "utf8");
const stale = [];
const after = before.replace(/^\| (.+) \| ([\d,]+) bytes \| ([\d,]+) bytes \|$/gm, (row, part, ...shown) => {
  const sizes = parts[part];
  if (!sizes) return row;
  const differs = (size, text) => Math.abs(Number(text.replaceAll(",", "")) / size - 1) > 0.01;
  if (differs(sizes.gzip, shown[0]) || differs(sizes.brotli, shown[1])) stale.push(part);
  delete parts[part];
  return `| ${part} | ${sizes.gzip.toLocaleString("en")} bytes | ${sizes.brotli.toLocaleString("en")} bytes |`;
});
stale.push(...Object.keys(parts)); // rows that the page lacks
if (process.argv[2] === "--write") writeFileSync(page, after);
else if (stale.length) console.log(`docs/browser.md is stale (${stale.join(", ")}): run node wasm/test/size.mjs --write`);
process.exit(stale.length ? 1 : 0);
