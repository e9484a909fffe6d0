// Calls an operation at most once for a key, over a store of the program.
import { AcceptedIdUnknown, errorOf, invalid, invalidArgument } from "./errors.js";
import { requestText } from "./request-text.js";

const { crypto } = globalThis;
const encoder = /* @__PURE__ */ new TextEncoder();

/** The SHA-256 of the operation and the request, in hexadecimal digits. */
async function fingerprint(id, text) {
  const digest = await crypto.subtle.digest("SHA-256", encoder.encode(`${id}\n${text}`));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function checked(key, store) {
  if (typeof key !== "string" || key === "") throw invalid("the key must be a string of at least 1 character");
  for (const name of ["claim", "settle", "free"]) {
    if (typeof store?.[name] !== "function") throw invalid(`\`store\` must have the functions claim, settle and free; \`${name}\` is missing`);
  }
}

/**
 * Runs `call` unless the key was used. A call that ended is not repeated: its result or its error is returned again. A call that is running
 * elsewhere, or whose process ended, is an unknown outcome.
 */
export async function sendOnce(key, operation, request, { store, ...options } = {}, call) {
  checked(key, store);
  const text = requestText(operation.id, request);
  const print = await fingerprint(operation.id, text);
  const claimed = await store.claim(key, print);
  if (claimed?.state !== "new") return stored(claimed ?? {}, print, operation);
  let result;
  try {
    result = await call(JSON.parse(text), options); // what the fingerprint is of
  } catch (error) {
    // If the store fails too, or the error has no outcome, the key stays claimed: another call with it is then an unknown outcome, and sends
    // nothing.
    try {
      if (isWithoutEffect(error)) await store.free(key);
      else if (error.outcome) await settle(store, key, { fingerprint: print, outcome: error.outcome, error: error.toJSON() });
    } catch {
      // as above
    }
    throw error;
  }
  try {
    await settle(store, key, { fingerprint: print, outcome: "accepted", result });
  } catch (cause) {
    throw new AcceptedIdUnknown(`${operation.id}: accepted, but the store did not keep the result: do not send again`, { operation: operation.id, reason: "other" }, { cause });
  }
  return result;
}

const isWithoutEffect = ({ outcome }) => outcome === "not_sent" || outcome === "invalid";

const settle = async (store, key, record) => store.settle(key, JSON.stringify(record));

function stored({ state, record, fingerprint: claimedPrint }, print, { id }) {
  const found = record === undefined || record === null ? undefined : JSON.parse(record);
  if ((found?.fingerprint ?? claimedPrint ?? print) !== print) throw invalidArgument(id, "the key was used for another request");
  if (state !== "ended" || !found) {
    throw errorOf({ outcome: "unknown", sent: "maybe", reason: "other", operation: id, message: "a call with this key is running, or its process ended: look for its effect", processed: "maybe", retryable: false, attempts: 0 });
  }
  if (found.outcome === "accepted") return found.result;
  throw errorOf(found.error);
}
