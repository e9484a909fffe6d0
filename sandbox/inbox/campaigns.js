// The progress of campaigns: how many messages the sandbox accepted of each, and their statuses.
import { find, h } from "./dom.js";
import { get } from "./api.js";

const REFERENCE = /^[0-9a-f]{16}-\d+-\d+$/;
const amount = new Intl.NumberFormat("en").format;
const ENDED = ["delivered", "undelivered", "failed", "rejected", "expired"];

export class Campaigns {
  constructor() {
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
    this.place.replaceChildren(...campaigns.slice(0, 3).map(progress));
  }
}

function progress({ id, accepted, retries, rows, rate, idle_ms, statuses }) {
  const ended = ENDED.reduce((sum, status) => sum + (statuses[status] ?? 0), 0);
  const kept = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const facts = [
    `${amount(accepted)} accepted`,
    `rows up to ${amount(rows)}`,
    retries ? `${amount(retries)} ${retries === 1 ? "retry" : "retries"}` : "",
    rate && idle_ms < 5000 ? `${amount(rate)} per second` : "",
    ...Object.entries(statuses).map(([status, count]) => `${amount(count)} ${status}`),
  ].filter(Boolean);
  const label = `Campaign ${id}: ${ended} of ${kept} messages have a final state`;
  return h("p.campaign", {}, h("strong", {}, `Campaign ${id}`), h("progress", { value: ended, max: kept || 1, "aria-label": label }), h("span.quiet", {}, facts.join(" · ")));
}
