// The page: one value, shown as a form, as JSON, as what people see, and as code.
import { init, operations, parseMarkup, validateText } from "./cpaas/js/browser.js";
import { codePanel } from "./code.js";
import { h, onceAFrame, plural } from "./dom.js";
import { Form } from "./form.js";
import { limitOf } from "./limits.js";
import { preview, withText } from "./preview.js";
import { problemList } from "./problems.js";
import { COMPOSED, SAMPLES } from "./samples.js";
import { at, mended } from "./value.js";

const part = (id) => document.getElementById(id);
const [operationBox, sampleBox, verdict, json, problems, seen] = ["operation", "sample", "verdict", "json", "problems", "preview"].map(part);
const form = new Form(part("form"), (whole) => edited(whole));
const showCode = codePanel(part("code"));

let operation = "sms.send";
let value = {};

function edited(whole) {
  json.value = JSON.stringify(value, null, 2);
  if (whole) form.draw(operation, value);
  soon();
}

function replace(next) {
  value = next;
  edited(true);
}

/** Of the JSON side: the form follows when the text can be read. */
function typed() {
  try {
    const next = JSON.parse(json.value);
    if (next !== null && typeof next === "object" && !Array.isArray(next)) {
      value = next;
      form.draw(operation, value);
    }
  } catch {
    // Said by validation, with line and column.
  }
  soon();
}

function check() {
  const report = validateText(operation, json.value);
  const { errors, warnings } = report;
  verdict.className = `verdict ${errors.length > 0 ? "bad" : warnings.length > 0 ? "fair" : "good"}`;
  const worth = warnings.length > 0 ? `, ${plural(warnings.length, "remark")}` : "";
  verdict.textContent = errors.length > 0 ? `The provider would refuse this: ${plural(errors.length, "error")}${worth}` : `Ready to send${worth}`;
  problems.replaceChildren(...problemList(report, { select: (place) => form.select(place), mend: (problem) => replace(mended(value, problem)) }));
  mark([...errors, ...warnings]);
}

/** The first problem of a field is the one to show. */
function mark(found) {
  const first = new Map();
  for (const problem of found) if (!first.has(problem.pointer)) first.set(problem.pointer, problem);
  for (const [place, { path, control, counter, note }] of form.fields) {
    const problem = first.get(place);
    control.setAttribute("aria-invalid", String(problem?.severity === "error"));
    if (note.textContent !== (problem?.message ?? "")) note.textContent = problem?.message ?? "";
    note.className = `said ${problem?.severity ?? ""}`;
    count(path, control, counter);
  }
}

function count(path, control, counter) {
  if (control.type !== "text" && control.localName !== "textarea") return;
  const text = at(value, path);
  const known = typeof text === "string" && text !== "" && limitOf(operation, value, path);
  const sent = known && sentLength(path, text);
  const used = sent ?? (known ? known.count(text) : 0);
  const said = known ? `${used} of ${known.limit} ${known.unit}${sent === undefined ? "" : " after parsing"}` : "";
  if (counter.textContent !== said) counter.textContent = said;
  counter.className = `counter ${known && used > known.limit ? "over" : known && used >= 0.9 * known.limit ? "nearly" : ""}`;
}

/** Of a messenger_c text the limit counts what is left after parsing. */
function sentLength(path, text) {
  if (!path.includes("messenger_c") || !["message", "caption"].includes(path.at(-1))) return undefined;
  const mode = at(value, [...path.slice(0, -1), "parseMode"]) ?? "Default";
  return parseMarkup(text, mode).sent?.length;
}

const write = (path, text) => replace(withText(value, path, text));
const look = onceAFrame(() => {
  seen.replaceChildren(...preview(operation, value, write));
  showCode(operation, value);
});
const soon = () => {
  check();
  look();
};

function choose(next) {
  operation = next;
  const samples = Object.entries(SAMPLES[operation] ?? { "An empty request": {} });
  sampleBox.replaceChildren(...samples.map(([name]) => h("option", { value: name }, name)));
  sampleBox.onchange = () => replace(structuredClone(Object.fromEntries(samples)[sampleBox.value]));
  replace(structuredClone(samples[0][1]));
}

try {
  await init();
  const others = operations().filter((id) => !COMPOSED.includes(id));
  const options = (ids) => ids.map((id) => h("option", { value: id }, id));
  operationBox.append(h("optgroup", { label: "Messages" }, ...options(COMPOSED)), h("optgroup", { label: "Other requests" }, ...options(others)));
  operationBox.onchange = () => choose(operationBox.value);
  json.oninput = typed;
  choose(operation);
} catch (error) {
  verdict.className = "verdict bad";
  verdict.textContent = `The module could not be loaded (${error.message}). It is built by wasm/build, and needs a web server: pages opened as files may not load it.`;
}
