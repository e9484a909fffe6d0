// The transport of Deno: `fetch` over a client that keeps no connection and speaks HTTP/1.1. With Deno's default client, a request whose
// connection is closed is sent again.
import { invalid } from "../errors.js";
import { UNSUPPORTED as OF_FETCH, overFetch } from "./fetch.js";

/** The settings that this transport cannot honor, and why. */
export const UNSUPPORTED = OF_FETCH;

const { Deno, fetch } = globalThis;

/** The transport for these settings. */
export function createTransport({ maxResponseBytes }) {
  let client;
  try {
    client = Deno.createHttpClient({ poolMaxIdlePerHost: 0, http2: false });
  } catch {
    throw invalid("this version of Deno has no HTTP client that sends each request once (`Deno.createHttpClient`): pass a `transport` of your own");
  }
  // It keeps no connection, so there is nothing to close; closing it would end the calls that are running.
  return overFetch({ fetch: (...args) => fetch(...args), maxResponseBytes, isStreamed: false, init: { client }, repeats: false });
}
