// `node late.mjs IN.wasm OUT.wasm`: mends what LLVM before 23 does wrong with several results of a call
// (llvm/llvm-project#98323). An operand that is such a result was put on the stack before the call that gives it:
// `local.get 1 … call … local.set 1 … select` reads what local 1 held before. A compiler that numbers locals by the spans in
// which they live never means that: what the operand names lives until it is used, so that nothing else is set there
// meanwhile. Where such a result is set while an operand that was read from its local waits, the operand is read again;
// anything else that is set so is refused.
import { readFileSync, writeFileSync } from "node:fs";
import { Reader, content, importedFunctions, instructions, items, joined, leb, sections } from "./module.mjs";
import { I32, typed } from "./types.mjs";

const [TYPE, IMPORT, FUNCTION, CODE] = [1, 2, 3, 10];
const [CALL, GET, SET, TEE] = [0x10, 0x20, 0x21, 0x22];

const instruction = (code, local) => Buffer.concat([Buffer.from([code]), leb(local)]);

/** Whether what is set there is a result of a call that has several: only other results are set between. */
function isResult(list, at, module) {
  const call = list.slice(0, at).findLast(({ code }) => code !== SET && code !== TEE);
  return call?.code === CALL && module.functions[new Reader(call.bytes, 1).number()].results.length > 1;
}

/** A function whose operands are read again where they were read too early, and how many were. */
export function mended(code, signature, module) {
  const { types, list } = instructions(code);
  const first = signature.parameters.length;
  const locals = [...signature.parameters, ...types];
  const own = new Map();
  const parts = list.map(({ bytes }) => bytes);
  /** A local of that type for the operand at that height. */
  const spare = (type, height) => {
    const key = `${type} ${height}`;
    if (!own.has(key)) own.set(key, first + types.push(type) - 1);
    return own.get(key);
  };
  let found = 0;
  typed(list, locals, signature.results, module, (at, stack, height) => {
    const { code: what, bytes } = list[at];
    if (what !== SET && what !== TEE) return;
    const local = new Reader(bytes, 1).number();
    const low = stack.findIndex((operand) => operand.read?.local === local || operand.again === local);
    if (low < 0) return;
    const isRead = stack[low].again === undefined && low >= height && isResult(list, at, module);
    if (!isRead) throw new Error("late: an operand that cannot be read again");
    const above = stack.slice(low + 1);
    const again = [];
    for (const [index, { type, read }] of above.entries()) {
      const late = read?.local === local;
      if (late) parts[read.at] = Buffer.alloc(0);
      again.push(late ? instruction(GET, local) : instruction(GET, spare(type, index)));
    }
    const away = above.map(({ type, read }, index) => (read?.local === local ? Buffer.alloc(0) : instruction(SET, spare(type, index)))).reverse();
    parts[stack[low].read.at] = Buffer.alloc(0);
    for (const operand of stack.slice(low)) if (operand.read?.local === local) Object.assign(operand, { again: local, read: undefined });
    parts[at] = Buffer.concat([parts[at], ...away, instruction(GET, local), ...again]);
    found++;
  });
  return { code: joined({ types, between: [Buffer.concat(parts)], numbers: [] }), found };
}

/** What is known of a module: its functions, their types, and the type of its globals. */
export function described(all) {
  const body = (id) => all.find((section) => section.id === id)?.body ?? Buffer.from([0]);
  const reader = new Reader(body(TYPE));
  const types = Array.from({ length: reader.number() }, () => {
    reader.take(1);
    return { parameters: [...reader.take(reader.number())], results: [...reader.take(reader.number())] };
  });
  if (importedFunctions(body(IMPORT)) > 0) throw new Error("late: a function that is imported");
  const functions = items(body(FUNCTION), (part) => part.number()).map((item) => types[new Reader(item).number()]);
  // A global holds the end of the stack; each is a number of 32 bits.
  return { types, functions, global: () => I32, codes: items(body(CODE), (part) => part.take(part.number())).map(content) };
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const [from, to] = process.argv.slice(2);
  const bytes = readFileSync(from);
  // The compiler's own functions for wide numbers answer in another way than it calls them.
  if (bytes.includes("signature_mismatch:")) throw new Error("late: a function is called in another way than it answers; is there arithmetic of 128 bits?");
  const all = sections(bytes);
  const module = described(all);
  let found = 0;
  const codes = module.codes.map((code, index) => {
    const one = mended(code, module.functions[index], module);
    found += one.found;
    return one.found > 0 ? Buffer.concat([leb(one.code.length), one.code]) : Buffer.concat([leb(code.length), code]);
  });
  const written = all.flatMap(({ id, body }) => {
    const now = id === CODE ? Buffer.concat([leb(codes.length), ...codes]) : body;
    return [Buffer.from([id]), leb(now.length), now];
  });
  writeFileSync(to, Buffer.concat([bytes.subarray(0, 8), ...written]));
  if (found > 0) console.error(`wasm: operands read again behind the call that gives them: ${found}`);
}
