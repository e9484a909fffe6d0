// The filters above a log: text, status, operation or kind, and time. The sandbox applies them to every stored entry.
import { find, h } from "./dom.js";
import { KINDS } from "./callback_log.js";
import { FilterForm } from "./filters.js";

const STATUSES = [["", "Any status"], ["2xx", "2xx"], ["3xx", "3xx"], ["4xx", "4xx"], ["5xx", "5xx"], ["none", "No response"], ["failed", "Failed"]];

/** The texts of each log's text field, and its further fields. */
const LOGS = {
  attempts: { path: "/callbacks", list: "attempts", title: "Callbacks", label: "Filter callbacks", hint: "URL, body or response", fields: ["status", "kind"] },
  requests: { path: "/requests", list: "requests", title: "Requests", label: "Filter requests", hint: "Path, body or response", fields: ["status", "operation"] },
  events: { path: "/events", list: "events", title: "Events", label: "Filter events", hint: "Kind, subject or detail", fields: [] },
};

const option = ([value, name]) => h("option", { value }, name);

export class FilterBar {
  /** `changed(name)` is called when the filters of the log `name` change. */
  constructor(changed) {
    this.place = find("#log-filters");
    this.operations = [];
    this.changed = changed;
    this.forms = {};
    this.shown = null;
  }

  /** The form of a log, which is made when it is first needed. */
  form(name) {
    this.forms[name] ??= this.make(name);
    return this.forms[name];
  }

  make(name) {
    const { title, label, hint, fields } = LOGS[name];
    const choices = { status: STATUSES, kind: [["", "Any kind"], ...Object.entries(KINDS)], operation: [["", "Any operation"], ...this.operations.map((id) => [id, id])] };
    const titles = { status: "Status", kind: "Kind", operation: "Operation" };
    const controls = { text: h("input", { type: "search", "aria-label": label, placeholder: hint, autocomplete: "off" }) };
    for (const field of fields) controls[field] = h("select", { "aria-label": titles[field] }, choices[field].map(option));
    controls.after = h("input", { type: "datetime-local", step: "1", id: `${name}-after` });
    controls.before = h("input", { type: "datetime-local", step: "1", id: `${name}-before` });
    const found = h("span.found", { role: "status" });
    const clear = h("button.small", { type: "button", hidden: true }, "Clear");
    const element = h(
      "form.filters",
      { role: "search", "aria-label": title },
      controls.text,
      fields.map((field) => controls[field]),
      h("details.period", {}, h("summary", {}, "Time"), h("p", {}, h("label", { for: `${name}-after` }, "From"), controls.after, h("label", { for: `${name}-before` }, "Until"), controls.before, h("span.quiet", {}, "UTC"))),
      clear,
      found,
    );
    return new FilterForm({ element, controls, found, clear, changed: () => this.changed(name) });
  }

  /** Shows the filters of a log, or none if the tab has no log. */
  show(name) {
    this.shown = LOGS[name] ? name : null;
    this.place.hidden = this.shown === null;
    this.place.replaceChildren(...(this.shown ? [this.form(name).element] : []));
  }

  /** The path that returns the matching entries, the member of the response with them, and whether any filter is set. */
  query(name) {
    const { path, list } = LOGS[name];
    const query = this.form(name).query();
    return { path: `${path}?limit=200&${query}`, list, isSet: query !== "" };
  }
}
