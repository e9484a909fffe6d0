// The list of numbers beside the threads. A message that arrives moves its number to the top.
import { call } from "./api.js";
import { clockTime, confirmed, find, h, toast } from "./dom.js";
import { CHANNELS, phoneOf, tone } from "./bubble.js";

/** How many numbers are read at first and with each press of the button. */
export const STEP = 200;

const amount = new Intl.NumberFormat("en").format;

export class Numbers {
  /** `pick(number)` shows a phone, or all for null; `more()` reads further numbers. */
  constructor(now, { pick, more }) {
    Object.assign(this, { now, pick, more });
    this.place = find("#numbers");
    this.rows = h("ol.number-rows");
    this.head = h("p.quiet");
    this.all = h("button.all-numbers", { type: "button", on: { click: () => this.pick(null) } }, "Show all");
    const clear = confirmed("Clear all messages", "Delete all messages?", async () => {
      await call("DELETE", "/messages");
      toast("All messages were deleted", "good");
    });
    this.further = h("button", { type: "button", on: { click: () => this.more() } }, "Show more numbers");
    this.place.replaceChildren(h("p.numbers-head", {}, this.head, this.all), this.rows, this.further, h("p", {}, clear));
    this.draw({ phones: [], total: 0 }, null, STEP);
  }

  /** Draws the numbers; the focus and the scroll position stay. */
  draw({ phones, total }, chosen, limit = STEP) {
    this.limit = limit;
    const focused = document.activeElement?.closest?.("[data-number]")?.dataset.number;
    const scroll = this.rows.scrollTop;
    this.known = new Map(phones.map((one) => [one.number, one]));
    this.total = total;
    this.chosen = chosen;
    this.rows.replaceChildren(...phones.map((one) => this.row(one)));
    this.rows.scrollTop = scroll;
    if (focused) this.buttonOf(focused)?.focus();
    this.summary();
  }

  summary() {
    this.head.textContent = this.total === 1 ? "1 number" : `${amount(this.total)} numbers`;
    this.place.hidden = this.total === 0;
    this.further.hidden = this.known.size >= this.total;
    this.all.hidden = this.chosen === null;
  }

  buttonOf(number) {
    return this.rows.querySelector(`[data-number="${CSS.escape(number)}"]`);
  }

  /** Marks the number that is shown; null for all. */
  choose(number) {
    this.chosen = number;
    for (const row of this.rows.querySelectorAll("[aria-current]")) row.removeAttribute("aria-current");
    if (number !== null) this.buttonOf(number)?.setAttribute("aria-current", "true");
    this.summary();
  }

  /** Adds a message to its number, which becomes the first. Returns whether the list may lack older messages of this number. */
  add(message) {
    const number = phoneOf(message);
    const isComplete = this.known.size >= this.total;
    const before = this.known.get(number);
    const channels = before?.channels ?? [];
    const one = { number, channels: channels.includes(message.channel) ? channels : [...channels, message.channel], messages: (before?.messages ?? 0) + 1, last: message };
    if (!before) this.total += 1;
    this.replace(one, true);
    this.summary();
    return !before && !isComplete;
  }

  /** Draws the row of a message that changed, if it is the last one of its number. */
  update(message) {
    const one = this.known.get(phoneOf(message));
    if (one?.last.n === message.n) this.replace({ ...one, last: message }, false);
  }

  replace(one, isFirst) {
    const old = this.buttonOf(one.number)?.closest("li");
    const focused = old?.contains(document.activeElement);
    this.known.set(one.number, one);
    const row = this.row(one);
    if (isFirst || !old) {
      old?.remove();
      this.rows.prepend(row);
      this.shorten();
    } else {
      old.replaceWith(row);
    }
    if (focused) this.buttonOf(one.number).focus();
  }

  /** Removes the last rows if there are more than were read. */
  shorten() {
    while (this.rows.children.length > this.limit) {
      const last = this.rows.lastElementChild;
      this.known.delete(find("button", last).dataset.number);
      last.remove();
    }
  }

  row({ number, channels, messages, last }) {
    const title = /^\d{10,15}$/.test(number) ? `+${number}` : number;
    this.drawn = (this.drawn ?? 0) + 1;
    const words = `words-${this.drawn}`;
    const state = last.direction === "out" ? h(`span.state.${tone(last.status)}`, {}, last.status) : h("span.state", {}, "reply");
    // The button covers the row; only the number is its name.
    const pick = h("button.number", { type: "button", "data-number": number, "aria-describedby": words, "aria-current": number === this.chosen ? "true" : null, on: { click: () => this.pick(number) } }, title);
    return h(
      "li",
      {},
      h("p.top", {}, pick, h("span.quiet", {}, clockTime(last.at, this.now()))),
      h("p.words", { id: words }, last.text || "(no text)"),
      h("p.top", {}, h("span.tags", {}, channels.map((one) => h(`span.channel.${one}`, {}, CHANNELS[one] ?? one))), state, h("span.quiet", {}, messages === 1 ? "1 message" : `${amount(messages)} messages`)),
    );
  }
}
