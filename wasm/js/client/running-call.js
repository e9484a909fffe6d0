// Runs one call: does what the module asks for, with the transport, timers, the hooks and the signal of the caller.
import { ModuleTrapped, instance, withModule, withObject } from "../server/module.js";
import { clearTimer, setTimer } from "./transport/attempt.js";

/** The steps of a call, see wasm/src/call.rs. */
const [WAIT, SEND] = [0, 1];

/** Reports what a hook threw; the console may be closed. */
function reportHook(name, error) {
  try {
    console.error(`cpaas: the hook ${name} failed:`, error);
  } catch {
    // There is no other place for it.
  }
}

/** Calls a hook of the program. Whatever it throws or rejects with does not change the call. */
function runHook(hooks, name, event) {
  const report = (error) => reportHook(name, error);
  try {
    const returned = hooks[name](event);
    if (typeof returned?.then === "function") returned.then(undefined, report);
  } catch (error) {
    report(error);
  }
}

/** The value of the hook `traceparent`; undefined if it has none. */
async function traceparent(hooks, event) {
  try {
    const value = await hooks.traceparent(event);
    return typeof value === "string" ? value : undefined;
  } catch (error) {
    reportHook("traceparent", error);
    return undefined;
  }
}

/** The calls of a signal, which have one listener: Node warns of more than ten. */
const watched = new WeakMap();

function watch(signal, abort) {
  let calls = watched.get(signal);
  if (!calls) {
    calls = { set: new Set(), run: () => [...calls.set].forEach((abort) => abort()) };
    watched.set(signal, calls);
  }
  if (calls.set.size === 0) signal.addEventListener("abort", calls.run);
  calls.set.add(abort);
}

function unwatch(signal, abort) {
  const calls = watched.get(signal);
  if (calls?.set.delete(abort) && calls.set.size === 0) signal.removeEventListener("abort", calls.run);
}

/** The record of a call whose state was lost with its instance of the module. */
function lostRecord(operation, wasSent) {
  const facts = wasSent ? { outcome: "unknown", sent: "maybe", processed: "maybe", retryable: false } : { outcome: "not_sent", sent: "no", processed: "no", retryable: true };
  const end = wasSent ? "the request may have been sent" : "nothing was sent";
  return { ...facts, reason: "runtime", operation, message: `the module of cpaas failed, and was loaded again: ${end}`, attempts: wasSent ? 1 : 0 };
}

/**
 * Runs a call that `start(glue)` starts. Resolves with `{ record, options }` of an error, or `{ value, details, body }` of an accepted call.
 */
export function runCall(start, context) {
  return new Promise((settle) => new RunningCall(start, context, settle));
}

class RunningCall {
  #context;
  #settle;
  #call;
  #instance = instance();
  #attempt;
  #timer;
  /** Whether a request of this call may have been sent. */
  #wasSent = false;
  #isOver = false;

  /** `context`: `operation`, `transport`, `hooks` and `signal`. */
  constructor(start, context, settle) {
    this.#context = context;
    this.#settle = settle;
    try {
      this.#call = withModule(start);
      this.#instance = instance();
    } catch (error) {
      if (!(error instanceof ModuleTrapped)) throw error; // nothing was started
      return this.#lose();
    }
    const { signal } = context;
    if (signal?.aborted) return this.#abort();
    if (signal) watch(signal, this.#abort);
    this.#advance();
  }

  /** Uses the call; returns undefined if its state is lost. */
  #use(act) {
    try {
      return withObject(this.#instance, () => act(this.#call));
    } catch {
      this.#lose();
      return undefined;
    }
  }

  #state = (call) => ({ step: call.step(), reports: this.#context.hooks && call.takeReports() });

  /** Goes on until the call waits for something. */
  #advance() {
    for (;;) {
      const state = this.#use(this.#state);
      if (this.#isOver) return;
      const asked = state.reports && this.#report(JSON.parse(state.reports));
      if (this.#isOver) return; // a hook aborted the call
      if (state.step === SEND) return this.#send();
      if (state.step !== WAIT) return this.#finish();
      const waitMs = this.#use((call) => call.waitMs());
      if (this.#isOver) return;
      if (asked) return this.#ask(asked, waitMs);
      if (waitMs > 0) return this.#wait(waitMs);
      this.#use((call) => call.timePassed());
      if (this.#isOver) return;
    }
  }

  /** Runs the hooks; returns the event of `traceparent` if its value is needed. */
  #report(reports) {
    let asked;
    for (const [name, event] of reports) {
      if (this.#isOver) break; // a hook aborted the call
      if (name === "traceparent") asked = event;
      else runHook(this.#context.hooks, name, event);
    }
    return asked;
  }

  #wait(ms) {
    // Timers may run up to a millisecond early, and before its deadline the call would send the request.
    this.#timer = setTimer(() => {
      this.#timer = undefined;
      this.#use((call) => call.timePassed());
      if (!this.#isOver) this.#advance();
    }, ms + 1);
  }

  /** Asks the hook `traceparent`, until the deadline. */
  #ask(event, leftMs) {
    this.#wait(leftMs);
    const timer = this.#timer;
    traceparent(this.#context.hooks, event).then((value) => {
      if (this.#isOver || this.#timer !== timer) return; // after the deadline
      clearTimer(timer);
      this.#timer = undefined;
      this.#use((call) => call.setTraceparent(value));
      if (!this.#isOver) this.#advance();
    });
  }

  #send() {
    const request = this.#use((call) => ({ ...JSON.parse(call.request()), body: call.body() }));
    if (this.#isOver) return;
    request.headers.push(["user-agent", this.#context.userAgent]);
    let isEnded = false;
    const end = (wasSent, report) => {
      isEnded = true;
      this.#attempt = undefined;
      if (this.#isOver) return;
      this.#wasSent ||= wasSent;
      this.#use(report);
      if (!this.#isOver) this.#advance();
    };
    // A transport of the program may abort the call before it returns.
    this.#attempt = { abort: () => true };
    const attempt = this.#context.transport.start(request, {
      respond: ({ status, headers, body, isEarly }) => end(true, (call) => call.respond(status, JSON.stringify(headers), body, isEarly)),
      fail: ({ sent, reason, certificate, partial }) =>
        end(sent !== "no", (call) => call.fail(sent, reason, certificate, partial?.status ?? 0, JSON.stringify(partial?.headers ?? []), partial?.body ?? new Uint8Array())),
    });
    if (isEnded) return;
    if (this.#isOver) attempt.abort();
    else this.#attempt = attempt;
  }

  #abort = () => {
    if (this.#isOver) return;
    const wasSent = this.#attempt?.abort() ?? false;
    this.#attempt = undefined;
    this.#wasSent ||= wasSent;
    this.#use((call) => call.cancel(wasSent));
    if (this.#isOver) return;
    const reports = this.#context.hooks && this.#use((call) => call.takeReports());
    const ended = reports ? JSON.parse(reports).filter(([name]) => name === "onOutcome") : [];
    this.#report(ended);
    if (!this.#isOver) this.#finish(this.#context.signal.reason);
  };

  #finish(cause) {
    const ended = this.#use((call) => {
      const error = call.error();
      const result = error === undefined ? { value: call.value(), details: call.details(), body: call.responseBody() } : { record: error };
      call.free();
      return result;
    });
    if (this.#isOver) return;
    if (ended.record === undefined && ended.value === "") return this.#lose();
    this.#end(ended.record === undefined ? ended : { record: JSON.parse(ended.record), options: cause === undefined ? undefined : { cause } });
  }

  /** Ends the call if its state is lost. */
  #lose() {
    const wasSent = this.#attempt?.abort() ?? false;
    this.#end({ record: lostRecord(this.#context.operation, this.#wasSent || wasSent) });
  }

  #end(ended) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#settle(ended);
    clearTimer(this.#timer);
    if (this.#context.signal) unwatch(this.#context.signal, this.#abort);
  }
}
