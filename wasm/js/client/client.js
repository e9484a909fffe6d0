// The client of servers: the operations, over the module, the driver of calls and the transport of the host.
import * as host from "#transport";
import { decodeResult } from "../decode-result.js";
import { nearest } from "../nearest.js";
import { OPERATIONS } from "../operations.js";
import { instance, withModule } from "../server/module.js";
import { errorOf, invalid, invalidArgument } from "./errors.js";
import { IN_A_PAGE } from "./in-a-page.js";
import { Paged } from "./paged.js";
import { rawCallText } from "./raw-call.js";
import { checkSupported, readCallOptions, readChanges, readSettings } from "./read-settings.js";
import { errorOfCall, requestText } from "./request-text.js";
import { runCall } from "./running-call.js";
import { sendMany } from "./send-many.js";
import { sendOnce } from "./send-once.js";
import * as custom from "./transport/custom.js";
import { overFetch } from "./transport/fetch.js";
import { withCall } from "./with-call.js";

const BY_ID = new Map(OPERATIONS.map((operation) => [operation.id, operation]));

/** The numbers of the hooks, see wasm/src/call.rs. */
const HOOKS = { onRequest: 1, onResponse: 2, onOutcome: 4, traceparent: 8, onRequestEnd: 16 };

/** The largest body of a response, unless a setting limits it. */
const MAX_RESPONSE_BYTES = 8 << 20;

/** The settings on which connections depend. */
const OF_CONNECTIONS = ["proxy", "caBundle", "connectTimeoutMs", "maxConnections", "maxResponseBytes"];

/** Whether this is a page or a worker of one. Node with a simulated page, such as jsdom, is a server. */
function isPage() {
  const { process, document, WorkerGlobalScope, WebSocketPair, Deno, Bun, EdgeRuntime } = globalThis;
  if (process?.type === "renderer") return true; // a window of Electron
  if (process?.versions?.node || Deno || Bun || EdgeRuntime || WebSocketPair) return false;
  return document !== undefined || WorkerGlobalScope !== undefined;
}

/** What a client shares with one that was made by its `with`. */
class Parent {
  constructor(native, transport, settings) {
    Object.assign(this, { native, transport, settings });
  }
}

/** Calls the provider. */
export class Client {
  /** The options as given. */
  #given;
  #settings;
  #native;
  #instance;
  #transport;
  #hooks;
  #hookSum;
  #userAgent;

  constructor(options = {}, parent) {
    if (isPage()) throw new Error(IN_A_PAGE);
    this.#open(options, parent instanceof Parent ? parent : undefined);
  }

  #open(given, parent) {
    this.#settings = readSettings(given);
    this.#given = { ...given };
    const { functions, effective } = this.#settings;
    this.#native = this.#create(parent);
    this.#instance = instance();
    this.#userAgent = userAgent(effective("userAgent"));
    this.#transport = parent && sharesConnections(parent.settings, this.#settings) ? parent.transport : transportOf(this.#settings);
    const hooks = Object.keys(HOOKS).filter((name) => functions[name]);
    this.#hooks = hooks.length > 0 ? functions : undefined;
    this.#hookSum = hooks.reduce((sum, name) => sum + HOOKS[name], 0);
    addGroups(this, (operation, request, options) => this.#start(operation, request, options));
  }

  /** The client of the module. One with a parent shares its retry budget and its known ids. */
  #create(parent) {
    const { config, variables } = this.#settings;
    try {
      return withModule((glue) => (parent ? parent.native.withConfig(config, variables) : new glue.CallClient(config, variables)));
    } catch (error) {
      throw typeof error === "string" ? errorOf(JSON.parse(error)) : error;
    }
  }

  /** The client of the module, which is created again after a trap. */
  #current() {
    if (this.#instance !== instance()) {
      this.#native = this.#create();
      this.#instance = instance();
    }
    return this.#native;
  }

  /** A client with the same settings except for the changes. It shares the connections, unless a setting about them differs. */
  with(changes = {}) {
    const given = { ...this.#given, ...readChanges(changes) };
    return new Client(given, new Parent(this.#current(), this.#transport, this.#settings));
  }

  /** Calls an operation by its id. */
  call(id, request, options) {
    try {
      return this.#start(operationOf(id), request, options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Calls an operation for each row, several at once; an asynchronous iterator of the results, in the order in which they end. */
  sendMany(id, rows, options) {
    const operation = operationOf(id);
    return sendMany((row, given) => this.#run(operation, row, given), rows, options);
  }

  /** Calls an operation at most once for a key, over a store of the program. */
  async sendOnce(key, id, request, options) {
    const operation = operationOf(id);
    const deadlineMs = options?.deadlineMs ?? this.#settings.effective("deadlineMs");
    return sendOnce(key, operation, request, { ...options, deadlineMs }, (row, given) => this.#run(operation, row, given));
  }

  /** Calls an endpoint that no operation covers. */
  async callRaw(call, options) {
    const { json, signal } = readCallOptions(options, (message) => invalidArgument("raw", message));
    const text = rawCallText(call);
    const native = this.#current();
    let started;
    try {
      started = withModule(() => native.startRaw(text, json, this.#hookSum));
    } catch (error) {
      throw typeof error === "string" ? invalidArgument("raw", error) : error;
    }
    const ended = await runCall(() => started, this.#context("raw", signal));
    if (ended.record) throw errorOf(ended.record, ended.options);
    return withCall({ value: JSON.parse(ended.value) }, ended);
  }

  #start(operation, request, options) {
    const call = (given) => this.#run(operation, given, options);
    return operation.list ? new Paged(operation, request, call) : call(request);
  }

  // An asynchronous function, so that the stack of its error shows who awaits it.
  async #run(operation, request, options) {
    const { json, signal } = readCallOptions(options, (message) => invalidArgument(operation.id, message));
    const refusal = this.#transport.refused?.[operation.id];
    if (refusal) throw invalidArgument(operation.id, refusal);
    const text = requestText(operation.id, request);
    const native = this.#current();
    const ended = await runCall(() => native.start(operation.id, text, json, this.#hookSum), this.#context(operation.id, signal));
    if (ended.record) throw errorOfCall(ended.record, text, ended.options);
    return withCall(decodeResult(operation, JSON.parse(ended.value)), ended);
  }

  #context(operation, signal) {
    return { operation, transport: this.#transport, userAgent: this.#userAgent, hooks: this.#hooks, signal };
  }

  /** Closes the idle connections. Calls that are running go on. */
  close() {
    this.#transport.close();
  }

  /** What may be shown: the families that have an address, with scheme and host. */
  toJSON() {
    const native = this.#current();
    return JSON.parse(withModule(() => native.origins()));
  }

  [Symbol.for("nodejs.util.inspect.custom")]() {
    return `Client ${JSON.stringify(this.toJSON())}`;
  }
}

function operationOf(id) {
  const operation = BY_ID.get(id);
  if (operation) return operation;
  const meant = typeof id === "string" ? nearest(id, [...BY_ID.keys()]) : undefined;
  throw invalidArgument("", `unknown operation${meant ? `; did you mean \`${meant}\`?` : ""}`);
}

/** Adds `client.<group>.<method>` for each operation. */
function addGroups(client, call) {
  for (const operation of OPERATIONS) {
    let group = client;
    for (const name of operation.group.split(".")) {
      if (!Object.hasOwn(group, name)) Object.defineProperty(group, name, { value: {}, enumerable: group !== client });
      group = group[name];
    }
    group[operation.method] = (request, options) => call(operation, request, options);
  }
}

/** The transport of these settings: the program's own, or that of the host. */
function transportOf({ functions, effective, origin }) {
  const maxResponseBytes = effective("maxResponseBytes") ?? MAX_RESPONSE_BYTES;
  const { transport, fetch } = functions;
  if (!transport && !fetch) {
    checkSupported(host.UNSUPPORTED, origin);
    return host.createTransport({ ...Object.fromEntries(OF_CONNECTIONS.map((name) => [name, effective(name)])), maxResponseBytes });
  }
  checkSupported(custom.UNSUPPORTED, origin);
  return transport ? custom.overFunction(transport, { maxResponseBytes }) : overFetch({ fetch, maxResponseBytes, isStreamed: true });
}

/** Whether two clients may use the same connections. */
const sharesConnections = (one, other) =>
  OF_CONNECTIONS.every((name) => one.effective(name) === other.effective(name)) && one.functions.transport === other.functions.transport && one.functions.fetch === other.functions.fetch;

function userAgent(suffix) {
  const own = `cpaas/${withModule((glue) => glue.version())} (javascript)`;
  const added = suffix?.trim();
  if (!added) return own;
  if (!/^[ -~]*$/.test(added)) throw invalid("`userAgent` must contain only printable ASCII characters");
  return `${own} ${added}`;
}
