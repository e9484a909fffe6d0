// A form out of the JSON Schema of an operation.
import { schema } from "./cpaas/js/browser.js";
import { h, title, unique } from "./dom.js";
import { at, pointer, put } from "./value.js";

const LONG_TEXTS = /^(text|message|body|caption|description|fallback)$/;
const CHANNELS = ["sms", "messenger_a", "messenger_b", "messenger_c", "business_chat"];

export class Form {
  /** @param {HTMLFormElement} root @param {(focus?: string) => void} changed */
  constructor(root, changed) {
    this.root = root;
    this.changed = changed;
  }

  /** Draws everything anew; keeps the focus on the same field. */
  draw(operation, value) {
    const focused = document.activeElement?.closest?.("[data-pointer]")?.dataset.pointer;
    this.value = value;
    this.fields = new Map();
    const all = schema(operation)["~standard"].jsonSchema.input({ target: "draft-2020-12" });
    this.objects = all.$defs ?? {};
    this.root.replaceChildren(...this.members(all, []));
    if (focused !== undefined && this.root.contains(document.activeElement) === false) this.select(focused, false);
  }

  /** Puts the focus on the field of a pointer, or on the nearest thing around it. */
  select(place, scroll = true) {
    for (let here = place; ; here = here.slice(0, here.lastIndexOf("/"))) {
      const field = this.root.querySelector(`[data-pointer="${CSS.escape(here)}"]`);
      const control = field?.querySelector("input, textarea, select, button");
      if (control) {
        control.focus({ preventScroll: !scroll });
        if (scroll) field.scrollIntoView({ block: "center" });
        return;
      }
      if (here === "") return;
    }
  }

  resolve(node) {
    return node.$ref ? this.objects[node.$ref.split("/").at(-1)] : node;
  }

  members(node, path) {
    const value = at(this.value, path);
    const names = Object.keys(node.properties ?? {});
    const required = new Set(node.required);
    const shown = names.filter((name) => value?.[name] !== undefined || required.has(name) || this.isPlain(node.properties[name]));
    const hidden = names.filter((name) => !shown.includes(name));
    const rows = this.inOrder(shown, value).map((name) => this.member(name, node.properties[name], [...path, name], required.has(name)));
    return hidden.length > 0 ? [...rows, this.adder(hidden, node, path)] : rows;
  }

  /** Channels stand in the order in which they are tried. */
  inOrder(names, value) {
    const given = Object.keys(value ?? {}).filter((name) => CHANNELS.includes(name));
    const rank = (name) => (given.includes(name) ? names.length + given.indexOf(name) : names.indexOf(name));
    return [...names].sort((a, b) => rank(a) - rank(b));
  }

  isPlain(node) {
    return !node.$ref && node.type !== "array" && node.type !== "object" && node.type !== undefined;
  }

  adder(names, node, path) {
    const buttons = names.map((name) =>
      h("button", { type: "button", class: "add", onclick: () => this.set([...path, name], this.empty(node.properties[name])) }, `+ ${title(name)}`),
    );
    return h("p", { class: "adders" }, ...buttons);
  }

  empty(node) {
    const inner = this.resolve(node);
    if (inner.type === "array") return [this.empty(inner.items)];
    if (inner.properties) {
      const required = (inner.required ?? []).map((name) => [name, this.empty(inner.properties[name])]);
      return Object.fromEntries(required);
    }
    return inner.type === "object" ? {} : inner.type === "boolean" ? false : inner.type === "number" || inner.type === "integer" ? 0 : "";
  }

  member(name, node, path, required) {
    const inner = this.resolve(node);
    if (inner.type === "array" && (inner.items.$ref || inner.items.type === "string")) return this.list(name, inner, path);
    if (inner.properties) return this.group(title(name), this.members(inner, path), path, !required);
    return this.field(name, inner, path, required);
  }

  group(text, children, path, removable) {
    const remove = removable && h("button", { type: "button", class: "remove", "aria-label": `Remove ${text}`, onclick: () => this.set(path, undefined) }, "Remove");
    return h("fieldset", { "data-pointer": pointer(path) }, h("legend", {}, text, " ", remove), ...children);
  }

  list(name, node, path) {
    const items = at(this.value, path) ?? [];
    const inner = this.resolve(node.items);
    const one = title(node.items.$ref?.split("/").at(-1) ?? name.replace(/s$/, ""));
    const rows = (Array.isArray(items) ? items : []).map((_, index) => {
      const place = [...path, index];
      const text = `${one} ${index + 1}`;
      return inner.properties ? this.group(text, this.members(inner, place), place, true) : this.group(text, [this.field(text, inner, place, false)], place, true);
    });
    const add = h("button", { type: "button", class: "add", onclick: () => this.set([...path, items.length], this.empty(node.items)) }, `+ ${one}`);
    return h("fieldset", { "data-pointer": pointer(path), class: "list" }, h("legend", { class: "unseen" }, title(name)), ...rows, h("p", { class: "adders" }, add));
  }

  field(name, node, path, required) {
    const id = unique("field");
    const place = pointer(path);
    const control = this.control(node, path, id);
    const counter = h("span", { class: "counter", id: `${id}-count` });
    const note = h("p", { class: "said", id: `${id}-said` });
    control.setAttribute("aria-describedby", `${id}-said ${id}-count`);
    this.fields.set(place, { path, control, counter, note });
    const box = control.type === "checkbox";
    const label = h("label", { for: id }, title(name), required && h("span", { class: "required", "aria-hidden": "true" }, " *"));
    const row = h("div", { class: box ? "row box" : "row" }, box && control, label, counter);
    return h("div", { class: "field", "data-pointer": place }, row, !box && control, note);
  }

  control(node, path, id) {
    const value = at(this.value, path);
    const name = path.at(-1);
    if (node.type === "boolean") {
      return h("input", { type: "checkbox", id, checked: value === true, onchange: (event) => this.write(path, event.target.checked) });
    }
    if (node.examples) {
      const known = ["", ...node.examples, ...(value && !node.examples.includes(value) ? [String(value)] : [])];
      const options = known.map((text) => h("option", { value: text, selected: text === (value ?? "") }, text || "–"));
      return h("select", { id, onchange: (event) => this.write(path, event.target.value || undefined) }, ...options);
    }
    const write = (event) => this.write(path, read(node, event.target.value));
    const text = value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
    if (node.type === "string" && LONG_TEXTS.test(String(name)) && path.at(-2) !== "reply") {
      const rows = Math.min(8, 2 + text.split("\n").length);
      const area = h("textarea", { id, rows: String(rows), oninput: write });
      area.value = text;
      return area;
    }
    const input = h("input", { id, type: "text", inputmode: node.type === "integer" || node.type === "number" ? "decimal" : undefined, oninput: write });
    input.value = text;
    return input;
  }

  /** A keystroke: the form stays as it is. */
  write(path, value) {
    put(this.value, path, value);
    this.changed(false);
  }

  /** A member comes or goes: the form is drawn anew. */
  set(path, value) {
    put(this.value, path, value);
    this.changed(true);
    if (value !== undefined) this.select(pointer(path));
  }
}

function read(node, text) {
  if (text === "") return undefined;
  if (node.type === "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
