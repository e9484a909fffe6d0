// All phones of an account, the one with the newest message first.
import { announce, find, h } from "./dom.js";
import { CHANNELS, phoneOf } from "./bubble.js";
import { Phone } from "./phone.js";

/** Phones drawn at once; more on demand. */
const STEP = 24;

export class Phones {
  constructor(now) {
    this.now = now;
    this.columns = find("#columns");
    this.more = h("button.more-phones", { type: "button", on: { click: () => this.grow() } });
    this.search = find("#search");
    this.search.addEventListener("input", () => this.arrange());
    this.clear();
  }

  clear() {
    this.phones = new Map();
    this.limit = STEP;
    this.seen = -1;
    this.columns.replaceChildren();
    this.showEmpty();
  }

  grow() {
    this.limit += STEP;
    this.arrange();
  }

  /** Takes in what was there already: nothing is announced. */
  load(messages) {
    for (const message of messages) this.phone(message).put(message);
    this.seen = Math.max(this.seen, ...messages.map((one) => one.n));
    this.arrange();
    for (const phone of this.phones.values()) phone.toEnd();
  }

  phone(message) {
    const number = phoneOf(message);
    if (!this.phones.has(number)) this.phones.set(number, new Phone(number, this.now));
    return this.phones.get(number);
  }

  add(message) {
    this.phone(message).put(message);
    this.arrange();
    if (message.n <= this.seen) return;
    this.seen = message.n;
    const phone = this.phone(message);
    const channel = CHANNELS[message.channel] ?? message.channel;
    const way = message.direction === "in" ? "from" : "to";
    announce(`New ${channel} ${way} ${phone.title}: ${message.text}`);
    phone.list.querySelector(`[data-n="${message.n}"]`)?.classList.add("new");
  }

  update(message) {
    const phone = this.phone(message);
    if (phone.messages.has(message.n)) phone.put(message);
  }

  redraw() {
    for (const phone of this.phones.values()) phone.redraw();
  }

  /** Puts the columns in order, touching only those out of place. */
  arrange() {
    const words = this.search.value.trim().toLowerCase().replace(/^\+/, "");
    const found = [...this.phones.values()].filter((phone) => phone.holds(words)).sort((a, b) => b.newest - a.newest);
    const shown = found.slice(0, this.limit);
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
    if (left > 0) {
      this.more.textContent = `Show ${Math.min(left, STEP)} of ${left} more phones`;
      this.columns.append(this.more);
    }
    this.showEmpty(words && !found.length);
  }

  showEmpty(nothingFound = false) {
    const empty = find("#empty");
    empty.hidden = this.phones.size > 0 && !nothingFound;
    this.columns.hidden = !empty.hidden;
    find("h2", empty).textContent = nothingFound ? "Nothing found" : "No messages yet";
    find("p", empty).textContent = nothingFound ? "No phone has this in its number or its messages." : "Send one to this sandbox, and its phone appears here.";
    find("pre", empty).hidden = nothingFound;
  }
}
