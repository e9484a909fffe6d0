// The transport of the program. It can never prove that a request was not sent, and its responses are checked.
import { OneEnd, clearTimer, setTimer } from "./attempt.js";

const { AbortController } = globalThis;

const OWN = "the connections are those of the program's own transport";

/** The settings that have no effect here, and why. */
export const UNSUPPORTED = { proxy: OWN, caBundle: OWN, connectTimeoutMs: OWN, maxConnections: OWN };

const encoder = /* @__PURE__ */ new TextEncoder();

/** A transport over a function of the program. */
export function overFunction(send, { maxResponseBytes }) {
  return {
    start: (request, done) => new CustomAttempt(send, request, maxResponseBytes, new OneEnd(done)),
    close() {},
  };
}

class CustomAttempt {
  #done;
  #controller = new AbortController();
  #timer;

  constructor(send, request, maxResponseBytes, done) {
    this.#done = done;
    const timeoutMs = Math.min(request.limitMs, request.leftMs);
    this.#timer = setTimer(() => this.#fail("timeout"), timeoutMs);
    this.#run(send, request, timeoutMs, maxResponseBytes);
  }

  /** Ends the attempt; returns whether the request may have been sent. */
  abort() {
    this.#done.isOver = true;
    this.#end();
    return true;
  }

  async #run(send, { method, url, headers, body, needsOwnConnection }, timeoutMs, maxResponseBytes) {
    let given;
    try {
      given = await send({ method, url, headers, body, needsOwnConnection }, { signal: this.#controller.signal, timeoutMs });
    } catch {
      return this.#fail("reset");
    }
    let response;
    try {
      response = { status: status(given.status), headers: pairs(given.headers), body: bytes(given.body) };
    } catch {
      return this.#fail("decode");
    }
    if (response.body.byteLength > maxResponseBytes) return this.#fail("too_large");
    this.#end();
    this.#done.respond({ ...response, isEarly: false });
  }

  #fail(reason) {
    this.#end();
    this.#done.fail({ sent: "maybe", reason });
  }

  #end() {
    clearTimer(this.#timer);
    this.#controller.abort();
  }
}

function status(value) {
  if (!Number.isInteger(value) || value < 100 || value > 599) throw new TypeError("status");
  return value;
}

function pairs(headers = []) {
  if (headers === null || typeof headers !== "object") throw new TypeError("headers");
  const given = typeof headers[Symbol.iterator] === "function" ? [...headers] : Object.entries(headers);
  return given.map(([name, value]) => [String(name).toLowerCase(), String(value)]);
}

function bytes(body = "") {
  if (typeof body === "string") return encoder.encode(body);
  // Copies: the body may be detached, or an object that only looks like bytes.
  if (body instanceof ArrayBuffer) return new Uint8Array(body).slice();
  if (body instanceof Uint8Array) return new Uint8Array(body);
  throw new TypeError("body");
}
