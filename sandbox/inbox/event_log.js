// The event log: state changes within the sandbox.
import { badge, h, moment } from "./dom.js";
import { Log } from "./tabs.js";

export function events(now) {
  return new Log("events", "State changes, sessions, failovers and callbacks appear here.", (one) => event(one, now()));
}

function event(one, now) {
  const bad = /failed|given_up|refused|disabled|not_configured|ended|deleted/.test(one.kind);
  const detail = one.detail ? Object.entries(one.detail).map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`).join(" · ") : "";
  return h(
    "li.entry",
    { "data-n": one.n },
    h("p.head", {}, h("strong", {}, one.kind), bad ? badge("problem", "warn") : null, moment(one.at, now)),
    detail ? h("p", {}, detail) : null,
    one.subject ? h("p.url", {}, one.subject) : null,
  );
}
