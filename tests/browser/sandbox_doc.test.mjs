// The examples of docs/sandbox.md: each `sh` block runs against the binary, and its output is compared with the block below it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { sandbox } from "./fixtures.mjs";

const page = await readFile(new URL("../../docs/sandbox.md", import.meta.url), "utf8");

/** The `sh` blocks with their documented output. */
const examples = [...page.matchAll(/```sh\n([\s\S]*?)```\n```text\n([\s\S]*?)```/g)].map(([, script, printed]) => ({ script, printed }));

/** Runs all blocks in one shell and returns the output of each. */
function run(environment) {
  const end = "printf '\\036'\n";
  const script = `set -euo pipefail\n${examples.map((example) => example.script).join(end)}`;
  return new Promise((resolve) => {
    const shell = spawn("bash", ["--norc", "-c", script], { env: { PATH: process.env.PATH, ...environment }, stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    let errors = "";
    shell.stdout.on("data", (chunk) => (out += chunk));
    shell.stderr.on("data", (chunk) => (errors += chunk));
    shell.on("close", (code) => resolve({ code, errors, printed: out.split("\x1e") }));
  });
}

test("acc_198 the examples of docs/sandbox.md have the documented output", async () => {
  const switches = /^\$ cpaas-sandbox --port 8025 (.*) > sandbox\.env &$/m.exec(page)[1];
  assert.equal(switches, "--clock virtual --seed 7");
  assert.equal(examples.length, page.match(/```sh\n/g).length);
  const box = await sandbox();
  const environment = Object.fromEntries(Object.entries(box.config).map(([name, value]) => [`CPAAS_${name.toUpperCase()}`, value]));
  const { code, errors, printed } = await run(environment);
  await box.stop();
  examples.forEach((one, index) => assert.equal(printed[index], one.printed, `example ${index + 1}\n${errors}`));
  assert.equal(code, 0, errors);
});

test("acc_198 docs/sandbox.md lists exactly the calls of the control API", async () => {
  const source = await readFile(new URL("../../sandbox/src/control.rs", import.meta.url), "utf8");
  const calls = source.split(".route(").slice(1).flatMap((route) => {
    const path = /"([^"]+)"/.exec(route)[1].replace(/\{[^}]*\}/g, "{}");
    const methods = [...route.matchAll(/\b(get|post|put|delete)\(async/g)].map(([, method]) => method.toUpperCase());
    return (methods.length ? methods : ["GET"]).map((method) => `${method} ${path}`); // a route without a method here is the overview, a GET
  });
  const documented = [...page.matchAll(/`(GET|POST|PUT|DELETE) (\/[^` ?]*)`/g)].map(([, method, path]) => `${method} ${path.replace(/\{[^}]*\}/g, "{}")}`);
  const own = documented.filter((request) => !request.includes("/_sandbox"));
  assert.deepEqual([...new Set(own)].sort(), [...new Set(calls)].sort());
});

test("acc_198 each picture of docs/sandbox.md is a PNG file of less than 400,000 bytes", async () => {
  for (const [, name] of page.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)) {
    const picture = await readFile(new URL(`../../docs/${name}`, import.meta.url));
    assert.equal(picture.subarray(1, 4).toString(), "PNG");
    assert.ok(picture.length < 400_000, `${name} has ${picture.length} bytes`);
  }
});
