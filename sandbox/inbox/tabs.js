// The tabs beside the phones; on a narrow page the phones are a tab as well.
import { find } from "./dom.js";

const narrow = matchMedia("(max-width: 860px)");
const tabs = () => [...document.querySelectorAll("[role=tab]")];
const visible = (tab) => tab.offsetParent !== null;

export function select(name) {
  for (const tab of tabs()) {
    const chosen = tab.dataset.tab === name;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    if (tab.dataset.tab !== "phones") find(`#pane-${tab.dataset.tab}`).hidden = !chosen;
  }
  document.body.dataset.view = name === "phones" ? "phones" : "panel";
  // On a narrow page the panel takes the place of the phones.
  find("#panel").setAttribute("role", narrow.matches && name !== "phones" ? "main" : "complementary");
}

/** The skip link to the panel leads to the tab that is selected. */
function skip(event) {
  event.preventDefault();
  const chosen = tabs().find((tab) => tab.getAttribute("aria-selected") === "true" && tab.dataset.tab !== "phones");
  if (!chosen) select("attempts");
  (chosen ?? find("#tab-attempts")).focus();
}

export function start() {
  find("[data-skip=panel]").addEventListener("click", skip);
  const fit = () => select(narrow.matches ? "phones" : "attempts");
  narrow.addEventListener("change", fit);
  fit();
  for (const tab of tabs()) {
    tab.addEventListener("click", () => select(tab.dataset.tab));
    tab.addEventListener("keydown", (event) => {
      const all = tabs().filter(visible);
      const at = all.indexOf(tab);
      const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      const wanted = all[(next + all.length) % all.length];
      select(wanted.dataset.tab);
      wanted.focus();
    });
  }
}

/** Shows a number beside a tab's name. */
export function count(name, number) {
  find(`#tab-${name} .count`).textContent = number ? String(number) : "";
}

/** A list of at most `limit` entries, newest first. */
export class Log {
  constructor(name, hint, draw, limit = 200) {
    Object.assign(this, { name, draw, limit });
    this.pane = find(`#pane-${name}`);
    this.hint = hint;
    this.list = document.createElement("ol");
    this.list.className = "log";
    this.clear();
  }

  clear() {
    this.last = -1;
    this.list.replaceChildren();
    const note = document.createElement("p");
    note.className = "hint";
    note.textContent = this.hint;
    this.pane.replaceChildren(note);
    count(this.name, 0);
  }

  add(entry) {
    if (entry.n <= this.last) return;
    if (!this.list.isConnected) this.pane.replaceChildren(this.list);
    this.last = entry.n;
    this.list.prepend(this.draw(entry));
    while (this.list.children.length > this.limit) this.list.lastElementChild.remove();
    count(this.name, entry.n + 1);
  }
}
