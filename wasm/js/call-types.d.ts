// Types of calls, their options and their results.
import type { Problem } from "./report.js";

/** A problem of a request or a response, without the members that only `validate` adds. */
export type CallProblem = Omit<Problem, "path" | "limit" | "actual" | "unit" | "span">;

/** An `AbortSignal`. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason?: any;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** Options of one call. They replace those of the client. */
export interface CallOptions {
  /** Cancels the call: the error is `NotSent`, or `OutcomeUnknown` if a request may have been sent, with the reason "cancelled". */
  signal?: Signal;
  /** Time limit of one attempt, in milliseconds. */
  timeoutMs?: number;
  /** Time limit of the whole call, in milliseconds: all attempts, waits and lookups in the provider's records. */
  deadlineMs?: number;
  /** The maximum number of attempts. */
  maxAttempts?: number;
  /** Whether to retry after an unknown outcome, which may send a message twice. */
  retryUnknown?: boolean;
  /** After the response to an `otp.send` was lost, searches the records for the only passcode that it can be. */
  findPasscodes?: boolean;
  /** How the request is validated before it is sent. */
  validate?: "strict" | "pedantic" | "warn" | "off";
  /** Headers that are added to each request of the call. Credentials, and headers that the client itself sets, are rejected. */
  extraHeaders?: Record<string, string>;
}

/** The response of an accepted call, as received. */
export interface CallResponse {
  readonly status: number;
  /** With names in lower case. A repeated header has its last value. */
  readonly headers: Readonly<Record<string, string>>;
  /** All headers, in their order. */
  readonly headerList: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  /** The number of attempts. */
  readonly attempts: number;
  /** The id of the call, the same as in the events of hooks: 32 hexadecimal digits. */
  readonly callId: string;
}

/** The result of an accepted call. The added properties are not enumerable. */
export type CallResult<T> = T & {
  readonly response: CallResponse;
  /** Warnings about the request and the response. */
  readonly warnings: CallProblem[];
  readonly callId: string;
};

/** The first page of a list, and an iterator of the records of all pages. */
export interface Paged<Page, Item> extends Promise<CallResult<Page>>, AsyncIterable<Item> {
  /** The pages; each further one is requested when it is needed. */
  pages(): AsyncGenerator<CallResult<Page>, void, undefined>;
}
