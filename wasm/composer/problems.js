// The list of problems: where, what, and how it is mended.
import { h } from "./dom.js";

const SHOWN = 60;

export function problemList(report, { select, mend }) {
  const all = [...report.errors, ...report.warnings];
  if (all.length === 0) return [h("li", { class: "none" }, "None: the provider takes this request.")];
  const rows = all.slice(0, SHOWN).map((problem) => row(problem, select, mend));
  return all.length > SHOWN ? [...rows, h("li", { class: "none" }, `and ${all.length - SHOWN} more`)] : rows;
}

function row(problem, select, mend) {
  const place = h("button", { type: "button", class: "place", onclick: () => select(problem.pointer) }, problem.pointer || "the request");
  const fix = problem.fix && h("button", { type: "button", class: "fix", onclick: () => mend(problem) }, fixText(problem.fix));
  return h("li", { class: problem.severity }, h("span", { class: "severity" }, problem.severity), h("div", {}, place, h("p", {}, problem.message), h("p", { class: "code" }, problem.code)), fix);
}

function fixText({ op, insert, start, end }) {
  if (op === "rename") return `Rename to ${insert}`;
  if (insert === "") return "Remove";
  return start === end ? `Insert ${insert}` : `Replace by ${insert}`;
}
