// The steps of wasm/build behind the compiler.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { Reader, pieces, signed, visited } from "../module.mjs";
import { Packer } from "../packer.mjs";
import { marked } from "../texts.mjs";

const HEAD = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

test("numbers with a sign are read as they were written", () => {
  for (const value of [0, 63, 64, -1, -64, -65, 8191, 8192, 131_072, -131_072]) assert.equal(new Reader(signed(value)).signed(), value);
});

test("an instruction that is not known is refused, not passed over", () => {
  assert.deepEqual(visited(Buffer.from([0, 0x41, 5, 0x1a, 0xfc, 11, 0, 0x0b])), [0x41, 0x1a, 0xfc, 0x0b]);
  for (const code of [0x06, 0x0a, 0x14, 0x1f, 0x27, 0xc5, 0xd3, 0xfd, 0xfe]) assert.throws(() => visited(Buffer.from([0, code, 0x0b])), /is not known/, `${code}`);
  assert.throws(() => pieces(Buffer.from([0, 0xfc, 18, 0x0b]), []), /is not known/);
});

test("a global that names a function is refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "cpaas-"));
  const order = (global) => {
    writeFileSync(join(folder, "in.wasm"), Buffer.from([...HEAD, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 6, 6, 1, ...global, 0x0b, 10, 4, 1, 2, 0, 0x0b]));
    execFileSync(process.execPath, [fileURLToPath(new URL("../order.mjs", import.meta.url)), join(folder, "in.wasm"), join(folder, "out.wasm")], { stdio: "pipe" });
  };
  try {
    order([0x7f, 0, 0x41, 5]);
    assert.throws(() => order([0x70, 0, 0xd2, 0]), /a global that names a function/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the start puts addresses where marks stand", () => {
  const base = 1024;
  const texts = Buffer.from("onetwothreeone");
  const words = [base + 28, 3, -1, base + 31, 3, base + 28, 3];
  const constants = Buffer.concat([Buffer.from(Int32Array.from(words).buffer), texts]);
  const { bytes, start } = marked(constants, base, { tables: 28, begin: 28, ends: [31, 34, 39] });
  assert.deepEqual([...new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + 28))], [-2, 3, -1, -2, 3, base + 28, 3]);
  const data = [0, 0x41, ...signed(base), 0x0b, bytes.length, ...bytes];
  const module = [...HEAD, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 5, 3, 1, 0, 1, 7, 5, 1, 1, 0x6d, 2, 0, 8, 1, 0, 10, start.length + 1, 1, ...start, 11, data.length + 1, 1, ...data];
  const { m } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(module))).exports;
  assert.deepEqual(Buffer.from(m.buffer, base, constants.length), constants);
});

test("the packer's price is near what deflate makes", () => {
  const text = Buffer.from(Array.from({ length: 3000 }, (_, index) => `${(index * index) % 977} of ${index % 13}; `).join(""));
  const packer = new Packer(text.length);
  packer.text.set(text);
  packer.learn(text.length);
  packer.learn(text.length);
  const bytes = packer.cost(0, text.length) / 8;
  const deflated = gzipSync(text, { level: 9 }).length;
  assert.ok(bytes > 0.8 * deflated && bytes < 1.2 * deflated, `${bytes} for ${deflated}`);
});
