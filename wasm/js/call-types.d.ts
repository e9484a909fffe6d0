// The types that the operations of a client share.
import type { Problem } from "./report.js";

/** The options of one call. */
export interface CallOptions {
  /** Ends the call. The error says whether a request was sent. */
  signal?: AbortSignal;
  /** Time limit of one attempt, in milliseconds. */
  timeoutMs?: number;
  /** Time limit of all attempts together, in milliseconds. */
  deadlineMs?: number;
  /** How validation treats problems: `strict` rejects a request with errors, `pedantic` also one with warnings; `warn` reports errors as warnings, `off` does not validate. */
  validate?: "strict" | "pedantic" | "warn" | "off";
  /** Headers added to the requests of this call. Credentials, and headers that the client itself sets, are rejected. */
  extraHeaders?: Record<string, string>;
}

/** The unmodified response of an accepted call. */
export interface CallResponse {
  readonly status: number;
  /** With names in lower case. A repeated header has its last value. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The number of attempts of the call, at least 1. */
  readonly attempts: number;
  /** The id of the call: 32 hexadecimal digits, the same as in the events of hooks. */
  readonly callId: string;
}

/** The result of a call: the value, with the response and the warnings as properties that are not enumerable. */
export type CallResult<T> = T & {
  readonly response: CallResponse;
  /** The warnings about the request and the response. */
  readonly warnings: readonly Problem[];
  readonly callId: string;
};

/** The first page of a list, and all its records: `await` it, or iterate over it with `for await`. */
export interface Paged<Page, Item> extends Promise<CallResult<Page>>, AsyncIterable<Item> {}
