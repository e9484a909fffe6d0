// Sends the request to the sandbox that serves this page, with the account of the sandbox. The response is labeled as soon as the
// request differs from the one that was sent, and the states of its messages are live.
import { h, plural, say } from "./dom.js";
import { LiveStates } from "./live-states.js";
import { hasCurl, httpRequest } from "./snippets.js";

/** The sandbox adds this element to the page. */
export const SERVED = document.querySelector('meta[name="cpaas-sandbox"]') !== null;

/** The maximum number of messages that are drawn, and of those that are read. */
const DRAWN = 3;
const READ = 20;

const read = async (path, signal) => {
  const response = await fetch(path, { signal });
  if (!response.ok) throw new Error(`the sandbox returned status ${response.status}`);
  return response.json();
};

/** The configuration of the account `sid`, or else of the first account; undefined if no sandbox serves the page. */
export async function account(sid) {
  if (!SERVED) return undefined;
  const { accounts } = await read("/_sandbox/accounts");
  return (accounts.find((account) => account.sid === sid) ?? accounts[0])?.config;
}

/**
 * Returns `{ changed }`, which compares the request with the one that was sent; call it at each change.
 * @param {() => { operation: string, value: unknown, isReadable: boolean }} current `isReadable`: whether `value` is what the page shows
 * @param {() => object | undefined} config
 */
export function sendPanel(root, current, config) {
  const button = h("button", { type: "button", class: "fix send", onclick: () => (abort ? undefined : send()) }, "Send to sandbox");
  const stop = h("button", { type: "button", hidden: true, onclick: () => abort?.abort() }, "Stop waiting");
  const verdict = h("p", { class: "cost", role: "status" });
  const notice = h("span", {});
  const stale = h("p", { class: "note stale", hidden: true }, notice, " ", h("button", { type: "button", onclick: clear }, "Clear"));
  const result = h("div", { class: "sent" });
  root.replaceChildren(h("p", { class: "row" }, button, stop, SERVED && h("a", { href: "/" }, "Open the inbox")), stale, verdict, result);

  const states = new LiveStates();
  /** The request that was sent, as text, and the time. */
  let sent;
  /** Aborts the request in progress. */
  let abort;
  /** Whether the panel says why the request was not sent. The reason may disappear with the next change. */
  let isRefused = false;

  function clear() {
    abort?.abort();
    states.close();
    sent = undefined;
    say(verdict, "", "cost");
    result.replaceChildren();
    changed();
    button.focus();
  }

  function changed() {
    const isOld = sent !== undefined && sent.request !== JSON.stringify(current());
    if (isOld) say(notice, `${abort ? "The request was sent" : "This is the response to the request as it was sent"} at ${sent.at}. You have changed the request since.`, "");
    stale.hidden = !isOld;
    if (isRefused) refuse();
    result.classList.toggle("old", isOld);
  }

  /** Shows why the request cannot be sent. Returns whether there is a reason. */
  function refuse() {
    const { operation, isReadable } = current();
    const reason = whyNot(operation, config(), isReadable);
    isRefused = reason !== undefined;
    say(verdict, reason ?? "", "note");
    return isRefused;
  }

  async function send() {
    const { operation, value } = current();
    const settings = config();
    sent = undefined;
    changed();
    result.replaceChildren();
    if (refuse()) return undefined;
    const { signal } = (abort = new AbortController());
    sent = { request: JSON.stringify(current()), at: new Date().toLocaleTimeString() };
    isSending(true);
    try {
      await states.open(settings.account_sid);
      result.replaceChildren(...(await outcome(operation, value, settings, signal)));
    } catch (error) {
      if (sent) failed(error, settings, signal);
    }
    abort = undefined;
    isSending(false);
    changed();
    return undefined;
  }

  function isSending(isOn) {
    if (!isOn && document.activeElement === stop) button.focus();
    button.setAttribute("aria-disabled", String(isOn));
    stop.hidden = !isOn;
    if (isOn) say(verdict, "Waiting for the response…", "note");
  }

  function failed(error, settings, signal) {
    states.close();
    const why = signal.aborted ? "You stopped waiting; the sandbox may have accepted the request." : `${error.message}. A fault of the sandbox can cause this; the request log of the inbox shows it.`;
    say(verdict, `No response: ${why}`, "cost bad");
    result.replaceChildren(toInbox(settings.account_sid, REQUESTS));
  }

  /** Sends the request. Returns what to show below the verdict. */
  async function outcome(operation, value, settings, signal) {
    const { path, init } = httpRequest(operation, value, settings);
    const response = await fetch(path, { ...init, signal });
    const text = await response.text();
    const messages = response.ok ? await messagesOf(idsOf(text), settings.account_sid, signal) : [];
    const drawn = messages.slice(0, DRAWN).map((message) => bubble(message, settings.account_sid));
    say(verdict, `${response.ok ? "Accepted" : "Rejected"}: status ${response.status}`, `cost ${response.ok ? "good" : "bad"}`);
    states.follow(messages.slice(0, DRAWN), (message, isFollowed) => drawn[messages.findIndex(({ n }) => n === message.n)].state(message, isFollowed));
    const more = messages.length > DRAWN && h("p", { class: "note" }, `and ${plural(messages.length - DRAWN, "message")} more`);
    const shown = h("pre", { class: "snippet", tabindex: "0", "aria-label": "Response of the sandbox" }, pretty(text));
    return [...drawn.map(({ node }) => node), more, shown, messages.length === 0 && toInbox(settings.account_sid, response.ok ? {} : REQUESTS)].filter(Boolean);
  }

  return { changed };
}

function whyNot(operation, settings, isReadable) {
  if (!SERVED) return "This page is not served by a sandbox. Start one with: cpaas-sandbox --composer wasm/composer, then open /composer there. The sandbox shows the message on its phones and sends nothing to anyone.";
  if (!settings) return "The accounts of the sandbox could not be read. Reload the page to try again.";
  if (!isReadable) return "The JSON text is not a request. Correct it, or edit the form.";
  return hasCurl(operation) ? undefined : "Only operations that send a message can be sent from here.";
}

/** The tab of the inbox that shows why a request failed. */
const REQUESTS = { tab: "requests" };

/** A link to the inbox of an account, at a phone or a tab. */
function toInbox(sid, place) {
  const state = new URLSearchParams({ ...place, account: sid });
  return h("p", {}, h("a", { href: `/#${state}` }, "Show in the inbox"));
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The ids in a response of any operation. */
function idsOf(text) {
  const ids = [];
  const walk = (value, name) => {
    if (typeof value === "string" && ["id", "messageId", "requestID", ""].includes(name)) ids.push(value);
    else if (Array.isArray(value)) value.forEach((item) => walk(item, ""));
    else if (value !== null && typeof value === "object") for (const [key, inner] of Object.entries(value)) walk(inner, key);
  };
  try {
    walk(JSON.parse(text), "response");
  } catch {
    return [];
  }
  return ids;
}

async function messagesOf(ids, sid, signal) {
  const found = await Promise.all(ids.slice(0, READ).map((id) => read(`/_sandbox/messages?account=${encodeURIComponent(sid)}&id=${encodeURIComponent(id)}`, signal)));
  // A response can contain several ids of one message.
  return [...new Map(found.flatMap(({ messages }) => messages).map((message) => [message.n, message])).values()];
}

/** The bubble of a message: its element, and a function that shows its state. */
function bubble({ to, from, text, parts }, sid) {
  const state = h("strong", { class: "state" });
  const about = [`from ${from}`, `to ${to}`, parts && plural(parts, "part")].filter(Boolean).join(", ");
  const node = h("div", { class: "arrived" }, h("p", { class: "note", role: "status" }, `${about}, `, state), h("div", { class: "bubble chat", dir: "auto" }, text), toInbox(sid, { phone: to }));
  return { node, state: ({ status }, isFollowed) => say(state, isFollowed ? status : `${status} (no longer followed)`, "state") };
}
