// The page: one value, shown as a form, as JSON, as what people see, and as code. A key asks the rules and marks the fields at
// once; what is drawn waits for the frame, or in a long request for a pause, and code for the end of typing.
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
/** What the JSON side holds, and whether it is the request: what was typed there may be no JSON. */
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

/** Of the JSON side: the form follows when the text can be read. */
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
    // Said by validation, with line and column.
  }
  soon();
}

/** Of the last check; the same as a text, as it was shown and as the form was marked. */
let found = [];
let shown;
let marked;
/** Whether the form waits to be drawn with the frame. */
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

/** A fault of syntax stands on the JSON side, everything else in the form. */
function select(problem) {
  if (isTyped && problem.code === "json.syntax") json.focus();
  else form.select(problem.pointer, problem);
}

/** The button goes with its problem: the focus moves to what was mended. */
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
  // A button that did its work is gone: what it did is said in its place.
  if (inside && !seen.contains(document.activeElement)) seen.querySelector(".cost")?.focus({ preventScroll: true });
  codeSoon();
});
/** A request that is longer is drawn between keys, not with each. */
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
