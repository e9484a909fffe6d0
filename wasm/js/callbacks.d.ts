/**
 * Callbacks for servers: delivery reports, inbound messages and events of the provider. Works in Node 20 and later, Deno, Bun and
 * Cloudflare Workers. Do not load it in a page: its keys must stay on the server.
 */
import type { RejectionReason } from "./names.js";

export type { RejectionReason };

/** The source of a callback. */
export type Source = "sms_report" | "chat_report" | "inbound_sms" | "messenger_b" | "messenger_c" | "business_chat";

/** What a token authenticates. */
export type Purpose = "delivery_report" | "inbound" | "chat_report";

/** The size limit of a body, in bytes. */
export declare const MAX_BODY: number;

/** A key of a keyring. */
export interface Key {
  /** 1 to 16 letters, digits, `-` and `_`; it is part of the tokens. */
  kid: string;
  /** At least 32 random bytes. A string stands for its UTF-8 bytes. */
  secret?: string | Uint8Array;
  /** The secret in Base64, instead of `secret`. */
  secretBase64?: string;
  /** When the key stopped signing. */
  retiredAt?: Date;
}

/** A keyring in the form of a configuration in JSON. */
export interface KeyringConfig {
  keys: readonly { kid: string; secret?: string; secret_base64?: string; retired_at?: number }[];
  /** The maximum lifetime of a token, in seconds. */
  longest_lifetime?: number;
  expiring_only?: boolean;
}

/** The claims of a token. Times are seconds since 1970. */
export interface Claims {
  kid: string;
  purpose: Purpose;
  issued: number;
  /** null for a token without expiry. */
  expires: number | null;
  nonce: string;
}

/** 1 to 8 keys: the first key signs, all keys verify. Neither logs nor JSON show a secret. */
export declare class Keyring {
  /**
   * @param options `longestLifetimeSeconds`: the maximum lifetime of a token. `expiringOnly`: whether `mint` rejects a token without
   * expiry (default false).
   * @throws TypeError, RangeError: Invalid keys. The message does not quote them.
   */
  constructor(keys: Iterable<Key>, options?: { longestLifetimeSeconds?: number; expiringOnly?: boolean });

  /**
   * Creates a token, signed with the first key.
   *
   * @param options `audience`: that of the receiver. `reference`: the reference of the SMS, required for delivery reports.
   * `lifetimeSeconds`: seconds or "never"; the default depends on the purpose. `now`: for tests.
   */
  mint(purpose: Purpose, options: { audience: string; reference?: string; lifetimeSeconds?: number | "never"; now?: Date }): string;

  /**
   * Verifies a token and returns its claims.
   *
   * @throws CallbackRejected: The token is invalid.
   */
  verify(token: string, purpose: Purpose, options: { audience: string; reference?: string; now?: Date }): Claims;

  /** The state of each key: whether it is needed. `docs/callbacks.md` has the table. */
  lint(now?: Date): KeyNotice[];

  /** The ids of the keys. */
  toJSON(): { keys: { kid: string }[] };
}

/** The state of a key of a keyring. */
export interface KeyNotice {
  kid: string;
  state: "signs" | "verifies" | "keep" | "removable_after_reregistration" | "removable";
  /** When all expiring tokens of this key have expired; absent without `retiredAt`. */
  tokensExpireAt?: Date;
}

/** An endpoint of a receiver. */
export interface Endpoint {
  /** A path below the public URL of the receiver. */
  path: string;
  /** The callbacks that the endpoint receives. */
  sources: readonly Source[];
  /** The template of delivery reports in the query; at most one of the three templates. */
  queryTemplate?: string;
  /** The template of delivery reports in a form body. */
  formTemplate?: string;
  /** The template of delivery reports in a JSON body. */
  jsonTemplate?: string;
  /** Whether tokens of delivery reports are bound to the reference of the SMS (default true). */
  bindReference?: boolean;
}

export interface ReceiverOptions {
  /** The audience of tokens: any text that names the application. */
  audience: string;
  /** The URL at which the provider reaches the endpoints. */
  publicUrl: string;
  /** The keys for delivery reports. */
  deliveryKeys?: Keyring;
  /** The keys for inbound messages and events. At least one of the two keyrings is required. */
  inboundKeys?: Keyring;
  /** Without endpoints, callbacks of all sources are accepted on any path. */
  endpoints?: Iterable<Endpoint>;
}

/** The members of a request, for servers that have neither a `Request` nor a request of `node:http`. */
export interface RequestParts {
  method: string;
  /** The absolute URL, or path and query. */
  url: string | URL;
  /** Only `Content-Type` is read. */
  headers?: Headers | Iterable<readonly [string, string]> | Record<string, string | readonly string[] | undefined>;
  body?: string | ArrayBufferView | ArrayBufferLike;
}

/** A request of `node:http`, of `node:http2` in its compatible form, or of Express. */
export interface NodeRequest {
  method?: string;
  url?: string;
  headers: Record<string, string | string[] | undefined>;
  on(event: string, listener: (...args: any[]) => void): unknown;
}

/** A response of `node:http`, of `node:http2` in its compatible form, or of Express. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(): unknown;
}

/** Verifies and parses callback requests. */
export declare class Receiver {
  /** @throws TypeError, RangeError: The configuration is invalid. The message does not quote it. */
  constructor(options: ReceiverOptions);

  /** Creates a receiver from a configuration in JSON, which is the same in every language. */
  static fromJson(text: string): Receiver;

  /**
   * Verifies and parses one request. A request whose body was read before is a TypeError, except one of `node:http` with its bytes in
   * `rawBody` or, by `express.raw()`, in `body`.
   *
   * @param options `now`: the current time, for tests.
   * @throws CallbackRejected: The request is not authentic, or its body is too large or incomplete.
   */
  receive(request: Request | NodeRequest | RequestParts, options?: { now?: Date }): Promise<CallbackEvent>;

  /**
   * The URL of the endpoint of a source, with a token, for the provider.
   *
   * @param reference The reference of the SMS, required for `sms_report`.
   */
  url(source: Source, reference?: string, options?: { lifetimeSeconds?: number | "never"; now?: Date }): string;
}

/** The callback is not authentic. Respond with 403 and an empty body. */
export declare class CallbackRejected extends Error {
  constructor(reason: RejectionReason);
  /** For the log only. */
  readonly reason: RejectionReason;
  readonly status: 403;
  /** The response: 403 with an empty body. */
  response(): Response;
}

interface EventBase {
  /** The key of the event, equal for every repeat of its callback; a hash without personal data. Absent for an event without an id. */
  key?: string;
  claims: Claims;
}

/** The status of a message: the text of the provider, in upper or lower case. */
export type Status = "Ready" | "Created" | "Sent" | "Failed" | "Undelivered" | "Expired" | "Rejected" | "Delivered" | "Seen" | (string & {});

/** A delivery report of an SMS. */
export interface SmsReport extends EventBase {
  kind: "sms_report";
  messageId?: string;
  status?: Status;
  errorCode?: string;
  mcc?: string;
  mnc?: string;
  /** The price of the message, as decimal text. */
  rate?: string;
  to?: string;
  from?: string;
  reference?: string;
  timestamp?: string;
  /** The other members of the callback. */
  extra?: Record<string, unknown>;
}

/** A delivery report of a chat message. */
export interface ChatReport extends EventBase {
  kind: "chat_report";
  messageId?: string;
  status?: Status;
  errorCode?: string;
  extra?: Record<string, unknown>;
}

/** An inbound SMS. */
export interface InboundSms extends EventBase {
  kind: "inbound_sms";
  messageId?: string;
  text?: string;
  from?: string;
  to?: string;
  timestamp?: string;
  extra?: Record<string, unknown>;
}

/** An event of `messenger_b`. */
export interface MessengerBEvent extends EventBase {
  kind: "messenger_b";
  event?: "delivered" | "seen" | "failed" | "subscribed" | "unsubscribed" | "conversation_started" | (string & {});
  messageId?: string;
  userId?: string;
  userName?: string;
  userPhoto?: string;
  text?: string;
  description?: string;
  timestamp?: string;
  /** The whole callback. */
  raw?: unknown;
}

/** An update of a `messenger_c` bot. */
export interface MessengerCUpdate extends EventBase {
  kind: "messenger_c";
  updateId?: string;
  messageId?: string;
  userId?: string;
  chatId?: string;
  text?: string;
  raw?: unknown;
}

/** A message or a tap of `business_chat`. */
export interface BusinessChatEvent extends EventBase {
  kind: "business_chat";
  event?: "message" | "suggestion" | "other" | (string & {});
  messageId?: string;
  conversationId?: string;
  userId?: string;
  text?: string;
  postbackData?: string;
  timestamp?: string;
  raw?: unknown;
}

/** An authentic callback with other content. Respond with 200. */
export interface UnknownEvent extends EventBase {
  kind: "unknown";
  source?: Source;
  raw?: unknown;
}

/** A callback. A later version may have more kinds. */
export type CallbackEvent = SmsReport | ChatReport | InboundSms | MessengerBEvent | MessengerCUpdate | BusinessChatEvent | UnknownEvent;

/** The answer of a store to a claim. */
export type Claimed = { state: "new" } | { state: "busy"; secondsLeft: number } | { state: "done" };

/**
 * A store of the events that are being processed or are done, for several processes. Each method is one atomic command, lasts at most
 * about 2 seconds and then throws. It measures time with the clock of the store alone, and in SQL it uses a connection of its own in
 * autocommit mode.
 */
export interface LeaseStore {
  /**
   * Claims the event `key` for `leaseSeconds`: `done` if the event is done; `busy` if another token has a lease that has not ended;
   * otherwise `new`, and the lease starts. The token that has the lease already gets `new` and the lease anew.
   */
  claim(key: string, token: string, leaseSeconds: number): Claimed | Promise<Claimed>;
  /** Records for `keepSeconds` that the event is done, whoever has the lease. May be repeated. */
  done(key: string, token: string, keepSeconds: number): unknown;
  /** Ends the lease of this token. Does nothing if the event is done or another token has the lease. */
  free(key: string, token: string): unknown;
}

/** Runs the handler of each event once, although the provider repeats callbacks, and loses no accepted event. */
export declare class Duplicates {
  /**
   * @param options `capacity`: the number of events that the memory of this process keeps, done and in progress separately (default
   * 100,000). `store`: replaces the memory, for several processes. `leaseSeconds`: the maximum time of a handler, 1 to 86,400 (default
   * 90). `keepSeconds`: the time for which an event is remembered as done (default 14 days). `prefix`: the start of all keys in the store.
   */
  constructor(options?: { capacity?: number; store?: LeaseStore; leaseSeconds?: number; keepSeconds?: number; prefix?: string });
}

/** A logger, such as `console`. No message contains a token, a number or a text; an error is that of your handler or store. */
export interface CallbackLogger {
  warn(message: string): unknown;
  error(message: string, error: unknown): unknown;
}

export interface HandlerOptions {
  /** Runs the handler of each event once. */
  duplicates?: Duplicates;
  /** The current time, for tests. */
  now?: () => Date;
  /** Receives the reasons of rejections and errors (default `console`). */
  logger?: CallbackLogger;
}

/** A receiver, or a function that returns the current one, so that keys rotate without a restart. */
export type ReceiverSource<Context extends unknown[] = []> = Receiver | ((...context: Context) => Receiver | Promise<Receiver>);

/** Processes an event. It returns nothing after its work is done; an error has the callback repeated. */
export type CallbackHandler<Context extends unknown[] = []> = (event: CallbackEvent, ...context: Context) => void | Promise<void>;

/**
 * Creates a function from a `Request` to the `Response`, which never throws: 200 after the handler has completed, 403 for a rejection, 500
 * if the handler failed, and with duplicates 503 with `Retry-After` while another request processes the event or if the store failed.
 *
 * The other arguments that a host passes, such as `env` and `ctx` of a Worker, reach the receiver function and, after the event, the handler. If
 * the third argument has `waitUntil`, the handler ends even if the client disconnects.
 */
export declare function fetchHandler<Context extends any[] = any[]>(
  receiver: ReceiverSource<Context>,
  handler: CallbackHandler<Context>,
  options?: HandlerOptions,
): (request: Request, ...context: Context) => Promise<Response>;

/** The same for `http.createServer`, Express and Connect. Mount it before anything reads the body. */
export declare function nodeHandler(
  receiver: ReceiverSource,
  handler: CallbackHandler,
  options?: HandlerOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void>;

/** The variables of a template. */
export type Variable = "msgid" | "mcc" | "mnc" | "rate" | "status" | "to" | "from" | "reference" | "errorcode" | "timestamp";

/** A template of delivery reports, with the delimiters `~…~`, `<…>` and `$…$`. */
export declare class Template {
  constructor(source: string, format?: "url" | "json" | "form");
  /** Names between delimiters that are not variables; they stay unchanged. */
  readonly unknown: string[];
  /** Replaces the variables with their values, escaped for the format. */
  render(values: { [name in Variable]?: string }): string;
  /** The values in a text that the template rendered; null if the text does not match. */
  read(text: string): { [name in Variable]?: string } | null;
}

/** Adds a token to the query of a URL. */
export declare function tokenUrl(url: string, token: string): string;
