// The list of problems: pointer, message and fix.
import { h } from "./dom.js";

const SHOWN = 60;

export function problemList(all, { select, mend }) {
  if (all.length === 0) return [h("li", { class: "none" }, "None: the provider takes this request.")];
  const rows = all.slice(0, SHOWN).map((problem) => row(problem, select, mend));
  return all.length > SHOWN ? [...rows, h("li", { class: "none" }, `and ${all.length - SHOWN} more`)] : rows;
}

function row(problem, select, mend) {
  const { pointer, message, severity, code } = problem;
  const place = h("button", { type: "button", class: "place", onclick: () => select(problem) }, pointer || "the request");
  const label = problem.fix && fixText(problem.fix);
  const fix = label && h("button", { type: "button", class: "fix", "aria-label": `${label}: ${pointer}`, onclick: () => mend(problem) }, label);
  return h("li", { class: severity }, h("span", { class: "severity" }, severity), h("div", {}, place, h("p", {}, message), h("p", { class: "code" }, ...breakable(code))), fix);
}

/** Allows line breaks between the words of a long code. */
const breakable = (code) => code.split(/(?<=[._])/).flatMap((word) => [h("wbr"), word]);

const visible = (text) => (text === " " ? "a space" : text === "\n" ? "a line break" : text);

function fixText({ op, insert, start, end }) {
  if (op === "rename") return `Rename to ${insert}`;
  if (insert === "") return "Remove";
  return start === end ? `Insert ${visible(insert)}` : `Replace by ${visible(insert)}`;
}
