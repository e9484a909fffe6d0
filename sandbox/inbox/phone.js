// A phone: its messages, newest last, and a form to reply from it.
import { h, toast } from "./dom.js";
import { CHANNELS, bubble } from "./bubble.js";
import { call } from "./api.js";
import { retime, thread } from "./failover.js";

/** The maximum number of messages that a phone shows. */
const DRAWN = 60;

export class Phone {
  constructor(number, now) {
    this.number = number;
    this.now = now;
    this.messages = new Map();
    this.newest = -1;
    this.title = /^\d{10,15}$/.test(number) ? `+${number}` : number;
    this.tags = h("p.tags");
    this.list = h("ol.thread", { tabindex: "0", "aria-label": `Messages of ${this.title}` });
    this.select = h("select", { "aria-label": "Channel" });
    this.input = h("input", { type: "text", "aria-label": `Reply from ${this.title}`, placeholder: "Reply from this phone", autocomplete: "off" });
    const heading = h("h2", { id: `phone-${number}` }, this.title);
    this.element = h(
      "section.phone",
      { "aria-labelledby": heading.id, "data-phone": number },
      h("header", {}, heading, this.tags),
      this.list,
      h("form.reply", { on: { submit: (event) => this.reply(event) } }, this.select, this.input, h("button", { type: "submit" }, "Send")),
    );
  }

  /** Adds a message, or replaces it if it changed. */
  put(message) {
    const before = this.messages.get(message.n);
    this.messages.set(message.n, message);
    const row = bubble(message, this.now(), (reply) => this.send(reply));
    if (before) {
      this.replace(message.n, row);
      this.retime(message);
      return;
    }
    const atEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 80;
    this.insert(message, row);
    while (this.list.children.length > DRAWN) this.list.firstElementChild.remove();
    this.newest = Math.max(this.newest, message.n);
    this.channels();
    if (atEnd) this.toEnd();
  }

  /** Adds a message, or replaces it only if it differs. */
  putChanged(message) {
    if (JSON.stringify(this.messages.get(message.n)) !== JSON.stringify(message)) this.put(message);
  }

  /** Removes the messages whose number is not among `numbers`. */
  keepOnly(numbers) {
    for (const n of [...this.messages.keys()]) if (!numbers.has(n)) this.remove(n);
  }

  /** Inserts a row in order; the messages of a failover form one thread. */
  insert(message, row) {
    const after = (list, n) => [...list.children].find((one) => Number(one.dataset.n ?? one.dataset.first) > n) ?? null;
    if (!message.failover) {
      this.list.insertBefore(row, after(this.list, message.n));
      return;
    }
    let group = this.list.querySelector(`[data-failover="${message.failover.id}"]`);
    if (!group) {
      group = thread(message, this.now());
      this.list.insertBefore(group, after(this.list, message.n));
    }
    const tries = group.querySelector(".tries");
    tries.insertBefore(row, after(tries, message.n));
    this.retime(message);
  }

  /** Removes a message, and the thread of its failover if that is empty. If the message has the focus, the next one gets it. */
  remove(n) {
    const message = this.messages.get(n);
    this.messages.delete(n);
    const row = this.list.querySelector(`[data-n="${n}"]`);
    const group = row?.closest("[data-failover]");
    const rows = [...this.list.querySelectorAll("[data-n]")];
    const neighbor = row?.contains(document.activeElement) ? (rows[rows.indexOf(row) + 1] ?? rows[rows.indexOf(row) - 1]) : null;
    row?.remove();
    neighbor?.querySelector("summary").focus();
    const rest = [...this.messages.values()];
    const next = message?.failover && rest.find((one) => one.failover?.id === message.failover.id);
    if (group && !next) group.remove();
    if (next) this.retime(next);
    this.newest = Math.max(-1, ...this.messages.keys());
    this.channels();
  }

  retime({ failover }) {
    const group = failover && this.list.querySelector(`[data-failover="${failover.id}"]`);
    if (group) retime(group, [...this.messages.values()].filter((one) => one.failover?.id === failover.id), this.now());
  }

  /** Replaces a row; open details stay open and the focus stays. */
  replace(n, row) {
    const old = this.list.querySelector(`[data-n="${n}"]`);
    if (!old) return;
    const open = old.querySelector("details")?.open;
    const focusable = "button, a, summary, [tabindex]";
    const focused = [...old.querySelectorAll(focusable)].indexOf(document.activeElement);
    old.replaceWith(row);
    if (open) row.querySelector("details").open = true;
    if (focused >= 0) row.querySelectorAll(focusable)[focused]?.focus();
  }

  redraw() {
    for (const message of this.messages.values()) this.replace(message.n, bubble(message, this.now(), (reply) => this.send(reply)));
  }

  toEnd() {
    requestAnimationFrame(() => {
      this.list.scrollTop = this.list.scrollHeight;
    });
  }

  last() {
    return this.messages.get(this.newest);
  }

  /** Shows the channels on which this phone can reply: those of its messages, latest first. */
  channels() {
    const seen = [...this.messages.values()].sort((a, b) => b.n - a.n).map((one) => (one.channel === "call" ? "sms" : one.channel));
    const names = [...new Set(seen)];
    this.tags.replaceChildren(...names.map((name) => h(`span.channel.${name}`, {}, CHANNELS[name] ?? name)));
    if (names.join() === [...this.select.options].map((option) => option.value).join()) return;
    this.select.replaceChildren(...names.map((name) => h("option", { value: name }, CHANNELS[name] ?? name)));
    this.select.hidden = names.length < 2;
  }

  async reply(event) {
    event.preventDefault();
    const text = this.input.value;
    if (!text.trim()) return;
    const channel = this.select.value || "sms";
    const fits = (one) => one.channel === channel || (channel === "sms" && one.channel === "call");
    const last = [...this.messages.values()].sort((a, b) => b.n - a.n).find(fits);
    const to = last ? (last.direction === "in" ? last.to : last.from) : "";
    if (await this.send({ channel, to, text })) this.input.value = "";
  }

  /** Sends a message from this phone; the page's toast reports whether it was forwarded. */
  async send({ channel, to, text, postback }) {
    const body = { channel, from: this.number, to: to ?? "", text };
    if (postback) body.postback = postback;
    try {
      await call("POST", "/inbound", body);
      return true;
    } catch (error) {
      toast(error.message, "bad");
      return false;
    }
  }
}
