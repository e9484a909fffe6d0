// The progress of campaigns: how many messages the sandbox accepted of each, and how many of them have a final state.
import { find, h } from "./dom.js";
import { get } from "./api.js";

const REFERENCE = /^[0-9a-f]{16}-\d+-\d+$/;
const amount = new Intl.NumberFormat("en").format;
const FINAL = ["delivered", "undelivered", "failed", "rejected", "expired"];

export class Campaigns {
  /** `pick(id)` shows the messages of a campaign. */
  constructor(pick) {
    this.pick = pick;
    this.place = find("#campaigns");
    this.waiting = false;
  }

  /** Reads the counts again, at most once a second, if a message belongs to a campaign. */
  messageChanged(message) {
    if (this.waiting || !REFERENCE.test(message.reference ?? "")) return;
    this.waiting = true;
    setTimeout(() => {
      this.waiting = false;
      this.load().catch(() => {});
    }, 1000);
  }

  async load() {
    const { campaigns } = await get("/campaigns");
    this.place.hidden = campaigns.length === 0;
    const focused = [...this.place.querySelectorAll("button")].findIndex((one) => one === document.activeElement);
    this.place.replaceChildren(...campaigns.slice(0, 3).map((one) => this.row(one)));
    this.place.querySelectorAll("button")[focused]?.focus();
  }

  row({ id, accepted, retries, rows, rate, idle_ms, statuses }) {
    const counts = Object.entries(statuses);
    const sum = (some) => some.reduce((total, [, count]) => total + count, 0);
    const final = counts.filter(([status]) => FINAL.includes(status.toLowerCase()));
    const kept = sum(counts);
    const waiting = kept - sum(final);
    const facts = [
      `${amount(accepted)} sent`,
      `rows up to ${amount(rows)}`,
      retries ? `${amount(retries)} ${retries === 1 ? "retry" : "retries"}` : "",
      rate && idle_ms < 5000 ? `${amount(rate)} per second` : "",
      ...final.map(([status, count]) => `${amount(count)} ${status.toLowerCase()}`),
      waiting ? `${amount(waiting)} waiting` : "",
    ].filter(Boolean);
    const name = h("button.small", { type: "button", title: "Show its messages", on: { click: () => this.pick(id) } }, `Campaign ${id}`);
    const label = h("label", {}, h("progress", { value: kept - waiting, max: kept || 1 }), ` ${amount(kept - waiting)} of ${amount(kept)} in a final state`);
    return h("p.campaign", {}, name, label, h("span.quiet", {}, facts.join(" · ")));
  }
}
