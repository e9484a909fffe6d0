// The Next route and the Worker of docs/javascript.md, built from the packed package, send to the sandbox: `HOSTS=folder node --test`. The folder
// is a copy of wasm/test/hosts with its npm packages and the packed package; tests/nightly/wasm_runtimes.sh creates it.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test, { after, before } from "node:test";
import { section } from "./doc_blocks.mjs";
import { printed } from "./printed.mjs";

const folder = process.env.HOSTS ?? assert.fail("HOSTS must name the folder that tests/nightly/wasm_runtimes.sh creates");
const binary = process.env.CPAAS_SANDBOX ?? `${process.env.CARGO_TARGET_DIR ?? new URL("../../target", import.meta.url).pathname}/debug/cpaas-sandbox`;
const bin = (name) => `${folder}/node_modules/.bin/${name}`;
const block = (heading) => section("docs/javascript.md", heading, "js")[0];
let sandbox, config;

function write(name, text) {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
}

before(async () => {
  sandbox = spawn(binary, ["--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const ready = await new Promise((found) => createInterface({ input: sandbox.stdout }).on("line", (line) => line.startsWith("{") && found(line)));
  config = JSON.parse(ready).config;
});
after(() => sandbox.kill());

/** Sends by the program at this address, then reads the message from the sandbox. */
async function sends(address, to) {
  const response = await fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ to }) });
  const { id } = await response.json();
  assert.match(id ?? "", /./);
  const { entries } = await (await fetch(`${config.sms_url}/_sandbox/ledger?from=0&limit=100`)).json();
  assert.equal(entries.filter((entry) => entry.to === to).length, 1);
}

test("the Next route, built and started, sends", async () => {
  write("client_next/app/layout.jsx", "export default function Layout({ children }) { return <html lang=\"en\"><body>{children}</body></html>; }\n");
  write("client_next/app/page.jsx", "export default function Page() { return <p>Hello</p>; }\n");
  write("client_next/app/api/send/route.js", `${block("Next")}\nexport const dynamic = "force-dynamic";\n`);
  write("client_next/next.config.mjs", 'export default { serverExternalPackages: ["cpaas"] };\n');
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", CPAAS_SMS_URL: config.sms_url, CPAAS_SMS_KEY: config.sms_key };
  execFileSync(bin("next"), ["build", "client_next"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  const server = spawn(bin("next"), ["start", "client_next", "-p", "0", "-H", "127.0.0.1"], { cwd: folder, env });
  try {
    await sends(`${await printed(server, /(http:\/\/127\.0\.0\.1:\d+)[^]*Ready/)}/api/send`, "306912345683");
  } finally {
    server.kill();
  }
});

test("the Worker, bundled and run by workerd, sends", async () => {
  write("client_worker/main.js", block("Cloudflare Workers"));
  execFileSync(bin("esbuild"), ["client_worker/main.js", "--bundle", "--format=esm", "--conditions=workerd", "--loader:.wasm=copy", "--asset-names=[name]", "--outdir=client_worker/dist", "--log-level=error"], { cwd: folder });
  write("client_worker/config.capnp", `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [(name = "main", worker = .main), (name = "internet", network = (allow = ["public", "private"]))],
      sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
    const main :Workerd.Worker = (
      modules = [(name = "main.js", esModule = embed "dist/main.js"), (name = "cpaas_call_bg.wasm", wasm = embed "dist/cpaas_call_bg.wasm")],
      bindings = [(name = "CPAAS_SMS_URL", text = ${JSON.stringify(config.sms_url)}), (name = "CPAAS_SMS_KEY", text = ${JSON.stringify(config.sms_key)})],
      compatibilityDate = "2026-01-01", globalOutbound = "internet");`);
  const server = spawn(bin("workerd"), ["serve", "config.capnp", "--control-fd=1"], { cwd: join(folder, "client_worker") });
  try {
    await sends(`http://127.0.0.1:${await printed(server, /"event":"listen","socket":"http","port":(\d+)/)}/`, "306912345684");
  } finally {
    server.kill();
  }
});
