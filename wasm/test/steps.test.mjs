// The steps of wasm/build that change code, on functions written by hand: what they answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { described, mended } from "../late.mjs";
import { content, leb, sections } from "../module.mjs";
import { direct } from "../results.mjs";

const I32 = 0x7f;
const [BLOCK, END, CALL, DROP, SELECT, GET, SET, TEE, CONST, ADD, AND, SUB] = [0x02, 0x0b, 0x10, 0x1a, 0x1b, 0x20, 0x21, 0x22, 0x41, 0x6a, 0x71, 0x6b];
const section = (id, ...items) => {
  const body = Buffer.concat([leb(items.length), ...items.map((item) => Buffer.from(item))]);
  return Buffer.concat([Buffer.from([id]), leb(body.length), body]);
};
const sized = (code) => [...leb(code.length), ...code];
const name = (text) => [text.length, ...Buffer.from(text)];

/** The number and the one behind it. */
const PAIR = [0, GET, 0, GET, 0, CONST, 1, ADD, END];

/** A module of `PAIR`, and a function from a number to a number, which is exported. */
function module(code) {
  return Buffer.concat([
    Buffer.from("\0asm\x01\0\0\0", "latin1"),
    section(1, [0x60, 1, I32, 2, I32, I32], [0x60, 1, I32, 1, I32]),
    section(3, [0], [1]),
    section(7, [...name("run"), 0, 1]),
    section(10, sized(PAIR), sized(code)),
  ]);
}

const run = (code, number) => new WebAssembly.Instance(new WebAssembly.Module(module(code))).exports.run(number);

function late(code) {
  const all = described(sections(module(code)));
  return mended(Buffer.from(code), all.functions[1], all);
}

test("an operand that waits while its local is set is read again", () => {
  // The second result where the first is odd, else 7.
  const code = [1, 1, I32, GET, 1, CONST, 7, GET, 0, CALL, 0, SET, 1, CONST, 1, AND, SELECT, END];
  assert.equal(run(code, 3), 0);
  const { code: right, found } = late(code);
  assert.equal(found, 1);
  assert.deepEqual([run(right, 3), run(right, 4)], [4, 7]);
});

test("of several operands each is read again, and the others keep their order", () => {
  // (second - 100) + (second - first) where all wait.
  const code = [1, 1, I32, GET, 1, CONST, 0xe4, 0, SUB, GET, 1, GET, 1, DROP, GET, 0, CALL, 0, SET, 1, SUB, ADD, END];
  assert.equal(late(code).found, 1);
  assert.equal(run(late(code).code, 5), -100 + (6 - 5));
});

test("what is set before it is read stays, also in a block", () => {
  const code = [1, 1, I32, GET, 0, CALL, 0, TEE, 1, SUB, BLOCK, I32, GET, 1, END, ADD, END];
  assert.deepEqual(late(code), { code: Buffer.from(code), found: 0 });
});

test("an operand around the block in which its local is set is refused", () => {
  const code = [0, GET, 0, BLOCK, I32, CONST, 1, SET, 0, CONST, 2, END, ADD, END];
  assert.throws(() => late(code), /late/);
});

test("an operand that waits while its local is set twice, or to no result of such a call, is refused", () => {
  const twice = [1, 1, I32, GET, 1, GET, 0, CALL, 0, SET, 1, GET, 0, CALL, 0, SET, 1, SUB, ADD, END];
  assert.throws(() => late(twice), /late/);
  const old = [1, 1, I32, CONST, 7, SET, 1, GET, 1, CONST, 3, SET, 1, GET, 1, SUB, END];
  assert.equal(run(old, 0), 4);
  assert.throws(() => late(old), /late/);
});

test("a result that is set aside and then moved is set where it belongs", () => {
  const code = [1, 3, I32, GET, 0, CALL, 0, SET, 1, SET, 2, GET, 1, SET, 3, GET, 3, GET, 2, SUB, END];
  const shorter = direct(Buffer.from(code));
  assert.ok(shorter.length < code.length);
  assert.deepEqual([run(code, 9), run(shorter, 9)], [1, 1]);
});

test("a result that is read behind a block stays aside", () => {
  const code = [1, 3, I32, GET, 0, CALL, 0, SET, 1, SET, 2, GET, 1, SET, 3, BLOCK, 0x40, END, GET, 1, GET, 2, SUB, GET, 3, ADD, END];
  assert.equal(run(direct(Buffer.from(code)), 9), run(code, 9));
});

test("a value that is set and read at once is left on the stack", () => {
  const once = [1, 1, I32, GET, 0, SET, 1, GET, 1, END];
  assert.deepEqual([...direct(Buffer.from(once))], [1, 1, I32, GET, 0, END]);
  const twice = [1, 1, I32, GET, 0, SET, 1, GET, 1, GET, 1, ADD, END];
  assert.deepEqual([...direct(Buffer.from(twice))], [1, 1, I32, GET, 0, TEE, 1, GET, 1, ADD, END]);
});
