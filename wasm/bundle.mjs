// Writes to pkg: `cpaas/inline` (with the module in base64), `cpaas/segments` (with the module that only counts), and the modules as
// scripts.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeBytes } from "./bytes.mjs";

const root = fileURLToPath(new URL("./", import.meta.url));
const common = { absWorkingDir: root, bundle: true, minify: true, target: "es2022", logLevel: "error", legalComments: "none" };

// The modules in base64: the tools module, and those that a bundle for servers may have left behind.
for (const module of ["tools/cpaas_tools", "web/cpaas", "segments/segments"]) writeBytes(`${root}pkg/${module}_bg.wasm`);

/** A plugin for bundles with one module: the wrapper is the same, but the glue, tools-module.js and the name of the entry are replaced. */
const withOneModule = (glue, entry) => ({
  name: "one module",
  setup(build) {
    build.onResolve({ filter: /\/pkg\/web\/cpaas\.js$/ }, () => ({ path: `${root}${glue}` }));
    build.onResolve({ filter: /^\.\/tools-module\.js$/ }, () => ({ path: `${root}js/tools-in-main-module.js` }));
    build.onLoad({ filter: /\/js\/entry\.js$/ }, () => ({ contents: `export const ENTRY = "${entry}";` }));
  },
});
const inline = { ...common, entryPoints: ["js/inline.js"], inject: ["js/text-coding.js"], loader: { ".wasm": "binary" }, plugins: [withOneModule("pkg/inline/glue.js", "cpaas/inline")] };
await build({ ...inline, format: "esm", outfile: "pkg/inline/inline.js" });
await build({ ...inline, format: "cjs", outfile: "pkg/inline/inline.cjs" });
await build({ ...inline, format: "iife", globalName: "cpaas", outfile: "pkg/inline/inline.global.js" });

const segments = { ...common, format: "esm", plugins: [withOneModule("pkg/segments/glue.js", "cpaas/segments")], external: ["node:*", "./bytes.js"], logOverride: { "import-is-undefined": "silent" } };
await build({ ...segments, entryPoints: ["js/segments-browser.js"], outfile: "pkg/segments/browser.js" });
await build({ ...segments, entryPoints: ["js/segments-node.js"], outfile: "pkg/segments/node.js" });

// The types of `cpaas/inline` differ in one place: `initSync` needs no bytes, because they are part of the script.
const types = readFileSync(`${root}js/index.d.ts`, "utf8").replace("initSync(bytes: ", "initSync(bytes?: ");
const modules = ["report", "requests", "markup"];
const beside = (path) => modules.reduce((text, name) => text.replaceAll(`./${name}.js`, path(name)), types);
writeFileSync(`${root}pkg/inline/inline.d.ts`, beside((name) => `../../js/${name}.js`));
writeFileSync(`${root}pkg/inline/inline.d.cts`, beside((name) => `./${name}.cjs`));
for (const name of modules) copyFileSync(`${root}js/${name}.d.ts`, `${root}pkg/inline/${name}.d.cts`);
