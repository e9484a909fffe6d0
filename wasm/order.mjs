// `node order.mjs IN.wasm OUT.wasm`: brings the functions of a module into an order in which those that are alike stand
// close to each other, and their locals into one that makes them more alike, which gzip likes. Nothing else changes: calls,
// tables and exports name the same functions.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { orders } from "./likeness.mjs";
import { renumbered } from "./locals.mjs";
import { CALLS, Reader, content, importedFunctions, items, joined, leb, pieces, sections, skip } from "./module.mjs";
import { direct } from "./results.mjs";

const [TYPE, IMPORT, FUNCTION, GLOBAL, EXPORT, START, ELEMENT, CODE] = [1, 2, 3, 6, 7, 8, 9, 10];
/** How many orders are tried to the end, and with how many starts. */
const [FEW, TURNS] = [3, 64];

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

/** Globals name no function: their values are left as they are. */
function checked(body) {
  items(body, (reader) => {
    reader.take(2);
    for (let code = reader.take(1)[0]; code !== 0x0b; code = reader.take(1)[0]) {
      if (CALLS.includes(code)) throw new Error("order: a global that names a function");
      skip(reader, code);
    }
  });
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
checked(body(GLOBAL));
const first = importedFunctions(body(IMPORT));
const types = items(body(FUNCTION), (reader) => reader.number());
const codes = items(body(CODE), (reader) => reader.take(reader.number())).map(content).map(direct);
const counts = parameters(body(TYPE));

const renamed = (code, name) => {
  const { types, between, numbers } = pieces(code, CALLS);
  return joined({ types, between, numbers: numbers.map(name) });
};

/** The functions' numbers in this order by those that they had. */
function numbersIn(order) {
  const places = new Map(order.map((index, place) => [first + index, first + place]));
  return (number) => places.get(number) ?? number;
}

/** The code of each function with its locals numbered for this order. */
function renumberedIn(order) {
  const counted = order.map((index) => counts[new Reader(types[index]).number()]);
  const bodies = renumbered(order.map((index) => renamed(codes[index], numbersIn(order))), counted);
  const before = (number) => (number < first ? number : first + order[number - first]);
  return new Map(order.map((index, place) => [index, renamed(bodies[place], before)]));
}

/** The module with its functions in this order. */
function assembled(order, code) {
  const moved = numbersIn(order);
  const bodies = order.map((index) => renamed(code.get(index), moved));
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
  const module = Buffer.concat([bytes.subarray(0, 8), ...written]);
  return { order, module, size: execFileSync("gzip", ["-9c"], { input: module }).length };
}

/** The same order from other functions on: gzip begins each of its few tables of codes elsewhere. */
function turned(order) {
  const starts = Array.from({ length: TURNS }, (_, turn) => Math.floor((turn * order.length) / TURNS));
  return starts.map((start) => [...order.slice(start), ...order.slice(0, start)]);
}

const bySize = (one, other) => one.size - other.size;
const given = new Map(codes.entries());
const tried = orders(codes).map((order) => assembled(order, given)).sort(bySize).slice(0, FEW);
const done = tried.flatMap(({ order }) => {
  const code = renumberedIn(order);
  return turned(order).map((order) => assembled(order, code));
});
writeFileSync(to, done.sort(bySize)[0].module);
