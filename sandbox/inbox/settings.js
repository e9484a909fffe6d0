// The account's settings: the targets of callbacks, and a reset.
import { find, h, toast } from "./dom.js";
import { call, current, get } from "./api.js";
import { clearErrors, field, showError } from "./forms.js";

const input = (placeholder) => h("input", { type: "text", placeholder, autocomplete: "off", spellcheck: "false" });
const choice = (...options) => h("select", {}, options.map(([value, text]) => h("option", { value }, text)));
const box = (pointer, label) => h("label.box", {}, h("input", { type: "checkbox", "data-pointer": pointer }), " ", label);

const FIELDS = [
  ["/callback/url", "Delivery reports of SMS go to", input("http://127.0.0.1:8080/reports"), "The sandbox calls this address when an SMS reaches its final state. Empty: no reports."],
  ["/callback/method", "Method", choice(["", "GET (default)"], ["POST", "POST"])],
  ["/callback/template", "Template", input("msgid=~msgid~&status=~status~"), "GET: the query that is appended. POST: the body. Empty: the default."],
  ["/callback/content_type", "Content type of POST", choice(["", "application/json (default)"], ["application/x-www-form-urlencoded", "application/x-www-form-urlencoded"])],
  ["/chat_callback", "Reports of chat messages go to", input("http://127.0.0.1:8080/chat")],
  ["/inbound_callback", "Webhook for replies", input("http://127.0.0.1:8080/inbound"), "The sandbox calls this address when a user replies by SMS or business chat. Empty: replies are not forwarded."],
  ["/two_way", "Numbers that receive SMS", input("Acme, 4711"), "Replies to these numbers or senders are forwarded. Separated by commas; * for all."],
];

const valueAt = (settings, pointer) => pointer.split("/").slice(1).reduce((inner, name) => inner?.[name], settings);

export class Settings {
  constructor(onReset) {
    this.onReset = onReset;
    this.controls = Object.fromEntries(FIELDS.map(([pointer, , control]) => [pointer, control]));
    this.boxes = [box("/features/duplicate_reports", "Send each report twice"), box("/features/reorder_reports", "Send every other report late")];
    this.form = h(
      "form.settings-form",
      { "aria-label": "Callback settings", on: { submit: (event) => this.save(event) } },
      FIELDS.map(([pointer, label, control, help]) => field(label, control, pointer, help)),
      h("fieldset", {}, h("legend", {}, "Reports"), this.boxes),
      h("p.buttons", {}, h("button.primary", { type: "submit" }, "Save settings")),
    );
    this.dialog = this.confirmation();
    const reset = h("button.danger", { type: "button", on: { click: () => this.dialog.showModal() } }, "Reset the account");
    const about = h("p.quiet", {}, "Deletes messages, requests, events, callbacks, faults and counters. Keys, settings and clock stay.");
    find("#pane-settings").replaceChildren(this.form, h("section.reset", {}, h("h2", {}, "Reset"), about, reset), this.dialog);
  }

  confirmation() {
    const close = () => this.dialog.close();
    return h(
      "dialog",
      { "aria-labelledby": "reset-title" },
      h("h2", { id: "reset-title" }, "Delete all records?"),
      h("p", {}, "The messages and logs of this inbox are deleted. This cannot be undone."),
      h("p.buttons", {}, h("button.danger", { type: "button", on: { click: () => this.reset() } }, "Delete everything"), h("button", { type: "button", autofocus: true, on: { click: close } }, "Cancel")),
    );
  }

  async reset() {
    this.dialog.close();
    try {
      await call("POST", "/reset");
      toast("The account was reset", "good");
      this.onReset();
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  /** Reads the settings of the account that is shown. */
  async load() {
    const { accounts } = await get("/inbox");
    this.show(accounts.find((one) => one.sid === current())?.settings ?? {});
  }

  show(settings) {
    this.settings = settings;
    clearErrors(this.form);
    for (const [pointer, control] of Object.entries(this.controls)) {
      const value = valueAt(settings, pointer);
      control.value = Array.isArray(value) ? value.join(", ") : pointer === "/callback/method" && value?.toUpperCase() === "GET" ? "" : (value ?? "");
    }
    for (const label of this.boxes) {
      const control = find("input", label);
      control.checked = valueAt(settings, control.dataset.pointer) === true;
    }
  }

  /** The body of the request: empty fields are left out; a callback without fields is null, which removes it. */
  request() {
    const value = (pointer) => this.controls[pointer].value.trim();
    const parts = ["url", "method", "template", "content_type"].map((name) => [name, value(`/callback/${name}`)]);
    const callback = Object.fromEntries(parts.filter(([, text]) => text !== ""));
    const checked = this.boxes.map((label) => find("input", label)).map((control) => [control.dataset.pointer.split("/").pop(), control.checked]);
    return {
      callback: Object.keys(callback).length > 0 ? callback : null,
      chat_callback: value("/chat_callback") || null,
      inbound_callback: value("/inbound_callback") || null,
      two_way: value("/two_way").split(",").map((one) => one.trim()).filter(Boolean),
      features: Object.fromEntries(checked),
    };
  }

  async save(event) {
    event.preventDefault();
    clearErrors(this.form);
    try {
      const { warnings } = await call("PUT", `/accounts/${current()}`, this.request());
      await this.load();
      toast(warnings?.length ? `Saved. ${warnings.join("; ")}` : "Settings saved", warnings?.length ? "warn" : "good");
    } catch (error) {
      showError(this.form, error);
    }
  }
}
