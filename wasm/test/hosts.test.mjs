// The packed package in the hosts of docs/bundlers.md: `HOSTS=folder node --test`. The folder is a copy of wasm/test/hosts with its npm
// packages and the packed package; tests/nightly/wasm_runtimes.sh creates it.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { createContext, runInContext } from "node:vm";
import { serve, withPage } from "./chromium.mjs";
import { section } from "./doc_blocks.mjs";
import { printed } from "./printed.mjs";

const folder = process.env.HOSTS ?? assert.fail("HOSTS must name the folder that tests/nightly/wasm_runtimes.sh creates");
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", PARCEL_WORKER_BACKEND: "process" };
const bin = (name) => `${folder}/node_modules/.bin/${name}`;
const runIn = (cwd) => (command, ...args) => execFileSync(command, args, { cwd, encoding: "utf8", env, stdio: ["ignore", "pipe", "pipe"] });
const run = runIn(folder);
const page = "docs/bundlers.md";
const block = (heading, language, index = 0) => section(page, heading, language)[index];

/** Writes files below the folder; returns the path of the first one's folder. */
function write(files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return join(folder, Object.keys(files)[0], "..");
}

const tested = new Map();

/** The test of a host, which is a row of the table in docs/bundlers.md. `packages` are those of hosts/package.json whose versions the row names. */
function host(name, packages, use) {
  tested.set(name, packages);
  test(name, use);
}

const html = (attributes) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,"><body><script ${attributes}></script>`;

/** A script that also calls a function of the tools module, which bundlers put into a file of its own. */
const withTools = (script) => `${script}\nimport { annotate } from "cpaas";\ninit().then(() => (document.body.dataset.causes = annotate("it’s").causes.length));\n`;

/** The results of a page in a folder that is served: the attributes of its body. */
async function resultsIn(site, names) {
  const server = await serve({ site });
  let results;
  try {
    await withPage({}, async (view) => {
      await view.goto(`${server.origin}/site/index.html`);
      await view.waitForFunction((all) => all.every((name) => document.body.dataset[name] !== undefined), names);
      results = await view.evaluate(() => ({ ...document.body.dataset }));
    });
  } finally {
    server.close();
  }
  return results;
}
const assertTools = async (site) => assert.deepEqual(await resultsIn(site, ["pointer", "causes"]), { pointer: "/text", causes: "1" });

host("Node", [], () => assert.match(run(process.execPath, "run.mjs"), /cpaas works/));
host("Deno", ["deno"], () => assert.match(run(bin("deno"), "run", "--allow-read", "run.mjs"), /cpaas works/));
host("Bun", ["bun"], () => assert.match(run(bin("bun"), "run.mjs"), /cpaas works/));

/** Runs a program in a new folder, where the package is not installed. */
function elsewhere(file, ...command) {
  const moved = mkdtempSync(join(folder, "../moved-"));
  const name = file.split("/").pop();
  copyFileSync(file, `${moved}/${name}`);
  return runIn(moved)(command[0] ?? `./${name}`, ...command.slice(1), ...(command.length ? [name] : []));
}

host("`bun build`", ["bun"], () => {
  run(bin("bun"), "build", "run.mjs", "--target=bun", "--outfile=bun/run.mjs");
  assert.match(elsewhere(`${folder}/bun/run.mjs`, bin("bun")), /cpaas works/);
});
host("`bun build --compile`", ["bun"], () => {
  run(bin("bun"), "build", "--compile", "run.mjs", "--outfile=bun/program");
  assert.match(elsewhere(`${folder}/bun/program`), /cpaas works/);
});
host("esbuild, for Node", ["esbuild"], () => {
  for (const [format, ending] of [["esm", "mjs"], ["cjs", "cjs"]]) {
    write({ "node/main.mjs": block("Bundles for servers", "js") });
    run(bin("esbuild"), "node/main.mjs", "--bundle", "--platform=node", `--format=${format}`, "--log-level=error", `--outfile=node/out.${ending}`);
    assert.match(elsewhere(`${folder}/node/out.${ending}`, process.execPath), /^\/text$/m);
  }
});
host("esbuild, for pages", ["esbuild"], async () => {
  const site = write({ "esbuild/main.js": withTools(block("esbuild", "js")), "esbuild/index.html": html('type="module" src="dist/main.js"') });
  run(bin("esbuild"), "esbuild/main.js", "--bundle", "--format=esm", "--outdir=esbuild/dist", "--loader:.wasm=file", "--public-path=/site/dist", "--log-level=error");
  await assertTools(site);
});
host("Vite", ["vite"], async () => {
  const site = write({ "vite/main.js": withTools(block("Vite", "js")), "vite/index.html": html('type="module" src="./main.js"') });
  run(bin("vite"), "build", "vite", "--base", "./", "--logLevel", "error");
  await assertTools(`${site}/dist`);
});
host("Rollup", ["rollup"], async () => {
  const site = write({ "rollup/main.js": withTools(block("Rollup", "js", 0)), "rollup/rollup.config.js": block("Rollup", "js", 1), "rollup/index.html": html('type="module" src="dist/main.js"') });
  runIn(site)(bin("rollup"), "--config", "--silent");
  await assertTools(site);
});
host("webpack", ["webpack"], async () => {
  const site = write({ "webpack/main.js": withTools(block("webpack", "js")), "webpack/index.html": html('defer src="dist/main.js"') });
  run(bin("webpack"), "--mode", "production", "--entry", "./webpack/main.js", "--output-path", "webpack/dist");
  await assertTools(site);
});
host("Rspack", ["@rspack/core"], async () => {
  const site = write({ "rspack/main.js": withTools(block("webpack", "js")), "rspack/index.html": html('defer src="dist/main.js"') });
  const options = { mode: "production", context: site, entry: "./main.js", output: { path: `${site}/dist` } };
  const script = `import { rspack } from "@rspack/core"; rspack(${JSON.stringify(options)}, (error, stats) => { if (error ?? stats.hasErrors()) throw error ?? new Error(stats.toString()); });`;
  run(process.execPath, "--input-type=module", "-e", script);
  await assertTools(site);
});
const counting = (entry) => `import { init, segments } from "${entry}"; await init(); document.body.dataset.pointer = segments("я".repeat(71)).count;`;
const PARCEL = {
  cpaas: [withTools(block("Vite", "js")), { pointer: "/text", causes: "1" }],
  "cpaas/inline": [block("Vite", "js").replace('"cpaas"', '"cpaas/inline"'), { pointer: "/text" }],
  "cpaas/segments": [counting("cpaas/segments"), { pointer: "2" }],
  "cpaas/sms": [counting("cpaas/sms"), { pointer: "2" }],
};
for (const [entry, [script, expected]] of Object.entries(PARCEL)) {
  host(`Parcel, \`${entry}\``, ["parcel"], async () => {
    const name = `parcel-${entry.replace("/", "-")}`;
    write({ [`${name}/main.js`]: script, [`${name}/index.html`]: html('type="module" src="main.js"') });
    run(bin("parcel"), "build", `${name}/index.html`, "--dist-dir", `${name}/dist`, "--public-url", "./", "--no-cache", "--log-level", "error");
    assert.deepEqual(await resultsIn(`${folder}/${name}/dist`, Object.keys(expected)), expected);
  });
}

host("vitest", ["vitest"], () => {
  write({ "vitest/sms.test.mjs": block("vitest", "js") });
  assert.match(run(bin("vitest"), "run", "--root", "vitest"), /1 passed/);
});
host("vitest with jsdom", ["vitest", "jsdom"], () => {
  write({ "vitest-jsdom/sms.test.mjs": block("vitest", "js") });
  assert.match(run(bin("vitest"), "run", "--root", "vitest-jsdom", "--environment", "jsdom"), /1 passed/);
});
for (const [name, environment, packages] of [["Jest", "node", ["jest"]], ["Jest with jsdom", "jsdom", ["jest", "jest-environment-jsdom"]]]) {
  host(name, packages, () => {
    const site = write({ [`jest-${environment}/sms.test.js`]: block("Jest", "js"), [`jest-${environment}/package.json`]: '{ "type": "commonjs" }' });
    run(bin("jest"), "--rootDir", site, "--ci", "--env", environment); // throws if a test fails
  });
}

let next;
async function inNext(use) {
  if (!next) {
    const route = block("Next", "js");
    write({
      "next/app/page.jsx": block("Next", "jsx", 0), "next/app/client.jsx": block("Next", "jsx", 1), "next/app/route/route.js": route,
      "next/app/edge/route.js": `export const runtime = "edge";\n${route}`,
      "next/app/form/page.jsx": block("Next, with a server action", "jsx"), "next/app/form/actions.js": block("Next, with a server action", "js"),
    });
    next = run(bin("next"), "build", "next");
  }
  const server = spawn(bin("next"), ["start", "next", "-p", "0", "-H", "127.0.0.1"], { cwd: folder, env });
  try {
    await use(await printed(server, /(http:\/\/127\.0\.0\.1:\d+)[^]*Ready/));
  } finally {
    server.kill();
  }
}

host("Next, a server component and a client component", ["next"], () => inNext((origin) => withPage({}, async (view) => {
  await view.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
  await view.goto(origin);
  assert.equal(await view.textContent("#server"), "/text");
  await view.waitForFunction(() => document.querySelector("#client").textContent === "/text");
})));
for (const [name, javaScriptEnabled] of [["Next, a server action", true], ["Next, a server action without JavaScript in the page", false]]) {
  host(name, ["next"], () => inNext((origin) => withPage({ javaScriptEnabled }, async (view) => {
    await view.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
    await view.goto(`${origin}/form`, { waitUntil: "networkidle" });
    await view.click("button");
    await view.waitForSelector("li");
    assert.deepEqual(await view.locator("li").allTextContents(), ["text: must not be missing or empty"]);
    await view.fill("[name=text]", "Hi");
    await view.click("button");
    await view.waitForSelector("li", { state: "detached" });
  })));
}
for (const [name, path] of [["Next, a route handler", "route"], ["Next, a route handler at the edge", "edge"]]) {
  host(name, ["next"], () => inNext(async (origin) => {
    const response = await fetch(`${origin}/${path}`, { method: "POST", body: '{"from":"Acme","to":"306912345678","text":""}' });
    assert.deepEqual((await response.json()).errors.map(({ pointer }) => pointer), ["/text"]);
  }));
}

host("Cloudflare Workers", ["workerd"], async () => {
  const site = write({
    "workerd/main.js": block("Cloudflare Workers", "js"),
    "workerd/config.capnp": `using Workerd = import "/workerd/workerd.capnp";
      const modules :List(Workerd.Worker.Module) = [
        (name = "main.js", esModule = embed "dist/main.js"),
        (name = "cpaas_bg.wasm", wasm = embed "dist/cpaas_bg.wasm"),
        (name = "cpaas_tools_bg.wasm", wasm = embed "dist/cpaas_tools_bg.wasm"),
      ];
      const config :Workerd.Config = (
        services = [(name = "main", worker = (modules = .modules, compatibilityDate = "2025-01-01"))],
        sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
      );`,
  });
  run(bin("esbuild"), "workerd/main.js", "--bundle", "--format=esm", "--conditions=workerd", "--loader:.wasm=copy", "--asset-names=[name]", "--outdir=workerd/dist", "--log-level=error");
  const server = spawn(bin("workerd"), ["serve", "config.capnp", "--control-fd=1"], { cwd: site, env });
  try {
    const port = await printed(server, /"event":"listen","socket":"http","port":(\d+)/);
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: '{"from":"Acme","to":"306912345678","text":""}' });
    assert.deepEqual((await response.json()).errors.map(({ pointer }) => pointer), ["/text"]);
  } finally {
    server.kill();
  }
});

host("React Native (Metro)", ["metro"], async () => {
  const site = write({
    "metro/main.js": block("React Native", "js"),
    "metro/metro.config.cjs": `module.exports = { projectRoot: __dirname, watchFolders: [${JSON.stringify(folder)}], resolver: { unstable_conditionNames: ["react-native", "require"], resolverMainFields: ["react-native", "browser", "main"] } };`,
  });
  runIn(site)(bin("metro"), "build", "main.js", "--config", "metro.config.cjs", "--out", "dist.js", "--platform", "ios", "--dev", "false");
  const script = readFileSync(`${site}/dist.js`, "utf8");
  const said = async (globals) => {
    const context = createContext({ TextDecoder, TextEncoder, atob, ...globals });
    if (!globals.WebAssembly) runInContext("delete globalThis.WebAssembly", context);
    runInContext(`globalThis.global = globalThis; ${script}`, context);
    return context.checked;
  };
  assert.equal(await said({ WebAssembly }), "/text");
  assert.match(await said({}), /^init: the module was not loaded: .*this engine has no WebAssembly, like Hermes of React Native$/);
});

test("the table of docs/bundlers.md lists these hosts, with the versions that are tested", () => {
  const { dependencies } = JSON.parse(readFileSync(new URL("hosts/package.json", import.meta.url), "utf8"));
  const rows = readFileSync(new URL(`../../${page}`, import.meta.url), "utf8").split("## Hosts\n")[1].split("\n## ")[0];
  const listed = [...rows.matchAll(/^\| (?!Host|---)(.+?) \| (.+?) \|/gm)].map(([, name, version]) => `${name}: ${version}`);
  const expected = [...tested].map(([name, packages]) => `${name}: ${packages.map((one) => dependencies[one]).join(", ") || process.versions.node}`);
  assert.deepEqual(listed.sort(), expected.sort());
});
