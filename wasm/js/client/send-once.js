// Calls an operation at most once for a key, over a store of the program.
import { AcceptedIdUnknown, errorOf, invalid, invalidArgument } from "./errors.js";
import { readCallOptions } from "./read-settings.js";
import { requestText } from "./request-text.js";
import { clearTimer, now, setTimer } from "./transport/attempt.js";

const { crypto } = globalThis;
const encoder = /* @__PURE__ */ new TextEncoder();

/** The deadline of a call that has none, which is that of the other languages. */
const DEADLINE_MS = 60_000;

/** The shortest time that a store has for the record of a call that may have been sent. */
const SETTLE_MS = 5000;

/** The outcomes of errors that are kept. */
const ENDED = ["rejected", "unknown", "accepted_id_unknown"];

/** The SHA-256 of the operation and the request, in hexadecimal digits. */
async function fingerprint(id, text) {
  const digest = await crypto.subtle.digest("SHA-256", encoder.encode(`${id}\n${text}`));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function checked(key, store) {
  if (typeof key !== "string" || key === "") throw invalid("the key must be a string of at least 1 character");
  for (const name of ["claim", "settle", "free"]) {
    if (typeof store?.[name] !== "function") throw invalid(`\`store\` must have the functions claim, settle and free; \`${name}\` is missing`);
  }
}

/** Why a store has no result. */
class Interrupted extends Error {
  constructor(reason, options) {
    super(`the store did not answer: ${reason}`, options);
    this.name = "Interrupted";
    this.reason = reason;
  }
}

/** The result of a function of the store within a time; a store of the program may never answer. `signal` ends the wait. */
function within(ms, work, signal) {
  return new Promise((resolve, reject) => {
    const end = (settle) => (value) => {
      clearTimer(timer);
      signal?.removeEventListener("abort", abort);
      settle(value);
    };
    const interrupt = end(reject);
    const abort = () => interrupt(new Interrupted("cancelled", { cause: signal.reason }));
    const timer = setTimer(() => interrupt(new Interrupted("deadline")), ms);
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort);
    Promise.resolve(work).then(end(resolve), end(reject));
  });
}

/**
 * Runs `call` unless the key was used. A call that ended is not repeated: its result or its error is returned again. A call that is running
 * elsewhere, or whose process ended, is an unknown outcome.
 */
export async function sendOnce(key, operation, request, { store, ...options } = {}, call) {
  checked(key, store);
  readCallOptions(options, (message) => invalidArgument(operation.id, message)); // before the key is claimed
  const text = requestText(operation.id, request);
  const { deadlineMs = DEADLINE_MS, signal } = options;
  const end = now() + deadlineMs;
  const left = () => Math.max(end - now(), 0);
  const print = await fingerprint(operation.id, text);
  const claimed = await claim(store, key, print, { left, signal, operation });
  if (claimed?.state !== "new") return stored(claimed ?? {}, print, operation);
  let result;
  try {
    const rest = left();
    if (rest === 0) throw notSent(operation, "deadline");
    result = await call(JSON.parse(text), { ...options, deadlineMs: rest }); // what the fingerprint is of
  } catch (error) {
    // If the store fails too, or the error has no outcome, the key stays claimed: another call with it is then an unknown outcome, and sends
    // nothing.
    try {
      if (isWithoutEffect(error)) await within(left(), store.free(key));
      else if (error.outcome) await settle(store, key, { fingerprint: print, outcome: error.outcome, error: error.toJSON() }, left);
    } catch {
      // as above
    }
    throw error;
  }
  try {
    await settle(store, key, { fingerprint: print, outcome: "accepted", result }, left);
  } catch (cause) {
    throw new AcceptedIdUnknown(`${operation.id}: accepted, but the store did not keep the result: do not send again`, { operation: operation.id, reason: "other" }, { cause });
  }
  return result;
}

const isWithoutEffect = ({ outcome }) => outcome === "not_sent" || outcome === "invalid";

const settle = async (store, key, record, left) => within(Math.max(left(), SETTLE_MS), store.settle(key, JSON.stringify(record)));

async function claim(store, key, print, { left, signal, operation }) {
  const claimed = Promise.resolve(store.claim(key, print));
  try {
    return await within(left(), claimed, signal);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    // The store may still claim the key, for a call that is not made.
    claimed.then((late) => late?.state === "new" && store.free(key)).catch(() => {});
    throw notSent(operation, error.reason, error.cause);
  }
}

function notSent({ id }, reason, cause) {
  const why = reason === "deadline" ? "the deadline of the call passed while the store claimed the key" : "the call was cancelled while the store claimed the key";
  const facts = { outcome: "not_sent", sent: "no", processed: "no", retryable: true, attempts: 0 };
  return errorOf({ ...facts, reason, operation: id, message: `not sent: ${why}; it is safe to retry` }, cause === undefined ? undefined : { cause });
}

/** An unknown outcome of a call with the same key. */
function unknown({ id }, message) {
  return errorOf({ outcome: "unknown", sent: "maybe", reason: "other", operation: id, message, processed: "maybe", retryable: false, attempts: 0 });
}

function stored({ state, record, fingerprint: claimedPrint }, print, operation) {
  const found = record === undefined || record === null ? undefined : read(record, operation);
  if ((found?.fingerprint ?? claimedPrint ?? print) !== print) throw invalidArgument(operation.id, "the key was used for another request");
  if (state !== "ended" || !found) throw unknown(operation, "a call with this key is running, or its process ended: look for its effect");
  if (found.outcome === "accepted") return found.result;
  throw errorOf(found.error);
}

/** The record of a call that ended. It is not quoted if it is invalid: it contains what the caller sent and received. */
function read(record, operation) {
  const found = parsed(record);
  const { error } = found ?? {};
  const isError = isObject(error) && ENDED.includes(error.outcome) && error.outcome === found.outcome && typeof error.message === "string";
  if (typeof found?.fingerprint === "string" && (isError || (found.outcome === "accepted" && isObject(found.result)))) return found;
  throw unknown(operation, "the store returned a record that settle did not receive: look for the effect of the call");
}

const isObject = (value) => value !== null && typeof value === "object";

function parsed(record) {
  try {
    return typeof record === "string" ? JSON.parse(record) : undefined;
  } catch {
    return undefined;
  }
}
