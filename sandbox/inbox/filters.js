// The search and its filters, which the sandbox applies to every stored message.
import { find, h } from "./dom.js";
import { CHANNELS } from "./bubble.js";

const STATUSES = ["accepted", "Created", "Ready", "Sent", "delivered", "undelivered", "failed", "expired", "rejected", "received"];
const title = (text) => text[0].toUpperCase() + text.slice(1);

export class Filters {
  /** `changed()` is called when typing pauses or an option is selected. */
  constructor(changed) {
    this.controls = { text: find("#search"), channel: find("#channel"), status: find("#status") };
    this.controls.channel.append(...Object.entries(CHANNELS).map(([value, name]) => h("option", { value }, name)));
    this.controls.status.append(...STATUSES.map((value) => h("option", { value }, title(value))));
    let timer;
    this.controls.text.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(changed, 150);
    });
    for (const name of ["channel", "status"]) this.controls[name].addEventListener("change", changed);
    find("#filters").addEventListener("submit", (event) => {
      event.preventDefault();
      changed();
    });
  }

  /** The filters as a query, or "" if none is set. */
  query() {
    const given = Object.entries(this.controls).map(([name, control]) => [name, control.value.trim()]);
    return new URLSearchParams(given.filter(([, value]) => value !== "")).toString();
  }
}
