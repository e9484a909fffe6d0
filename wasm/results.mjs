// What a function does with several results of a call: wasm-opt sets a result aside and then moves it where it belongs.
import { LOCALS, Reader, instructions, joined, leb } from "./module.mjs";

const [GET, SET, TEE] = LOCALS;
/** Where more than one way through a function may lead: a loop, what stands behind `else`, and behind `end`. */
const JOINS = [0x03, 0x05, 0x0b];

const written = (code, local) => ({ code, local, bytes: Buffer.concat([Buffer.from([code]), leb(local)]) });

function read(instruction) {
  const local = LOCALS.includes(instruction.code) ? new Reader(instruction.bytes, 1).number() : undefined;
  return { ...instruction, local };
}

/** Locals of which each value is read, if at all, before ways through the function join: values that are set aside. */
function asides(list) {
  let known = new Set();
  const others = new Set();
  for (const { code, local } of list) {
    if (JOINS.includes(code)) known = new Set();
    if (code === GET && !known.has(local)) others.add(local);
    if (local !== undefined && code !== GET) known.add(local);
  }
  return { has: (local) => !others.has(local) };
}

/** Whether nothing behind that place reads the value of the local, which is one that is set aside. */
function isDone(list, at, local) {
  const next = list.slice(at).find((one) => JOINS.includes(one.code) || one.local === local);
  return next?.local !== local || next.code !== GET;
}

/** What says the same with fewer instructions as those that stand there: those, and how many they replace. */
function shorter(list, at, aside) {
  const [one, other, again, last] = list.slice(at, at + 4);
  if (one.code !== SET || other?.local === undefined) return undefined;
  const isOver = (behind) => aside.has(one.local) && isDone(list, at + behind, one.local);
  if (other.code === GET && other.local === one.local) return { count: 2, by: isOver(2) ? [] : [written(TEE, one.local)] };
  const isDetour = other.code === SET && again?.code === GET && again.local === one.local && (last?.code === SET || last?.code === TEE);
  if (!isDetour || new Set([one.local, other.local, last.local]).size < 3 || !isOver(4)) return undefined;
  const by = [written(SET, last.local), other];
  return { count: 4, by: last.code === TEE ? [...by, written(GET, last.local)] : by };
}

/** A function in which no result is set aside only to be moved. */
export function direct(code) {
  const { types, list } = instructions(code);
  const now = list.map(read);
  for (let changed = true; changed; ) {
    changed = false;
    const aside = asides(now);
    for (let at = 0; at < now.length; at++) {
      const found = shorter(now, at, aside);
      if (!found) continue;
      now.splice(at, found.count, ...found.by);
      changed = true;
    }
  }
  return joined({ types, between: [Buffer.concat(now.map(({ bytes }) => bytes))], numbers: [] });
}
