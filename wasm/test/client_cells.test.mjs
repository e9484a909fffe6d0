// The cells of tests/src/outcome_cells.rs and tests/src/malformed_cells.rs through `cpaas/client`: outcomes, requests and effects are those that the
// tests of Rust expect, and records, results and warnings are those of Rust's client, which makes the same calls.
// `HOSTS=folder node --test` also runs them in workerd, Deno and Bun; tests/nightly/wasm_runtimes.sh creates the folder.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import test, { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { decodeResult } from "../js/decode-result.js";
import { OPERATIONS } from "../js/operations.js";
import { callCell } from "./client/cell_call.mjs";
import { runCells, startCellServer } from "./client/cells.mjs";
import { startWorkerd } from "./client/workerd.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = process.env.HOSTS;
const bin = (name) => `${folder}/node_modules/.bin/${name}`;
const skip = folder ? false : "HOSTS is not set";

/** `processed` and `retryable` of an unknown call of each operation, as tests/src/outcome_cells.rs writes them. */
const UNKNOWN = {
  "otp.get": "m+",
  "lookup.numbers": "m-",
  "otp.limits.create": "m-",
  "otp.limits.update": "m+",
  "otp.workflows.update": "m-",
  "otp.cancel": "m+",
  "otp.verify": "m-",
  "otp.send": "m-",
  "sms.send": "m-",
  "messages.send": "m-",
  "webhooks.messenger_b.set": "m+",
};

/** The host cannot prove that a refused connection carried no request. */
const withoutProof = () => Object.entries(UNKNOWN).map(([id, effect]) => [`refuse x ${id}`, ["expected 0N, found 0U", `expected n+, found ${effect}`]]);

/** The host does not report why a response cannot be read. The outcome is the same. */
const withoutReason = () => Object.keys(UNKNOWN).map((id) => [`garbage x ${id}`, ['reason: expected "decode", found "reset"']]);

/** The host may send this operation twice, so that the client does not send it. */
const refused = () =>
  server.cells.filter(({ id }) => id === "lookup.numbers_by_query").map(({ name }) => [name, [`expected ${name.includes(" /0/response =") ? "U" : "A"}, found V`]]);

/** A host that loses what it has received of a response if the connection closes at once: the outcome may be less certain, but not different. */
const LOSES_PARTS = /^200 cut after the verdict x /;

/** Faults under which it depends on the moment how many attempts are proven not sent, so that only the expectation of the tables counts. */
const TIMED = /^(accept then close|read all then hang) x /;

let server;
before(async () => (server = await startCellServer()));
after(() => server.stop());

/** A member of a record as text, without the address, which differs with each call. */
const text = (value) => JSON.stringify(value)?.replace(/127\.0\.0\.1:\d+/g, "127.0.0.1");

/** The members of a record that differ from Rust's. */
function differentMembers(record, expected) {
  const names = new Set([...Object.keys(record), ...Object.keys(expected)]);
  names.delete("call_id");
  if (record.reason !== expected.reason) names.delete("message"); // it contains the reason
  return [...names].filter((name) => text(record[name]) !== text(expected[name])).map((name) => `${name}: expected ${text(expected[name])}, found ${text(record[name])}`);
}

/** The differences between the end of a call and Rust's, whose record or value is a text. */
function differencesFromRust({ id, name }, { record, result, warnings }, expected) {
  if (TIMED.test(name)) return [];
  if ((record === undefined) !== (expected.record === undefined)) return [`expected ${JSON.stringify(expected)}, found ${JSON.stringify(record ?? result)}`];
  if (record) return differentMembers(record, JSON.parse(expected.record));
  const value = decodeResult(OPERATIONS.find((operation) => operation.id === id), JSON.parse(expected.value));
  const same = JSON.stringify([value, expected.warnings]) === JSON.stringify([result, warnings]);
  return same ? [] : [`expected ${JSON.stringify([value, expected.warnings])}, found ${JSON.stringify([result, warnings])}`];
}

/**
 * Checks the cells on a host, where `call` makes a call. `listed` are the cells with their differences there: one that is equal nevertheless
 * fails. `losesParts`: whether the host may lose the part of a response.
 */
async function check(host, call, { settings = {}, listed = [], losesParts = false } = {}) {
  const results = await runCells(server, call, settings);
  const equal = { outcome: 0, malformed: 0 };
  const found = [];
  server.cells.forEach(({ name, kind, ...cell }, index) => {
    const { differences, ended, inRust } = results[index];
    const all = differences.length > 0 ? differences : differencesFromRust({ name, ...cell }, ended, inRust);
    if (all.length === 0) equal[kind] += 1;
    else if (losesParts && LOSES_PARTS.test(name)) assert.match(ended.record.outcome, /^(unknown|accepted_id_unknown)$/, name);
    else found.push([name, all]);
  });
  console.log(`${host}: ${equal.outcome.toLocaleString("en")} and ${equal.malformed.toLocaleString("en")} equal, ${found.length} listed as different`);
  assert.deepEqual(Object.fromEntries(found), Object.fromEntries(listed));
  assert.equal(server.cells.length, 528 + 1116);
}

/** A function that makes the call at a server of `callCell`. */
const at = (url) => async (cell) => (await fetch(url, { method: "POST", body: JSON.stringify(cell) })).json();

async function checkProgram(host, args, expected) {
  const child = spawn(bin(host), args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const url = await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`${host} ended with ${code}`)));
      createInterface({ input: child.stdout }).once("line", resolve);
    });
    await check(host, at(url), expected);
  } finally {
    child.kill();
  }
}

test("Node", async () => check("Node", callCell, { settings: { connectTimeoutMs: 100_000 } }));

test("workerd", { skip }, async () => {
  const { url, stop } = await startWorkerd(bin("workerd"), "test/client/cell_worker.mjs");
  try {
    await check("workerd", at(url), { listed: [...withoutProof(), ...withoutReason(), ...refused()] });
  } finally {
    stop();
  }
});

test("Deno", { skip }, async () =>
  checkProgram("deno", ["run", "--allow-read", "--allow-net", "test/client/cell_program.mjs"], { listed: [...withoutProof(), ...withoutReason()] }));

test("Bun", { skip }, async () => checkProgram("bun", ["run", "test/client/cell_program.mjs"], { listed: withoutReason(), losesParts: true }));
