// `node node_vectors.mjs EXPECTED`: compares every vector in Node with Rust's result.
import { readFileSync } from "node:fs";
import * as api from "cpaas";
import { compare } from "./compare_with_rust.mjs";

const expected = JSON.parse(readFileSync(process.argv[2], "utf8"));
await api.init();
const { equal, differences } = compare(expected, api);
for (const line of differences.slice(0, 10)) console.log(line);
const kinds = {};
for (const [name] of expected) kinds[name] = (kinds[name] ?? 0) + 1;
console.log(Object.entries(kinds).map(([name, count]) => `${name} ${count}`).join(", "));
console.log(`${equal} of ${expected.length} results byte-identical in Node`);
process.exit(differences.length === 0 && expected.length > 1000 ? 0 : 1);
