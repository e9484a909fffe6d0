// The request log: each request with its warnings, its response, and code to copy.
import { current } from "./api.js";
import { badge, copyText, docsLink, h, moment, parameterList, parameters, why } from "./dom.js";
import { block } from "./json_view.js";
import { Log } from "./log.js";

export function requests(now) {
  return new Log("requests", "Every call of the provider's API appears here, without its secrets.", {
    draw: ([one]) => request(one, now()),
    failed: (one) => !isGood(one),
  });
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
  return block(`Response ${status}${truncated ? " (beginning)" : ""}`, body || "(no body)");
}

const isGood = ({ answer }) => answer?.status >= 200 && answer.status < 300;

/** The status that the caller received, and the provider's own status if a fault replaced its response. */
function badges(one) {
  const received = one.answer?.status ?? 0;
  const own = received !== one.status && one.status > 0 ? badge(`provider ${one.status}`) : null;
  return [badge(received ? String(received) : "cut", isGood(one) ? "good" : "bad"), own];
}

/** A warning of the validation ends in its code, which the documentation describes. */
function warning(text) {
  const code = /\[([\w.]+)\]$/.exec(text)?.[1];
  return h("li", {}, text, code ? [" ", docsLink({ page: "problems.txt", find: `| \`${code}\`` })] : null);
}

function request(one, now) {
  const [path, ...query] = one.target.split("?");
  return h(
    "li.entry",
    { "data-n": one.n },
    h("p.head", {}, badges(one), h("strong", {}, one.operation ?? "no operation"), one.fault ? badge(one.fault, "warn") : null, moment(one.at, now)),
    h("p.url", { title: one.target }, h("b", {}, one.method), " ", path),
    why(one),
    one.warnings.length ? h("ul.warnings", {}, one.warnings.map(warning)) : null,
    h(
      "details",
      {},
      h("summary", {}, "Request and response"),
      copies(one),
      edit(one),
      parameterList(parameters(query.join("?")), "Parameters"),
      one.body ? block(one.truncated ? "Body (beginning)" : "Body", one.body) : null,
      answer(one),
      one.assumed.length ? h("p.relies", {}, "Relies on ", one.assumed.map((id) => badge(id))) : null,
    ),
  );
}
