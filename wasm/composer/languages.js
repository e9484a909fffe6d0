// The choice of national language tables, and the parts of a text with the chosen tables, which are in the module of `cpaas/sms`.
import { init, segments, annotate } from "./cpaas/js/sms.js";
import { cached, h } from "./dom.js";

const LANGUAGES = {
  tr: "Turkish", es: "Spanish", pt: "Portuguese", bn: "Bengali", gu: "Gujarati", hi: "Hindi", kn: "Kannada", ml: "Malayalam", or: "Oriya", pa: "Punjabi", ta: "Tamil",
  te: "Telugu", ur: "Urdu",
};
const SEVERAL = "several";

/** `"auto"`, or a list of codes; empty: none. */
let chosen = [];

export const loadTables = () => init();

/** The options of every function of `cpaas/sms`. */
export const tables = () => (chosen.length > 0 ? { languages: chosen } : {});

/** The choice as text for the address: `auto`, or codes with commas. */
export const choice = () => (chosen === "auto" ? chosen : chosen.join(","));

const [dividedOnce, annotatedOnce] = [segments, annotate].map((count) => cached((text, _choice) => count(text, tables())));
export const divided = (text) => dividedOnce(text, choice());
export const annotated = (text) => annotatedOnce(text, choice());

/** The names of the tables of a text: `Turkish (locking shift), Spanish (single shift)`. */
export function tablesOf({ lockingShift, singleShift }) {
  if (lockingShift === singleShift) return lockingShift ? LANGUAGES[lockingShift] : "";
  return [lockingShift && `${LANGUAGES[lockingShift]} (locking shift)`, singleShift && `${LANGUAGES[singleShift]} (single shift)`].filter(Boolean).join(", ");
}

/** The segments of a text with national tables, if the tables are off and would save parts; else undefined. */
export function savings(text, count) {
  if (chosen.length > 0 || count === 1) return undefined;
  const found = segments(text, { languages: "auto" });
  return found.saved > 0 ? found : undefined;
}

/** Draws the controls of the choice. Returns `{ set }`, which sets the choice from its text form. @param {() => void} changed */
export function languagesPanel(root, changed) {
  const boxes = Object.entries(LANGUAGES).map(([code, name]) => h("label", { class: "language" }, h("input", { type: "checkbox", value: code }), name));
  const inputs = boxes.map((label) => label.firstChild);
  const several = h("fieldset", { class: "languages" }, h("legend", {}, "Allowed languages"), ...boxes);
  const option = ([value, name]) => h("option", { value }, name);
  const select = h("select", { id: "languages", "aria-describedby": "languages-help" }, ...[["", "None"], ["auto", "Automatic: any language"], ...Object.entries(LANGUAGES), [SEVERAL, "Several languages…"]].map(option));
  const ticked = () => inputs.filter((input) => input.checked).map((input) => input.value);
  const use = (next) => {
    chosen = next;
    several.hidden = select.value !== SEVERAL;
    changed();
  };
  select.onchange = () => use(select.value === SEVERAL ? ticked() : select.value === "auto" ? "auto" : select.value ? [select.value] : []);
  several.onchange = () => use(ticked());
  several.hidden = true;
  const help = h("p", { class: "help", id: "languages-help" }, "Only if the provider and the phones support them (3GPP TS 23.038, annex A).");
  root.replaceChildren(h("div", { class: "row tables" }, h("label", { for: "languages" }, "National language tables"), select), help, several);
  return {
    set(text) {
      const codes = (text ?? "").split(",").filter((code) => code in LANGUAGES);
      for (const input of inputs) input.checked = codes.includes(input.value);
      select.value = text === "auto" ? "auto" : codes.length > 1 ? SEVERAL : (codes[0] ?? "");
      use(text === "auto" ? "auto" : codes);
    },
  };
}
