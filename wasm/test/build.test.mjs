// If one of its tools is missing, `wasm/build` prints one sentence, which names the tool. The last test needs the modules that it has built.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
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

/** Runs wasm/build with only `programs` in PATH, an object from the name of each program to its script. */
function build(programs) {
  const bin = mkdtempSync(join(folder, "bin-"));
  symlinkSync(path("dirname"), join(bin, "dirname"));
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(bin, name), `#!${bash}\n${text}\n`, { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync(bash, [script], { encoding: "utf8", env: { PATH: bin } });
  return { status, output: stdout + stderr };
}

const tools = { cargo: "exit 9", node: "exit 9", npm: "exit 9" };
const noTarget = { ...tools, rustc: "echo /nowhere" };

test("a missing cargo is reported", () => {
  assert.deepEqual(build({}), { status: 1, output: "wasm/build: cargo is missing: install Rust from https://rustup.rs.\n" });
});

test("a missing node or npm is reported", () => {
  const output = "wasm/build: node or npm is missing: install Node 18 or newer from https://nodejs.org.\n";
  assert.deepEqual(build({ cargo: tools.cargo }), { status: 1, output });
  assert.deepEqual(build({ cargo: tools.cargo, node: tools.node }), { status: 1, output });
});

test("a missing target is reported if there is no rustup", () => {
  assert.deepEqual(build(noTarget), { status: 1, output: "wasm/build: the Rust target wasm32-unknown-unknown is missing and there is no rustup to add it.\n" });
});

test("the build adds a missing target with rustup, and ends if rustup fails", () => {
  const { status, output } = build({ ...noTarget, rustup: 'echo "rustup $*"; exit 1' });
  assert.equal(status, 1);
  assert.match(output, /rustup target add wasm32-unknown-unknown\n/);
  assert.match(output, /wasm\/build: rustup could not add the target wasm32-unknown-unknown\.\n$/);
});

test("modules are compiled again if a source of theirs has changed, and only then", () => {
  const bin = mkdtempSync(join(folder, "cargo-"));
  writeFileSync(join(bin, "cargo"), '#!/bin/sh\necho "cargo $*"\ncase "$*" in *--features*) exit 9 ;; esac\n', { mode: 0o755 });
  const again = () => spawnSync(script, { encoding: "utf8", env: { ...process.env, PATH: `${bin}:${process.env.PATH}` } });
  const unchanged = again();
  assert.equal(unchanged.status, 0, unchanged.stderr);
  assert.doesNotMatch(unchanged.stdout, /cargo .*--features/);
  for (const name of ["../src/lib.rs", "../../core/Cargo.toml"]) {
    const source = fileURLToPath(new URL(name, import.meta.url));
    const { atime, mtime } = statSync(source);
    utimesSync(source, atime, new Date());
    try {
      const { status, stdout } = again();
      assert.deepEqual([status, stdout.match(/cargo build .*/)[0].includes("--features counting,annotation")], [9, true], name);
    } finally {
      utimesSync(source, atime, mtime);
    }
  }
});
