// `node idle.mjs IN.wasm OUT.wasm`: empties the functions that answer nothing, write nothing and call none that does, which
// are the ones that drop values: this module frees no memory. wasm-opt then leaves the calls out.
import { readFileSync, writeFileSync } from "node:fs";
import { CALLS, Reader, content, importedFunctions, items, leb, pieces, sections, visited } from "./module.mjs";

const [TYPE, IMPORT, FUNCTION, CODE] = [1, 2, 3, 10];
/** Instructions with an effect: a trap, a call of what is in a table, and all that sets a global, a table or memory. */
const EFFECTS = [0x00, 0x11, 0x13, 0x24, 0x26, ...Array.from({ length: 9 }, (_, index) => 0x36 + index), 0x40, 0xfc];
const NOTHING = Buffer.from([2, 0, 0x0b]);

/** Whether functions of each type answer something. */
function answering(body) {
  return items(body, (reader) => {
    reader.take(1);
    reader.take(reader.number());
    reader.take(reader.number());
  }).map((type) => type.at(-1) !== 0);
}

const [from, to] = process.argv.slice(2);
const bytes = readFileSync(from);
const all = sections(bytes);
const body = (id) => all.find((section) => section.id === id)?.body ?? Buffer.from([0]);
const first = importedFunctions(body(IMPORT));
const answers = answering(body(TYPE));
const types = items(body(FUNCTION), (reader) => reader.number()).map((type) => new Reader(type).number());
const codes = items(body(CODE), (reader) => reader.take(reader.number()));
const calls = codes.map((code) => pieces(content(code), CALLS).numbers);
const isSilent = (index) => !answers[types[index]] && !visited(content(codes[index])).some((code) => EFFECTS.includes(code));
const idle = new Set([...codes.keys()].filter(isSilent));
for (let before = -1; before !== idle.size; ) {
  before = idle.size;
  for (const index of idle) if (calls[index].some((called) => !idle.has(called - first))) idle.delete(index);
}
const written = all.flatMap(({ id, body: old }) => {
  const now = id === CODE ? Buffer.concat([leb(codes.length), ...codes.map((code, index) => (idle.has(index) ? NOTHING : code))]) : old;
  return [Buffer.from([id]), leb(now.length), now];
});
writeFileSync(to, Buffer.concat([bytes.subarray(0, 8), ...written]));
