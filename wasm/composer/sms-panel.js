// The SMS panel: the text in a bubble, a bar for each part, and the characters that force UCS-2.
import { h, plural, scrolls } from "./dom.js";
import { annotated, divided, savings, tablesOf } from "./languages.js";

const NAMES = { gsm7: "GSM 7-bit", ucs2: "UCS-2" };
const UNITS = { gsm7: "septets", ucs2: "UTF-16 units" };

/** The bubble shows at most this number of UTF-16 code units. */
const SHOWN = 2_000;

/** @param {(text: string) => void} write @param {(languages: string) => void} allow */
export function smsPanel(text, write, allow) {
  let all;
  try {
    all = divided(text);
  } catch (error) {
    return h("div", { class: "sms" }, h("p", { class: "cost bad" }, error.message));
  }
  const { causes, replaced } = all.encoding === "ucs2" ? annotated(text) : { causes: [], replaced: null };
  return h(
    "div",
    { class: "sms" },
    h("div", { class: "bubble", dir: "auto", ...scrolls(text), role: "group", "aria-label": "The text in its parts" }, ...bubble(text, all.parts, causes, write)),
    bar(all),
    h("p", { class: "cost", tabindex: "-1" }, h("strong", {}, plural(all.count, "part")), ` in ${NAMES[all.encoding]}: ${all.units} ${UNITS[all.encoding]}, space for ${all.remaining} more at this price`),
    tablesOf(all) && h("p", { class: "cost tables" }, `National tables: ${tablesOf(all)}${all.saved > 0 ? `, which save ${plural(all.saved, "part")}` : ""}`),
    saving(savings(text, all.count), allow),
    replaced && offer(all, replaced, write),
    causes.length > 0 && causeList(causes, text, write),
  );
}

function bubble(text, parts, causes, write) {
  const forced = new Map(causes.map((cause) => [cause.character, cause]));
  const end = text.codePointAt(SHOWN - 1) > 0xffff ? SHOWN - 1 : SHOWN; // a surrogate pair is not divided
  const shown = parts.filter(({ start16 }) => start16 < end).map(({ start16, end16 }, index) => {
    const part = h("span", { class: `part part-${index % 2}`, title: `Part ${index + 1}` });
    if (index > 0) part.append(h("span", { class: "boundary", "aria-label": `part ${index + 1} begins` }, String(index + 1)));
    for (const { run, cause } of runs(text.slice(start16, Math.min(end16, end)), forced)) {
      if (!cause) part.append(run);
      else if (cause.replacement === null) part.append(h("mark", { title: `${plural([...run].length, "character")} outside the default alphabet` }, run));
      else part.append(mark(cause, text, write));
    }
    return part;
  });
  return text.length > end ? [...shown, h("span", { title: "The rest of the text is not shown" }, "…")] : shown;
}

/** Splits a text into ranges with and without UCS-2 characters, so that joined letters stay joined. A character with a replacement is a separate range. */
function runs(text, forced) {
  const found = [];
  for (const character of text) {
    const cause = forced.get(character);
    const last = found.at(-1);
    const alone = cause && cause.replacement !== null;
    if (last && !alone && !last.alone && Boolean(last.cause) === Boolean(cause)) last.run += character;
    else found.push({ run: character, cause, alone });
  }
  return found;
}

function mark(cause, text, write) {
  const name = codePoint(cause.character);
  if (cause.replacement === null) return h("mark", { title: `${name} forces UCS-2` }, cause.character);
  const instead = cause.replacement || "nothing";
  const label = `Replace ${name} by ${instead} everywhere`;
  return h("button", { type: "button", class: "forces", title: label, "aria-label": label, onclick: () => write(text.replaceAll(cause.character, cause.replacement)) }, visible(cause.character));
}

/** An offer to allow national tables, if they are off and would save parts. */
function saving(found, allow) {
  if (!found) return undefined;
  const codes = [...new Set([found.lockingShift, found.singleShift].filter(Boolean))].join(",");
  return h("p", { class: "saving" }, h("button", { type: "button", onclick: () => allow(codes) }, `Allow ${tablesOf(found)}`), ` National tables would save ${plural(found.saved, "part")}, if the provider supports them.`);
}

function bar({ parts, count, remaining }) {
  const capacity = parts.at(-1).units + remaining;
  const cells = parts.slice(0, 20).map(({ units }, index) => {
    const share = Math.round((units / capacity) * 100);
    return h("span", { class: share >= 90 ? "cell nearly" : "cell" }, h("span", { class: "fill", style: `inline-size:${share}%` }), h("span", { class: "number" }, `${index + 1}: ${units}/${capacity}`));
  });
  const more = parts.length > 20 && h("span", { class: "number" }, `and ${parts.length - 20} more`);
  return h("div", { class: "bar", role: "img", "aria-label": `${plural(count, "part")}; the last has ${parts.at(-1).units} of ${capacity}` }, ...cells, more);
}

function offer(all, replaced, write) {
  const saved = replaced.saved > 0 ? `, saves ${plural(replaced.saved, "part")}` : "";
  return h("p", {}, h("button", { type: "button", class: "fix", onclick: () => write(replaced.text) }, `Replace all${saved}`), ` back to ${NAMES.gsm7}, ${plural(all.count - replaced.saved, "part")}`);
}

function causeList(causes, text, write) {
  const rows = causes.slice(0, 12).map((cause) =>
    h("li", {}, mark(cause, text, write), ` ${codePoint(cause.character)}, ${plural(cause.count, "time")}: ${instead(cause)}`),
  );
  const more = causes.length > 12 && h("li", {}, `and ${causes.length - 12} more`);
  return h("details", { open: causes.length <= 4 }, h("summary", {}, `${plural(causes.length, "character")} force UCS-2, in which a part holds less`), h("ul", { class: "causes" }, ...rows, more));
}

function instead({ replacement }) {
  if (replacement === null) return "no replacement";
  return replacement === "" ? "can be removed" : `becomes ${replacement === " " ? "a space" : replacement}`;
}

const codePoint = (character) => `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
const visible = (character) => (/[\s\p{Cf}\p{Cc}]/u.test(character) ? "␣" : character);
