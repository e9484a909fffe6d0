// Callback attempts: the target, its response, and the time of the next attempt.
import { badge, block, h, length, moment, pretty, toast } from "./dom.js";
import { call } from "./api.js";
import { Log } from "./tabs.js";

const KINDS = {
  report: "SMS report",
  chat_report: "Chat report",
  inbound: "Inbound SMS",
  webhook: "Webhook",
  bot: "Bot update",
  check: "Webhook check",
};

export function attempts(now) {
  return new Log("attempts", "Delivery reports, inbound messages and webhook calls appear here, each attempt with its target's response.", (one) => attempt(one, now()));
}

export const succeeded = (one) => one.status >= 200 && one.status < 300;

function result(one) {
  if (one.outcome !== "answered") return badge(one.outcome.replaceAll("_", " "), "bad");
  return badge(String(one.status), succeeded(one) ? "good" : "bad");
}

function next(one, now) {
  if (succeeded(one)) return null;
  if (one.next) {
    return h("p.next", {}, "Next try ", moment(one.next, now), ` (${length(Date.parse(one.next) - Date.parse(one.at))} later)`);
  }
  return h("p.next", {}, one.status === 410 ? "Target disabled" : "No further try");
}

async function replay(event, one) {
  const button = event.currentTarget;
  button.disabled = true;
  try {
    await call("POST", `/callbacks/${one.n}/replay`);
    toast("The callback was sent again", "good");
  } catch (error) {
    toast(error.message, "bad");
  }
  button.disabled = false;
}

function attempt(one, now) {
  return h(
    "li.entry",
    { "data-n": one.n },
    h("p.head", {}, result(one), h("strong", {}, KINDS[one.kind] ?? one.kind), h("span.quiet", {}, `attempt ${one.attempt}`), moment(one.at, now)),
    h("p.url", {}, h("b", {}, one.method), " ", one.url),
    next(one, now),
    h("p.copies", {}, h("button", { type: "button", "aria-label": `Replay attempt ${one.n + 1}, ${KINDS[one.kind] ?? one.kind}`, on: { click: (event) => replay(event, one) } }, "Replay")),
    h(
      "details",
      {},
      h("summary", {}, "Request and response"),
      one.body ? block("Sent", pretty(one.body)) : null,
      block("Response", one.answer ? pretty(one.answer) : "(no body)"),
      one.assumed?.length ? h("p.relies", {}, "Relies on ", one.assumed.map((id) => badge(id))) : null,
    ),
  );
}
