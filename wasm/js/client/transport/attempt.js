// What the transports share: one end for each attempt, and timers.
//
// A transport has `start(request, done)`, which returns an attempt with `abort()`. `request`: `method`, `url`, `headers` (pairs), `body` (bytes
// or undefined), `needsOwnConnection`, and the time limits `limitMs` (from the start of sending) and `leftMs` (with the wait for a
// connection). It calls once, later or at once, `done.respond({ status, headers, body, isEarly })` or `done.fail({ sent, reason,
// certificate, partial })`. `sent` is "no" only with proof. `abort()` ends it and returns whether the request may have been sent. `refused` of a
// transport are operations that it does not send, with the reasons.

// Taken at load, so that a program that replaces them later does not change the time limits of calls.
const { setTimeout, clearTimeout, performance } = globalThis;

/** The largest number of headers of a response, which is also that of the other languages. */
export const MAX_HEADERS = 100;

/** The longest time of a timer. */
const MAX_TIMEOUT = 2 ** 31 - 1;

export const setTimer = (run, ms) => setTimeout(run, Math.min(Math.max(Math.ceil(ms), 0), MAX_TIMEOUT));
/** The milliseconds since any fixed moment. */
export const now = performance.now.bind(performance);

export const clearTimer = (timer) => clearTimeout(timer);

/** Passes on the first end of an attempt. */
export class OneEnd {
  #done;
  isOver = false;

  constructor(done) {
    this.#done = done;
  }

  respond(response) {
    if (this.#begin()) this.#done.respond(response);
  }

  fail(failure) {
    if (this.#begin()) this.#done.fail(failure);
  }

  #begin() {
    const isFirst = !this.isOver;
    this.isOver = true;
    return isFirst;
  }
}

/** The first header with this name. */
export const header = (headers, name) => headers.find(([found]) => found === name)?.[1];

/** Whether a body of this size has the length that the head declares. */
export const isWhole = ({ headers }, size) => header(headers, "content-length")?.trim() === String(size) && header(headers, "transfer-encoding") === undefined;
