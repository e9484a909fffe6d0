// Fault rules of the account: the rules with their hits, the presets, and a form for a new rule.
import { badge, find, h, toast } from "./dom.js";
import { call, get } from "./api.js";
import { clearErrors, field, showError } from "./forms.js";
import { count } from "./tabs.js";

const FIELDS = [
  ["to", "Recipient", "any", "text"],
  ["probability", "Probability", "0.2", "number"],
  ["nth", "Only the nth request", "1", "number"],
  ["expires", "Ends after (hits or time)", "3 or 10m", "text"],
  ["status", "Status", "503", "number"],
  ["ms", "Milliseconds", "200", "number"],
  ["retry_after", "Retry-After, seconds", "1", "number"],
];

export class Faults {
  constructor() {
    this.rules = [];
    this.list = h("ol.log");
    this.none = h("p.hint", {}, "No rule is set: calls get their normal responses.");
    this.clearAll = h("button", { type: "button", on: { click: () => this.change(() => call("DELETE", "/faults")) } }, "Clear all");
  }

  /** Draws the form once the kinds and operations are known. */
  start({ faults, operations, presets }) {
    this.kind = h("select", { id: "fault-kind", name: "kind" }, faults.map((name) => h("option", { value: name }, name)));
    this.operation = h("select", { id: "fault-op", name: "op" }, h("option", { value: "" }, "any operation"), operations.map((name) => h("option", { value: name }, name)));
    const inputs = FIELDS.map(([name, label, hint, type]) => field(label, h("input", { name, type, placeholder: hint, step: "any", autocomplete: "off" }), name === "to" ? "/match/to" : `/${name}`));
    this.form = h(
      "form.fault-form",
      { "aria-label": "Add a fault", novalidate: true, on: { submit: (event) => this.add(event) } },
      field("Kind", this.kind, "/kind"),
      field("Operation", this.operation, "/match/op"),
      inputs,
      h("p.buttons", {}, h("button.primary", { type: "submit" }, "Add fault"), this.clearAll),
    );
    find("#pane-faults").replaceChildren(this.presets(presets), h("h2", {}, "Rules"), this.none, this.list, h("h2", {}, "New rule"), this.form);
  }

  /** Buttons that replace all rules with those of a common failure. */
  presets(presets) {
    const rows = presets.map(({ name, help, rules }) => {
      const use = () => this.change(() => call("PUT", "/faults", { rules })).then((done) => done && toast(`${name}: ${help}`, "warn"));
      return h("li", {}, h("button", { type: "button", on: { click: use } }, name), h("span.quiet", {}, help));
    });
    return h("details.presets", { open: true }, h("summary", {}, "Presets"), h("ul", { "aria-label": "Presets" }, rows));
  }

  async load() {
    this.show((await get("/faults")).rules);
  }

  show(rules) {
    this.rules = rules;
    count("faults", rules.length);
    this.none.hidden = rules.length > 0;
    this.clearAll.disabled = rules.length === 0;
    this.list.replaceChildren(...rules.map((one, place) => this.rule(one, place)));
  }

  rule({ rule, seen, hits }, place) {
    const limits = [
      rule.match?.to ? `to ${rule.match.to}` : null,
      rule.probability === undefined ? null : `${Math.round(rule.probability * 1000) / 10} % of the matching requests`,
      rule.nth === undefined ? null : `only matching request ${rule.nth}`,
      rule.status === undefined ? null : `status ${rule.status}`,
      rule.ms === undefined ? null : `${rule.ms} ms`,
      rule.expires === undefined ? null : `ends after ${rule.expires}${typeof rule.expires === "number" ? " hits" : ""}`,
    ].filter(Boolean);
    const remove = () => this.change(() => this.put(this.rules.filter((_, n) => n !== place)));
    return h(
      "li.entry",
      {},
      h("p.head", {}, badge(rule.kind, "warn"), h("strong", {}, rule.match?.op ?? "any operation"), h("button.small", { type: "button", "aria-label": `Remove fault ${place + 1}, ${rule.kind}`, on: { click: remove } }, "Remove")),
      limits.length ? h("p", {}, limits.join(" · ")) : null,
      h("p.quiet", {}, `hit ${hits} of ${seen} matching requests`),
    );
  }

  put(list) {
    return call("PUT", "/faults", { rules: list.map((one) => one.rule) });
  }

  async change(action) {
    clearErrors(this.form);
    try {
      this.show((await action()).rules);
      return true;
    } catch (error) {
      showError(this.form, error, `/rules/${this.rules.length}`);
      return false;
    }
  }

  async add(event) {
    event.preventDefault();
    const form = event.target;
    const given = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
    const rule = { kind: given.kind, match: {} };
    if (given.op) rule.match.op = given.op;
    if (given.to) rule.match.to = given.to.replace(/^\+/, "");
    for (const name of ["probability", "nth", "status", "ms", "retry_after"]) if (given[name]) rule[name] = Number(given[name]);
    if (given.expires) rule.expires = /^\d+$/.test(given.expires) ? Number(given.expires) : given.expires;
    if (await this.change(() => this.put([...this.rules, { rule }]))) form.reset();
  }
}
