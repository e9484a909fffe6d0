// Runs the composer's code snippets against the sandbox. Python runs if CPAAS_PYTHON is an interpreter with the package, Rust if
// SNIPPETS_RUST is set (it builds a crate).
import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test, { after, before } from "node:test";
import { promisify } from "node:util";
import * as snippets from "../composer/snippets.js";
import { SAMPLES } from "../composer/samples.js";
import { root } from "./chromium.mjs";

const target = process.env.CARGO_TARGET_DIR ?? `${root}../target`;
const run = promisify(execFile);
const EVIL = `it's "quoted" \\ $HOME \`id\` %s {code} ??/ "# "### \u202e é 👋🏽 שלום\n\tline two\u2028\u007f end`;
let child, sandbox, folder, env;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cpaas-snippets-"));
  child = spawn(`${target}/debug/cpaas-sandbox`, ["--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = [];
  sandbox = await new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the sandbox ended with ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => (line.startsWith("{") ? resolve(JSON.parse(line)) : lines.push(line.split(/=(.*)/s).slice(0, 2))));
  });
  env = { ...process.env, ...Object.fromEntries(lines) };
});
after(() => {
  child.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** Every sample, and a request whose text needs quoting in every language. */
function requests(language) {
  const account = sandbox.config.traffic_account_id;
  const found = Object.entries(SAMPLES).flatMap(([operation, samples]) => Object.values(samples).map((request) => [operation, structuredClone(request)]));
  found.push(["sms.send", { from: "Acme", to: "306912345678", text: `${EVIL} ${language}`, extra: { note: { 'a"b': [1, null, false, true, "'"] } } }]);
  for (const [, request] of found) if (request.trafficAccountId) request.trafficAccountId = account;
  for (const [, request] of found) if (request.failover) request.failover.timeoutFailover.trafficAccounts = [account];
  return found;
}

/** Whether the sandbox has received a message with that text. */
async function arrived(text) {
  const messages = await (await fetch(`${sandbox.url}/_sandbox/messages`)).text();
  return messages.includes(JSON.stringify(text));
}

async function each(language, send) {
  for (const [operation, request] of requests(language)) {
    if (language === "curl" && !snippets.hasCurl(operation)) continue;
    const said = await send(snippets[language](operation, request), operation).catch((error) => assert.fail(`${language} ${operation}: ${error.stdout ?? ""} ${error.stderr ?? ""} ${error.message}`));
    assert.match(said, /"?(responseCode|messageId|code|bulkId)\b|^\[|ok$|^CPAAS_OK/m, `${language} ${operation}: ${said}`);
    if (request.text?.startsWith(EVIL)) assert.ok(await arrived(request.text), `${language} sends the text as it is`);
  }
}

test("the curl commands send every sample", () =>
  each("curl", async (code) => {
    const { stdout } = await run("bash", ["-c", `${code} --silent --show-error --fail-with-body`], { env });
    return stdout;
  }));

test("the JavaScript programs send every sample", () => {
  mkdirSync(`${folder}/node_modules`, { recursive: true });
  symlinkSync(root, `${folder}/node_modules/cpaas`);
  return each("javascript", async (code) => {
    writeFileSync(`${folder}/send.mjs`, code);
    return `${(await run(process.execPath, [`${folder}/send.mjs`], { env })).stdout}\nok`;
  });
});

test("the JavaScript copies of the sandbox's request log run", async () => {
  const { requests: logged } = await (await fetch(`${sandbox.url}/_sandbox/requests?status=2xx`)).json();
  const operations = [...new Map(logged.map((one) => [one.operation, one])).values()];
  assert.ok(operations.length >= Object.keys(SAMPLES).length, `${operations.map(({ operation }) => operation)}`);
  for (const { operation, copy } of operations) {
    writeFileSync(`${folder}/copy.mjs`, copy.javascript);
    await run(process.execPath, [`${folder}/copy.mjs`], { env }).catch((error) => assert.fail(`${operation}: ${error.stderr}`));
  }
});

test("the C programs send every sample", () => {
  const lib = `${folder}/lib`;
  mkdirSync(lib);
  const soname = /SONAME\s+(\S+)/.exec(execFileSync("objdump", ["-p", `${target}/debug/libcpaas.so`], { encoding: "utf8" }))[1];
  cpSync(`${target}/debug/libcpaas.so`, `${lib}/${soname}`);
  return each("c", async (code) => {
    writeFileSync(`${folder}/send.c`, code);
    await run("cc", ["-std=c11", "-Wall", "-Wextra", "-Werror", `-I${root}../include`, `${folder}/send.c`, "-o", `${folder}/send`, `-L${target}/debug`, "-l:libcpaas.so"]);
    return (await run(`${folder}/send`, [], { env: { ...env, LD_LIBRARY_PATH: lib } })).stdout;
  });
});

test("the Python programs send every sample", { skip: !process.env.CPAAS_PYTHON }, () =>
  each("python", async (code) => {
    writeFileSync(`${folder}/send.py`, code);
    return `${(await run(process.env.CPAAS_PYTHON, [`${folder}/send.py`], { env })).stdout}\nok`;
  }));

test("the Rust programs send every sample", { skip: !process.env.SNIPPETS_RUST }, () => {
  mkdirSync(`${folder}/rust/src`, { recursive: true });
  writeFileSync(`${folder}/rust/Cargo.toml`, `[package]\nname = "send"\nedition = "2024"\n[dependencies]\ncpaas = { path = "${root}../core" }\ntokio = { version = "1", features = ["macros", "rt-multi-thread"] }\n`);
  cpSync(`${root}../Cargo.lock`, `${folder}/rust/Cargo.lock`);
  return each("rust", async (code) => {
    writeFileSync(`${folder}/rust/src/main.rs`, code);
    return (await run("cargo", ["run", "--quiet", "--manifest-path", `${folder}/rust/Cargo.toml`], { env: { ...env, CARGO_TARGET_DIR: `${target}/snippets` }, maxBuffer: 1e8 })).stdout;
  });
});
