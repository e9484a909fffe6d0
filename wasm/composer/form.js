// A form made from the JSON Schema of an operation.
import { schema } from "./cpaas/js/browser.js";
import { controlOf } from "./field-control.js";
import { h, say, setAttribute, title, unique } from "./dom.js";
import { describe } from "./field-help.js";
import { at, fieldPath, pointer, put } from "./json-value.js";

const CHANNELS = ["sms", "messenger_a", "messenger_b", "messenger_c", "business_chat"];

export class Form {
  /** Pointers of collapsed list items. */
  closed = new Set();
  /** The elements of each pointer: `note` shows its message, `control` is its input. Groups have no control. */
  places = new Map();
  /** Fields with a counter. */
  counted = [];
  marked = new Set();
  /** Pointers of fields that the user edited or left; null: all fields. */
  touched = new Set();

  /** @param {HTMLFormElement} root @param {(whole: boolean) => void} changed */
  constructor(root, changed) {
    this.root = root;
    this.changed = changed;
    root.addEventListener("focusout", ({ target }) => {
      const place = target.closest?.(".field")?.dataset.pointer;
      if (place !== undefined && this.touch(place)) this.changed(false);
    });
  }

  /** Records that a field was edited or left. Returns whether this is the first time. */
  touch(place) {
    if (this.touched === null || this.touched.has(place)) return false;
    this.touched.add(place);
    return true;
  }

  /** Whether a problem belongs to an empty field that the user has not edited. Such a field is listed as "to do", not as an error. */
  isOpen({ pointer: place, severity }) {
    if (severity !== "error" || this.touched === null || this.touched.has(place)) return false;
    const target = this.places.get(place);
    return Boolean(target?.control) && [undefined, ""].includes(at(this.value, target.path));
  }

  /** The label of a field, with the labels of the list items that contain it: `Card 2, Title`. */
  labelOf(place) {
    const labels = [];
    for (let here = place; here !== ""; here = here.slice(0, here.lastIndexOf("/"))) {
      const label = this.places.get(here)?.label;
      if (label && (labels.length === 0 || /\/\d+$/.test(here))) labels.unshift(label);
    }
    if (!this.places.has(place) && place !== "") labels.push(title(place.slice(place.lastIndexOf("/") + 1).replace(/~1/g, "/").replace(/~0/g, "~")));
    return labels.join(", ") || "The request";
  }

  /** Redraws the form; keeps the focus on the same field. */
  draw(operation, value) {
    const focused = document.activeElement?.closest?.("#form [data-pointer]")?.dataset.pointer;
    this.value = value;
    this.places = new Map();
    this.counted = [];
    this.marked = new Set();
    const all = schema(operation)["~standard"].jsonSchema.input({ target: "draft-2020-12" });
    this.objects = all.$defs ?? {};
    describe(operation, all);
    for (const [name, object] of Object.entries(this.objects)) describe(name, object);
    this.root.replaceChildren(...this.members(all, []));
    if (focused !== undefined && !this.root.contains(document.activeElement)) this.select(focused, undefined, false);
  }

  /** Shows the first problem of each field. */
  mark(found) {
    const first = new Map();
    for (const problem of found) {
      const place = this.placeOf(problem);
      if (!problem.open && !first.has(place)) first.set(place, problem);
    }
    for (const place of new Set([...this.marked, ...first.keys()])) this.note(place, first.get(place));
    this.marked = new Set(first.keys());
  }

  /** The pointer of the field of a problem. */
  placeOf({ pointer: place, path }) {
    return path && !this.places.has(place) ? pointer(fieldPath(this.value, path)) : place;
  }

  note(place, problem) {
    const target = this.places.get(place);
    if (!target) return;
    say(target.note, problem?.message ?? "", `said ${problem?.severity ?? ""}`.trim());
    if (target.control) setAttribute(target.control, "aria-invalid", String(problem?.severity === "error"));
  }

  /** Moves the focus to the field of a pointer, or to its nearest ancestor, and selects the problem's range of the text. */
  select(place, problem, scroll = true) {
    for (let here = place; ; here = here.slice(0, here.lastIndexOf("/"))) {
      const field = this.root.querySelector(`[data-pointer="${CSS.escape(here)}"]`);
      this.unfold(field);
      const control = field?.querySelector(":scope > .adders button") ?? field?.querySelector("input, textarea, select, button");
      if (control) {
        control.focus({ preventScroll: !scroll });
        const span = problem?.span ?? (problem?.fix?.op === "replace" ? problem.fix : undefined);
        if (span && here === place && control.setSelectionRange) control.setSelectionRange(span.start16, span.end16);
        if (scroll) field.scrollIntoView({ block: "center" });
        return;
      }
      if (here === "") return;
    }
  }

  unfold(field) {
    for (let box = field?.closest("fieldset.folded"); box; box = box.parentElement.closest("fieldset.folded")) this.fold(box, false);
  }

  fold(box, closed) {
    const place = box.dataset.pointer;
    if (closed) this.closed.add(place);
    else this.closed.delete(place);
    box.classList.toggle("folded", closed);
    box.querySelector(".toggle").setAttribute("aria-expanded", String(!closed));
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
    const rows = this.inOrder(shown, value).map((name) => this.member(name, node.properties[name], [...path, name], required.has(name), names.length === 1));
    return hidden.length > 0 ? [...rows, this.adder(hidden, node, path)] : rows;
  }

  /** Channels appear in the order in which they are tried. */
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
      const needed = inner.required ?? (Object.keys(inner.properties).length === 1 ? Object.keys(inner.properties) : []);
      return Object.fromEntries(needed.map((name) => [name, this.empty(inner.properties[name])]));
    }
    return inner.type === "object" ? {} : inner.type === "boolean" ? false : inner.type === "number" || inner.type === "integer" ? 0 : "";
  }

  /** The controls of a member. The only member of an object has no frame of its own. */
  member(name, node, path, required, only) {
    const inner = this.resolve(node);
    if (inner.type === "array" && (inner.items.$ref || inner.items.type === "string")) return this.list(name, inner, path);
    if (inner.properties && only && path.length > 1) return h("div", { "data-pointer": pointer(path) }, this.noted(path, title(name)), ...this.members(inner, path));
    if (inner.properties) return this.group(title(name), this.members(inner, path), path, !required);
    return this.field(name, inner, path, required);
  }

  noted(path, label) {
    const note = h("p", { class: "said" });
    this.places.set(pointer(path), { note, label });
    return note;
  }

  remove(text, path) {
    return h("button", { type: "button", class: "remove", "aria-label": `Remove ${text}`, onclick: () => this.set(path, undefined) }, "Remove");
  }

  group(text, children, path, removable) {
    return h("fieldset", { "data-pointer": pointer(path) }, h("legend", {}, text, " ", removable && this.remove(text, path)), this.noted(path, text), ...children);
  }

  list(name, node, path) {
    const items = at(this.value, path) ?? [];
    const inner = this.resolve(node.items);
    const one = title(node.items.$ref?.split("/").at(-1) ?? name.replace(/s$/, ""));
    const rows = (Array.isArray(items) ? items : []).map((_, index) => this.item(`${one} ${index + 1}`, inner, [...path, index]));
    const add = h("button", { type: "button", class: "add", onclick: () => this.set([...path, items.length], this.empty(node.items)) }, `+ ${one}`);
    return h("fieldset", { "data-pointer": pointer(path), class: "list" }, h("legend", { class: "unseen" }, title(name)), this.noted(path, title(name)), ...rows, h("p", { class: "adders" }, add));
  }

  item(text, node, path) {
    if (!node.properties) return h("div", { class: "row item" }, this.field(text, node, path, false), this.remove(text, path));
    const place = pointer(path);
    const closed = this.closed.has(place);
    const toggle = h("button", { type: "button", class: "toggle", "aria-expanded": String(!closed), onclick: () => this.fold(box, !this.closed.has(place)) }, text);
    const box = h("fieldset", { "data-pointer": place, class: closed ? "folded" : "" }, h("legend", {}, toggle, " ", this.remove(text, path)), this.noted(path, text), ...this.members(node, path));
    return box;
  }

  field(name, node, path, required) {
    const id = unique("field");
    const place = pointer(path);
    const control = controlOf(node, path, id, at(this.value, path), (value) => this.write(path, value));
    const counter = h("span", { class: "counter", id: `${id}-count` });
    const note = h("p", { class: "said", id: `${id}-said` });
    const help = node.description && h("p", { class: "help", id: `${id}-help` }, node.description);
    control.setAttribute("aria-describedby", `${help ? `${id}-help ` : ""}${id}-said ${id}-count`);
    if (required) control.setAttribute("aria-required", "true");
    this.places.set(place, { note, control, path, label: typeof path.at(-1) === "number" ? name : title(name) });
    if (control.type === "text" || control.localName === "textarea") this.counted.push({ path, counter });
    const box = control.type === "checkbox";
    const label = h("label", { for: id }, title(name), required && h("span", { class: "required", "aria-hidden": "true" }, " *"));
    const row = h("div", { class: box ? "row box" : "row" }, box && control, label, counter);
    return h("div", { class: "field", "data-pointer": place }, row, help, !box && control, note);
  }

  /** Handles a keystroke; the form is not redrawn. */
  write(path, value) {
    this.touch(pointer(path));
    put(this.value, path, value);
    this.changed(false);
  }

  /** Adds or removes a member and redraws the form. */
  set(path, value) {
    put(this.value, path, value);
    if (value === undefined) for (const place of this.closed) if (place.startsWith(`${pointer(path.slice(0, -1))}/`)) this.closed.delete(place);
    this.changed(true);
    if (value !== undefined) this.select(pointer(path));
  }
}
