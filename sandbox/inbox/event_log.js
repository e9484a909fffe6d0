// The event log: state changes within the sandbox.
import { badge, h, moment, parameterList, why } from "./dom.js";
import { Log } from "./log.js";

export function events(now) {
  return new Log("events", "State changes, sessions, failovers and callbacks appear here.", { draw: ([one]) => event(one, now()) });
}

const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));

function event(one, now) {
  const bad = /failed|given_up|refused|disabled|not_configured|ended|deleted/.test(one.kind);
  const detail = Object.entries(one.detail ?? {}).map(([name, value]) => [name, shown(value)]);
  return h(
    "li.entry",
    { "data-n": one.n },
    h("p.head", {}, h("strong", {}, one.kind), bad ? badge("problem", "warn") : null, moment(one.at, now)),
    parameterList(detail, "Detail"),
    why(one),
    one.subject ? h("p.url", {}, one.subject) : null,
  );
}
