// A WebAssembly module as bytes: its sections, its numbers, and the instructions of a function as far as their lengths.

/** Reads from front to back. */
export class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** A number of seven bits a byte; of one with a sign only the length is right. */
  number() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.at++];
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  /** A number with a sign. */
  signed() {
    let value = 0;
    const bytes = this.span(() => this.number());
    bytes.forEach((byte, index) => (value += (byte & 0x7f) * 128 ** index));
    return bytes.at(-1) & 0x40 ? value - 128 ** bytes.length : value;
  }

  take(length) {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** What `read` passes over. */
  span(read) {
    const start = this.at;
    read();
    return this.bytes.subarray(start, this.at);
  }
}

export function leb(value) {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 128)) bytes.push((value % 128) | 0x80);
  return Buffer.from([...bytes, value]);
}

/** A number with a sign. */
export function signed(value) {
  const bytes = [];
  for (; value < -0x40 || value >= 0x40; value = Math.floor(value / 128)) bytes.push((((value % 128) + 128) % 128) | 0x80);
  return Buffer.from([...bytes, value & 0x7f]);
}

/** A section with one item more. */
export function appended(body, item) {
  const reader = new Reader(body);
  return Buffer.concat([leb(reader.number() + 1), body.subarray(reader.at), item]);
}

export function sections(bytes) {
  const found = [];
  for (const reader = new Reader(bytes, 8); reader.at < bytes.length; ) {
    const id = reader.take(1)[0];
    found.push({ id, body: reader.take(reader.number()) });
  }
  return found;
}

/** What stands in a section behind the count of its items, each as `read` passes over it. */
export function items(body, read) {
  const reader = new Reader(body);
  return Array.from({ length: reader.number() }, () => reader.span(() => read(reader)));
}

/** What stands behind the length of an item. */
export function content(item) {
  const reader = new Reader(item);
  return reader.take(reader.number());
}

export function importedFunctions(body) {
  const reader = new Reader(body);
  let functions = 0;
  for (let count = reader.number(); count > 0; count--) {
    reader.take(reader.number());
    reader.take(reader.number());
    const kind = reader.take(1)[0];
    if (kind === 0) functions++;
    if (kind === 0) reader.number();
    else if (kind === 3) reader.take(2);
    else {
      if (kind === 1) reader.take(1);
      const limits = reader.number();
      reader.number();
      if (limits & 1) reader.number();
    }
  }
  return functions;
}

/** Instructions that name a function: a call, a call in place of a return, a reference. */
export const CALLS = [0x10, 0x12, 0xd2];
/** Instructions that name a local: get, set, tee. */
export const LOCALS = [0x20, 0x21, 0x22];

/** Instructions by their first byte, from one to another, and how many numbers stand behind each. */
const KNOWN = [
  [0x00, 0x01, 0], [0x02, 0x04, 1], [0x05, 0x05, 0], [0x0b, 0x0b, 0], [0x0c, 0x0d, 1], [0x0f, 0x0f, 0], [0x10, 0x10, 1], [0x11, 0x11, 2],
  [0x12, 0x12, 1], [0x13, 0x13, 2], [0x1a, 0x1b, 0], [0x20, 0x26, 1], [0x28, 0x3e, 2], [0x3f, 0x42, 1], [0x45, 0xc4, 0], [0xd0, 0xd0, 1],
  [0xd1, 0xd1, 0], [0xd2, 0xd2, 1],
];
/** The same of those behind 0xFC, by their number. */
const WIDE = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1];

/** How many numbers stand behind an instruction. */
function operands(reader, code) {
  if (code === 0x0e) return reader.number() + 1;
  if (code === 0x1c) return reader.number();
  if (code === 0xfc) return WIDE[reader.number()];
  return KNOWN.find(([from, to]) => from <= code && code <= to)?.[2];
}

/** Passes over what stands behind an instruction. */
export function skip(reader, code) {
  if (code === 0x43 || code === 0x44) return reader.take(code === 0x43 ? 4 : 8);
  const numbers = operands(reader, code);
  if (numbers === undefined) throw new Error(`module: instruction 0x${code.toString(16)} is not known`);
  for (let left = numbers; left > 0; left--) reader.number();
}

/** A function, without its length before it, cut where an instruction of `cut` names something: what stands between, the
 * first piece with the types of the locals before it, and the numbers that were cut out. */
export function pieces(code, cut) {
  const reader = new Reader(code);
  const types = [];
  for (let groups = reader.number(); groups > 0; groups--) {
    const count = reader.number();
    const [type] = reader.take(1);
    for (let local = 0; local < count; local++) types.push(type);
  }
  const between = [];
  const numbers = [];
  let start = reader.at;
  while (reader.at < code.length) {
    const instruction = reader.take(1)[0];
    if (cut.includes(instruction)) {
      between.push(code.subarray(start, reader.at));
      numbers.push(reader.number());
      start = reader.at;
    } else skip(reader, instruction);
  }
  between.push(code.subarray(start));
  return { types, between, numbers };
}

/** The instructions of a function, without its length before it, and the types of its locals. */
export function instructions(code) {
  const { types, between } = pieces(code, []);
  const reader = new Reader(between[0]);
  const list = [];
  while (reader.at < reader.bytes.length) {
    const bytes = reader.span(() => skip(reader, reader.take(1)[0]));
    list.push({ code: bytes[0], bytes });
  }
  return { types, list };
}

/** The instructions of a function, without its length before it, each by its first byte. */
export const visited = (code) => instructions(code).list.map(({ code }) => code);

/** The function of these pieces: locals of one type that stand together are declared together. */
export function joined({ types, between, numbers }) {
  const groups = [];
  for (const type of types) {
    if (groups.at(-1)?.type === type) groups.at(-1).count++;
    else groups.push({ type, count: 1 });
  }
  const parts = [leb(groups.length), ...groups.flatMap(({ type, count }) => [leb(count), Buffer.from([type])])];
  between.forEach((part, index) => {
    parts.push(part);
    if (index < numbers.length) parts.push(leb(numbers[index]));
  });
  return Buffer.concat(parts);
}
