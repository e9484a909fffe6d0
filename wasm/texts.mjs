// Texts that tables name one behind the other: their addresses are written into the tables when the module starts, and are
// not loaded. A table holds a mark and the length of a text in place of its address and length.
import { leb, signed } from "./module.mjs";

const WORD = 4;

/** Each word that another follows, in the tables. */
const words = (tables) => Array.from({ length: Math.floor(tables / WORD) - 1 }, (_, word) => word * WORD);

/** A value that no word of the tables has. */
function unused(bytes, tables) {
  const known = new Set(words(tables).map((at) => bytes.readInt32LE(at)));
  let value = -1;
  while (known.has(value)) value--;
  return value;
}

/** The constants, which lie at `base`, with marks in their tables, which end at `tables`, for the texts of which the first
 * begins at `begin` and each ends at one of `ends`; and the function that puts addresses in place of marks. */
export function marked(constants, base, { tables, begin, ends }) {
  const mark = unused(constants, tables);
  const bytes = Buffer.from(constants);
  let next = base + begin;
  for (const at of words(tables)) {
    const end = next + bytes.readUInt32LE(at + WORD);
    if (bytes.readUInt32LE(at) !== next || !ends.includes(end - base)) continue;
    bytes.writeInt32LE(mark, at);
    next = end;
  }
  return { bytes, start: starting(mark, base, base + tables, base + begin) };
}

/** A function without its type: local 0 is the place in the tables, local 1 the address of the next text. */
function starting(mark, from, to, begin) {
  const number = (value) => [0x41, ...signed(value)];
  const [GET, SET, TEE, LOAD, STORE, ADD, EQUAL, UNEQUAL] = [0x20, 0x21, 0x22, 0x28, 0x36, 0x6a, 0x46, 0x47];
  const [LOOP, IF, BRANCH_IF, END, NOTHING] = [0x03, 0x04, 0x0d, 0x0b, 0x40];
  const code = [
    ...[1, 2, 0x7f], // two locals of 32 bits
    ...[...number(from), SET, 0, ...number(begin), SET, 1],
    ...[LOOP, NOTHING],
    ...[GET, 0, LOAD, 2, 0, ...number(mark), EQUAL, IF, NOTHING],
    ...[GET, 0, GET, 1, STORE, 2, 0],
    ...[GET, 1, GET, 0, LOAD, 2, WORD, ADD, SET, 1],
    ...[END, GET, 0, ...number(WORD), ADD, TEE, 0, ...number(to), UNEQUAL, BRANCH_IF, 0, END, END],
  ];
  return Buffer.from([...leb(code.length), ...code]);
}
