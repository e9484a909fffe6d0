// The list of problems: the field's label, the message, the pointer, and a fix.
import { h } from "./dom.js";

const SHOWN = 60;
const NAMES = { error: "error", warning: "remark", open: "to do" };

/** `more` is the number of problems that the report omits.
 * @param {{ labelOf: (pointer: string) => string, select: Function, mend: Function }} actions */
export function problemList(all, more, actions) {
  if (all.length === 0) return [h("li", { class: "none" }, "None: the provider accepts this request.")];
  const rows = all.slice(0, SHOWN).map((problem) => row(problem, actions));
  const hidden = all.length - rows.length + more;
  return hidden > 0 ? [...rows, h("li", { class: "none" }, `and ${hidden} more`)] : rows;
}

function row(problem, { labelOf, select, mend }) {
  const { pointer, message, code } = problem;
  const severity = problem.open ? "open" : problem.severity;
  const place = h("button", { type: "button", class: "place", onclick: () => select(problem) }, labelOf(pointer), " ", h("small", { class: "pointer" }, pointer));
  const label = problem.fix && fixText(problem.fix);
  const fix = label && h("button", { type: "button", class: "fix", "aria-label": `${label}: ${labelOf(pointer)}`, onclick: () => mend(problem) }, label);
  return h("li", { class: severity }, h("span", { class: "severity" }, NAMES[severity] ?? severity), h("div", {}, place, h("p", {}, message), h("p", { class: "code" }, ...breakable(code))), fix);
}

/** Allows line breaks between the words of a long code. */
const breakable = (code) => code.split(/(?<=[._])/).flatMap((word) => [h("wbr"), word]);

const visible = (text) => (text === " " ? "a space" : text === "\n" ? "a line break" : text);

function fixText({ op, insert, start, end }) {
  if (op === "rename") return `Rename to ${insert}`;
  if (insert === "") return "Remove";
  return start === end ? `Insert ${visible(insert)}` : `Replace by ${visible(insert)}`;
}
