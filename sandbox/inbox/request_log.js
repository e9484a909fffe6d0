// The request log: each request with its warnings, its response, and code to copy.
import { current } from "./api.js";
import { badge, block, copyText, h, moment, pretty } from "./dom.js";
import { Log } from "./tabs.js";

export function requests(now) {
  return new Log("requests", "Every call of the provider's API appears here, without its secrets.", (one) => request(one, now()));
}

const LANGUAGES = { curl: "curl", python: "Python", javascript: "JavaScript", rust: "Rust" };

/** Whether this sandbox serves the composer. */
let composer = false;
export const withComposer = (served) => (composer = served);

function copies(one) {
  const buttons = Object.entries(LANGUAGES).map(([key, name]) => h("button", { type: "button", on: { click: () => copyText(one.copy[key], `as ${name}`) } }, name));
  return h("p.copies", { role: "group", "aria-label": "Copy as" }, h("span.quiet", {}, "Copy as"), buttons);
}

/** A link that opens the request in the composer, if its body is complete. */
function edit(one) {
  if (!composer || !one.operation || one.truncated || !one.body) return null;
  const state = new URLSearchParams({ operation: one.operation, request: one.body, account: current() });
  return h("a", { href: `/composer/#${state}` }, "Open in the composer");
}

/** What the caller received. */
function answer(one) {
  if (!one.answer) return h("p.next", {}, "The connection was cut: the caller received no complete response.");
  const { status, body, truncated } = one.answer;
  const label = `Response ${status}${truncated ? " (beginning)" : ""}`;
  return block(label, body ? pretty(body) : "(no body)");
}

/** The status that the caller received, and the provider's own status if a fault replaced its response. */
function badges(one) {
  const received = one.answer?.status ?? 0;
  const good = received >= 200 && received < 300;
  const own = received !== one.status && one.status > 0 ? badge(`provider ${one.status}`) : null;
  return [badge(received ? String(received) : "cut", good ? "good" : "bad"), own];
}

function request(one, now) {
  const path = one.target.split("?")[0];
  return h(
    "li.entry",
    { "data-n": one.n },
    h("p.head", {}, badges(one), h("strong", {}, one.operation ?? "no operation"), one.fault ? badge(one.fault, "warn") : null, moment(one.at, now)),
    h("p.url", { title: one.target }, h("b", {}, one.method), " ", path),
    one.warnings.length ? h("ul.warnings", {}, one.warnings.map((text) => h("li", {}, text))) : null,
    h(
      "details",
      {},
      h("summary", {}, "Request and response"),
      copies(one),
      edit(one),
      one.target === path ? null : block("Target", one.target),
      one.body ? block(one.truncated ? "Body (beginning)" : "Body", pretty(one.body)) : null,
      answer(one),
      one.assumed.length ? h("p.relies", {}, "Relies on ", one.assumed.map((id) => badge(id))) : null,
    ),
  );
}
