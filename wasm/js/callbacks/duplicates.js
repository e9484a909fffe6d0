// Runs the handler of each event once: claims in a store, in this process or shared by several processes.
import { fillRandom, monotonicMs } from "../server/host.js";
import { duration, kind, object, options, string } from "./checks.js";

const METHODS = ["claim", "done", "free"];
const SETTINGS = ["capacity", "store", "leaseSeconds", "keepSeconds", "prefix"];
const LONGEST_LEASE = 86_400;
const TOKEN_BYTES = 16;
/** `Retry-After` after a store failed, in seconds. */
const STORE_FAILED = 5;
/** The time for which a request waits for one command of a store. A store that fails after 2 seconds reports its own error. */
const STORE_LIMIT_MS = 2500;

let claimOf;

/** Runs the handler of each event once, although the provider repeats callbacks, and loses no accepted event. */
export class Duplicates {
  #store;
  #lease;
  #keep;
  #prefix;

  static {
    claimOf = (duplicates, key) => new Claim(duplicates.#store, duplicates.#prefix + key, duplicates.#lease, duplicates.#keep);
  }

  constructor(settings = {}) {
    const { capacity = 100_000, store, leaseSeconds = 90, keepSeconds = 1_209_600, prefix = "" } = options("Duplicates", settings, SETTINGS);
    if (!Number.isSafeInteger(capacity) || capacity < 1) throw new RangeError("Duplicates: capacity must be an integer of 1 or more");
    this.#store = store === undefined ? new Memory(capacity) : withLeases(store);
    this.#lease = duration("Duplicates", "leaseSeconds", leaseSeconds, 1, LONGEST_LEASE, "from 1 to 86,400 seconds");
    this.#keep = duration("Duplicates", "keepSeconds", keepSeconds, 1, Number.MAX_SAFE_INTEGER, "1 second or more, and finite");
    this.#prefix = string("Duplicates", "prefix", prefix);
  }

  /** Whether a value is a `Duplicates` of this copy of the package. */
  static [Symbol.hasInstance](value) {
    return typeof value === "object" && value !== null && #store in value;
  }
}

/** The claim of one request on its event; null for an event without a key, which always runs. */
export const claim = (duplicates, key) => (duplicates === undefined || key === undefined ? null : claimOf(duplicates, key));

function withLeases(store) {
  const missing = METHODS.filter((name) => typeof object("Duplicates", "store", store)[name] !== "function");
  if (missing.length > 0) throw new TypeError(`Duplicates: store must have the methods claim, done and free; it has no ${missing.join(" and no ")}`);
  return store;
}

/** The store in the memory of this process. No `await` is between reading and writing. */
class Memory {
  #capacity;
  // Both in the order of their ends, because all claims of a `Duplicates` have one lease and one retention.
  #leases = new Map();
  #done = new Map();

  constructor(capacity) {
    this.#capacity = capacity;
  }

  claim(key, token, leaseSeconds) {
    const now = monotonicMs();
    this.#sweep(now);
    if (this.#done.has(key)) return { state: "done" };
    const held = this.#leases.get(key);
    if (held && held.token !== token) return { state: "busy", secondsLeft: (held.end - now) / 1000 };
    if (!held && this.#leases.size >= this.#capacity) return { state: "busy", secondsLeft: 1 };
    this.#leases.delete(key);
    this.#leases.set(key, { token, end: now + leaseSeconds * 1000 });
    return { state: "new" };
  }

  done(key, token, keepSeconds) {
    this.#leases.delete(key);
    this.#done.delete(key);
    this.#done.set(key, { end: monotonicMs() + keepSeconds * 1000 });
    if (this.#done.size > this.#capacity) this.#done.delete(this.#done.keys().next().value);
  }

  free(key, token) {
    if (this.#leases.get(key)?.token === token) this.#leases.delete(key);
  }

  #sweep(now) {
    for (const entries of [this.#leases, this.#done]) {
      for (const [key, { end }] of entries) {
        if (end > now) break;
        entries.delete(key);
      }
    }
  }
}

/** The claim of one request on its event. Its token is fresh for each request. */
class Claim {
  #store;
  #key;
  #lease;
  #keep;
  #token;

  constructor(store, key, lease, keep) {
    this.#store = store;
    this.#key = key;
    this.#lease = lease;
    this.#keep = keep;
    this.#token = newToken();
  }

  /** Claims the event. Returns undefined if the handler runs, otherwise the response: `status` and `retryAfter`. */
  async claim(logger) {
    try {
      if (this.#token === undefined) throw new Error("the host has no random bytes");
      const answer = await this.#command("claim", [this.#lease], (late) => this.#freeLate(late, logger));
      return reply(answer);
    } catch (error) {
      logger.error("cpaas/callbacks: the store failed to claim a callback; its handler does not run", error);
      return { status: 503, retryAfter: STORE_FAILED };
    }
  }

  /** Records that the handler has completed. */
  done(logger) {
    const failed = "cpaas/callbacks: the store failed to record a callback as done; a repeat may run its handler again";
    return this.#settle("done", [this.#keep], failed, logger);
  }

  /** Lets the next repeat run the handler, because this one failed. */
  free(logger) {
    return this.#settle("free", [], "cpaas/callbacks: the store failed to free a callback whose handler failed; its lease ends by itself", logger);
  }

  /** An error is logged, because the result of the handler decides the response. */
  async #settle(command, args, failed, logger) {
    try {
      await this.#command(command, args);
    } catch (error) {
      logger.error(failed, error);
    }
  }

  /** Runs a command of the store and waits for it within its time limit. `late` gets an answer that comes afterwards. */
  async #command(name, args, late) {
    const running = Promise.resolve(this.#store[name](this.#key, this.#token, ...args));
    let timer;
    const limit = new Promise((resolve) => (timer = setTimeout(resolve, STORE_LIMIT_MS, TIMED_OUT)));
    const answer = await Promise.race([running, limit]).finally(() => clearTimeout(timer));
    if (answer !== TIMED_OUT) return answer;
    running.then(late).catch(() => {});
    throw new Error("the store did not respond in time");
  }

  /** Frees a claim that the store made after its request was answered. */
  #freeLate(answer, logger) {
    if (answer?.state === "new") void this.free(logger);
  }
}

const TIMED_OUT = Symbol("timed out");

function newToken() {
  const bytes = new Uint8Array(TOKEN_BYTES);
  return fillRandom(bytes) ? Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") : undefined;
}

/** The response to the answer of `claim`; undefined if the handler runs. */
function reply(answer) {
  const { state, secondsLeft } = object("claim", "the answer of the store", answer);
  if (state === "new") return undefined;
  if (state === "done") return { status: 200 };
  if (state === "busy" && typeof secondsLeft === "number" && secondsLeft >= 0 && secondsLeft <= LONGEST_LEASE) {
    return { status: 503, retryAfter: Math.max(1, Math.ceil(secondsLeft)) };
  }
  const expected = '{ state: "new" }, { state: "done" } or { state: "busy", secondsLeft: 0 to 86,400 }';
  throw new TypeError(`claim of the store must return ${expected}, got ${typeof state === "string" ? "another state or time" : kind(state)}`);
}
