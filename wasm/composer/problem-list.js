// The list of problems, grouped by severity. Problems with the same code and message are one entry with several places; each place has
// the label of its field, its pointer, and a fix.
import { h } from "./dom.js";

/** At most this number of places is listed; the first ones of an entry are visible, the others are in a collapsed list. */
const SHOWN = 60;
const VISIBLE = 3;

const GROUPS = { error: "Errors", open: "To fill in", warning: "Warnings", info: "Hints" };

/** The entries whose list of places the user has opened: a keystroke draws them again. */
const opened = new Set();

const keyOf = ({ code, message }) => `${code} ${message}`;
const severityOf = (problem) => (problem.open ? "open" : problem.severity);

/** `more` is the number of problems that the report omits.
 * @param {{ labelOf: (pointer: string) => string, select: Function, mend: Function }} actions */
export function problemList(all, more, actions) {
  if (all.length === 0) return [h("ul", {}, h("li", { class: "none" }, "None: the provider accepts this request."))];
  let left = SHOWN;
  const groups = Object.entries(GROUPS).map(([severity, name]) => {
    const found = all.filter((problem) => severityOf(problem) === severity);
    const rows = entriesOf(found).flatMap((problems) => {
      const shown = problems.slice(0, left);
      left -= shown.length;
      return shown.length > 0 ? [entry(severity, shown, problems.length, actions)] : [];
    });
    return rows.length > 0 && h("section", { class: `group ${severity}`, "aria-labelledby": `problems-${severity}` }, h("h3", { id: `problems-${severity}` }, `${name} (${found.length})`), h("ul", {}, ...rows));
  });
  const hidden = Math.max(0, all.length - SHOWN) + more;
  return [...groups.filter(Boolean), hidden > 0 && h("ul", {}, h("li", { class: "none" }, `and ${hidden} more`))].filter(Boolean);
}

/** The problems with the same code and message, together. */
function entriesOf(problems) {
  const entries = new Map();
  for (const problem of problems) {
    const key = keyOf(problem);
    if (entries.has(key)) entries.get(key).push(problem);
    else entries.set(key, [problem]);
  }
  return [...entries.values()];
}

/** One place is above the message, several are below it. */
function entry(severity, problems, count, actions) {
  const [{ message, code }] = problems;
  const rows = problems.map((problem) => place(problem, actions));
  const name = h("p", { class: "code" }, ...breakable(code));
  if (count === 1) return h("li", { class: severity }, ...rows, h("p", { class: "message" }, message), name);
  const others = rows.slice(VISIBLE);
  const key = keyOf(problems[0]);
  const keep = ({ target }) => (target.open ? opened.add(key) : opened.delete(key));
  const collapsed = others.length > 0 && h("details", { open: opened.has(key), ontoggle: keep }, h("summary", {}, others.length === 1 ? "1 more place" : `${others.length} more places`), ...others);
  return h("li", { class: `several ${severity}` }, h("p", { class: "message" }, message, h("span", { class: "times" }, ` (${count} times)`)), ...rows.slice(0, VISIBLE), collapsed, name);
}

function place(problem, { labelOf, select, mend }) {
  const { pointer } = problem;
  const button = h("button", { type: "button", class: "place", onclick: () => select(problem) }, labelOf(pointer), " ", h("small", { class: "pointer" }, pointer));
  const label = problem.fix && fixText(problem.fix);
  const fix = label && h("button", { type: "button", class: "fix", "aria-label": `${label}: ${labelOf(pointer)}`, onclick: () => mend(problem) }, label);
  return h("div", { class: "where" }, button, fix);
}

/** Allows line breaks between the words of a long code. */
const breakable = (code) => code.split(/(?<=[._])/).flatMap((word) => [h("wbr"), word]);

/** A longer text of a fix is shortened. */
const LONGEST = 24;

function visible(text) {
  if (text === " ") return "a space";
  if (text === "\n") return "a line break";
  return text.length > LONGEST ? `${[...text].slice(0, LONGEST).join("")}…` : text;
}

function fixText({ op, insert, start, end }) {
  if (op === "rename") return `Rename to ${visible(insert)}`;
  if (insert === "") return "Remove";
  return start === end ? `Insert ${visible(insert)}` : `Replace with ${visible(insert)}`;
}
