// What the functions of a module are to each other: those that do nothing, and those that are the same.
import { CALLS, Reader, content, importedFunctions, items, leb, pieces, visited } from "./module.mjs";

const [TYPE, IMPORT, FUNCTION, CODE] = [1, 2, 3, 10];
/** Instructions with an effect: a trap, a call of what is in a table, and all that sets a global, a table or memory. */
const EFFECTS = [0x00, 0x11, 0x13, 0x24, 0x26, ...Array.from({ length: 9 }, (_, index) => 0x36 + index), 0x40, 0xfc];
const NOTHING = Buffer.from([2, 0, 0x0b]);

/** The functions of a module, without those that it imports: how many these are, and of each the type, code and calls. */
export function functions(all) {
  const body = (id) => all.find((section) => section.id === id)?.body ?? Buffer.from([0]);
  const types = items(body(TYPE), (reader) => {
    reader.take(1);
    reader.take(reader.number());
    reader.take(reader.number());
  });
  const typed = items(body(FUNCTION), (reader) => reader.number()).map((item) => types[new Reader(item).number()].toString("hex"));
  const codes = items(body(CODE), (reader) => reader.take(reader.number()));
  const list = codes.map((item, index) => ({ type: typed[index], item, code: content(item), calls: pieces(content(item), CALLS) }));
  return { first: importedFunctions(body(IMPORT)), list };
}

/** Those that answer nothing, write nothing and call none that does, which are the ones that drop values: the module
 * frees no memory. */
export function idle({ first, list }) {
  const isSilent = ({ type, code }) => type.endsWith("00") && !visited(code).some((instruction) => EFFECTS.includes(instruction));
  const found = new Set(list.filter(isSilent));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const one of found) if (one.calls.numbers.some((called) => !found.has(list[called - first]))) found.delete(one);
  }
  return found;
}

/** For each function the first of those that are the same: of one type, with the same code but for calls of the same. */
export function same({ first, list }, nothing) {
  const code = (one) => (nothing.has(one) ? "" : one.calls.between.map((part) => part.toString("hex")).join());
  let keys = list.map((one) => [one.type, code(one)].join());
  for (let before = -1; ; ) {
    const leaders = new Map();
    keys.forEach((key, index) => leaders.has(key) || leaders.set(key, index));
    const found = keys.map((key) => leaders.get(key));
    if (leaders.size === before) return found;
    before = leaders.size;
    const called = (number) => (number < first ? -1 - number : found[number - first]);
    keys = list.map((one, index) => [found[index], ...(nothing.has(one) ? [] : one.calls.numbers.map(called))].join());
  }
}

/** The section of code with those empty that do nothing. */
export const emptied = ({ list }, nothing) => Buffer.concat([leb(list.length), ...list.map((one) => (nothing.has(one) ? NOTHING : one.item))]);
