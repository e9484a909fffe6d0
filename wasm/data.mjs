// `node data.mjs IN.wasm OUT.wasm`: brings the constants of a module that was linked with its relocations into an order that
// packs well: tables with addresses, then numbers, then texts, of which one that stands within another is not written again;
// those that the tables name one behind the other get their addresses when the module starts.
// Functions that do nothing are emptied, and of those that are the same tables hold one.
import { readFileSync, writeFileSync } from "node:fs";
import { emptied, functions, idle, same } from "./functions.mjs";
import { Reader, appended, items, leb, sections, signed } from "./module.mjs";
import { marked } from "./texts.mjs";

const [CUSTOM, TYPE, FUNCTION, EXPORT, START, ELEMENT, CODE, DATA] = [0, 1, 3, 7, 8, 9, 10, 11];
/** The kind of what the linker exports on its own. */
const GLOBAL = 3;
/** Addresses: a number of seven bits a byte without and with a sign, and four bytes. */
const [UNSIGNED, SIGNED, WORD] = [3, 4, 5];
/** Places of functions in the table: a number with a sign, and four bytes. */
const [PLACE, PLACE_WORD] = [1, 2];
/** Relocations that name functions, types, globals and tables. */
const OTHERS = [0, 6, 7, 20];
/** Of a symbol. */
const [UNDEFINED, NAMED] = [0x10, 0x40];
/** What a constant is: does it hold addresses? */
const [TABLE, NUMBERS, TEXT] = [0, 1, 2];

const text = (reader) => Buffer.from(reader.take(reader.number())).toString();

/** What the linker calls symbols: where data lies, which function it is; of others nothing. */
function symbols(body) {
  const reader = new Reader(body);
  reader.number();
  for (;;) {
    const kind = reader.take(1)[0];
    const part = new Reader(reader.take(reader.number()));
    if (kind === 8) return Array.from({ length: part.number() }, () => symbol(part));
  }
}

function symbol(reader) {
  const kind = reader.take(1)[0];
  const flags = reader.number();
  if (kind === 1) {
    text(reader);
    if (flags & UNDEFINED) return {};
    const [segment, start, size] = [reader.number(), reader.number(), reader.number()];
    return { segment, start, size };
  }
  const number = reader.number();
  if (kind !== 3 && (!(flags & UNDEFINED) || flags & NAMED)) text(reader);
  return kind === 0 ? { called: number } : {};
}

/** The places in a section where the address of a symbol stands, or its place in the table. */
function addresses(body) {
  const reader = new Reader(body);
  text(reader);
  const section = reader.number();
  const found = [];
  for (let count = reader.number(); count > 0; count--) {
    const kind = reader.take(1)[0];
    const [at, index] = [reader.number(), reader.number()];
    if (OTHERS.includes(kind)) continue;
    if (![PLACE, PLACE_WORD, UNSIGNED, SIGNED, WORD].includes(kind)) throw new Error(`data: a relocation of kind ${kind}`);
    found.push({ section, kind, at, index, offset: kind > PLACE_WORD ? reader.signed() : 0 });
  }
  return found;
}

function read(bytes, { kind, at }) {
  if (kind === WORD || kind === PLACE_WORD) return bytes.readUInt32LE(at);
  return new Reader(bytes, at).number();
}

/** In as many bytes as the linker left for it. */
function write(bytes, { kind, at }, value) {
  if (kind === WORD || kind === PLACE_WORD) return bytes.writeUInt32LE(value, at);
  for (let index = 0; index < 5; index++) {
    bytes[at + index] = (value % 128) | (index < 4 ? 0x80 : 0);
    value = Math.floor(value / 128);
  }
}

/** Segments of data: where they lie in memory and where their bytes lie in the section. */
function segments(body) {
  const reader = new Reader(body);
  return Array.from({ length: reader.number() }, () => {
    if (reader.number() !== 0 || reader.take(1)[0] !== 0x41) throw new Error("data: a segment without a plain offset");
    const base = reader.signed();
    reader.take(1);
    const size = reader.number();
    const start = reader.at;
    reader.take(size);
    return { base, start, size };
  });
}

/** The functions in the table, and the place of the first. */
function elements(body) {
  const reader = new Reader(body);
  if (reader.number() !== 1 || reader.number() !== 0 || reader.take(1)[0] !== 0x41) throw new Error("data: more than one table");
  const base = reader.signed();
  reader.take(1);
  return { base, entries: Array.from({ length: reader.number() }, () => reader.number()) };
}

/** Exports but the linker's own. */
function exported(body) {
  const kept = items(body, (reader) => {
    reader.take(reader.number());
    reader.take(1);
    reader.number();
  }).filter((item) => item[1 + item[0]] !== GLOBAL);
  return Buffer.concat([leb(kept.length), ...kept]);
}

const isText = (bytes) => Buffer.from(bytes.toString()).equals(bytes) && !/[\0-\x08\x0e-\x1f]/.test(bytes.toString());

/** The pieces of a segment between the starts of its symbols. */
function cut(segment, known, body, found) {
  const starts = [...new Set([0, ...known.map(({ start }) => start)])].sort((one, other) => one - other);
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? segment.size;
    const sizes = known.filter((symbol) => symbol.start === start).map(({ size }) => size);
    const size = Math.max(...sizes, 0);
    const rest = body.subarray(segment.start + start + size, segment.start + end);
    const last = size > 0 && rest.length < 16 && rest.every((byte) => byte === 0) ? start + size : end;
    const bytes = body.subarray(segment.start + start, segment.start + last);
    const held = found.filter(({ at }) => at >= segment.start + start && at < segment.start + last).map(({ index }) => index);
    return { start, bytes, held, kind: held.length > 0 ? TABLE : size > 0 && isText(bytes) ? TEXT : NUMBERS };
  });
}

/** Of texts, the longest first, those that stand within another, and where. */
function contained(texts) {
  const within = new Map();
  const whole = [];
  for (const piece of texts) {
    const other = whole.find(({ bytes }) => bytes.includes(piece.bytes));
    if (other) within.set(piece, { other, at: other.bytes.indexOf(piece.bytes) });
    else whole.push(piece);
  }
  return within;
}

/** The pieces, of one kind the short ones first, but the texts that tables name in the order of these. */
function sorted(pieces, table) {
  const found = pieces.toSorted((one, other) => one.kind - other.kind || one.bytes.length - other.bytes.length);
  const names = new Set(found.flatMap(({ held }) => held).map((index) => table[index]).filter(({ segment }) => segment === 0).map(({ start }) => start));
  const order = new Map([...names].map((start, place) => [start, place]));
  const place = ({ kind, start }) => (kind === TEXT ? (order.get(start) ?? order.size) : 0);
  return found.sort((one, other) => one.kind - other.kind || place(one) - place(other));
}

/** Where each piece goes, and what is written one behind the other. */
function laid(sorted) {
  const texts = sorted.filter(({ kind }) => kind === TEXT);
  const within = contained(texts.toSorted((one, other) => other.bytes.length - one.bytes.length));
  const places = new Map();
  const parts = [];
  let end = 0;
  for (const piece of sorted) {
    if (within.has(piece)) continue;
    // What it is aligned to is not said; no more than where it lay.
    const align = piece.kind === TEXT ? 1 : Math.min(16, piece.start & -piece.start || 16);
    const padding = (align - (end % align)) % align;
    parts.push(Buffer.alloc(padding), piece.bytes);
    places.set(piece.start, end + padding);
    end += padding + piece.bytes.length;
  }
  for (const [piece, { other, at }] of within) places.set(piece.start, places.get(other.start) + at);
  const ends = (kind) => sorted.filter((piece) => piece.kind === kind && !within.has(piece)).map(({ start, bytes }) => places.get(start) + bytes.length);
  const begin = Math.min(...texts.filter((piece) => !within.has(piece)).map(({ start }) => places.get(start)));
  return { places, parts, tables: Math.max(0, ...ends(TABLE)), begin, ends: ends(TEXT) };
}

const [from, to] = process.argv.slice(2);
const bytes = readFileSync(from);
const all = sections(bytes).map(({ id, body }) => ({ id, body, name: id === CUSTOM ? text(new Reader(body)) : "" }));
const named = (name) => all.find((section) => section.name === name).body;
const linking = new Reader(named("linking"));
text(linking);
const table = symbols(linking.bytes.subarray(linking.at));
const found = all.filter(({ name }) => /^reloc\.(CODE|DATA)$/.test(name)).flatMap(({ body }) => addresses(body));
const data = all.find(({ id }) => id === DATA);
const lying = segments(data.body);
const inData = found.filter(({ section }) => all[section] === data);
const first = lying[0];
const known = table.filter(({ segment }) => segment === 0);
const { places, parts, ...limits } = laid(sorted(cut(first, known, data.body, inData), table));

const code = functions(all);
const nothing = idle(code);
const leaders = same(code, nothing);
const { base, entries } = elements(all.find(({ id }) => id === ELEMENT).body);
const slots = new Map();
for (const place of found) {
  const { segment, start, called } = table[place.index];
  const { body } = all[place.section];
  const old = read(body, place);
  if (called !== undefined) {
    if (entries[old - base] !== called) throw new Error("data: a place in the table that is another");
    const leader = code.first + leaders[called - code.first];
    if (!slots.has(leader)) slots.set(leader, base + slots.size);
    write(body, place, slots.get(leader));
  } else if (segment === 0) {
    if (old !== first.base + start + place.offset) throw new Error("data: an address that is another");
    write(body, place, first.base + places.get(start) + place.offset);
  }
}
const { bytes: constants, start } = marked(Buffer.concat(parts), first.base, limits);
if (constants.length > (lying[1]?.base ?? first.base + first.size) - first.base) throw new Error("data: more constants than there is room for");
const segment = (base, content) => Buffer.concat([Buffer.from([0, 0x41]), signed(base), Buffer.from([0x0b]), leb(content.length), content]);
const content = lying.map(({ base, start, size }, index) => segment(base, index === 0 ? constants : data.body.subarray(start, start + size)));
const changed = {
  [EXPORT]: exported,
  [ELEMENT]: () => Buffer.concat([Buffer.from([1, 0, 0x41]), signed(base), Buffer.from([0x0b]), leb(slots.size), ...[...slots.keys()].map(leb)]),
  [TYPE]: (old) => appended(old, Buffer.from([0x60, 0, 0])),
  [FUNCTION]: (old) => appended(old, leb(new Reader(all.find(({ id }) => id === TYPE).body).number())),
  [CODE]: () => appended(emptied(code, nothing), start),
  [DATA]: () => Buffer.concat([leb(content.length), ...content]),
};
const kept = all.filter(({ name }) => name !== "linking" && !name.startsWith("reloc."));
kept.splice(kept.findIndex(({ id }) => id === ELEMENT), 0, { id: START, body: leb(code.first + code.list.length) });
const parcels = kept.flatMap(({ id, body: old }) => {
  const body = changed[id]?.(old) ?? old;
  return [Buffer.from([id]), leb(body.length), body];
});
writeFileSync(to, Buffer.concat([bytes.subarray(0, 8), ...parcels]));
