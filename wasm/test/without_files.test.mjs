// The packed package where something is missing: the module's file in bundles for servers, `exports`, TextDecoder, WebAssembly, `import()`,
// and what a content security policy forbids: `node --test wasm/test`.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { root, serve, withPage } from "./chromium.mjs";

let folder, cpaas, server;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cpaas-missing-"));
  const packed = execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], { cwd: root, encoding: "utf8" }).trim();
  execFileSync("tar", ["xzf", packed], { cwd: folder });
  mkdirSync(`${folder}/project/node_modules`, { recursive: true });
  cpaas = `${folder}/project/node_modules/cpaas`;
  renameSync(`${folder}/package`, cpaas);
  mkdirSync(`${folder}/site`);
  writeFileSync(`${folder}/site/index.html`, '<!doctype html><html lang="en"><title>t</title><link rel="icon" href="data:,">');
  server = await serve({ site: `${folder}/site`, cpaas });
});
after(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const message = '{ from: "Acme", to: "306912345678", text: "" }';
const ENTRIES = {
  cpaas: `import { annotate, init, validate } from "cpaas"; init().then(() => console.log(validate("sms.send", ${message}).errors[0].pointer, annotate("it’s").causes.length));`,
  "cpaas/segments": 'import { init, segments } from "cpaas/segments"; init().then(() => console.log(segments("я").units));',
  "cpaas/sms": 'import { init, segments } from "cpaas/sms"; init().then(() => console.log(segments("я").units));',
};
const SAID = { cpaas: "/text 1", "cpaas/segments": "1", "cpaas/sms": "1" };

for (const [entry, contents] of Object.entries(ENTRIES)) {
  for (const [format, ending] of [["esm", "mjs"], ["cjs", "cjs"]]) {
    test(`${entry} in a bundle of esbuild for Node (${format}) that runs in another folder`, async () => {
      const options = { bundle: true, write: false, platform: "node", format, logLevel: "error", logOverride: { "empty-import-meta": "silent" } };
      const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir: `${folder}/project` } });
      const elsewhere = mkdtempSync(join(folder, "moved-"));
      writeFileSync(`${elsewhere}/server.${ending}`, outputFiles[0].text);
      assert.equal(execFileSync(process.execPath, [`server.${ending}`], { cwd: elsewhere, encoding: "utf8" }).trim(), SAID[entry]);
    });
  }
}

test("Node reads the file of the installed package and not the script with its bytes; without the file it does", () => {
  const said = (script) => execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: `${folder}/project`, encoding: "utf8" }).trim();
  const [bytes, moved] = [`${cpaas}/pkg/web/bytes.js`, `${cpaas}/pkg/web/moved.js`];
  renameSync(bytes, moved);
  try {
    assert.equal(said(ENTRIES.cpaas), "/text 1");
  } finally {
    renameSync(moved, bytes);
  }
  const [file, away] = [`${cpaas}/pkg/web/cpaas_bg.wasm`, `${cpaas}/pkg/web/away.wasm`];
  renameSync(file, away);
  try {
    assert.equal(said(ENTRIES.cpaas), "/text 1");
  } finally {
    renameSync(away, file);
  }
});

test("a source that the user names is not replaced by the copy in the script", () => {
  for (const [entry, call] of [["cpaas", "init"], ["cpaas/segments", "init"], ["cpaas/sms", "init"], ["cpaas/phone", "loadPhone"]]) {
    const script = `import { ${call} } from "${entry}"; await ${call}(new URL("file:///none/cpaas_bg.wasm")).catch((error) => console.log(error.message));`;
    const said = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: `${folder}/project`, encoding: "utf8" });
    assert.match(said, new RegExp(`^${call}: the module was not loaded: ENOENT[^;]*\n$`), entry);
  }
});

test("the numbering plans name loadPhone when their file is missing", () => {
  const contents = 'import { loadPhone } from "cpaas/phone"; loadPhone().catch((error) => console.log(error.message));';
  const options = { bundle: true, write: false, platform: "node", format: "cjs", logLevel: "error", logOverride: { "empty-import-meta": "silent" } };
  return build({ ...options, stdin: { contents, resolveDir: `${folder}/project` } }).then(({ outputFiles }) => {
    const { stdout } = spawnSync(process.execPath, ["-e", outputFiles[0].text], { cwd: folder, encoding: "utf8" });
    assert.match(stdout, /^loadPhone: the module was not loaded: Invalid URL; .*`loadPhone\(address\)`\n$/);
  });
});

/** The fields of the package.json that a tool without `exports` reads for an entry, and its folder. */
function fields(entry) {
  const inside = join(cpaas, entry.replace(/^cpaas\/?/, ""));
  return { inside, ...JSON.parse(readFileSync(join(inside, "package.json"), "utf8")) };
}

test("tools that do not read exports find each entry, in Node and in bundles for pages", async () => {
  const { exports } = fields("cpaas");
  const names = Object.keys(exports).filter((name) => name === "." || /^\.\/\w+$/.test(name)).map((name) => name.replace(/^\./, "cpaas"));
  for (const entry of ["cpaas", "cpaas/inline", "cpaas/segments", "cpaas/sms", "cpaas/phone", "cpaas/codes", "cpaas/tools"]) assert.ok(names.includes(entry), entry);
  const load = createRequire(`${folder}/project/main.js`);
  for (const entry of names) {
    const { inside, main, module, browser, types, type } = fields(entry);
    assert.equal(type, "module");
    assert.ok(existsSync(join(inside, types)), `${entry}: types`);
    const keys = async (file) => Object.keys(file.endsWith(".cjs") ? load(file) : await import(pathToFileURL(file))).filter((name) => !["default", "module.exports", "start"].includes(name)).sort();
    const expected = await keys(entry === "cpaas/inline" ? load.resolve(entry) : new URL(execFileSync(process.execPath, ["--input-type=module", "-e", `console.log(import.meta.resolve("${entry}"))`], { cwd: `${folder}/project`, encoding: "utf8" }).trim()).pathname);
    for (const file of [main, module, browser]) assert.deepEqual(await keys(join(inside, file)), expected, `${entry}: ${file}`);
  }
  assert.deepEqual([fields("cpaas")["react-native"], fields("cpaas").main], ["./pkg/inline/inline.cjs", "./pkg/inline/inline.cjs"]);
});

test("a bundle by the fields of package.json instead of exports validates in a page", async () => {
  const withoutExports = {
    name: "without exports",
    setup(plugin) {
      plugin.onResolve({ filter: /^cpaas/ }, ({ path }) => {
        const { inside, browser } = fields(path);
        return { path: join(inside, browser) };
      });
    },
  };
  const contents = `
    import { init, validate } from "cpaas/inline"; import * as counting from "cpaas/segments"; import * as main from "cpaas";
    globalThis.results = Promise.all([init(), counting.init("/cpaas/pkg/segments/segments_bg.wasm"), main.init("/cpaas/pkg/web/cpaas_bg.wasm")])
      .then(() => [validate("sms.send", ${message}).errors[0].pointer, counting.segments("я").units, main.segments("я").units]);`;
  const { outputFiles } = await build({ bundle: true, write: false, format: "esm", logLevel: "error", plugins: [withoutExports], stdin: { contents, resolveDir: folder } });
  writeFileSync(`${folder}/site/fields.js`, outputFiles[0].text);
  await withPage({}, async (page) => {
    await page.goto(`${server.origin}/site/index.html`);
    assert.deepEqual(await page.evaluate(async () => { await import("/site/fields.js"); return globalThis.results; }), ["/text", 1, 1]);
  });
});

/** Runs `cpaas/inline` as a script or in CommonJS, in a context with these globals. */
async function inContext(globals, file = "inline.global.js") {
  const context = createContext({ ...globals });
  const script = readFileSync(`${cpaas}/pkg/inline/${file}`, "utf8");
  const isScript = file === "inline.global.js";
  const api = isScript ? runInContext(`${script}; cpaas`, context) : runInContext(`(module) => { ((module, exports, require) => { ${script} })(module, module.exports, require); return module.exports; }`, Object.assign(context, { require: createRequire(import.meta.url) }))({ exports: {} });
  await api.init();
  const { errors } = api.validate("sms.send", { from: "Acme", to: "306912345678", text: "" });
  return [errors[0].pointer, api.segments("я").units, api.annotate("it’s").causes[0].replacement].join();
}

test("cpaas/inline works without TextDecoder and TextEncoder, as in jsdom, where the runtime is Node", async () => {
  for (const file of ["inline.global.js", "inline.cjs"]) assert.equal(await inContext({ process }, file), "/text,1,'", file);
  await assert.rejects(inContext({}), { message: /^cpaas\/inline: this environment has no TextDecoder: set globalThis\.TextDecoder before the import, or use the environment "node" in Jest$/ });
  await assert.rejects(inContext({ TextDecoder }), { message: /has no TextEncoder/ });
  assert.equal(await inContext({ TextDecoder, TextEncoder }), "/text,1,'");
});

test("cpaas/inline names the engine if there is no WebAssembly, as in React Native", async () => {
  const message = "init: the module was not loaded: WebAssembly is not defined; this engine has no WebAssembly, like Hermes of React Native";
  const script = 'delete globalThis.WebAssembly; const cpaas = require("cpaas/inline"); cpaas.init().catch((error) => console.log(error.message));';
  assert.equal(execFileSync(process.execPath, ["-e", script], { cwd: `${folder}/project`, encoding: "utf8" }).trim(), message);
});

/** Opens the empty page with a content security policy; returns the result of `use(page)`, and the errors of the console. */
async function underPolicy(policy, use) {
  let result;
  const errors = await withPage({}, async (page) => {
    await page.route("**/site/index.html", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": policy } });
    });
    await page.goto(`${server.origin}/site/index.html`);
    result = await use(page);
  }).then(() => "", (error) => error.message);
  return [result, errors];
}

const load = (address) => (page) => page.evaluate(async (script) => {
  const api = await import(script);
  return api.init().then(() => api.segments("я").units, (error) => error.message);
}, address);

test("errors under a content security policy name the directive that is missing", async () => {
  const allowed = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; img-src data:";
  assert.deepEqual(await underPolicy(`${allowed}; connect-src 'self'; require-trusted-types-for 'script'`, load("/cpaas/js/browser.js")), [1, ""]);
  assert.deepEqual(await underPolicy(allowed, load("/cpaas/pkg/inline/inline.js")), [1, ""]);
  const [noConnection] = await underPolicy(allowed, load("/cpaas/js/browser.js"));
  assert.match(noConnection, /^init: the module was not loaded: Failed to fetch.*; .* must allow it in connect-src: pass its address to `init\(address\)`, or use cpaas\/inline$/);
  for (const script of ["/cpaas/js/browser.js", "/cpaas/pkg/inline/inline.js", "/cpaas/pkg/segments/browser.js"]) {
    const [noCompiler] = await underPolicy("default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:", load(script));
    assert.match(noCompiler, /^init: the module was not loaded: .*; the content security policy needs script-src 'wasm-unsafe-eval'$/, script);
  }
});

test("a page in place of the module, and a missing file, name the way out, unless the user has named the file", async () => {
  const said = async (response, source) => (await underPolicy("", async (page) => {
    await page.route("**/cpaas_bg.wasm", (route) => route.fulfill(response));
    return page.evaluate(async (address) => {
      const { init } = await import("/cpaas/js/browser.js");
      return init(address).catch((error) => error.message);
    }, source);
  }))[0];
  const advice = "; the bundler must copy the module's file, and the content security policy must allow it in connect-src: pass its address to `init(address)`, or use cpaas/inline";
  const html = await said({ contentType: "text/html", body: "<!doctype html>" });
  assert.match(html, /^init: the module was not loaded: .*magic word/);
  assert.ok(html.endsWith(advice), html);
  const address = `${server.origin}/cpaas/pkg/web/cpaas_bg.wasm`;
  assert.equal(await said({ status: 404 }), `init: the module was not loaded: status 404 for ${address}${advice}`);
  assert.equal(await said({ status: 404 }, address), `init: the module was not loaded: status 404 for ${address}`);
});

/** What a service worker replies. */
async function fromServiceWorker(name, script, options) {
  writeFileSync(`${folder}/site/${name}`, `${script}; onmessage = async ({ source }) => source.postMessage(await work().catch((error) => String(error)));`);
  let reply;
  await withPage({}, async (page) => {
    await page.goto(`${server.origin}/site/index.html`);
    reply = await page.evaluate(async ([address, settings]) => {
      const registration = await navigator.serviceWorker.register(address, settings);
      const worker = registration.installing ?? registration.waiting ?? registration.active;
      if (worker.state !== "activated") await new Promise((done) => worker.addEventListener("statechange", () => worker.state === "activated" && done()));
      const replied = new Promise((done) => navigator.serviceWorker.addEventListener("message", ({ data }) => done(data)));
      navigator.serviceWorker.startMessages();
      worker.postMessage("go");
      return replied;
    }, [`/site/${name}`, options]);
  });
  return reply;
}

test("a service worker validates; without a bundler the tools functions name cpaas/inline, because import() is forbidden there", async () => {
  const work = `async function work() {
    await init(address);
    const pointer = validate("sms.send", ${message}).errors[0].pointer;
    try { return pointer + annotate("it’s").causes.length; } catch (error) { return pointer + " " + error.message; }
  }`;
  const plain = `import { annotate, init, validate } from "/cpaas/js/browser.js"; const address = undefined; ${work}`;
  assert.match(await fromServiceWorker("module.js", plain, { type: "module" }), /^\/text annotate: the tools module was not loaded: .*; cpaas\/inline contains it$/);
  const inline = plain.replace("/cpaas/js/browser.js", "/cpaas/pkg/inline/inline.js");
  assert.equal(await fromServiceWorker("inline.js", inline, { type: "module" }), "/text1");
  const contents = `import { annotate, init, validate } from "cpaas"; const address = "/cpaas/pkg/web/cpaas_bg.wasm"; ${work} globalThis.work = work;`;
  const options = { bundle: true, write: false, format: "iife", conditions: ["browser"], logLevel: "error", logOverride: { "empty-import-meta": "silent" } };
  const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir: `${folder}/project` } });
  assert.equal(await fromServiceWorker("bundled.js", outputFiles[0].text, {}), "/text1");
});
