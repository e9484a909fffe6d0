// The bytes of a module by part: `node split.mjs FILE.wasm`; function names must not be stripped.
import { readFileSync } from "node:fs";
import { Reader, importedFunctions, sections } from "../module.mjs";

const [CUSTOM, IMPORT, CODE, DATA] = [0, 2, 10, 11];

const text = (reader) => new TextDecoder().decode(reader.take(reader.number()));

/** The names of functions by their index. */
function functionNames(found) {
  const names = new Map();
  for (const { id, body } of found) {
    const reader = new Reader(body);
    if (id !== CUSTOM || text(reader) !== "name") continue;
    while (reader.at < body.length) {
      const kind = reader.take(1)[0];
      const part = new Reader(reader.take(reader.number()));
      if (kind !== 1) continue;
      for (let count = part.number(); count > 0; count--) names.set(part.number(), text(part));
    }
  }
  return names;
}

/** The functions of a module with their sizes, and the size of its data. */
export function measure(bytes) {
  const found = sections(bytes);
  const body = (id) => found.find((section) => section.id === id)?.body ?? Buffer.from([0]);
  const names = functionNames(found);
  const first = importedFunctions(body(IMPORT));
  const reader = new Reader(body(CODE));
  const functions = Array.from({ length: reader.number() }, (_, index) => {
    const name = (names.get(first + index) ?? `#${first + index}`).replace(/\[[0-9a-f]{8,}\]/g, "");
    const { length } = reader.take(reader.number());
    return { name, size: length };
  });
  return { functions, data: body(DATA).length };
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const { functions, data } = measure(readFileSync(process.argv[2]));
  const sum = functions.reduce((all, { size }) => all + size, 0);
  console.log(`code ${sum} in ${functions.length} functions, data ${data}`);
  const pattern = process.argv[3];
  const shown = pattern ? functions.filter(({ name }) => new RegExp(pattern).test(name)) : functions;
  for (const { name, size } of shown.sort((a, b) => b.size - a.size).slice(0, Number(process.argv[4] ?? 70))) console.log(size, name);
}
