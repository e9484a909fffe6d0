// The control API below `/_sandbox/`, and its stream of server-sent events.

let account = "";
let source = null;

export const current = () => account;

function address(path) {
  const separator = path.includes("?") ? "&" : "?";
  return `/_sandbox${path}${account ? `${separator}account=${encodeURIComponent(account)}` : ""}`;
}

/** Calls the control API. A thrown error has the sandbox's message and, in `field`, the invalid field. */
export async function call(method, path, body) {
  const response = await fetch(address(path), {
    method,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw Object.assign(new Error(answer.message ?? `the sandbox returned status ${response.status}`), { field: answer.field });
  return answer;
}

export const get = (path) => call("GET", path);

const KINDS = ["message", "update", "deleted", "event", "attempt", "request", "clock", "reset"];

/**
 * Listens to the events of an account. `handlers.open` is called at every connection, including reconnections: read the
 * state again then, because the events in between are lost.
 */
export function listen(sid, handlers) {
  source?.close();
  account = sid;
  source = new EventSource(address("/stream"));
  const own = source;
  own.addEventListener("open", () => own === source && handlers.open());
  own.addEventListener("error", () => own === source && handlers.lost(own.readyState === EventSource.CLOSED));
  for (const kind of KINDS) {
    own.addEventListener(kind, (event) => {
      // An event without data comes from the browser, not from the sandbox.
      if (own === source && event.data) handlers[kind]?.(JSON.parse(event.data));
    });
  }
}
