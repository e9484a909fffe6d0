// Request handlers of a receiver: for the standard `Request`, and for `node:http`.
import { callable, kind, options } from "./checks.js";
import { claim, Duplicates } from "./duplicates.js";
import { CallbackRejected } from "./rejected.js";

const OPTIONS = ["duplicates", "now", "logger"];

/**
 * A function from a `Request` to a promise of the `Response`. The other arguments that the host passes, such as `env` of a Worker, reach
 * the handler after the event. If the third has `waitUntil`, the work continues after the client has disconnected.
 */
export function fetchHandler(receiver, handler, settings = {}) {
  const respond = responder("fetchHandler", receiver, handler, settings);
  return async (request, ...context) => {
    const work = respond(request, context);
    if (typeof context[1]?.waitUntil === "function") context[1].waitUntil(work);
    const { status, retryAfter } = await work;
    return new Response(null, { status, headers: retryAfter === undefined ? {} : { "retry-after": String(retryAfter) } });
  };
}

/** A function for `http.createServer`, Express and Connect. */
export function nodeHandler(receiver, handler, settings = {}) {
  const respond = responder("nodeHandler", receiver, handler, settings);
  return async (request, response) => {
    const { status, retryAfter } = await respond(request, []);
    if (response.destroyed || response.headersSent) return;
    response.statusCode = status;
    response.setHeader("content-length", "0");
    if (retryAfter !== undefined) response.setHeader("retry-after", String(retryAfter));
    // The rest of a body that was too large is not read.
    if (!request.complete && request.httpVersionMajor === 1) response.setHeader("connection", "close");
    response.end();
    request.resume?.();
  };
}

/** A function that receives a request, runs the handler once and returns the response: `status` and `retryAfter`. It never throws. */
function responder(name, receiver, handler, settings) {
  const { duplicates, now, logger: given = console } = options(name, settings, OPTIONS);
  if (typeof receiver !== "function" && typeof receiver?.receive !== "function") throw new TypeError(`${name}: the receiver must be a Receiver or a function that returns one, got ${kind(receiver)}`);
  if (isClass(receiver) || isClass(handler)) throw new TypeError(`${name}: expected an object or a function, got a class`);
  callable(name, "the handler", handler);
  if (/GeneratorFunction$/.test(handler.constructor?.name)) throw new TypeError(`${name}: the handler must be a function whose work is done when it returns, got a generator function`);
  if (duplicates !== undefined && !(duplicates instanceof Duplicates)) throw new TypeError(`${name}: duplicates must be a Duplicates of this copy of the package, got ${kind(duplicates)}`);
  if (now !== undefined) callable(name, "now", now);
  for (const method of ["warn", "error"]) callable(name, `logger.${method}`, given?.[method]);
  const logger = guarded(given);
  return async (request, context) => {
    try {
      const current = typeof receiver === "function" ? await receiver(...context) : receiver;
      const event = await current.receive(request, now ? { now: now() } : {});
      return await run(event, () => handler(event, ...context), claim(duplicates, event.key), logger);
    } catch (error) {
      if (error instanceof CallbackRejected || error?.name === "CallbackRejected") {
        logger.warn(`cpaas/callbacks: ${error.message}`);
        return { status: 403 };
      }
      logger.error("cpaas/callbacks: a callback was not processed", error);
      return { status: 500 };
    }
  };
}

/** A logger whose exceptions do not change a response. */
function guarded(logger) {
  const log = (method) => (...args) => {
    try {
      logger[method](...args);
    } catch {
      // There is no place to report it.
    }
  };
  return { warn: log("warn"), error: log("error") };
}

/** Claims the event, runs the handler and settles the claim. */
async function run(event, handle, held, logger) {
  const reply = await held?.claim(logger);
  if (reply !== undefined) return reply;
  try {
    checkCompleted(await handle());
  } catch (error) {
    await held?.free(logger);
    logger.error("cpaas/callbacks: the handler of a callback failed", error);
    return { status: 500 };
  }
  await held?.done(logger);
  return { status: 200 };
}

/** Throws for a result whose work may not be done, because nobody runs it or waits for it, and for a response, which would not be sent. */
function checkCompleted(result) {
  const unfinished = unfinishedWork(result);
  if (unfinished) throw new TypeError(`the handler must return after its work is done, got ${unfinished}; throw an error to have the callback repeated`);
}

function unfinishedWork(result) {
  if (typeof result === "function") return "a function";
  if (typeof result !== "object" || result === null) return undefined;
  if (Object.prototype.toString.call(result) === "[object Response]") return "a Response";
  if (typeof result.next === "function" || typeof result[Symbol.asyncIterator] === "function") return "an iterator, such as a generator";
  if (Array.isArray(result) && result.some((item) => typeof item?.then === "function")) return "an array of promises: await Promise.all(…)";
  return undefined;
}

const isClass = (value) => typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));
