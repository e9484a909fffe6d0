// One message of a phone: its content, its sender and its status.
import { call } from "./api.js";
import { badge, confirmed, copyText, fact, h, moment, toast, why } from "./dom.js";
import { block } from "./json_view.js";
import { content } from "./message_content.js";

export const CHANNELS = {
  sms: "SMS",
  call: "Voice",
  messenger_a: "Messenger A",
  messenger_b: "Messenger B",
  messenger_c: "Messenger C",
  business_chat: "Business chat",
};

const TONES = {
  delivered: "good",
  success: "good",
  undelivered: "bad",
  failed: "bad",
  rejected: "bad",
  expired: "bad",
  deleted: "bad",
  pending: "wait",
};

export const tone = (status) => TONES[String(status).toLowerCase()] ?? "wait";

/** The number or identifier of the phone that a message belongs to. */
export const phoneOf = (message) => String(message.direction === "in" ? message.from : message.to).replace(/^\+/, "");

export function bubble(message, now, send) {
  const inbound = message.direction === "in";
  const tap = (text, postback) => send({ channel: message.channel, to: message.from, text, postback });
  const wide = message.content?.carouselCard || message.content?.standaloneCard;
  return h(
    `li.row.${inbound ? "mine" : "theirs"}`,
    { "data-n": message.n },
    h("p.from", {}, h(`span.channel.${message.channel}`, {}, CHANNELS[message.channel] ?? message.channel), inbound ? "to " : "", h("span", {}, inbound ? message.to || "the business" : message.from)),
    h(`div.bubble${wide ? ".wide" : ""}`, {}, content(message, tap)),
    passcode(message, now),
    autofill(message),
    message.not_forwarded ? h("p.passcode.bad", {}, `Not forwarded: ${message.not_forwarded}`) : null,
    why(message),
    details(message, footer(message, now)),
  );
}

function passcode(message, now) {
  if (!message.otp || !message.passcode) return null;
  const { status, expires } = message.passcode;
  const until = status === "pending" ? ["valid until ", moment(expires, now)] : [status === "success" ? "used" : status];
  return h(`p.passcode.${tone(status)}`, {}, "Code ", h("strong", {}, message.otp), " ", h("button.small", { type: "button", "aria-label": `Copy code ${message.otp}`, on: { click: () => copyText(message.otp, "the code") } }, "Copy"), " · ", ...until);
}

/** Where the code of a message fills itself in, or why it does not. */
function autofill({ autofill: found }) {
  if (!found) return null;
  if (found.problem) return h("p.passcode.bad", {}, found.problem);
  const where = found.embeddedHost ? `${found.embeddedHost} in ${found.host}` : found.host;
  const app = found.appHash ? `the app ${found.appHash}` : null;
  return h("p.passcode.good", {}, `Fills in on ${[where, app].filter(Boolean).join(" and ")}`);
}

const ENCODINGS = { gsm7: "GSM-7", ucs2: "UCS-2" };

function footer(message, now) {
  const parts = [moment(message.at, now)];
  if (message.direction === "out") parts.push(h(`span.state.${tone(message.status)}`, {}, message.status));
  if (message.encoding) {
    const count = message.parts === 1 ? "1 part" : `${message.parts} parts`;
    parts.push(h("span", { title: `${message.units} units` }, `${count} · ${ENCODINGS[message.encoding] ?? message.encoding} · ${message.units}`));
  }
  if (message.content?.silent) parts.push(h("span", {}, "silent"));
  if (message.session) parts.push(h("span", {}, `session ${message.session}`));
  return parts;
}

/** A button that deletes the message from the inbox at its second press. */
function removal(message) {
  const remove = async () => {
    await call("DELETE", `/messages/${encodeURIComponent(message.id)}`);
    toast("The message was deleted", "good");
  };
  return h("p.removal", {}, confirmed("Delete", "Delete this message?", remove));
}

/** A summary line that opens to show all facts about the message. */
function details(message, facts) {
  const assumed = message.assumed ?? [];
  return h(
    "details.more",
    {},
    h("summary.facts", {}, facts, h("span.hidden", {}, "Details")),
    h(
      "dl",
      {},
      fact("Id", message.id),
      fact("Operation", message.operation),
      fact("Status since", message.updated),
      fact("Reference", message.reference),
      fact("Request", message.request_id),
      fact("Bulk", message.bulk_id),
      assumed.length ? fact("Relies on", h("span", {}, assumed.map((id) => badge(id)))) : null,
    ),
    message.content ? block("Channel object", JSON.stringify(message.content)) : null,
    removal(message),
  );
}
