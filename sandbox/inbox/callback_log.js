// The callbacks: one row for each, with its target, its parameters, and its attempts as a time line.
import { badge, find, h, length, moment, parameterList, parameters, toast, why } from "./dom.js";
import { call, get } from "./api.js";
import { block } from "./json_view.js";
import { Log } from "./log.js";

export const KINDS = {
  report: "SMS report",
  chat_report: "Chat report",
  inbound: "Inbound SMS",
  webhook: "Webhook",
  bot: "Bot update",
  check: "Webhook check",
};

const nameOf = (one) => KINDS[one.kind] ?? one.kind;

export function callbacks(now) {
  return new Log("attempts", "Delivery reports, inbound messages and webhook calls appear here, with each attempt and its target's response.", {
    key: (one) => one.delivery,
    draw: (attempts) => row(attempts, now()),
    extend: (element, attempts) => extend(element, attempts, now()),
  });
}

export const succeeded = (one) => one.status >= 200 && one.status < 300;

function result(one) {
  if (one.outcome !== "answered") return badge(one.outcome.replaceAll("_", " "), "bad");
  return badge(String(one.status), succeeded(one) ? "good" : "bad");
}

/** The state of a callback after its last attempt. */
function state(one) {
  if (succeeded(one)) return badge("delivered", "good");
  return one.next ? badge("will be retried", "warn") : badge("failed", "bad");
}

function next(one, now) {
  if (succeeded(one)) return null;
  if (one.next) {
    return h("p.next", {}, "Next try ", moment(one.next, now), ` (${length(Date.parse(one.next) - Date.parse(one.at))} later)`);
  }
  return h("p.next", {}, one.status === 410 ? "Target disabled" : "No further try");
}

/** The callback whose row gets the focus when it is drawn, instead of the row with the button that was pressed. */
let awaited = null;

function focusAwaited() {
  const button = awaited === null ? null : find(`#pane-attempts [data-delivery="${awaited}"] .head button`);
  if (!button) return;
  awaited = null;
  button.focus();
}

async function replay(event, one) {
  const button = event.currentTarget;
  // A button that is disabled would lose the focus.
  if (button.ariaDisabled === "true") return;
  button.ariaDisabled = "true";
  try {
    const { delivery } = await call("POST", `/callbacks/${one.n}/replay`);
    awaited = delivery;
    focusAwaited();
    const { attempts } = await get(`/callbacks?since=${one.n + 1}`);
    const last = attempts.findLast((attempt) => attempt.delivery === delivery);
    if (!last) toast("Sent again: no response yet");
    else if (succeeded(last)) toast(`Sent again: responded with ${last.status}`, "good");
    else toast(`Sent again, and failed: ${last.status ? `responded with ${last.status}` : last.outcome.replaceAll("_", " ")}`, "bad");
  } catch (error) {
    toast(error.message, "bad");
  }
  button.ariaDisabled = null;
}

/** The parameters in the query, and the members of a body that is a form or a flat JSON object. */
function sent(one) {
  const query = parameters(one.url.split("?").slice(1).join("?"));
  if (one.content_type.includes("form-urlencoded")) return [...query, ...parameters(one.body)];
  try {
    const members = Object.entries(JSON.parse(one.body));
    const flat = members.every(([, value]) => value === null || typeof value !== "object");
    return flat ? [...query, ...members.map(([name, value]) => [name, String(value)])] : query;
  } catch {
    return query;
  }
}

/** The parts of a row that its last attempt decides. */
function head(attempts) {
  const last = attempts.at(-1);
  const tries = attempts.length === 1 ? "1 attempt" : `${attempts.length} attempts`;
  const again = h("button.small", { type: "button", "aria-label": `Replay attempt ${last.n + 1}, ${nameOf(last)}`, on: { click: (event) => replay(event, last) } }, "Replay");
  return h("p.head", {}, state(last), h("strong", {}, nameOf(last)), h("span.quiet", {}, tries), last.replay_of ? badge(`replay of callback ${last.replay_of}`) : null, again);
}

function row(attempts, now) {
  const last = attempts.at(-1);
  if (last.delivery === awaited) requestAnimationFrame(focusAwaited);
  return h(
    "li.callback",
    { "data-delivery": last.delivery },
    head(attempts),
    h("p.url", {}, h("b", {}, last.method), " ", last.url.split("?")[0]),
    parameterList(sent(last), "Parameters"),
    h("ol.attempts", { "aria-label": "Attempts, the newest first" }, [...attempts].reverse().map((one) => attempt(one, now))),
  );
}

/** Adds the attempts that the row does not show yet. */
function extend(element, attempts, now) {
  const list = element.querySelector(".attempts");
  const shown = Number(list.firstElementChild?.dataset.n ?? -1);
  const replayed = element.querySelector(".head button") === document.activeElement;
  element.querySelector(".head").replaceWith(head(attempts));
  if (replayed) element.querySelector(".head button").focus();
  for (const one of attempts.filter((known) => known.n > shown)) list.prepend(attempt(one, now));
}

/** An attempt. The time line shows kind and target once, so here they are for screen readers only. */
function attempt(one, now) {
  return h(
    "li.entry",
    { "data-n": one.n },
    h("p.head", {}, result(one), h("span.hidden", {}, nameOf(one)), h("span", {}, `attempt ${one.attempt}`), h("span.hidden", {}, ` to ${one.url}`), moment(one.at, now)),
    next(one, now),
    why(one),
    h(
      "details",
      {},
      h("summary", {}, "Request and response"),
      one.body ? block("Sent", one.body) : null,
      block("Response", one.answer ? one.answer : "(no body)"),
      one.assumed?.length ? h("p.relies", {}, "Relies on ", one.assumed.map((id) => badge(id))) : null,
    ),
  );
}
