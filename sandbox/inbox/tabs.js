// The tabs beside the phones; on a narrow page the phones are a tab as well.
import { find, h } from "./dom.js";

const narrow = matchMedia("(max-width: 860px)");
const tabs = () => [...document.querySelectorAll("[role=tab]")];
/** The tab that is selected at first. */
export const home = () => (narrow.matches ? "phones" : "attempts");
const visible = (tab) => tab.offsetParent !== null;

let changed = () => {};

/** The name of the tab that is selected. */
export const selected = () => tabs().find((tab) => tab.getAttribute("aria-selected") === "true")?.dataset.tab;

/** Selects a tab; `opened` tells whether the user did. */
export function select(name, opened = false) {
  for (const tab of tabs()) {
    const chosen = tab.dataset.tab === name;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    if (tab.dataset.tab !== "phones") find(`#pane-${tab.dataset.tab}`).hidden = !chosen;
  }
  document.body.dataset.view = name === "phones" ? "phones" : "panel";
  // On a narrow page the panel takes the place of the phones.
  find("#panel").setAttribute("role", narrow.matches && name !== "phones" ? "main" : "complementary");
  changed(name, opened);
}

/** The skip link to the panel leads to the tab that is selected. */
function skip(event) {
  event.preventDefault();
  const chosen = tabs().find((tab) => tab.getAttribute("aria-selected") === "true" && tab.dataset.tab !== "phones");
  if (!chosen) select("attempts");
  (chosen ?? find("#tab-attempts")).focus();
}

/** Selects the first tab; `onChange(name, opened)` is called whenever a tab is selected. */
export function start(onChange) {
  changed = onChange;
  find("[data-skip=panel]").addEventListener("click", skip);
  const fit = () => select(home());
  narrow.addEventListener("change", fit);
  fit();
  for (const tab of tabs()) {
    tab.addEventListener("click", () => select(tab.dataset.tab, true));
    tab.addEventListener("keydown", (event) => {
      const all = tabs().filter(visible);
      const at = all.indexOf(tab);
      const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      const chosen = all[(next + all.length) % all.length];
      select(chosen.dataset.tab, true);
      chosen.focus();
    });
  }
}

const amount = new Intl.NumberFormat("en").format;

/**
 * Shows a number beside a tab's name: at most two digits, so that tabs keep their width; its title has all of them. Marks it if
 * some of them `failed`.
 */
export function count(name, number, failed = 0) {
  const place = find(`#tab-${name} .count`);
  place.replaceChildren(number > 99 ? "99+" : number ? String(number) : "", failed ? h("span.hidden", {}, ` (${amount(failed)} failed)`) : "");
  place.classList.toggle("bad", failed > 0);
  place.title = [number > 99 ? amount(number) : "", failed ? `${amount(failed)} failed` : ""].filter(Boolean).join(", ");
}
