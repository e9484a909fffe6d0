// The settings of a client about numbers: how recipients are normalized, and which countries and kinds are allowed. The numbering plans
// load when a setting needs them.
import { validate } from "./cpaas/js/browser.js";
import { loadPhone } from "./cpaas/js/phone.js";
import { h, say } from "./dom.js";

const FIELDS = {
  normalize: ["Normalize numbers", "GR", "A region (ISO 3166-1) or international: recipients may be in any notation."],
  allowCountries: ["Allowed countries", "GR, CY", "Other countries are an error. Empty: all."],
  allowTypes: ["Allowed kinds of numbers", "mobile, fixed_line_or_mobile", "Other kinds are an error. Empty: all."],
};

/** The options of `validate`. */
let chosen = {};
/** Whether the numbering plans have loaded. */
let hasPlans = false;

export const numberSettings = () => chosen;

const words = (text) => text.split(/[\s,;]+/).filter(Boolean);

/**
 * Draws the fields. Returns `{ set, text, unapplied }`: `text()` is what the fields contain, for the address; `unapplied()` says why
 * requests are not checked with it, or is empty.
 * @param {() => void} changed
 */
export function numbersPanel(root, changed) {
  const inputs = {};
  const boxes = Object.entries(FIELDS).map(([name, [label, placeholder, help]]) => {
    const input = h("input", { type: "text", id: name, placeholder, spellcheck: "false", autocomplete: "off", "aria-describedby": `${name}-help` });
    inputs[name] = input;
    return h("div", { class: "field" }, h("label", { for: name }, label), h("p", { class: "help", id: `${name}-help` }, help), input);
  });
  const state = h("p", { class: "note", role: "status", id: "numbers-state" });
  let latest = 0;
  let unapplied = "";

  /** The settings that the fields contain, with the names of `validate`. */
  function written() {
    const normalize = inputs.normalize.value.trim();
    const [allowCountries, allowTypes] = [words(inputs.allowCountries.value), words(inputs.allowTypes.value)];
    return { ...(normalize && { normalize }), ...(allowCountries.length > 0 && { allowCountries }), ...(allowTypes.length > 0 && { allowTypes }) };
  }

  /** Applies the settings if they are valid. Otherwise the previous settings stay, and the rule is shown. */
  async function apply() {
    const number = ++latest;
    const next = written();
    const needsPlans = Object.keys(next).some((name) => name !== "normalize" || next.normalize !== "international");
    unapplied = needsPlans && !hasPlans ? "Waiting for the numbering plans" : "";
    try {
      if (needsPlans) {
        await loadPhone();
        hasPlans = true;
      }
      if (number !== latest) return;
      validate("sms.send", {}, next);
      chosen = next;
      unapplied = "";
      say(state, "", "note");
    } catch (error) {
      if (number !== latest) return;
      unapplied = "Not checked: a setting about numbers is not applied";
      say(state, `Not applied: ${error.message.replace(/^\w+: /, "")}`, "note bad");
    }
    changed();
  }

  for (const input of Object.values(inputs)) {
    input.oninput = () => {
      apply();
      changed();
    };
  }
  root.replaceChildren(...boxes, state);
  return {
    unapplied: () => unapplied,
    text() {
      const settings = written();
      return Object.keys(settings).length > 0 ? JSON.stringify(settings) : "";
    },
    set(text) {
      let given = {};
      try {
        given = JSON.parse(text || "{}");
      } catch {
        // An address that somebody changed has no settings.
      }
      for (const [name, input] of Object.entries(inputs)) input.value = [given?.[name] ?? ""].flat().join(", ");
      return apply();
    },
  };
}
