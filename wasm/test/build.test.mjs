// `wasm/build` on machines where a tool is missing: one sentence that says which.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../build", import.meta.url));
const bash = spawnSync("sh", ["-c", "command -v bash"], { encoding: "utf8" }).stdout.trim();
const path = (name) => spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();

let folder;
before(() => (folder = mkdtempSync(join(tmpdir(), "cpaas-build-"))));
after(() => rmSync(folder, { recursive: true }));

/** Runs the script where only these programs exist; a value is the text of a script. */
function build(programs) {
  const bin = mkdtempSync(join(folder, "bin-"));
  symlinkSync(path("dirname"), join(bin, "dirname"));
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(bin, name), `#!${bash}\n${text}\n`, { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync(bash, [script], { encoding: "utf8", env: { PATH: bin } });
  return { status, output: stdout + stderr };
}

const tools = { cargo: "exit 9", node: "exit 9", npm: "exit 9" };
const noTarget = { ...tools, rustc: "echo /nowhere" };

test("without cargo", () => {
  assert.deepEqual(build({}), { status: 1, output: "wasm/build: cargo is missing: install Rust from https://rustup.rs.\n" });
});

test("without node or npm", () => {
  const output = "wasm/build: node or npm is missing: install Node 18 or newer from https://nodejs.org.\n";
  assert.deepEqual(build({ cargo: tools.cargo }), { status: 1, output });
  assert.deepEqual(build({ cargo: tools.cargo, node: tools.node }), { status: 1, output });
});

test("without the target and without rustup", () => {
  assert.deepEqual(build(noTarget), { status: 1, output: "wasm/build: the Rust target wasm32-unknown-unknown is missing and there is no rustup to add it.\n" });
});

test("rustup adds the target, or its failure ends the build", () => {
  const { status, output } = build({ ...noTarget, rustup: 'echo "rustup $*"; exit 1' });
  assert.equal(status, 1);
  assert.match(output, /rustup target add wasm32-unknown-unknown\n/);
  assert.match(output, /wasm\/build: rustup could not add the target wasm32-unknown-unknown\.\n$/);
});
