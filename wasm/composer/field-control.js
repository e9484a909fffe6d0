// The control of one field: a checkbox, a select, an input or a textarea.
import { h } from "./dom.js";
import { choicesOf } from "./field-help.js";

const LONG_TEXTS = /^(text|message|body|caption|description|fallback)$/;

/** @param {(value: unknown) => void} write */
export function controlOf(node, path, id, value, write) {
  if (node.type === "boolean") return h("input", { type: "checkbox", id, checked: value === true, onchange: (event) => write(event.target.checked) });
  const choices = choicesOf(node);
  if (choices) return choice(choices, id, value, write);
  const text = value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
  const typed = (event) => write(read(node, event.target.value));
  if (node.type === "string" && LONG_TEXTS.test(String(path.at(-1))) && path.at(-2) !== "reply") {
    const rows = Math.min(8, 2 + Math.ceil(text.length / 60) + text.split("\n").length);
    return holding(text, h("textarea", { id, rows: String(rows), dir: "auto", oninput: typed }));
  }
  const inputmode = node.type === "integer" || node.type === "number" ? "decimal" : undefined;
  return holding(text, h("input", { id, type: "text", dir: "auto", inputmode, oninput: typed }));
}

function holding(text, control) {
  control.value = text;
  return control;
}

function choice(examples, id, value, write) {
  const known = ["", ...examples, ...(value && !examples.includes(value) ? [String(value)] : [])];
  const options = known.map((text) => h("option", { value: text, selected: text === (value ?? "") }, text || "–"));
  return h("select", { id, onchange: (event) => write(event.target.value || undefined) }, ...options);
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
