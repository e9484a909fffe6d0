// The SMS panel: the text in a bubble with its parts, `<sms-counter>`, and the offer of national language tables.
import "./cpaas/elements/elements.js";
import { h, plural, scrolls } from "./dom.js";
import { annotated, divided, savings, tablesOf } from "./languages.js";
import { codeRanges, sentText } from "./passcode-text.js";

/** The bubble shows at most this number of UTF-16 code units. */
const SHOWN = 2_000;

/**
 * Draws the SMS text of an operation.
 * @param {(text: string) => void} write @param {(languages: string) => void} allow
 */
export function smsPanel(operation, text, write, allow) {
  const counting = { segments: (given) => divided(sentText(operation, given)), annotate: (given) => annotated(sentText(operation, given)) };
  const counter = h("sms-counter", { counting, "onsms-replace": ({ detail }) => write(detail.text) });
  const root = h("div", { class: "sms" }, h("div", { class: "bubble", dir: "auto", role: "group" }), h("p", { class: "note" }, "The provider replaces {code} by six digits."), counter, h("div", { class: "beside" }));
  redrawn(root, operation, text, write, allow);
  return root;
}

/** Updates a panel with a text, or with another choice of languages. Returns true: no text needs a new panel. */
export function redrawn(root, operation, text, write, allow) {
  const [bubble, note, counter, beside] = root.children;
  const sent = sentText(operation, text);
  const codes = codeRanges(operation, text);
  let all;
  try {
    all = divided(sent);
  } catch {
    // The counter shows the reason.
  }
  const causes = all?.encoding === "ucs2" ? annotated(sent).causes : [];
  bubble.hidden = !all;
  note.hidden = codes.length === 0;
  if (all) bubble.replaceChildren(...partsOf(sent, all.parts, causes, codes, (cause) => write(text.replaceAll(cause.character, cause.replacement))));
  for (const name of ["tabindex", "aria-label"]) bubble.removeAttribute(name);
  for (const [name, value] of Object.entries({ "aria-label": "The text in its parts", ...scrolls(sent) })) bubble.setAttribute(name, value);
  if (counter.text === text) counter.update();
  else counter.text = text;
  beside.replaceChildren(...(all ? [tablesLine(all), saving(savings(sent, all.count), allow)].filter(Boolean) : []));
  return true;
}

function partsOf(text, parts, causes, codes, replace) {
  const forced = new Map(causes.map((cause) => [cause.character, cause]));
  const end = text.codePointAt(SHOWN - 1) > 0xffff ? SHOWN - 1 : SHOWN; // a surrogate pair is not divided
  const shown = parts.filter(({ start16 }) => start16 < end).map(({ start16, end16 }, index) => {
    const part = h("span", { class: `part part-${index % 2}`, title: `Part ${index + 1}` });
    if (index > 0) part.append(h("span", { class: "boundary", "aria-label": `part ${index + 1} begins` }, String(index + 1)));
    for (const { run, cause, isCode } of runs(text, start16, Math.min(end16, end), forced, codes)) {
      if (isCode) part.append(h("span", { class: "digits", title: "{code}: six digits that the provider chooses" }, run));
      else if (!cause) part.append(run);
      else if (cause.replacement === null) part.append(h("mark", { title: `${plural([...run].length, "character")} outside the default alphabet` }, run));
      else part.append(replaceable(cause, replace));
    }
    return part;
  });
  return text.length > end ? [...shown, h("span", { title: "The rest of the text is not shown" }, "…")] : shown;
}

/**
 * Splits a part into ranges with and without UCS-2 characters, so that joined letters stay joined. A character with a replacement is a
 * separate range, and so are the digits of a code.
 */
function runs(text, start, end, forced, codes) {
  const found = [];
  let at = start;
  for (const character of text.slice(start, end)) {
    const cause = forced.get(character);
    const isCode = codes.some((code) => code.start <= at && at < code.end);
    const last = found.at(-1);
    const alone = cause && cause.replacement !== null;
    if (last && !alone && !last.alone && last.isCode === isCode && Boolean(last.cause) === Boolean(cause)) last.run += character;
    else found.push({ run: character, cause, alone, isCode });
    at += character.length;
  }
  return found;
}

function replaceable(cause, replace) {
  const instead = cause.replacement || "nothing";
  const label = `Replace ${codePoint(cause.character)} with ${instead} everywhere`;
  return h("button", { type: "button", class: "forces", title: label, "aria-label": label, onclick: () => replace(cause) }, visible(cause.character));
}

function tablesLine(all) {
  const tables = tablesOf(all);
  return tables && h("p", { class: "note tables" }, `National tables: ${tables}${all.saved > 0 ? `, which save ${plural(all.saved, "part")}` : ""}`);
}

/** An offer to allow national tables, if they are off and would save parts. */
function saving(found, allow) {
  if (!found) return undefined;
  const codes = [...new Set([found.lockingShift, found.singleShift].filter(Boolean))].join(",");
  return h("p", { class: "saving" }, h("button", { type: "button", onclick: () => allow(codes) }, `Allow ${tablesOf(found)}`), ` National tables would save ${plural(found.saved, "part")}, if the provider supports them.`);
}

const codePoint = (character) => `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
const visible = (character) => (/[\s\p{Cf}\p{Cc}]/u.test(character) ? "␣" : character);
