// The list of numbers beside the phones, for accounts with hundreds of numbers.
import { clockTime, find, h } from "./dom.js";
import { CHANNELS } from "./bubble.js";

/** How many numbers are read at first and with each press of the button. */
export const STEP = 200;

const amount = new Intl.NumberFormat("en").format;

export class Numbers {
  /** `pick(number)` shows a phone; `more()` reads further numbers. */
  constructor(now, pick, more) {
    Object.assign(this, { now, pick, more });
    this.place = find("#numbers");
    this.toggle = find("#list-toggle");
    this.toggle.addEventListener("click", () => this.show(this.place.hidden));
    this.rows = h("ol.number-rows");
    this.head = h("p.quiet");
    this.further = h("button", { type: "button", on: { click: () => this.more() } }, "Show more numbers");
    this.place.replaceChildren(this.head, this.rows, this.further);
    this.show(localStorage.getItem("inbox-list") === "1");
  }

  show(open) {
    this.place.hidden = !open;
    document.body.classList.toggle("listed", open);
    this.toggle.setAttribute("aria-pressed", String(open));
    localStorage.setItem("inbox-list", open ? "1" : "0");
  }

  /** Draws the numbers; the focus and the scroll position stay. */
  draw({ phones, total }, chosen) {
    const focused = document.activeElement?.closest?.("[data-number]")?.dataset.number;
    const scroll = this.rows.scrollTop;
    this.head.textContent = total === 1 ? "1 number" : `${amount(total)} numbers`;
    this.rows.replaceChildren(...phones.map((one) => this.row(one, chosen)));
    this.rows.scrollTop = scroll;
    this.further.hidden = phones.length >= total;
    if (focused) this.rows.querySelector(`[data-number="${CSS.escape(focused)}"]`)?.focus();
  }

  row({ number, channels, messages, last }, chosen) {
    const title = /^\d{10,15}$/.test(number) ? `+${number}` : number;
    return h(
      "li",
      {},
      h(
        "button.number",
        { type: "button", "data-number": number, "aria-current": number === chosen ? "true" : null, on: { click: () => this.pick(number) } },
        h("span.top", {}, h("strong", {}, title), h("span.quiet", {}, clockTime(last.at, this.now()))),
        h("span.words", {}, last.text || "(no text)"),
        h("span.top", {}, h("span.tags", {}, channels.map((name) => h(`span.channel.${name}`, {}, CHANNELS[name] ?? name))), h("span.quiet", {}, messages === 1 ? "1 message" : `${amount(messages)} messages`)),
      ),
    );
  }
}
