// `node tests/nightly/lanes.mjs ANSWERS [COUNT] [SEED]`: altered requests through both lanes of validation, the typed one of
// Rust (the example `validate` of cpaas-wasm, a program ANSWERS) and the browser's module: each report byte for byte.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { initSync, validateText } from "../../wasm/js/node.js";

const [program, count = "300000", seed = "1"] = process.argv.slice(2);
initSync(readFileSync(new URL("../../wasm/pkg/web/cpaas_bg.wasm", import.meta.url)));
const seeds = JSON.parse(readFileSync(0, "utf8")).filter(([name]) => name === "validateText").map(([, [operation, text]]) => [operation, text]).filter(([, text]) => text.length < 4000);

let state = Number(seed);
/** xorshift32: the same requests for the same seed. */
function random(below) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % below;
}
const pick = (list) => list[random(list.length)];

const names = [...new Set(seeds.flatMap(([, text]) => [...text.matchAll(/"([A-Za-z_]+)" *:/g)].map(([, name]) => name)))];
const VALUES = ["null", "true", "false", "0", "-0", "1", "-1", "1.5", "1e3", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "1e400", "01", '""', '" "', '"a"', '"*a"', '"https://a.b/c.png"', '"\\ud83d\\ude00"', '"\\ud83d"', '"a\\u0000b"', '"306912345678"', '"[1]"', "[]", "[null]", "[[]]", '["a","a"]', "{}", '{"a":1,"a":2}', '{"extra":{}}', '{"text":"a"}'];
const MARKS = ['"', "{", "}", "[", "]", ",", ":", "\\", " ", "\n", "\t", "0", "-", "e", ".", "é", "😀", "\u0001", "n", "t"];
const cut = (text, at, gone, put) => text.slice(0, at) + put + text.slice(at + gone);
const places = (text, pattern) => [...text.matchAll(pattern)].map((match) => [match.index, match[0].length]);
const at = (text, pattern, put, gone) => {
  const found = places(text, pattern);
  if (found.length === 0) return text;
  const [index, length] = pick(found);
  return cut(text, index + (gone ? 0 : length), gone ? length : 0, put);
};
const escape = (name) => `\\u${name.charCodeAt(0).toString(16).padStart(4, "0")}${name.slice(1)}`;
const SLIPS = [
  (text) => cut(text, random(text.length + 1), random(3), pick(MARKS)),
  (text) => cut(text, random(text.length + 1), 1 + random(20), ""),
  (text) => at(text, /[{,]/g, `"${pick(names)}":${pick(VALUES)},`),
  (text) => at(text, /[{]/g, `"${pick(names)}":${pick(VALUES)},"${pick(names)}":${pick(VALUES)},`),
  (text) => at(text, /"[A-Za-z_]+" *:/g, `"${pick(names)}":`, true),
  (text) => at(text, /"[A-Za-z_]+" *:/g, `"${escape(pick(names))}":`, true),
  (text) => at(text, /"[^"{}[\]:,]*"(?! *:)/g, pick(VALUES), true),
  (text) => at(text, /[0-9]+/g, pick(VALUES), true),
  (text) => at(text, /[[{,:]/g, pick([" ", "\n", "\r\n\t "])),
  (text) => at(text, /\{[^{}]*\}/g, pick(VALUES), true),
  (text) => {
    const members = places(text, /"[A-Za-z_]+" *: *("[^"\\]*"|[0-9.]+|true|false|null|\[[^[\]{}]*\]|\{[^[\]{}]*\})/g);
    if (members.length === 0) return text;
    const [index, length] = pick(members);
    return at(text, /[{,]/g, `${text.slice(index, index + length)},`);
  },
];

function altered() {
  let [operation, text] = pick(seeds);
  for (let slips = 1 + random(4); slips > 0; slips--) text = pick(SLIPS)(text);
  return [operation, text];
}

const child = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
let differing = 0;
let faults = 0;
for (let done = 0; done < Number(count); ) {
  const batch = Array.from({ length: 500 }, altered);
  child.stdin.write(batch.map((request) => `${JSON.stringify(request.map((text) => text.toWellFormed()))}\n`).join(""));
  for (const [operation, request] of batch) {
    const { value: theirs } = await answers.next();
    const report = JSON.parse(theirs);
    const ours = validateText(operation, request.toWellFormed());
    const bare = (all) => all.map(({ pointer, code, severity, message, params, fix }) => [pointer, code, severity, message, params, fix]);
    faults += report.errors.some(({ code }) => code === "json.syntax");
    if (JSON.stringify([bare(report.errors), bare(report.warnings)]) !== JSON.stringify([bare(ours.errors), bare(ours.warnings)]) && ++differing <= 5) console.log(`${operation} ${JSON.stringify(request)}\n  ${theirs}\n  ${JSON.stringify(ours)}`);
  }
  done += batch.length;
}
child.stdin.end();
console.log(`${count} altered requests (${faults} no JSON) through both lanes, ${differing} differences`);
process.exit(differing === 0 ? 0 : 1);
