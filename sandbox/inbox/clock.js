// The account's clock, with buttons that advance a virtual clock.
import { day, find, h } from "./dom.js";
import { call } from "./api.js";
import { clearErrors, showError } from "./forms.js";

const STEPS = [["1 min", "1m"], ["10 min", "10m"], ["1 h", "1h"], ["1 d", "1d"]];

export class Clock {
  constructor() {
    this.place = find("#clock");
    this.time = h("time.now");
    this.mode = h("span.quiet");
    this.custom = h("input", { type: "text", "aria-label": "Length of time, such as 90s or 14d", placeholder: "14d", size: "4", autocomplete: "off", "data-pointer": "/advance", "aria-describedby": "clock-error" });
    const buttons = STEPS.map(([name, length]) => h("button", { type: "button", "aria-label": `Advance ${name}`, "data-advance": length, on: { click: () => this.advance(length) } }, `+${name}`));
    this.moves = h(
      "form.moves",
      { "aria-label": "Advance the clock", on: { submit: (event) => this.submit(event) } },
      buttons,
      h("div.labeled", {}, this.custom, h("p.error", { id: "clock-error", hidden: true })),
      h("button", { type: "submit" }, "Advance"),
    );
    this.place.replaceChildren(h("p.reading", {}, this.time, this.mode), this.moves);
    this.ahead = 0;
    setInterval(() => this.tick(), 1000);
  }

  /** Shows the sandbox's clock: `{now, ms, mode}`. */
  set(reading) {
    this.mode.textContent = reading.mode === "virtual" ? "UTC · virtual" : "UTC · real";
    this.moves.hidden = reading.mode !== "virtual";
    this.real = reading.mode !== "virtual";
    this.at(reading.ms);
  }

  at(ms) {
    this.ms = ms;
    this.ahead = ms - Date.now();
    this.show();
  }

  now() {
    if (this.ms === undefined) return "";
    return new Date(this.real ? Date.now() + this.ahead : this.ms).toISOString();
  }

  tick() {
    if (this.real) this.show();
  }

  show() {
    const now = this.now();
    this.time.dateTime = now;
    this.time.textContent = `${day(now)} ${now.slice(0, 4)}, ${now.slice(11, 19)}`;
  }

  submit(event) {
    event.preventDefault();
    const text = this.custom.value.trim();
    if (text) this.advance(text);
  }

  async advance(length) {
    const buttons = [...this.moves.querySelectorAll("button")];
    const focused = document.activeElement;
    buttons.forEach((button) => button.setAttribute("aria-disabled", "true"));
    clearErrors(this.moves);
    try {
      this.set(await call("POST", "/clock", { advance: length }));
      focused?.focus();
    } catch (error) {
      showError(this.moves, error);
    }
    buttons.forEach((button) => button.removeAttribute("aria-disabled"));
  }
}
