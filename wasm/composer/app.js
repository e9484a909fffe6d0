// The page: one value, shown as a form, as JSON, as a preview, and as code. A keystroke validates and marks the fields
// immediately; drawing waits for the next frame, or for a pause if the request is long, and code for the end of typing.
import { init, operations, validate, validateText } from "./cpaas/js/browser.js";
import { codePanel } from "./code.js";
import { count } from "./counters.js";
import { afterwards, h, onceAFrame, plural, say, setAttribute } from "./dom.js";
import { Form } from "./form.js";
import { preview, withText } from "./preview.js";
import { problemList } from "./problems.js";
import { COMPOSED, LABELS, SAMPLES } from "./samples.js";
import { mended } from "./value.js";

const part = (id) => document.getElementById(id);
const [operationBox, sampleBox, verdict, json, problems, seen] = ["operation", "sample", "verdict", "json", "problems", "preview"].map(part);
const form = new Form(part("form"), (whole) => edited(whole));
const showCode = codePanel(part("code"));

let operation = "sms.send";
let value = {};
/** The content of the JSON editor, and whether it is the request: it may not be valid JSON. */
let written = "";
let isTyped = false;

function edited(whole) {
  isTyped = redraw = false;
  if (whole) drawForm();
  soon();
}

function replace(next) {
  value = next;
  edited(true);
}

/** Handles input in the JSON editor: the form follows if the text is valid JSON. */
function typed() {
  written = json.value;
  isTyped = true;
  try {
    const next = JSON.parse(written);
    if (next !== null && typeof next === "object" && !Array.isArray(next)) {
      value = next;
      redraw = true;
    }
  } catch {
    // Validation reports the syntax error, with line and column.
  }
  soon();
}

/** The problems of the last validation, and their text form, as shown and as marked in the form. */
let found = [];
let shown;
let marked;
/** Whether the form is to be drawn in the next frame. */
let redraw = false;

function drawForm() {
  form.draw(operation, value);
  marked = undefined;
}

function mark() {
  if (marked === shown) return;
  form.mark(found);
  marked = shown;
}

function check() {
  const { errors, warnings } = isTyped ? validateText(operation, written) : validate(operation, value);
  found = [...errors, ...warnings];
  const before = shown;
  shown = JSON.stringify(found);
  if (!redraw) mark();
  if (shown === before) return;
  const worth = warnings.length > 0 ? `, ${plural(warnings.length, "remark")}` : "";
  const said = errors.length > 0 ? `Would be refused: ${plural(errors.length, "error")}${worth}` : `Ready to send${worth}`;
  say(verdict, said, `verdict ${errors.length > 0 ? "bad" : warnings.length > 0 ? "fair" : "good"}`);
  problems.replaceChildren(...problemList(found, { select, mend }));
}

/** A syntax error is shown at the JSON editor, every other problem in the form. */
function select(problem) {
  if (isTyped && problem.code === "json.syntax") json.focus();
  else form.select(problem.pointer, problem);
}

/** The button disappears with its problem: the focus moves to the fixed field. */
function mend(problem) {
  replace(mended(value, problem));
  const renamed = problem.fix.op === "rename" ? problem.pointer.replace(/[^/]*$/, problem.fix.insert) : problem.pointer;
  form.select(renamed);
}

function writeJson() {
  const text = JSON.stringify(value, null, 2);
  if (written !== text) json.value = written = text;
}

const write = (path, next) => replace(withText(value, path, next));

const look = onceAFrame(() => {
  if (!isTyped) writeJson();
  if (redraw) {
    redraw = false;
    drawForm();
    mark();
  }
  for (const field of form.counted) count(operation, value, field);
  const inside = seen.contains(document.activeElement);
  preview(seen, operation, value, write);
  // The button has disappeared: its effect is announced instead.
  if (inside && !seen.contains(document.activeElement)) seen.querySelector(".cost")?.focus({ preventScroll: true });
  codeSoon();
});
/** A longer request is drawn in pauses of typing, not at each keystroke. */
const LONG = 3_000;
const code = () => showCode(operation, value);
const codeSoon = afterwards(code, 150);
const lookSoon = afterwards(look, 80);
const soon = () => {
  check();
  if (written.length > LONG) lookSoon();
  else look();
};

function choose(next) {
  operation = next;
  const samples = Object.entries(SAMPLES[operation] ?? { "An empty request": {} });
  sampleBox.replaceChildren(...samples.map(([name]) => h("option", { value: name }, name)));
  sampleBox.onchange = () => start(Object.fromEntries(samples)[sampleBox.value]);
  start(samples[0][1]);
}

function start(sample) {
  form.closed.clear();
  replace(structuredClone(sample));
  look();
  code();
}

try {
  await init();
  const others = operations().filter((id) => !COMPOSED.includes(id));
  const options = (ids) => ids.map((id) => h("option", { value: id }, LABELS[id] ? `${LABELS[id]} (${id})` : id));
  operationBox.append(h("optgroup", { label: "Messages" }, ...options(COMPOSED)), h("optgroup", { label: "Other requests" }, ...options(others)));
  operationBox.onchange = () => choose(operationBox.value);
  json.oninput = typed;
  choose(operation);
} catch (error) {
  setAttribute(verdict, "class", "verdict bad");
  verdict.textContent = `The module could not be loaded (${error.message}). It is built by wasm/build, and needs a web server: pages opened as files may not load it.`;
}
