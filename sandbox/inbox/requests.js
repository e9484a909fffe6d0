// The request log: what came in, its warnings, and the same call to be copied.
import { badge, block, h, moment, pretty, toast } from "./dom.js";
import { Log } from "./tabs.js";

export function requests(now) {
  return new Log("requests", "Every call of the provider's interface appears here, its secrets left out.", (one) => request(one, now()));
}

const LANGUAGES = { curl: "curl", python: "Python", rust: "Rust" };

async function copy(text, name) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`Copied as ${name}`, "good");
  } catch {
    toast("This browser does not let the page copy", "bad");
  }
}

function copies(one) {
  const buttons = Object.entries(LANGUAGES).map(([key, name]) => h("button", { type: "button", on: { click: () => copy(one.copy[key], name) } }, name));
  return h("p.copies", { role: "group", "aria-label": "Copy as" }, h("span.quiet", {}, "Copy as"), buttons);
}

function request(one, now) {
  const good = one.status < 300 && one.status > 0;
  const path = one.target.split("?")[0];
  return h(
    "li.entry",
    { "data-n": one.n },
    h("p.head", {}, badge(one.status ? String(one.status) : "cut", good ? "good" : "bad"), h("strong", {}, one.operation ?? "no operation"), one.fault ? badge(one.fault, "warn") : null, moment(one.at, now)),
    h("p.url", { title: one.target }, h("b", {}, one.method), " ", path),
    one.warnings.length ? h("ul.warnings", {}, one.warnings.map((text) => h("li", {}, text))) : null,
    h(
      "details",
      {},
      h("summary", {}, "Body and copies"),
      copies(one),
      one.target === path ? null : block("Target", one.target),
      one.body ? block(one.truncated ? "Body, its beginning" : "Body", pretty(one.body)) : null,
      one.assumed.length ? h("p.leans", {}, "Leans on ", one.assumed.map((id) => badge(id))) : null,
    ),
  );
}
