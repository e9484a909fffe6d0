// The transport over `fetch`, for hosts that have no other client. It proves nothing unless the host's own file adds a proof.
import { ReceivedBytes } from "../../server/received-bytes.js";
import { MAX_HEADERS, OneEnd, clearTimer, setTimer } from "./attempt.js";

const { fetch, AbortController, ReadableStream } = globalThis;

const CONNECTIONS = "this host makes the connections: pass a `transport` of your own";

/** The settings that this transport cannot honor, and why. */
export const UNSUPPORTED = { proxy: CONNECTIONS, caBundle: CONNECTIONS, connectTimeoutMs: CONNECTIONS, maxConnections: CONNECTIONS };

/** Operations that are not sent, and why. A host may send a request without a body a second time, if it cannot be a stream that is read once. */
const REFUSED = { "lookup.numbers_by_query": "this host may send a request without a body twice, and each lookup is charged: use `lookup.numbers`" };

/** The transport for these settings. */
export const createTransport = ({ maxResponseBytes }) => overFetch({ fetch: (...args) => fetch(...args), maxResponseBytes, isStreamed: true, seesEarly: true });

/**
 * A transport over `fetch`. `isStreamed`: the body is a stream that can be read once, so that the host cannot send it a second time.
 * `init`: more members of the second argument of `fetch`. `proof(error, isUnread)`: the failure if nothing was sent; `isUnread` is whether the
 * host has not read the streamed body. `seesEarly`: whether a response is early if the host has not read the body then; a `fetch` of the program
 * may not read it at all. `repeats`: whether the host may send a request without a body twice.
 */
export function overFetch({ fetch, maxResponseBytes, isStreamed, seesEarly = false, init = {}, proof = () => undefined, repeats = true }) {
  return {
    refused: repeats ? REFUSED : {},
    start: (request, done) => new FetchAttempt(request, { fetch, maxResponseBytes, isStreamed, seesEarly, init, proof }, new OneEnd(done)),
    close() {},
  };
}

/** A body that can be read once, while `onRead` returns true. */
function oneShot(bytes, onRead) {
  return new ReadableStream(
    {
      type: "bytes",
      pull(controller) {
        if (!onRead()) return controller.error(new Error("the call has ended"));
        controller.enqueue(bytes.slice());
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

class FetchAttempt {
  #request;
  #host;
  #done;
  #controller = new AbortController();
  #timer;
  /** Whether the request has a streamed body that the host has not read. */
  #isUnread = false;
  #received;

  constructor(request, host, done) {
    this.#request = request;
    this.#host = host;
    this.#done = done;
    this.#timer = setTimer(() => this.#timeOut(), Math.min(request.limitMs, request.leftMs));
    this.#run();
  }

  /** Ends the attempt; returns whether the request may have been sent. */
  abort() {
    this.#done.isOver = true;
    this.#end();
    return !this.#proof();
  }

  #proof(error) {
    return this.#received ? undefined : this.#host.proof(error, this.#isUnread);
  }

  #timeOut() {
    if (this.#proof()) this.#failed({ sent: "no", reason: "timeout" });
    else this.#fail("timeout");
  }

  async #run() {
    let response;
    try {
      response = await this.#host.fetch(this.#request.url, this.#init());
    } catch (error) {
      const proved = this.#proof(error);
      return proved ? this.#failed({ sent: "no", ...proved }) : this.#fail("reset");
    }
    try {
      await this.#read(response);
    } catch {
      this.#fail("reset");
    }
  }

  #init() {
    const { method, headers, body } = this.#request;
    const given = [...headers, ["accept-encoding", "identity"]];
    const init = { method, redirect: "manual", signal: this.#controller.signal, ...this.#host.init };
    if (body && this.#host.isStreamed) {
      given.push(["content-length", String(body.length)]);
      this.#isUnread = true;
      init.body = oneShot(body, () => {
        // What was reported as not sent stays so.
        if (!this.#done.isOver) this.#isUnread = false;
        return !this.#done.isOver;
      });
      init.duplex = "half";
    } else if (body) init.body = body;
    init.headers = given;
    return init;
  }

  async #read(response) {
    const head = headOf(response, this.#request.url);
    if (!head) return this.#fail("decode");
    if (head.headers.length > MAX_HEADERS) return this.#fail("too_large");
    const isEarly = this.#host.seesEarly && this.#isUnread;
    const received = new ReceivedBytes();
    this.#received = () => ({ ...head, body: received.all() });
    const reader = response.body?.getReader();
    while (reader) {
      const { done, value } = await reader.read();
      if (this.#done.isOver) return;
      if (done) break;
      if (!(value instanceof Uint8Array)) return this.#fail("decode");
      const left = this.#host.maxResponseBytes - received.size;
      received.add(value.length > left ? value.subarray(0, left) : value);
      if (value.length > left) return this.#fail("too_large");
    }
    if (contradictsLength(head.headers, received.size)) return this.#fail("reset");
    this.#end();
    this.#done.respond({ ...this.#received(), isEarly });
  }

  #fail(reason) {
    const partial = this.#received?.();
    this.#failed({ sent: partial ? "yes" : "maybe", reason, partial });
  }

  #failed(failure) {
    this.#end();
    this.#done.fail(failure);
  }

  #end() {
    clearTimer(this.#timer);
    this.#controller.abort();
  }
}

/** Status and headers; undefined if it is not a response of the requested origin. */
function headOf(response, url) {
  const { status } = response;
  if (!Number.isInteger(status) || status < 100 || status > 599) return undefined;
  if (response.url && new URL(response.url).origin !== new URL(url).origin) return undefined;
  if (response.bodyUsed) return undefined;
  return { status, headers: [...response.headers].map(([name, value]) => [String(name).toLowerCase(), String(value)]) };
}

/** Whether a body, as it was sent, has another length than the head declares. */
function contradictsLength(headers, size) {
  const value = (name) => headers.find(([found]) => found === name)?.[1];
  const length = value("content-length");
  return length !== undefined && value("content-encoding") === undefined && length.trim() !== String(size);
}
