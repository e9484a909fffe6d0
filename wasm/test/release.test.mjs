// The npm steps of RELEASING.md, and `npm pack` when the build fails: `node --test wasm/test`.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** The files that users load. */
const WHOLE = [
  "LICENSE-MIT", "README.md", "js/browser.js", "js/node.js", "js/workerd.js", "js/edge-light.js", "js/index.d.ts", "js/segments.d.ts",
  "js/cpaas_bg.wasm.d.ts", "pkg/web/cpaas.js", "pkg/web/cpaas_bg.wasm", "pkg/segments/browser.js", "pkg/segments/node.js",
  "pkg/segments/segments_bg.wasm", "js/sms.js", "js/sms-node.js", "js/sms.d.ts", "js/phone.js", "js/phone-node.js", "js/phone.d.ts", "pkg/phone/cpaas_phone.js", "pkg/phone/cpaas_phone_bg.wasm", "pkg/sms/cpaas_sms.js", "pkg/sms/cpaas_sms_bg.wasm",
  "elements/elements.js", "elements/elements.d.ts", "elements/sms-counter.js", "js/decimal.js",
  "js/tools.js", "js/tools-script.js", "js/tools.d.ts", "pkg/web/bytes.js", "pkg/segments/bytes.js", "pkg/sms/bytes.js", "segments/package.json", "inline/package.json",
  "js/tools-module.js", "pkg/tools/cpaas_tools.js", "pkg/tools/bytes.js", "pkg/tools/cpaas_tools_bg.wasm",
  "pkg/inline/inline.js", "pkg/inline/inline.cjs", "pkg/inline/inline.global.js", "pkg/inline/inline.d.cts",
  "js/client.js", "js/client-in-page.js", "js/client.d.ts", "js/call-types.d.ts", "js/client/client.js", "js/client/transport/node.js", "js/server/module.js",
  "pkg/call/cpaas_call.js", "pkg/call/cpaas_call_bg.wasm",
  "schemas/sms.send.json", "schemas/messages.send.openapi-3.0.json",
];

test("the steps up to `npm publish --dry-run` succeed, and the package contains all files that users load", () => {
  const [, block] = /```sh\ncd wasm\n([\s\S]*?)```/.exec(readFileSync(`${repository}RELEASING.md`, "utf8"));
  // The suite has already installed the npm packages.
  const commands = block.split("\n").filter((line) => !line.startsWith("./install-packages")).join("\n");
  for (const step of ["npm pack --dry-run", "publint --strict", "attw --pack", "npm publish --dry-run"]) assert.ok(commands.includes(step), step);
  const { status, stdout, stderr } = spawnSync("bash", ["-ec", commands], { cwd: `${repository}wasm`, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  for (const file of WHOLE) assert.ok(stderr.includes(file) || stdout.includes(file), `${file} is missing`);
  assert.match(stdout, /\+ cpaas@/);
});

test("every file that package.json names exists", () => {
  const manifest = JSON.parse(readFileSync(`${repository}wasm/package.json`, "utf8"));
  const files = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(files));
  for (const file of [...files(manifest.exports), ...files(manifest.imports), manifest.main, manifest.module, manifest.browser, manifest["react-native"], manifest.types, manifest.unpkg, manifest.jsdelivr]) {
    if (!file.includes("*")) readFileSync(`${repository}wasm/${file}`);
  }
  for (const name of ["name", "version", "description", "license", "author", "keywords", "engines", "sideEffects", "types", "exports", "files"]) assert.ok(name in manifest, name);
});

test("npm pack fails when the build fails", () => {
  const bin = mkdtempSync(join(tmpdir(), "cpaas-release-"));
  try {
    writeFileSync(join(bin, "cargo"), "#!/bin/sh\nexit 9\n", { mode: 0o755 });
    const { status } = spawnSync("npm", ["pack", "--dry-run"], { cwd: `${repository}wasm`, env: { ...process.env, PATH: `${bin}:${process.env.PATH}` } });
    assert.notEqual(status, 0);
  } finally {
    rmSync(bin, { recursive: true });
  }
});
