// Runs the cells that `tests/src/bin/cell_server.rs` serves.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const binary = process.env.CPAAS_CELL_SERVER ?? `${process.env.CARGO_TARGET_DIR ?? new URL("../../../target", import.meta.url).pathname}/debug/cell_server`;

/** The time limit of an attempt to which the server does not respond, at first: on a busy machine, it can pass before the server has read the request. */
const FIRST_LIMIT_MS = 2000;

const AT_ONCE = 32;

/** Starts the program. `cells` are its cells; `command(members)` resolves with the answer to a command. */
export async function startCellServer() {
  const child = spawn(binary, { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  let numbers = 0;
  const cells = await new Promise((resolve, reject) => {
    waiting.set(0, { resolve, reject });
    const fail = (error) => waiting.forEach(({ reject }) => reject(error));
    child.once("error", fail);
    child.once("exit", (code) => fail(new Error(`the cell server ended with ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const { number = 0, error, ...answer } = JSON.parse(line);
      const { resolve, reject } = waiting.get(number);
      waiting.delete(number);
      if (error) reject(new Error(error));
      else resolve(answer);
    });
  }).then((answer) => answer.cells);
  const command = (members) =>
    new Promise((resolve, reject) => {
      const number = ++numbers;
      waiting.set(number, { resolve, reject });
      child.stdin.write(`${JSON.stringify({ number, ...members })}\n`);
    });
  return { cells, command, stop: () => child.stdin.end() };
}

/** Runs a cell; `call` is `callCell` on a host. Returns its differences from the expectation, and how the call ended here and in Rust. */
async function runCell({ cells, command }, cell, call, settings) {
  const { kind, id, request, hangs } = cells[cell];
  const inRust = await command({ do: "rust", cell });
  for (let timeoutMs = hangs ? FIRST_LIMIT_MS : 100_000; ; timeoutMs *= 3) {
    const { run, url } = await command({ do: "start", cell });
    const more = { ...settings, timeoutMs, deadlineMs: 400_000, ...(kind === "malformed" && { maxAttempts: 1 }) };
    const ended = await call({ url, id, request, more });
    const differences = [];
    if (kind === "outcome" && ended.record?.retryable) {
      const { url } = await command({ do: "recover", run });
      const { record } = await call({ url, id, request, more });
      if (record) differences.push(`the repetition ended with: ${record.message}`);
    }
    differences.push(...(await command({ do: "end", run, record: ended.record ?? null })).differences);
    if (differences.length === 0 || !hangs || timeoutMs > 20_000) return { differences, ended, inRust };
  }
}

/** Runs all cells, several at once; the results are in the order of the cells. `settings` are those of a host. */
export async function runCells(server, call, settings) {
  const results = [];
  const left = server.cells.entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [cell] of left) results[cell] = await runCell(server, cell, call, settings);
    }),
  );
  return results;
}
