// The bytes of a module by part: `node split.mjs FILE.wasm`; function names must not be stripped.
import { readFileSync } from "node:fs";

/** Sections of a module: `[id, start, end]`. */
function sections(bytes) {
  const found = [];
  let at = 8;
  while (at < bytes.length) {
    const id = bytes[at++];
    const [size, start] = leb(bytes, at);
    found.push([id, start, start + size]);
    at = start + size;
  }
  return found;
}

function leb(bytes, at) {
  let value = 0;
  let shift = 1;
  for (;;) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * shift;
    shift *= 128;
    if (byte < 0x80) return [value, at];
  }
}

function name(bytes, at) {
  const [length, start] = leb(bytes, at);
  return [new TextDecoder().decode(bytes.subarray(start, start + length)), start + length];
}

function functionNames(bytes, found) {
  const names = new Map();
  for (const [id, start, end] of found) {
    if (id !== 0) continue;
    let [title, at] = name(bytes, start);
    if (title !== "name") continue;
    while (at < end) {
      const kind = bytes[at];
      let [size, here] = leb(bytes, at + 1);
      const next = here + size;
      if (kind === 1) {
        let count;
        [count, here] = leb(bytes, here);
        for (let i = 0; i < count; i++) {
          let index, text;
          [index, here] = leb(bytes, here);
          [text, here] = name(bytes, here);
          names.set(index, text);
        }
      }
      at = next;
    }
  }
  return names;
}

function imported(bytes, found) {
  const section = found.find(([id]) => id === 2);
  if (!section) return 0;
  let [count, at] = leb(bytes, section[1]);
  let functions = 0;
  while (count-- > 0) {
    at = name(bytes, at)[1];
    at = name(bytes, at)[1];
    const kind = bytes[at++];
    if (kind === 0) functions++;
    if (kind === 1) at++;
    if (kind === 3) at += 2;
    else if (kind !== 0) {
      const flags = bytes[at++];
      at = leb(bytes, at)[1];
      if (flags & 1) at = leb(bytes, at)[1];
    } else at = leb(bytes, at)[1];
  }
  return functions;
}

/** The functions of a module with their sizes, and the size of its data. */
export function measure(bytes) {
  const found = sections(bytes);
  const names = functionNames(bytes, found);
  const first = imported(bytes, found);
  const functions = [];
  let data = 0;
  for (const [id, start, end] of found) {
    if (id === 11) data = end - start;
    if (id !== 10) continue;
    let [count, at] = leb(bytes, start);
    for (let i = 0; i < count; i++) {
      const [size, body] = leb(bytes, at);
      const name = (names.get(first + i) ?? `#${first + i}`).replace(/\[[0-9a-f]{8,}\]/g, "");
      functions.push({ name, size });
      at = body + size;
    }
  }
  return { functions, data };
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const { functions, data } = measure(readFileSync(process.argv[2]));
  const sum = functions.reduce((all, { size }) => all + size, 0);
  console.log(`code ${sum} in ${functions.length} functions, data ${data}`);
  const pattern = process.argv[3];
  const shown = pattern ? functions.filter(({ name }) => new RegExp(pattern).test(name)) : functions;
  for (const { name, size } of shown.sort((a, b) => b.size - a.size).slice(0, Number(process.argv[4] ?? 70))) console.log(size, name);
}
