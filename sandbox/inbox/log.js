// A log beside the phones: its entries in rows, the newest first, or those that a filter finds.
import { find, h } from "./dom.js";
import { count } from "./tabs.js";

/** How many rows are drawn, and how many entries are kept to be drawn again. */
const DRAWN = 200;
const KEPT = 2000;

export class Log {
  /**
   * `key` groups the entries of one row, `draw` makes a row from its entries (oldest first), and `extend` adds the last one to a
   * row that exists. `failed` tells whether an entry failed.
   */
  constructor(name, hint, { key = (one) => one.n, draw, extend, failed = () => false }) {
    Object.assign(this, { name, hint, key, draw, extend, failed });
    this.pane = find(`#pane-${name}`);
    this.list = h("ol.log");
    this.clear();
  }

  clear() {
    this.last = -1;
    this.kept = 0;
    this.failures = 0;
    this.dropped = 0;
    this.rows = new Map();
    /** The keys of the rows that a filter found; null without a filter. */
    this.found = null;
    this.render();
    count(this.name, 0);
  }

  /** Adds entries that exist already. */
  load(entries) {
    for (const entry of entries) this.keep(entry);
    this.render();
  }

  add(entry) {
    const known = this.keep(entry);
    if (known === null || this.found) return;
    const key = this.key(entry);
    const row = known && this.extend && [...this.list.children].find((one) => one.dataset.key === String(key));
    if (row) {
      const focused = document.activeElement;
      this.extend(row, this.rows.get(key));
      if (this.list.firstElementChild !== row) this.list.prepend(row);
      if (row.contains(focused)) focused.focus();
    } else {
      this.list.prepend(this.row(key));
      while (this.list.children.length > DRAWN) this.list.lastElementChild.remove();
      if (!this.list.isConnected) this.pane.replaceChildren(this.list);
    }
  }

  /** Keeps an entry. Returns whether its row existed, or null if the entry is known. */
  keep(entry) {
    if (entry.n <= this.last) return null;
    this.last = entry.n;
    const key = this.key(entry);
    const entries = this.rows.get(key) ?? [];
    this.rows.delete(key);
    this.rows.set(key, [...entries, entry]);
    this.kept += 1;
    while (this.kept > KEPT) {
      const [oldest, dropped] = this.rows.entries().next().value;
      this.rows.delete(oldest);
      this.kept -= dropped.length;
      this.dropped += 1;
    }
    this.failures += this.failed(entry) ? 1 : 0;
    // A log whose rows have several entries counts its rows.
    count(this.name, this.extend ? this.rows.size + this.dropped : entry.n + 1, this.failures);
    return entries.length > 0;
  }

  /** Shows the rows of the entries that a filter found, or all rows for null. */
  show(entries) {
    this.found = entries && new Map();
    for (const entry of entries ?? []) {
      const key = this.key(entry);
      // A row that is known shows all of its entries.
      if (this.rows.has(key)) this.found.set(key, this.rows.get(key));
      else this.found.set(key, [...(this.found.get(key) ?? []), entry]);
    }
    this.render();
    return this.found?.size ?? 0;
  }

  row(key) {
    const row = this.draw((this.found ?? this.rows).get(key));
    row.dataset.key = key;
    return row;
  }

  /** Draws the rows again; open details stay open, and the focus stays. */
  render() {
    const focused = document.activeElement?.closest("[data-key]");
    const inside = (row) => [...row.querySelectorAll("button, a, summary, [tabindex]")];
    const at = this.list.contains(focused) ? inside(focused).indexOf(document.activeElement) : -1;
    const open = new Set([...this.list.querySelectorAll("details[open]")].map((one) => one.closest("[data-n]")?.dataset.n));
    const keys = [...(this.found ?? this.rows).keys()].slice(-DRAWN).reverse();
    this.list.replaceChildren(...keys.map((key) => this.row(key)));
    for (const details of this.list.querySelectorAll("details")) details.open = open.has(details.closest("[data-n]")?.dataset.n);
    this.pane.replaceChildren(keys.length ? this.list : h("p.hint", {}, this.found ? "No stored entry matches these filters." : this.hint));
    if (at >= 0) inside([...this.list.children].find((one) => one.dataset.key === focused.dataset.key) ?? h())[at]?.focus();
  }
}
