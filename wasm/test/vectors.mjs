// `node vectors.mjs ANSWERS`: every vector in Node, against what Rust answered.
import { readFileSync } from "node:fs";
import * as api from "cpaas";
import { hold } from "./answers.mjs";

const answers = JSON.parse(readFileSync(process.argv[2], "utf8"));
await api.init();
const { right, wrong } = hold(answers, api);
for (const line of wrong.slice(0, 10)) console.log(line);
const kinds = {};
for (const [name] of answers) kinds[name] = (kinds[name] ?? 0) + 1;
console.log(Object.entries(kinds).map(([name, count]) => `${name} ${count}`).join(", "));
console.log(`${right} of ${answers.length} answers byte-identical in Node`);
process.exit(wrong.length === 0 && answers.length > 1000 ? 0 : 1);
