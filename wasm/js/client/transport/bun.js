// The transport of Bun: `fetch` with a body that can be read once, and without kept connections. A body that was not read proves that nothing
// was sent, and so do the codes of refused connections and rejected certificates.
import { UNSUPPORTED as OF_FETCH, overFetch } from "./fetch.js";

/** The settings that this transport cannot honor, and why. */
export const UNSUPPORTED = OF_FETCH;

const { fetch } = globalThis;

const REASONS = { ConnectionRefused: "connect", ECONNREFUSED: "connect", ENOTFOUND: "dns" };

function proof(error, isUnread) {
  const code = String(error?.code ?? "");
  if (REASONS[code]) return { reason: REASONS[code] };
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return { reason: "tls", certificate: code };
  return isUnread ? { reason: "connect" } : undefined;
}

/** The transport for these settings. */
export const createTransport = ({ maxResponseBytes }) =>
  overFetch({ fetch: (...args) => fetch(...args), maxResponseBytes, isStreamed: true, seesEarly: true, init: { keepalive: false }, proof, repeats: false });
