// Reads method, URL, content type and body from a request of any server.
import { ReceivedBytes } from "../server/received-bytes.js";
import { kind, object, string } from "./checks.js";
import { CallbackRejected } from "./rejected.js";

/** The size limit of a body, in bytes. */
export const MAX_BODY = 1_048_576;

const PARTS = ["method", "url", "headers", "body"];
const READ_BEFORE = "receive: the body of the request was already read: receive the callback before anything reads the body";

/** @returns {Promise<{ method: string, url: string, contentType: string | undefined, body: Uint8Array }>} Rejected for a body that is too large or incomplete. */
export async function readRequest(request) {
  object("receive", "the request", request);
  if (typeof request.arrayBuffer === "function" && typeof request.headers?.get === "function") return ofFetch(request);
  if (typeof request.on === "function" && typeof request.headers === "object") return ofNode(request);
  return ofParts(request);
}

/** The standard `Request`. */
async function ofFetch(request) {
  if (request.bodyUsed || request.body?.locked) throw new TypeError(`${READ_BEFORE}, or pass a clone`);
  const method = string("receive", "the method", request.method);
  const url = string("receive", "the URL", request.url);
  const contentType = request.headers.get("content-type") ?? undefined;
  return { method, url, contentType, body: await webBody(request) };
}

async function webBody(request) {
  const stream = request.body;
  if (Number(request.headers.get("content-length")) > MAX_BODY) throw new CallbackRejected("body");
  if (stream === null) return new Uint8Array();
  if (typeof stream?.getReader !== "function") return bytes(await interrupted(request.arrayBuffer()));
  const reader = stream.getReader();
  const collected = new ReceivedBytes();
  for (;;) {
    const { done, value } = await interrupted(reader.read());
    if (done) return collected.all();
    if (collected.size + value.byteLength > MAX_BODY) {
      reader.cancel().catch(() => {});
      throw new CallbackRejected("body");
    }
    collected.add(value);
  }
}

/** The result of a read; rejected if the client disconnected. */
const interrupted = (read) =>
  read.catch(() => {
    throw new CallbackRejected("body");
  });

/** The request of `node:http` and `node:http2`, also with the additions of Express. */
async function ofNode(request) {
  const contentType = header(request.headers, "content-type");
  // Express removes the path of a mounted application from `url`.
  const url = string("receive", "the URL", request.originalUrl ?? request.url);
  return { method: string("receive", "the method", request.method), url, contentType, body: await nodeBody(request) };
}

async function nodeBody(request) {
  if (!request.readableDidRead && !request.readableEnded) return streamed(request);
  const kept = [request.rawBody, request.body].find((body) => ArrayBuffer.isView(body));
  if (kept) return limited(bytes(kept));
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (request.httpVersionMajor === 1 && encoding === undefined && !(Number(length) > 0)) return new Uint8Array();
  throw new TypeError(`${READ_BEFORE}, such as express.json(), or keep its bytes as request.rawBody`);
}

const streamed = (request) =>
  new Promise((resolve, reject) => {
    const collected = new ReceivedBytes();
    const fail = (error = new CallbackRejected("body")) => {
      request.off("data", add).off("end", end).off("close", interrupt).on("error", () => {});
      reject(error);
    };
    const interrupt = () => fail();
    const end = () => (request.complete === false ? fail() : resolve(collected.all()));
    const add = (chunk) => {
      if (typeof chunk === "string") fail(new TypeError("receive: the request must not have an encoding, got one with setEncoding"));
      else if (collected.size + chunk.byteLength > MAX_BODY) fail();
      else collected.add(chunk);
    };
    if (request.destroyed || Number(request.headers["content-length"]) > MAX_BODY) return fail();
    request.on("error", interrupt).on("close", interrupt).on("end", end).on("data", add);
    request.resume();
  });

/** An object with the parts of a request. */
function ofParts(request) {
  if (Object.keys(request).some((name) => !PARTS.includes(name))) {
    throw new TypeError(`receive: the request must be a Request, a request of node:http (in Fastify request.raw, in Hono c.req.raw), or an object with ${PARTS.join(", ")}`);
  }
  const { method, url, headers = {}, body = "" } = request;
  if (typeof body !== "string" && !ArrayBuffer.isView(body) && !isBuffer(body)) throw new TypeError(`receive: the body must be bytes or a string, got ${kind(body)}`);
  const content = typeof body === "string" ? (body.length > MAX_BODY ? undefined : new TextEncoder().encode(body)) : bytes(body);
  return {
    method: string("receive", "the method", method),
    url: url instanceof URL ? url.href : string("receive", "the URL", url),
    contentType: header(object("receive", "the headers", Array.isArray(headers) ? new Map(headers) : headers), "content-type"),
    body: limited(content),
  };
}

function limited(content) {
  if (content === undefined || content.length > MAX_BODY) throw new CallbackRejected("body");
  return content;
}

const isBuffer = (value) => /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));

const bytes = (value) => (isBuffer(value) ? new Uint8Array(value) : new Uint8Array(value.buffer, value.byteOffset, value.byteLength));

/** The first value of a header; its name may be written in any case. */
function header(headers, name) {
  const pairs = typeof headers[Symbol.iterator] === "function" ? headers : Object.entries(headers);
  for (const [given, value] of pairs) {
    if (typeof given !== "string" || given.toLowerCase() !== name) continue;
    const first = Array.isArray(value) ? value[0] : value;
    return first === undefined ? undefined : string("receive", `the header ${name}`, first);
  }
  return undefined;
}
