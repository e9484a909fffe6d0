// The search of messages and its filters, which the sandbox applies to every stored message.
import { find, h } from "./dom.js";
import { CHANNELS } from "./bubble.js";

const STATUSES = ["accepted", "Created", "Ready", "Sent", "delivered", "undelivered", "failed", "expired", "rejected", "received"];
const title = (text) => text[0].toUpperCase() + text.slice(1);

/** A form of filters: its values, its query, and its keys. Escape clears it. */
export class FilterForm {
  /** `changed()` is called when typing pauses or an option is selected. */
  constructor({ element, controls, found, clear, changed }) {
    Object.assign(this, { element, controls, found, changed });
    this.clearButton = clear;
    let timer;
    const typed = () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.apply(), 150);
    };
    for (const control of Object.values(controls)) control.addEventListener(control.tagName === "SELECT" ? "change" : "input", control.tagName === "SELECT" ? () => this.apply() : typed);
    clear.addEventListener("click", () => this.clear());
    element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.apply();
    });
    element.addEventListener("keydown", (event) => {
      const period = event.target.closest(".period[open]");
      if (event.key !== "Escape" || (!period && this.query() === "")) return;
      event.preventDefault();
      if (!period) return this.clear();
      period.open = false;
      find("summary", period).focus();
    });
    // The period lies over the page: it closes when the focus leaves it.
    element.addEventListener("focusout", ({ relatedTarget }) => {
      const period = find(".period[open]", element);
      if (period && relatedTarget && !period.contains(relatedTarget)) period.open = false;
    });
  }

  apply() {
    this.mark();
    this.changed();
  }

  /** Shows the button that clears the filters if one of them is set, and marks the summary over those that it hides. */
  mark() {
    this.clearButton.hidden = this.query() === "";
    const period = find(".period", this.element);
    period.classList.toggle("set", [...period.querySelectorAll("input, select")].some((control) => control.value !== ""));
  }

  /** Clears the filters; the focus goes to the text. */
  clear() {
    this.set({});
    this.controls.text.focus();
    this.changed();
  }

  /** Sets all filters; those that are not named become empty. A select gets an option for a value that it does not have. */
  set(values) {
    for (const [name, control] of Object.entries(this.controls)) {
      const value = values[name] ?? "";
      if (control.tagName === "SELECT" && ![...control.options].some((one) => one.value === value)) control.append(h("option", { value }, value));
      control.value = value;
    }
    this.mark();
  }

  /** The filters that are set. */
  values() {
    const given = Object.entries(this.controls).map(([name, control]) => [name, control.value.trim()]);
    return Object.fromEntries(given.filter(([, value]) => value !== ""));
  }

  /** The filters as a query, or "" if none is set. */
  query() {
    return new URLSearchParams(this.values()).toString();
  }
}

export class Filters extends FilterForm {
  constructor(changed) {
    const controls = { text: find("#search"), channel: find("#channel"), status: find("#status"), operation: find("#source"), after: find("#after"), before: find("#before") };
    controls.channel.append(...Object.entries(CHANNELS).map(([value, name]) => h("option", { value }, name)));
    controls.status.append(...STATUSES.map((value) => h("option", { value }, title(value))));
    super({ element: find("#filters"), controls, found: find("#found"), clear: find("#clear-filters"), changed });
  }

  /** Offers the operations of messages. */
  withOperations(operations) {
    const known = [...this.controls.operation.options].map((one) => one.value);
    this.controls.operation.append(...operations.filter((id) => !known.includes(id)).map((id) => h("option", { value: id }, id)));
  }
}
