// A failover as one thread: a time line of its channels, and below it the messages that were sent.
import { badge, h, moment } from "./dom.js";
import { CHANNELS, tone } from "./bubble.js";

/** The element that contains the messages of a failover. */
export function thread(message, now) {
  const element = h("li.failover", { "data-failover": message.failover.id, "data-first": message.n });
  element.append(h("p.label", {}, `Failover over ${message.failover.channels.length} channels`), h("ol.timeline", { "aria-label": "Time line" }), h("ol.tries"));
  retime(element, [message], now);
  return element;
}

/** Draws the time line from the messages that exist so far. */
export function retime(element, messages, now) {
  const [{ failover }] = messages;
  const steps = failover.channels.map((channel, index) => step(channel, messages.find((one) => one.failover.step === index + 1), failover, now, index));
  element.querySelector(".timeline").replaceChildren(...steps);
}

function step(channel, message, { timeout }, now, index) {
  const name = h("strong", {}, CHANNELS[channel] ?? channel);
  if (!message) return h("li", { "data-state": "waiting" }, name, h("span.quiet", {}, ` not tried; starts ${timeout} s after the previous channel`));
  const parts = [name, " tried ", moment(message.at, now), " "];
  if (message.updated !== message.at) parts.push(badge(message.status, tone(message.status)), " ", moment(message.updated, now));
  else parts.push(badge(message.status, tone(message.status)));
  return h("li", { "data-state": tone(message.status), "data-step": index + 1 }, parts);
}
