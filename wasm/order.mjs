// `node order.mjs IN.wasm OUT.wasm`: brings the functions of a module into an order in which those that are alike stand
// close to each other, and their locals into one that makes them more alike, which gzip likes. Nothing else changes: calls,
// tables and exports name the same functions.
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { renumbered } from "./locals.mjs";
import { direct } from "./results.mjs";
import { CALLS, Reader, content, importedFunctions, items, joined, leb, pieces, sections } from "./module.mjs";

const [TYPE, IMPORT, FUNCTION, EXPORT, START, ELEMENT, CODE] = [1, 2, 3, 7, 8, 9, 10];
/** As many bytes in a row make two functions alike; what more functions than COMMON have says nothing. */
const GRAMS = [4, 5];
const COMMON = 200;
/** How much of a function counts still when another has followed it. */
const FADES = [0.3, 0.5, 0.7, 0.8, 0.85, 0.9, 0.95];

/** For each function those that it shares rows of bytes with: `[other, weight]`. */
function likeness(bodies, gram) {
  const holders = new Map();
  bodies.forEach((body, index) => {
    const text = body.toString("latin1");
    for (let at = 0; at + gram <= text.length; at++) {
      const row = text.slice(at, at + gram);
      if (!holders.has(row)) holders.set(row, new Set());
      holders.get(row).add(index);
    }
  });
  const alike = bodies.map(() => new Map());
  for (const known of holders.values()) {
    if (known.size < 2 || known.size >= COMMON) continue;
    const weight = 1 / Math.log2(1 + known.size);
    for (const one of known) for (const other of known) alike[one].set(other, (alike[one].get(other) ?? 0) + weight);
  }
  return alike;
}

/** Each time the function that is most alike to the last few; the first of several. */
function chain(bodies, alike, fade) {
  const left = new Set(bodies.keys());
  const scores = new Float64Array(bodies.length);
  const order = [];
  for (let next = 0; next !== undefined; ) {
    order.push(next);
    left.delete(next);
    for (let index = 0; index < scores.length; index++) scores[index] *= fade;
    for (const [other, weight] of alike[next]) scores[other] += weight;
    next = undefined;
    for (const index of left) if (next === undefined || scores[index] / bodies[index].length > scores[next] / bodies[next].length) next = index;
  }
  return order;
}

/** The order that packs best, of one for each way to be alike and to be forgotten. */
function best(bodies) {
  const packed = (order) => gzipSync(Buffer.concat(order.map((index) => bodies[index])), { level: 9 }).length;
  const orders = GRAMS.flatMap((gram) => {
    const alike = likeness(bodies, gram);
    return FADES.map((fade) => chain(bodies, alike, fade));
  });
  const sizes = orders.map(packed);
  return orders[sizes.indexOf(Math.min(...sizes))];
}

const list = (items) => Buffer.concat([leb(items.length), ...items]);

/** The parameters of each type of functions. */
function parameters(body) {
  const reader = new Reader(body);
  const type = () => {
    if (reader.take(1)[0] !== 0x60) throw new Error("order: a type that is no function");
    const count = reader.number();
    reader.take(count);
    reader.take(reader.number());
    return count;
  };
  return Array.from({ length: reader.number() }, type);
}

function exported(body, moved) {
  const reader = new Reader(body);
  const entry = () => {
    const name = reader.span(() => reader.take(reader.number()));
    const kind = reader.take(1);
    const index = reader.number();
    return Buffer.concat([name, kind, leb(kind[0] === 0 ? moved(index) : index)]);
  };
  const count = reader.number();
  return Buffer.concat([leb(count), ...Array.from({ length: count }, entry)]);
}

/** Segments of functions by index: of the first table, or of one that is named. */
function elements(body, moved) {
  const reader = new Reader(body);
  const segment = () => {
    const head = reader.span(() => {
      const flags = reader.number();
      if (flags !== 0 && flags !== 2) throw new Error(`order: a segment of kind ${flags}`);
      if (flags === 2) reader.number();
      if (reader.take(1)[0] !== 0x41) throw new Error("order: a segment without a plain offset");
      reader.number();
      reader.take(flags === 2 ? 2 : 1);
    });
    const count = reader.number();
    return Buffer.concat([head, leb(count), ...Array.from({ length: count }, () => leb(moved(reader.number())))]);
  };
  const count = reader.number();
  return Buffer.concat([leb(count), ...Array.from({ length: count }, segment)]);
}

const [from, to] = process.argv.slice(2);
const bytes = readFileSync(from);
const all = sections(bytes);
const body = (id) => all.find((section) => section.id === id)?.body ?? Buffer.from([0]);
const first = importedFunctions(body(IMPORT));
const types = items(body(FUNCTION), (reader) => reader.number());
const codes = items(body(CODE), (reader) => reader.take(reader.number())).map(content).map(direct);
const order = best(codes);
const places = new Map(order.map((index, place) => [first + index, first + place]));
const moved = (index) => places.get(index) ?? index;
const called = (code) => {
  const { types, between, numbers } = pieces(code, CALLS);
  return joined({ types, between, numbers: numbers.map(moved) });
};
const counts = parameters(body(TYPE));
const bodies = renumbered(order.map((index) => called(codes[index])), order.map((index) => counts[new Reader(types[index]).number()]));
const changed = {
  [FUNCTION]: () => list(order.map((index) => types[index])),
  [EXPORT]: (old) => exported(old, moved),
  [START]: (old) => leb(moved(new Reader(old).number())),
  [ELEMENT]: (old) => elements(old, moved),
  [CODE]: () => list(bodies.map((code) => Buffer.concat([leb(code.length), code]))),
};
const written = all.flatMap(({ id, body: old }) => {
  const now = changed[id]?.(old) ?? old;
  return [Buffer.from([id]), leb(now.length), now];
});
writeFileSync(to, Buffer.concat([bytes.subarray(0, 8), ...written]));
