// The phones of an account, those with the newest messages first: all phones, or those with messages that match a filter.
import { announce, find, h } from "./dom.js";
import { CHANNELS, phoneOf } from "./bubble.js";
import { Phone } from "./phone.js";

const narrow = matchMedia("(max-width: 860px)");

/** How many phones are shown at first and with each press of the button. */
const STEP = 24;

export class Phones {
  constructor(now) {
    this.now = now;
    this.columns = find("#columns");
    this.more = h("button.more-phones", { type: "button", on: { click: () => this.grow() } });
    this.clear();
  }

  clear() {
    this.phones = new Map();
    this.query = "";
    /** The phones with messages that match the filter; null without a filter. */
    this.found = null;
    this.chosen = null;
    this.limit = STEP;
    this.seen = -1;
    this.loaded = false;
    this.columns.replaceChildren();
    this.showEmpty();
  }

  grow() {
    this.limit += STEP;
    this.arrange();
  }

  /** Adds the existing messages without announcing them. */
  load(messages) {
    for (const message of messages) this.phone(message).put(message);
    this.seen = Math.max(this.seen, ...messages.map((one) => one.n));
    this.loaded = true;
    this.arrange();
    for (const phone of this.phones.values()) phone.toEnd();
  }

  phone(message, phones = this.phones) {
    const number = phoneOf(message);
    if (!phones.has(number)) phones.set(number, new Phone(number, this.now));
    return phones.get(number);
  }

  /** Shows the messages of a filter, or all messages for null. If `query` is the same as before, the phones that are shown stay. */
  filter(messages, query = "") {
    const isSame = messages !== null && query === this.query;
    const before = isSame ? this.found : null;
    this.query = query;
    this.found = messages && new Map();
    for (const message of messages ?? []) {
      const known = before?.get(phoneOf(message));
      if (known) this.found.set(known.number, known);
      this.phone(message, this.found).putChanged(message);
    }
    if (isSame) {
      const numbers = new Set(messages.map((one) => one.n));
      // The chosen phone also shows its messages that do not match.
      for (const phone of this.found.values()) if (phone.number !== this.chosen) phone.keepOnly(numbers);
      return this.arrange();
    }
    this.limit = STEP;
    this.arrange();
    for (const phone of this.found?.values() ?? []) phone.toEnd();
  }

  /** Shows a phone with its messages and moves the focus to it; null shows all phones. */
  choose(number, messages = []) {
    this.chosen = number;
    const shown = this.found ?? this.phones;
    for (const message of messages) this.phone(message, shown).put(message);
    this.arrange();
    find("#phones").scrollLeft = 0;
    this.columns.scrollTop = 0;
    const phone = shown.get(number);
    phone?.toEnd();
    phone?.list.focus();
  }

  /** Whether the page has space for one view only. */
  isNarrow() {
    return narrow.matches;
  }

  has(number) {
    return this.phones.has(number) || Boolean(this.found?.has(number));
  }

  /** Whether the chosen phone is shown alone: beside the list of numbers, if it has messages. */
  isAlone() {
    return document.body.dataset.layout === "threads" && this.chosen !== null && (this.found ?? this.phones).has(this.chosen);
  }

  add(message) {
    this.phone(message).put(message);
    this.arrange();
    if (message.n <= this.seen) return;
    this.seen = message.n;
    const phone = this.phone(message);
    const channel = CHANNELS[message.channel] ?? message.channel;
    const preposition = message.direction === "in" ? "from" : "to";
    announce(`New ${channel} ${preposition} ${phone.title}: ${message.text}`);
    phone.list.querySelector(`[data-n="${message.n}"]`)?.classList.add("new");
  }

  update(message) {
    for (const phones of [this.phones, this.found]) {
      const phone = phones?.get(phoneOf(message));
      if (phone?.messages.has(message.n)) phone.put(message);
    }
  }

  /** Removes a message that was deleted. A phone without messages disappears. */
  remove(n) {
    if (![this.phones, this.found].some((phones) => [...(phones?.values() ?? [])].some((phone) => phone.messages.has(n)))) return;
    for (const phones of [this.phones, this.found]) {
      for (const phone of phones?.values() ?? []) {
        if (phone.messages.has(n)) phone.remove(n);
        if (phone.messages.size === 0) phones.delete(phone.number);
      }
    }
    this.arrange();
  }

  redraw() {
    for (const phones of [this.phones, this.found]) for (const phone of phones?.values() ?? []) phone.redraw();
  }

  inOrder() {
    const rank = (phone) => (phone.number === this.chosen ? Infinity : phone.newest);
    return [...(this.found ?? this.phones).values()].sort((a, b) => rank(b) - rank(a));
  }

  /** Sorts the columns and moves only those that are not in order. */
  arrange() {
    const found = this.inOrder();
    const alone = this.isAlone();
    const shown = found.slice(0, alone ? 1 : this.limit);
    document.body.classList.toggle("alone", alone);
    const wanted = new Set(shown.map((phone) => phone.element));
    const focused = document.activeElement;
    for (const child of [...this.columns.children]) if (!wanted.has(child)) child.remove();
    shown.forEach((phone, place) => {
      const there = this.columns.children[place];
      if (there === phone.element) return;
      const scroll = phone.list.scrollTop;
      this.columns.insertBefore(phone.element, there ?? null);
      phone.list.scrollTop = scroll || phone.list.scrollHeight;
    });
    if (focused && focused !== document.activeElement && this.columns.contains(focused)) focused.focus();
    const left = found.length - shown.length;
    if (alone || left <= 0) {
      this.more.remove();
    } else {
      this.more.textContent = `Show ${Math.min(left, STEP)} of ${left} more phones`;
      this.columns.append(this.more);
    }
    this.showEmpty();
  }

  /** Shows a notice in place of the phones: loading, no messages, or no match. */
  showEmpty() {
    const state = this.found ? (this.found.size ? null : "nothing") : this.phones.size ? null : this.loaded ? "empty" : "loading";
    this.columns.hidden = state !== null;
    showState(state);
  }
}

const STATES = {
  loading: ["Loading", "Messages of this account are being read."],
  empty: ["No messages yet", "Send one to this sandbox, and its phone appears here."],
  nothing: ["Nothing found", "No stored message matches these filters."],
};

let clearFilters = () => {};
/** Sets what the button "Clear filters" of an empty search does. */
export const onClearFilters = (work) => (clearFilters = work);

function showState(state) {
  const place = find("#empty");
  place.hidden = state === null;
  place.setAttribute("aria-busy", String(state === "loading"));
  if (state) [find("h2", place).textContent, find("p", place).textContent] = STATES[state];
  find(".example", place).hidden = state !== "empty";
  find(".try", place).hidden = state !== "nothing";
  if (state === "nothing") find(".try", place).replaceChildren(h("button", { type: "button", on: { click: () => clearFilters() } }, "Clear filters"));
}

/** Shows an error in place of the phones, with a button that tries again. */
export function showFailure(error, retry) {
  const place = find("#empty");
  place.hidden = false;
  place.setAttribute("aria-busy", "false");
  find("#columns").hidden = true;
  find("h2", place).textContent = "The sandbox could not be read";
  find("p", place).textContent = error.message;
  find(".example", place).hidden = true;
  find(".try", place).hidden = false;
  find(".try", place).replaceChildren(h("button.primary", { type: "button", on: { click: retry } }, "Try again"));
}
