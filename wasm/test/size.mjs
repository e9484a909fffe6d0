// `node size.mjs NAMED.wasm [LIMIT]`: what a browser loads, packed by gzip, and the split by part of the code
// before wasm-opt takes the names away.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { measure } from "./split.mjs";

/** The first bar of the project. */
const GOAL = 60_000;

/** What the standard libraries of wasm/compile add to the one that it builds at opt-level z, without texts of panics. */
const STD = { sources: 0, rustup: 13_500, debian: 10_500 };

const PARTS = [
  ["markup", /^<?&?cpaas::markup/],
  ["text: parts, characters, senders", /^<?&?cpaas::text|^cpaas_wasm/],
  ["rules and checks", /cpaas::operation::Validate|^cpaas::(rules|check)/],
  ["JSON in and out", /cpaas::light|cpaas_scan/],
  ["models, problems, operations", /^<*&?(mut )?cpaas::|cpaas::read/],
  ["memory", /Heap|heap::|__rust|raw_vec/],
  ["maps and sorting", /btree|sort/],
  ["the rest of std", /./],
];

const [named, bar = "60000"] = process.argv.slice(2);
const std = readFileSync(join(dirname(named), "cpaas_std"), "utf8").trim();
const limit = Number(bar) + STD[std];
const folder = new URL("../pkg/web/", import.meta.url);
const files = ["cpaas_bg.wasm", "cpaas.js"].map((name) => readFileSync(new URL(name, folder)));
const packed = (bytes) => execFileSync("gzip", ["-9c"], { input: bytes }).length;
const size = packed(Buffer.concat(files));

const { functions, data } = measure(readFileSync(named));
const sums = new Map(PARTS.map(([part]) => [part, 0]));
for (const { name, size } of functions) {
  const [part] = PARTS.find(([, pattern]) => pattern.test(name));
  sums.set(part, sums.get(part) + size);
}
console.log(`${"part (bytes before wasm-opt, unpacked)".padEnd(42)} bytes`);
for (const [part, sum] of [...sums].sort((a, b) => b[1] - a[1])) console.log(`${part.padEnd(42)} ${sum}`);
console.log(`${"data: texts, tables of fields, Unicode".padEnd(42)} ${data}`);
console.log(`module ${packed(files[0])} + glue ${packed(files[1])}, together ${size} bytes of gzip; gate ${limit} with std of ${std}, first bar ${GOAL}: ${size <= GOAL ? "reached" : "not reached"}`);
process.exit(size <= limit ? 0 : 1);
