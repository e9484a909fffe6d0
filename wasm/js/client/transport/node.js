// The transport of Node: `node:http` and `node:https` with keep-alive agents of its own. Neither head nor body is written before the connection
// is established, so that a failure before that proves that nothing was sent. Nothing is sent twice: Node repeats no request, and redirects are not
// followed.
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { setImmediate } from "node:timers";
import { createSecureContext } from "node:tls";
import { ReceivedBytes } from "../../server/received-bytes.js";
import { invalid } from "../errors.js";
import { MAX_HEADERS, OneEnd, clearTimer, isWhole, now, setTimer } from "./attempt.js";

/** The settings that this transport cannot honor, and why. */
export const UNSUPPORTED = { proxy: "Node's HTTP client has no proxies: pass a `transport` of your own" };

/** Shorter than the keep-alive times of common servers: if the server closes the connection of a request, the outcome is unknown. */
const IDLE_MS = 4000;

/** The largest head of a response, which is also that of the other languages. */
const MAX_HEAD_BYTES = 417_792;

const EXHAUSTED = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"]);

/** Error codes of OpenSSL's verification of a certificate, and Node's for its host. */
const CERTIFICATE = /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_|HOSTNAME_MISMATCH$|ERR_TLS_CERT_ALTNAME_INVALID$|CRL_|ERROR_IN_CERT_)/;

/** The parts of addresses: most calls of a client have the same few. */
const addresses = new Map();

function addressOf(url) {
  let address = addresses.get(url);
  if (!address) {
    const { protocol, hostname, port, pathname, search } = new URL(url);
    address = { protocol, hostname: hostname.startsWith("[") ? hostname.slice(1, -1) : hostname, port, path: pathname + search };
    if (addresses.size >= 64) addresses.clear();
    addresses.set(url, address);
  }
  return address;
}

/** Sockets that stand: connected, and for TLS after the handshake. */
const standing = new WeakSet();

/** Sockets that carry a request. */
const inUse = new WeakSet();

/** Closes a kept connection on which the server sends something without a request: it could be taken for the response to the next one. */
function closeIfUnsolicited(socket) {
  socket.on("data", () => {
    if (!inUse.has(socket)) socket.destroy();
  });
}

function roots(path) {
  let pem;
  try {
    pem = readFileSync(path, "utf8");
  } catch (error) {
    throw invalid(`\`caBundle\`: the file cannot be read (${error.code ?? "error"})`);
  }
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g);
  try {
    if (!certificates) throw new TypeError("none");
    createSecureContext({ ca: certificates });
  } catch {
    throw invalid("`caBundle` must be a file of certificates in PEM form");
  }
  return certificates;
}

/** The transport for these settings. */
export function createTransport({ caBundle, connectTimeoutMs = 5000, maxConnections = 128, maxResponseBytes }) {
  // Said explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 would accept any certificate.
  const tls = { rejectUnauthorized: true, ...(caBundle !== undefined && { ca: roots(caBundle) }) };
  const kept = { keepAlive: true, timeout: IDLE_MS, scheduling: "lifo", maxSockets: Math.max(1, Math.floor((maxConnections * 3) / 4)), maxTotalSockets: maxConnections };
  const agents = {
    "http:": { kept: new http.Agent(kept), own: new http.Agent({ keepAlive: false }) },
    "https:": { kept: new https.Agent({ ...kept, ...tls }), own: new https.Agent({ keepAlive: false, ...tls }) },
  };
  return {
    start: (request, done) => new NodeAttempt(request, agents, { connectTimeoutMs, maxResponseBytes }, new OneEnd(done)),
    close() {
      // `Agent.destroy` would also close the connections of running calls.
      for (const { kept } of Object.values(agents)) Object.values(kept.freeSockets).flat().forEach((socket) => socket.destroy());
    },
  };
}

class NodeAttempt {
  #request;
  #limits;
  #done;
  #outgoing;
  #socket;
  /** Whether the request was given to the socket. */
  #isHandedOver = false;
  #isConnected = false;
  #response;
  /** Whether the response began before the whole request was written. */
  #isEarly = false;
  /** Whether it is not known yet, and the response has ended meanwhile. */
  #isEarlyOpen = false;
  #hasEnded = false;
  #body = new ReceivedBytes();
  #timer;
  #connectTimer;
  #leftUntil;

  constructor(request, agents, limits, done) {
    this.#request = request;
    this.#limits = limits;
    this.#done = done;
    this.#leftUntil = now() + request.leftMs;
    this.#timer = setTimer(() => this.#timeOut(), request.leftMs);
    try {
      this.#open(agents);
    } catch {
      this.#fail("config"); // an address or a header that Node does not accept; its message may contain a key
    }
  }

  /** Ends the attempt; returns whether the request may have been sent. */
  abort() {
    this.#done.isOver = true;
    this.#end();
    this.#outgoing?.destroy();
    return this.#isHandedOver;
  }

  #open(agents) {
    const { method, url, headers, body, needsOwnConnection } = this.#request;
    const { protocol, hostname, port, path } = addressOf(url);
    const { kept, own } = agents[protocol];
    const given = Object.create(null);
    for (const [name, value] of headers) given[name] = value;
    given["accept-encoding"] = "identity";
    if (body) given["content-length"] = body.length;
    else if (method !== "GET") given["content-length"] = 0;
    const outgoing = (protocol === "https:" ? https : http).request({
      agent: needsOwnConnection ? own : kept,
      protocol,
      hostname,
      port,
      method,
      path,
      headers: given,
      maxHeaderSize: MAX_HEAD_BYTES,
    });
    this.#outgoing = outgoing;
    outgoing.once("socket", (socket) => this.#onSocket(socket, protocol === "https:" ? "secureConnect" : "connect"));
    outgoing.once("response", (response) => this.#onResponse(response));
    outgoing.once("upgrade", (response, socket) => {
      socket.destroy();
      this.#onSwitch(response);
    });
    outgoing.on("error", (error) => this.#onError(error));
    outgoing.once("close", () => this.#onError({ code: "ECONNRESET" }));
  }

  #onSocket(socket, connected) {
    if (this.#done.isOver) return;
    clearTimer(this.#timer);
    const left = this.#leftUntil - now();
    this.#timer = setTimer(() => this.#timeOut(), Math.min(this.#request.limitMs, left));
    this.#socket = socket;
    // What the server sent unasked, or its close, is read before the request is written: the second immediate runs after a whole round of the
    // event loop, in which Node asks the system for what has arrived.
    if (standing.has(socket)) return void setImmediate(() => setImmediate(() => this.#done.isOver || this.#handOver()));
    this.#connectTimer = setTimer(() => this.#fail("connect"), this.#limits.connectTimeoutMs);
    socket.once("connect", () => (this.#isConnected = true));
    socket.once(connected, () => {
      standing.add(socket);
      closeIfUnsolicited(socket);
      clearTimer(this.#connectTimer);
      if (!this.#done.isOver) this.#handOver();
    });
  }

  #handOver() {
    this.#isConnected = true;
    this.#isHandedOver = true;
    inUse.add(this.#socket);
    this.#socket.on("data", this.#checkOne);
    if (this.#request.body) this.#outgoing.end(this.#request.body);
    else this.#outgoing.end();
  }

  /** Runs after Node's parser, which destroys a socket that receives a second response. */
  #checkOne = () => {
    if (this.#socket.destroyed && this.#response?.complete) this.#fail("reset");
  };

  #onResponse(response) {
    if (!this.#isHandedOver) return this.#fail("reset"); // a response that nobody asked for
    this.#response = response;
    this.#isEarly = !this.#outgoing.writableFinished;
    if (this.#isEarly && this.#socket.encrypted) this.#askLater();
    if (response.rawHeaders.length > 2 * MAX_HEADERS) {
      this.#response = undefined; // a head that is too large is not read
      return this.#fail("too_large");
    }
    response.on("data", (chunk) => this.#onData(chunk));
    response.once("end", () => this.#onEnd());
    response.on("error", (error) => this.#onError(error));
    response.once("close", () => this.#onError({ code: "ECONNRESET" }));
  }

  /**
   * Asks again whether the request is written: Node reports the end of a write over TLS in the next round of its event loop, even if the socket
   * took all bytes at once.
   */
  #askLater() {
    this.#isEarlyOpen = true;
    setImmediate(() => {
      this.#isEarly = !this.#outgoing.writableFinished;
      this.#isEarlyOpen = false;
      if (this.#hasEnded) this.#onEnd();
    });
  }

  /** A response that switches protocols, which was not requested. */
  #onSwitch(response) {
    this.#response = response;
    this.#fail("decode");
  }

  #onData(chunk) {
    const left = this.#limits.maxResponseBytes - this.#body.size;
    this.#body.add(chunk.length > left ? chunk.subarray(0, left) : chunk);
    if (chunk.length > left) this.#fail("too_large");
  }

  #onEnd() {
    if (this.#done.isOver) return;
    if (!this.#response.complete) return this.#onError({ code: "ECONNRESET" });
    this.#hasEnded = true;
    if (this.#isEarlyOpen) return;
    this.#end();
    if (this.#isEarly) this.#outgoing.destroy();
    this.#done.respond({ ...this.#received(), isEarly: this.#isEarly });
  }

  #received() {
    const { statusCode: status, rawHeaders } = this.#response;
    const headers = [];
    for (let index = 0; index < rawHeaders.length; index += 2) headers.push([rawHeaders[index].toLowerCase(), utf8(rawHeaders[index + 1])]);
    return { status, headers, body: this.#body.all() };
  }

  #onError(error) {
    if (this.#done.isOver || this.#hasEnded) return; // a response that has ended is whole
    const code = String(error?.code ?? "");
    if (CERTIFICATE.test(code) && !this.#isHandedOver) return this.#fail("tls", code);
    this.#fail(this.#reason(code));
  }

  #reason(code) {
    if (EXHAUSTED.has(code)) return "resources";
    if (this.#isHandedOver) {
      if (code === "HPE_HEADER_OVERFLOW") return "too_large";
      return code.startsWith("HPE_") && !this.#response ? "decode" : "reset";
    }
    if (code === "ENOTFOUND" || code.startsWith("EAI_")) return "dns";
    return this.#isConnected || code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_") || code === "EPROTO" ? "tls" : "connect";
  }

  #timeOut() {
    if (this.#response && isWhole(this.#received(), this.#body.size)) return this.#onEnd();
    this.#fail("timeout");
  }

  #fail(reason, certificate) {
    if (this.#done.isOver) return;
    const partial = this.#response && this.#received();
    const sent = partial ? "yes" : this.#isHandedOver ? "maybe" : "no";
    this.#end();
    this.#outgoing?.destroy();
    // Of an early response that is incomplete, only the failure counts.
    this.#done.fail(partial && this.#isEarly ? { sent: "maybe", reason } : { sent, reason, certificate, partial });
  }

  #end() {
    clearTimer(this.#timer);
    clearTimer(this.#connectTimer);
    if (!this.#socket) return;
    inUse.delete(this.#socket);
    this.#socket.off("data", this.#checkOne);
  }
}

/** A header's value: Node decodes its bytes as Latin-1. */
const utf8 = (value) => (/[\x80-\xff]/.test(value) ? Buffer.from(value, "latin1").toString() : value);
