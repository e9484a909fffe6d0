// The transport of Cloudflare Workers: `fetch`, which sends a request with a body once. Its errors do not show whether a request was sent.
import { UNSUPPORTED, overFetch } from "./fetch.js";

export { UNSUPPORTED };

const { fetch } = globalThis;

/** The transport for these settings. */
export const createTransport = ({ maxResponseBytes }) => overFetch({ fetch: (...args) => fetch(...args), maxResponseBytes, isStreamed: false });
