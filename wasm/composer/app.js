// The page: shows one request as a form, as JSON, as a preview and as code. A keystroke validates the request and marks the fields
// immediately. The rest is drawn in the next frame, or, for a long request, when typing pauses. The code is always drawn in a pause.
import { init, operations, validate, validateText } from "./cpaas/js/browser.js";
import { codePanel } from "./code-panel.js";
import { count } from "./field-counter.js";
import { keep, link, restore, shared } from "./saved-state.js";
import { costPanel } from "./cost-panel.js";
import { afterwards, h, onceAFrame, plural, say, setAttribute } from "./dom.js";
import { Form } from "./form.js";
import { jsonEditor } from "./json-editor.js";
import { expectation } from "./json-expectation.js";
import { indexOf } from "./json-tokens.js";
import { numberSettings, numbersPanel } from "./number-settings.js";
import { choice, languagesPanel, loadTables } from "./languages.js";
import { partPanel } from "./part-octets.js";
import { preview, smsTextOf, withText } from "./preview.js";
import { problemList } from "./problem-list.js";
import { COMPOSED, LABELS, SAMPLES, withAccount } from "./samples.js";
import { account, sendPanel } from "./send-to-sandbox.js";
import { mended } from "./json-value.js";

const part = (id) => document.getElementById(id);
const [operationBox, sampleBox, verdict, json, problems, seen] = ["operation", "sample", "verdict", "json", "problems", "preview"].map(part);
const form = new Form(part("form"), (whole) => edited(whole));
const editor = jsonEditor(json, part("json-colors"), part("json-place"));
const showCode = codePanel(part("code"));
const showCost = costPanel(part("cost"));
const showPart = partPanel(part("part-panel"), part("part"));
const tables = languagesPanel(part("tables"), () => look());
const numbers = numbersPanel(part("numbers"), () => soon());

let operation = "sms.send";
let value = {};
/** The configuration of an account of the sandbox that serves the page. */
let config;
/** The panel that sends; it compares each change with the request that it sent. */
let panel;
/** The content of the JSON editor, and whether the user typed it. A typed text may be invalid JSON. */
let written = "";
let isTyped = false;
/** Whether the typed text is an object; if not, `value` is an earlier request. */
let isReadable = true;

function edited(whole) {
  isTyped = redraw = false;
  isReadable = true;
  if (whole) drawForm();
  soon();
}

function replace(next) {
  value = next;
  edited(true);
}

/** Handles input in the JSON editor: the form follows if the text is valid JSON. */
function typed() {
  form.touched = null;
  written = json.value;
  isTyped = true;
  isReadable = false;
  try {
    const next = JSON.parse(written);
    if (next !== null && typeof next === "object" && !Array.isArray(next)) {
      value = next;
      redraw = isReadable = true;
    }
  } catch {
    // Validation reports the syntax error, with line and column.
  }
  soon();
}

/** The problems of the last validation. */
let found = [];
/** The JSON of the problems that the list shows, and of those that the form marks. */
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

/** A syntax error with what is expected at its place, or the characters that force UCS-2 with their names. */
function explained(problem) {
  const { code, message, params } = problem;
  if (code === "json.syntax") return { ...problem, message: `${message}: ${expectation(written, indexOf(written, params))}` };
  if (code !== "sms.text.unicode_cause") return problem;
  const characters = params.characters.map(({ character }) => named(character)).join(", ");
  return { ...problem, message: message.replace(/^\d+ characters?/, (count) => `${count} (${characters})`) };
}

/** A character with its code point; a character that is not visible by its code point alone. */
function named(character) {
  const code = `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  return /^[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `${character} ${code}` : code;
}

function check() {
  const { errors, warnings, more } = isTyped ? validateText(operation, written, numberSettings()) : validate(operation, value, numberSettings());
  found = [...errors, ...warnings].map((problem) => explained(!isTyped && form.isOpen(problem) ? { ...problem, open: true } : problem));
  const open = found.filter((problem) => problem.open).length;
  const before = shown;
  const unapplied = numbers.unapplied();
  shown = JSON.stringify([found, more, unapplied]);
  if (!redraw) mark();
  if (shown === before) return;
  const omitted = more > 0 ? ` and ${more} more` : "";
  const remarks = (warnings.length > 0 ? `, ${plural(warnings.length, "remark")}` : "") + omitted;
  const wrong = errors.length - open;
  const todo = `Not complete: ${plural(open, "field")} to fill in`;
  const text = wrong > 0 ? `Would be refused: ${plural(errors.length, "error")}${remarks}` : open > 0 ? todo : unapplied || `Ready to send${remarks}`;
  sayVerdict(text, found.length > 0, `verdict ${wrong > 0 ? "bad" : open > 0 || unapplied ? "todo" : warnings.length > 0 ? "fair" : "good"}`);
  problems.replaceChildren(...problemList(found, more, { labelOf: (place) => form.labelOf(place), select, mend }));
}

/** Shows the verdict; if there are problems, it is a button that leads to them. */
function sayVerdict(text, hasProblems, className) {
  verdict.className = className;
  if (verdict.textContent === text && Boolean(verdict.firstElementChild) === hasProblems) return;
  const isFocused = verdict.contains(document.activeElement);
  verdict.replaceChildren(hasProblems ? h("button", { type: "button", class: "place", onclick: toProblems }, text) : text);
  if (isFocused) verdict.firstElementChild?.focus();
}

function toProblems() {
  part("problems-title").scrollIntoView({ block: "start" });
  problems.querySelector("button")?.focus({ preventScroll: true });
}

/** The problem with a line and a column in the JSON editor, if there is one. */
const misplaced = () => (isTyped ? found.find(({ params }) => params?.line !== undefined) : undefined);

/** Moves the focus to a problem: a syntax error is in the JSON editor, every other problem in the form. */
function select(problem) {
  if (isTyped && problem.params?.line !== undefined) editor.goTo(problem);
  else form.select(problem.pointer, problem);
}

/** Applies the fix of a problem. The button of the fix disappears with the problem, so the focus moves to the fixed field. */
function mend(problem) {
  replace(mended(value, problem));
  const renamed = problem.fix.op === "rename" ? problem.pointer.replace(/[^/]*$/, problem.fix.insert) : problem.pointer;
  form.select(renamed);
}

function writeJson() {
  const text = JSON.stringify(value, null, 2);
  if (written !== text) json.value = written = text;
}

function drawJson() {
  const problem = misplaced();
  setAttribute(json, "aria-invalid", String(problem !== undefined));
  part("json-stale").hidden = isReadable;
  editor.draw(problem);
}

const write = (path, next) => replace(withText(value, path, next));

const look = onceAFrame(() => {
  if (!isTyped) writeJson();
  drawJson();
  if (redraw) {
    redraw = false;
    drawForm();
    mark();
  }
  for (const field of form.counted) count(operation, value, field);
  const inside = seen.contains(document.activeElement);
  preview(seen, operation, value, { write, allow: tables.set });
  // If the button with the focus has disappeared, the focus moves to the count, which shows the effect of the button.
  if (inside && !seen.contains(document.activeElement)) seen.querySelector("sms-counter")?.focus({ preventScroll: true });
  const text = smsTextOf(operation, value);
  for (const id of ["tables", "part-panel"]) part(id).hidden = text === undefined;
  showCost(text, choice(), value?.to ?? value?.destination);
  showPart(text);
  keep(state);
  codeSoon();
});
/** A request with more characters is drawn when typing pauses, not at each keystroke. */
const LONG = 3_000;
/** The state to share: the request, or the text of the JSON editor. */
const state = () => ({ operation, request: isTyped ? written : JSON.stringify(value), account: config?.account_sid, languages: choice(), numbers: numbers.text() });
const code = () => showCode(operation, value);
const codeSoon = afterwards(code, 150);
const lookSoon = afterwards(look, 80);
const soon = () => {
  check();
  // The text of the editor is visible by its colors only, so they do not wait for a frame.
  if (isTyped) drawJson();
  panel?.changed();
  if (written.length > LONG) lookSoon();
  else look();
};

/** The requests that the user left for another operation, as text. They live as long as the page. */
const drafts = new Map();
/** The request from which the user started, as JSON. */
let started = "";

/** Changes the operation; each operation keeps its own draft. */
function change(next) {
  const request = isTyped ? written : JSON.stringify(value);
  if (request === started) drafts.delete(operation);
  else drafts.set(operation, request);
  if (drafts.has(next)) open(next, drafts.get(next));
  else choose(next);
}

/** Shows a state that was saved in the address or in local storage. */
function resume({ operation: next, request, languages, numbers: settings }) {
  tables.set(languages);
  numbers.set(settings);
  open(next, request);
}

/** Shows a request of an operation. */
function open(next, request) {
  choose(next);
  sampleBox.prepend(h("option", { value: "" }, "Your request"));
  sampleBox.selectedIndex = 0;
  try {
    const parsed = JSON.parse(request);
    if (parsed === null || typeof parsed !== "object" || Array.isArray(parsed)) throw new SyntaxError("not an object");
    replace(parsed);
  } catch {
    json.value = request;
    typed();
  }
}

/** Copies the address. If the browser forbids it, the button refers to the address bar. */
async function share() {
  const button = part("share");
  const address = link();
  try {
    await navigator.clipboard.writeText(address);
    button.textContent = "Copied";
  } catch {
    button.textContent = "See the address bar";
  }
  setTimeout(() => (button.textContent = "Copy link"), 1500);
}

function choose(next) {
  operation = next;
  operationBox.value = next;
  const samples = Object.entries(SAMPLES[operation] ?? { "An empty request": {} });
  sampleBox.replaceChildren(...samples.map(([name]) => h("option", { value: name }, name)));
  sampleBox.onchange = () => sampleBox.value && start(Object.fromEntries(samples)[sampleBox.value]);
  start(samples[0][1]);
}

function start(sample) {
  form.closed.clear();
  form.touched = new Set();
  form.value = {};
  replace(withAccount(sample, config?.traffic_account_id));
  started = JSON.stringify(value);
  look();
  code();
}

try {
  await Promise.all([init(), loadTables()]);
  const others = operations().filter((id) => !COMPOSED.includes(id));
  const options = (ids) => ids.map((id) => h("option", { value: id }, LABELS[id] ? `${LABELS[id]} (${id})` : id));
  operationBox.append(h("optgroup", { label: "Messages" }, ...options(COMPOSED)), h("optgroup", { label: "Other requests" }, ...options(others)));
  operationBox.onchange = () => change(operationBox.value);
  json.oninput = typed;
  part("share").onclick = share;
  const before = restore();
  config = await account(before?.account).catch(() => undefined);
  panel = sendPanel(part("send"), () => ({ operation, value, isReadable }), () => config);
  const known = before && operations().includes(before.operation);
  if (known) resume(before);
  else choose(operation);
  addEventListener("hashchange", () => {
    const next = shared();
    if (next && operations().includes(next.operation)) resume(next);
  });
} catch (error) {
  setAttribute(verdict, "class", "verdict bad");
  verdict.textContent = `The module could not be loaded (${error.message}). It is built by wasm/build, and needs a web server: pages opened as files may not load it.`;
}
