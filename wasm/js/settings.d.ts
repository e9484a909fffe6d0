// Generated from the settings in `core/src/config.rs`: `cargo run -p codegen` rewrites it.
import type { Keyring, KeyringConfig } from "./callbacks.js";

/** The settings of a client. A setting that is absent is read from its environment variable `CPAAS_…`, and else has its default. */
export interface Settings {
  /** Address of the passcode service (SMS and voice). */
  otpUrl?: string;
  /** Address of the SMS service: the nearest region. */
  smsUrl?: string;
  /** Address of the SMS service in Frankfurt. */
  smsUrlFrankfurt?: string;
  /** Address of the SMS service in Singapore. */
  smsUrlSingapore?: string;
  /** Address of the SMS service in Hong Kong. */
  smsUrlHongKong?: string;
  /** Address of the SMS service in the United States. */
  smsUrlUnitedStates?: string;
  /** `nearest` (default), `frankfurt`, `singapore`, `hong_kong` or `united_states`. */
  region?: "nearest" | "frankfurt" | "singapore" | "hong_kong" | "united_states";
  /** Address of the number lookup. */
  lookupUrl?: string;
  /** Address of the messaging service (chat channels). */
  messagingUrl?: string;
  /** Address of the `messenger_b` webhook registration. */
  messengerBUrl?: string;
  /** Address of the `messenger_c` bot API. */
  messengerCUrl?: string;
  /** The account identifier, which is the user name of the passcode service. */
  accountSid?: string;
  /** The API key, which is the password of the passcode service and the default of the other keys. */
  apiKey?: string;
  /** The key of the SMS service (default: `apiKey`). */
  smsKey?: string;
  /** The key of the number lookup (default: `apiKey`). */
  lookupKey?: string;
  /** The key of the messaging service (default: `smsKey`, else `apiKey`). */
  messagingKey?: string;
  /** How calls of the messaging service authenticate: `header` (default), `basic` or `none`. */
  messagingAuth?: "header" | "basic" | "none";
  /** The token of the `messenger_b` account. */
  messengerBToken?: string;
  /** The traffic account of messages and webhooks, for requests without one. */
  trafficAccountId?: string;
  /** The name of the API-key header (default `X-Service-API-Key`); not a header that HTTP itself uses, such as `Host`. */
  apiKeyHeader?: string;
  /** The name of the `messenger_b` token's header (default `X-Channel-Auth-Token`); the same restriction. */
  messengerBTokenHeader?: string;
  /** The path of single messages (default `/messages/send`). */
  sendPath?: string;
  /** The version of the bulk operation (default `1.1`). */
  bulkVersion?: string;
  /** Whether an OTP request uses the names `From` and `To` (default false). */
  otpCapitalizedNames?: boolean;
  /** The format of the response to a single SMS: `json` (default) or `xml`. */
  smsFormat?: "json" | "xml";
  /** Whether search parameters are sent in a body instead of the query (default false). */
  searchBody?: boolean;
  /** Whether setWebhook of `messenger_c` sends `url` as the specification prints it, not percent-encoded (default false). */
  messengerCUnencodedUrl?: boolean;
  /** The wire names of the channel objects in single sends, by their name in the specification. */
  channelNames?: Record<string, string>;
  /** The wire names of the channel objects in bulk sends, by their name in the specification (default `{"messenger_a": "messengerA"}`). */
  bulkChannelNames?: Record<string, string>;
  /** How requests are validated: `strict` (default; a request with errors is not sent), `pedantic` (a request with warnings is not sent either), `warn` or `off`. */
  validation?: "strict" | "pedantic" | "warn" | "off";
  /** How recipients are written in the form that is sent, before validation: `international` accepts any notation of a number with its country code (`+30 691 234 5678`); a region (ISO 3166-1 alpha-2, such as `GR`) also accepts numbers as they are dialed there. By default, recipients are sent as they are. Recipients of a chat channel are changed only if they begin with `+` or `00`. A region reads bare digits as its own number first, even those of another country: use `international`, or `+`, for stored numbers and for replies to senders of messages. With the validation `off`, nothing reports that a number was changed. */
  normalize?: string;
  /** The countries whose numbers requests may contain (ISO 3166-1 alpha-2, such as `GR`), whatever `validation` is. By default, all. */
  allowCountries?: readonly string[];
  /** The types of numbers that requests may contain, as `checkNumber` names them, such as `mobile`, whatever `validation` is. A number of a plan that does not distinguish mobile and fixed line counts as both. By default, all. */
  allowTypes?: readonly string[];
  /** Time limit of connecting, in milliseconds (default 5,000). */
  connectTimeoutMs?: number;
  /** Time limit of one attempt, in milliseconds (default 20,000). */
  timeoutMs?: number;
  /** Time limit of the whole call, in milliseconds (default 60,000). */
  deadlineMs?: number;
  /** Maximum number of attempts of one call (default 3). */
  maxAttempts?: number;
  /** Whether to retry after an unknown outcome, which may send a message twice (default false). */
  retryUnknown?: boolean;
  /** Whether a 4xx or 3xx response that is not in the provider's own form is `unknown` instead of `rejected` (default false). */
  strictRejections?: boolean;
  /** Whether a response whose id was already returned for another call of this client is accepted, with a warning (default false); for stubs and benchmarks that always return the same id. */
  acceptRepeatedIds?: boolean;
  /** Maximum number of connections, idle ones included (default 128). At most three quarters of them carry calls (96 of 128), because a connection becomes idle shortly after its call has ended; further calls wait within their deadline. A call of `otp.verify` or `otp.cancel` has a connection of its own beside the idle ones. */
  maxConnections?: number;
  /** Maximum size of a response body, in bytes (default 8,388,608). A response with more than 100,000 objects or 500,000 members is not read either. */
  maxResponseBytes?: number;
  /** Text appended to the `User-Agent` header, for example `shop/2.1`. */
  userAgent?: string;
  /** Whether each request has the header `traceparent` (W3C Trace Context) with the id of its call as the trace id, unless tracing sets the header (default false). The provider can then name the id. */
  sendTraceparent?: boolean;
  /** The URL of an HTTP proxy. */
  proxy?: string;
  /** The keyring that signs the callback URL of each SMS: a list of keys, `[{"kid": "k1", "secret": "…"}]`, an object `{"keys": […], "longest_lifetime": …, "expiring_only": …}`, or one of them as JSON in a string. The first key signs. */
  callbackKeys?: string | Keyring | KeyringConfig | KeyringConfig["keys"];
  /** The audience of callback tokens: the receiving application. Its receiver must be configured with the same value. */
  callbackAudience?: string;
  /** Lifetime of callback tokens, in seconds: 60 to 5,270,400 (default 259,200, which is 72 hours). */
  callbackLifetimeSeconds?: number;
  /** Path of a file with root certificates in PEM form, which replace those of the system. */
  caBundle?: string;
  /** Whether settings that are not given are taken from the environment variables `CPAAS_…`, where a binding reads them (default true). The sandbox's settings have `false`, so that a test uses no address and no key of the machine. Rust reads the environment only by `or_env` and `from_env`. */
  readEnvironment?: boolean;
}
