// Calls an operation for each row, several at once.
import { kind } from "../arguments.js";
import { invalid } from "./errors.js";
import { setTimer } from "./transport/attempt.js";

/** Lets several waiters go on when something has changed. */
class Gate {
  #waiting = [];

  wait = () => new Promise((resolve) => this.#waiting.push(resolve));

  open() {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

function readOptions(rows, { concurrency = 64, ratePerSecond, onResult, signal, ...rest } = {}) {
  const isIterable = rows !== null && typeof rows === "object" && (Symbol.iterator in rows || Symbol.asyncIterator in rows);
  if (!isIterable) throw invalid(`the rows must be iterable, got ${kind(rows)}`);
  if (!(Number.isInteger(concurrency) && concurrency > 0)) throw invalid(`\`concurrency\` must be an integer of 1 or more, got ${kind(concurrency)}`);
  if (ratePerSecond !== undefined && !(Number.isFinite(ratePerSecond) && ratePerSecond > 0)) throw invalid(`\`ratePerSecond\` must be a number greater than 0, got ${kind(ratePerSecond)}`);
  if (onResult !== undefined && typeof onResult !== "function") throw invalid(`\`onResult\` must be a function, got ${kind(onResult)}`);
  return { concurrency, pause: ratePerSecond === undefined ? 0 : 1000 / ratePerSecond, onResult, signal, call: { ...rest, signal } };
}

/**
 * The results of calls, in the order in which they end. A row is read when fewer than `concurrency` calls are running and unread. A consumer that
 * stops early waits for the calls that are running; `onResult` receives their results too.
 */
export async function* sendMany(call, rows, options) {
  const { concurrency, pause, onResult, signal, call: callOptions } = readOptions(rows, options);
  const changed = new Gate();
  const ended = [];
  let running = 0;
  let isFed = false;
  let isStopped = false;
  let failure;

  const isOver = () => isStopped || signal?.aborted;

  function start(index, row) {
    running += 1;
    const end = (result) => {
      running -= 1;
      ended.push(result);
      changed.open();
      onResult?.(result);
    };
    call(row, callOptions).then(
      (result) => end({ index, row, outcome: "accepted", result }),
      (error) => end({ index, row, outcome: error.outcome, error }),
    ).catch((error) => (failure ??= { error })); // onResult threw
  }

  async function feed() {
    let index = 0;
    for await (const row of rows) {
      while (running + ended.length >= concurrency && !isOver()) await changed.wait();
      if (isOver()) return;
      start(index++, row);
      if (pause > 0) await new Promise((resolve) => setTimer(resolve, pause));
    }
  }

  const stop = () => changed.open();
  signal?.addEventListener("abort", stop);
  feed()
    .catch((error) => (failure = { error }))
    .finally(() => {
      isFed = true;
      changed.open();
    });
  try {
    for (;;) {
      while (ended.length > 0) {
        const result = ended.shift();
        changed.open();
        yield result;
      }
      if (running === 0 && (isFed || signal?.aborted)) break;
      await changed.wait();
    }
  } finally {
    isStopped = true;
    changed.open();
    while (running > 0) await changed.wait();
    signal?.removeEventListener("abort", stop);
  }
  if (failure) throw failure.error;
}
