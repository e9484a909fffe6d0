// Sends the request to the sandbox that serves this page, with the account of the sandbox.
import { h, plural } from "./dom.js";
import { hasCurl, httpRequest } from "./snippets.js";

/** The sandbox adds this element to the page. */
export const SERVED = document.querySelector('meta[name="cpaas-sandbox"]') !== null;

const read = async (path) => {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`the sandbox returned status ${response.status}`);
  return response.json();
};

/** The configuration of the account `sid`, or else of the first account; undefined if no sandbox serves the page. */
export async function account(sid) {
  if (!SERVED) return undefined;
  const { accounts } = await read("/_sandbox/accounts");
  return (accounts.find((account) => account.sid === sid) ?? accounts[0])?.config;
}

/** @param {() => { operation: string, value: unknown }} current @param {() => object | undefined} config */
export function sendPanel(root, current, config) {
  const result = h("div", { class: "sent", role: "status" });
  const button = h("button", { type: "button", class: "fix send", onclick: send }, "Send to sandbox");
  root.replaceChildren(h("p", { class: "row" }, button, SERVED && h("a", { href: "/" }, "Open the inbox")), result);

  async function send() {
    const { operation, value } = current();
    const reason = whyNot(operation);
    if (reason) return result.replaceChildren(h("p", { class: "note" }, reason));
    button.disabled = true;
    try {
      result.replaceChildren(...(await sent(operation, value, config())));
    } catch (error) {
      result.replaceChildren(h("p", { class: "cost bad" }, `No response: ${error.message}. A fault of the sandbox can cause this; the request log of the inbox shows it.`), toInbox(config().account_sid));
    }
    button.disabled = false;
    return undefined;
  }
}

function whyNot(operation) {
  if (!SERVED) return "This page is not served by a sandbox. Start one with: cpaas-sandbox --composer wasm/composer, then open /composer there. The sandbox shows the message on its phones and sends nothing to anyone.";
  return hasCurl(operation) ? undefined : "Only operations that send a message can be sent from here.";
}

/** A link to the inbox of an account; with a number, to the phone of that number. */
function toInbox(sid, number) {
  const state = new URLSearchParams({ ...(number && { phone: number }), account: sid });
  return h("p", {}, h("a", { href: `/#${state}` }, "Show in the inbox"));
}

async function sent(operation, value, config) {
  const { path, init } = httpRequest(operation, value, config);
  const response = await fetch(path, init);
  const text = await response.text();
  const shown = h("pre", { class: "snippet", tabindex: "0", "aria-label": "Response of the sandbox" }, pretty(text));
  const verdict = h("p", { class: `cost ${response.ok ? "good" : "bad"}` }, response.ok ? `Accepted: status ${response.status}` : `Rejected: status ${response.status}`);
  if (!response.ok) return [verdict, shown, toInbox(config.account_sid)];
  const messages = await messagesOf(idsOf(text), config.account_sid);
  return [verdict, ...messages.slice(0, 3).map((message) => bubble(message, config.account_sid)), messages.length > 3 && h("p", { class: "note" }, `and ${plural(messages.length - 3, "message")} more`), shown, messages.length === 0 && toInbox(config.account_sid)].filter(Boolean);
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

async function messagesOf(ids, sid) {
  const found = await Promise.all(ids.slice(0, 20).map((id) => read(`/_sandbox/messages?account=${encodeURIComponent(sid)}&id=${encodeURIComponent(id)}`)));
  return found.flatMap(({ messages }) => messages);
}

function bubble({ to, from, text, status, parts }, sid) {
  const facts = [`from ${from}`, `to ${to}`, parts && plural(parts, "part"), status].filter(Boolean).join(", ");
  return h("div", { class: "arrived" }, h("p", { class: "note" }, facts), h("div", { class: "bubble chat", dir: "auto" }, text), toInbox(sid, to));
}
