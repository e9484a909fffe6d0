/**
 * Calls the provider, on servers: one call sends at most one message, and its error states whether the request was processed.
 *
 * @packageDocumentation
 */
import type { CallOptions, CallProblem, CallResult } from "./call-types.js";
import type { Outcome, Reason, SentState } from "./names.js";
import type { ClientOperations } from "./operations.js";
import type { Requests } from "./requests.js";
import type { Settings } from "./settings.js";

export type * from "./call-types.js";
export type * from "./names.js";
export type * from "./operations.js";
export type { Requests } from "./requests.js";
export type * from "./results.js";
export type { Settings } from "./settings.js";

/** One HTTP request of a call. It contains no text, phone number, code or key. */
export interface RequestEvent {
  /** The id of the call: 32 hexadecimal digits. */
  callId: string;
  operation: string;
  /** The number of the attempt, from 1. */
  attempt: number;
  /** Whether the request looks the call up in the provider's records, after an unknown outcome. */
  isLookup: boolean;
  method: string;
  /** The URL without secrets. */
  url: string;
}

/** The response to one request of a call. */
export interface ResponseEvent {
  request: RequestEvent;
  status: number;
  elapsedMs: number;
}

/** The end of one request of a call, with or without a response. */
export interface RequestEndEvent {
  request: RequestEvent;
  status: number | null;
  /** Why there is no complete response. */
  reason: Reason | null;
  elapsedMs: number;
}

/** The end of a call. */
export interface OutcomeEvent {
  callId: string;
  operation: string;
  reference: string | null;
  ending: "accepted" | "not_verified" | "abandoned" | Outcome;
  sent: SentState;
  reason: Reason | null;
  status: number | null;
  attempts: number;
  elapsedMs: number;
}

/** Functions that a client calls. What they throw does not change the call. */
export interface Hooks {
  /** Before each request. */
  onRequest?(event: RequestEvent): void;
  /** After each response. */
  onResponse?(event: ResponseEvent): void;
  /** After each request, with or without a response. */
  onRequestEnd?(event: RequestEndEvent): void;
  /** After each call. */
  onOutcome?(event: OutcomeEvent): void;
  /** The value of the header `traceparent` of a request (W3C Trace Context). A promise is awaited until the deadline. */
  traceparent?(event: RequestEvent): string | undefined | Promise<string | undefined>;
}

/** A request for a transport of the program. */
export interface TransportRequest {
  readonly method: string;
  /** It may contain a key. */
  readonly url: string;
  /** Pairs of a name and a value, with the credentials. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array | undefined;
  /**
   * Whether the request must have a connection that carried no other one (`otp.verify`, `otp.cancel`): a response that a proxy delivers twice would
   * otherwise verify a wrong passcode.
   */
  readonly needsOwnConnection: boolean;
}

/** The response of a transport of the program. */
export interface TransportResponse {
  status: number;
  headers?: Iterable<readonly [string, string]> | Record<string, string>;
  body?: Uint8Array | ArrayBuffer | string;
}

/** Options of a client that are not settings. */
export interface ClientOptions extends Settings, Hooks {
  /** The variables `CPAAS_…`, instead of those of the process; for example the `env` of a Worker. */
  env?: object;
  /**
   * Sends one request, in place of the host's HTTP client. It must not repeat a request or follow a redirect. It cannot prove that a request
   * was not sent: each of its errors leaves the outcome unknown.
   */
  transport?(request: TransportRequest, options: { signal: any; timeoutMs: number }): Promise<TransportResponse>;
  /**
   * A `fetch` of the program, in place of the host's HTTP client. It cannot prove that a request was not sent, and it may repeat requests without a
   * body: `lookup.numbers_by_query`, which is charged, is refused.
   */
  fetch?: (url: string, init: any) => Promise<any>;
}

/** A call of an endpoint that no operation covers. */
export interface RawCall {
  method: "GET" | "POST" | "PUT" | "DELETE";
  family: "otp" | "sms" | "lookup" | "messaging" | "messenger_b" | "messenger_c";
  /** It begins with `/`. */
  path: string;
  query?: Record<string, string | number | boolean>;
  /** The JSON body. */
  body?: unknown;
}

/** The result of one row. */
export type SendManyResult<Row> =
  | { index: number; row: Row; outcome: "accepted"; result: CallResult<any> }
  | { index: number; row: Row; outcome: Outcome; error: CpaasError };

/** Options of `sendMany`. */
export interface SendManyOptions<Row> extends CallOptions {
  /** The largest number of calls at once (default 64). */
  concurrency?: number;
  /** The largest number of calls that start in a second. */
  ratePerSecond?: number;
  /** Receives each result, also those that the loop does not read. */
  onResult?(result: SendManyResult<Row>): void;
}

/** A store of `sendOnce`. Each function is one atomic command. */
export interface OnceStore {
  /**
   * If the key is unknown, keeps it with the fingerprint and returns `{ state: "new" }`. Else returns `running`, or `ended` with the record of
   * `settle`; both with the fingerprint of the first claim.
   */
  claim(key: string, fingerprint: string): Promise<{ state: "new" | "running" | "ended"; fingerprint?: string; record?: string }>;
  /** Keeps the record of a call that ended. */
  settle(key: string, record: string): Promise<void>;
  /** Removes the key: its call had no effect. */
  free(key: string): Promise<void>;
}

/** The groups and their methods: `client.sms.send`, `client.otp.verify`, … */
export interface Client extends ClientOperations {}

/** Calls the provider. */
export class Client {
  /**
   * What `options` does not contain comes from the variables `CPAAS_…`.
   *
   * @throws {Invalid} A setting is invalid, or this host cannot honor it.
   */
  constructor(options?: ClientOptions);

  /** A client with the same settings except for the changes. It shares the connections, unless a setting about them differs. */
  with(changes: ClientOptions): Client;

  /**
   * Calls an operation by its id.
   *
   * @throws {CpaasError} For every outcome except accepted.
   */
  call<Id extends keyof Requests>(id: Id, request: Requests[Id], options?: CallOptions): Promise<CallResult<any>>;

  /**
   * Calls an endpoint that no operation covers. A GET is retried as a read, any other method as a send.
   *
   * @throws {CpaasError} For every outcome except accepted.
   */
  callRaw(call: RawCall, options?: CallOptions): Promise<CallResult<{ value: unknown }>>;

  /**
   * Calls an operation for each row, several at once: the results in the order in which they end. A row is read when there is room for its call.
   * A loop that ends early waits for the calls that are running.
   */
  sendMany<Id extends keyof Requests>(
    id: Id,
    rows: Iterable<Requests[Id]> | AsyncIterable<Requests[Id]>,
    options?: SendManyOptions<Requests[Id]>,
  ): AsyncGenerator<SendManyResult<Requests[Id]>, void, undefined>;

  /**
   * Calls an operation at most once for a key. A call that ended is not repeated: its result or its error is returned again.
   *
   * @throws {CpaasError} For every outcome except accepted; `OutcomeUnknown` if a call with this key is running or its process ended; `NotSent`
   * if the store does not answer before the deadline.
   */
  sendOnce<Id extends keyof Requests>(key: string, id: Id, request: Requests[Id], options: CallOptions & { store: OnceStore }): Promise<any>;

  /** Closes the idle connections. Calls that are running go on. */
  close(): void;

  /** What may be shown: the families that have an address, with scheme and host. */
  toJSON(): Record<string, string[]>;
}

/** The record of an error, with the names and values of every language. */
export interface ErrorRecord {
  outcome: Outcome;
  sent: SentState;
  reason: Reason;
  operation: string;
  message: string;
  processed: SentState;
  retryable: boolean;
  status?: number;
  code?: number;
  code_meaning?: string;
  provider_message?: string;
  request_id?: string;
  evidence?: string;
  retry_after_ms?: number;
  attempts: number;
  call_id?: string;
  reference?: string;
  problems?: CallProblem[];
}

/** The base class of the errors of calls. Loggers do not show the members that may quote the request. */
export class CpaasError extends Error {
  /** An error for tests of your own; `record` replaces the values of the class. */
  constructor(message: string, record?: Partial<ErrorRecord>, options?: { cause?: unknown });
  readonly outcome: Outcome | undefined;
  /** Whether the request reached the provider. */
  readonly sent: SentState;
  /** Whether the request took effect. */
  readonly processed: SentState;
  /** Whether the same request with the same settings may succeed later and cannot act twice. */
  readonly retryable: boolean;
  /** The cause, such as "connect", "timeout" or "http". */
  readonly reason: Reason | undefined;
  /** The id of the operation; empty for an invalid setting. */
  readonly operation: string;
  /** The HTTP status. */
  readonly status: number | undefined;
  /** The provider's code. */
  readonly code: number | undefined;
  /** The provider's code in words. */
  readonly codeMeaning: string | undefined;
  /** The provider's message, which may quote the request. */
  readonly providerMessage: string | undefined;
  /** The provider's id of the request. */
  readonly requestId: string | undefined;
  /** What was found in the provider's records after an unknown outcome. */
  readonly evidence: string | undefined;
  /** The delay before a retry, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  readonly attempts: number;
  /** The id of the call; undefined for an error without a call. */
  readonly callId: string | undefined;
  /** Your reference of the request. */
  readonly reference: string | undefined;
  /** All problems of an invalid request; for any other outcome, the warnings of validation. */
  readonly problems: readonly CallProblem[];
  /** The record. It may quote the request. */
  toJSON(): ErrorRecord;
}

/** The request or the configuration is invalid; nothing was sent. */
export class Invalid extends CpaasError {
  readonly outcome: "invalid";
}

/** The provider rejected the request. */
export class Rejected extends CpaasError {
  readonly outcome: "rejected";
}

/** The request was not processed: a retry cannot act twice. */
export class NotSent extends CpaasError {
  readonly outcome: "not_sent";
}

/** The request may have been processed: unless `retryable` is true, a retry may send a second message. */
export class OutcomeUnknown extends CpaasError {
  readonly outcome: "unknown";
}

/** Accepted, but the response with the id was lost: do not send again. */
export class AcceptedIdUnknown extends CpaasError {
  readonly outcome: "accepted_id_unknown";
}
