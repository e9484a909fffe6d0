// Draws one SMS part: the octets of its header and of its text, and the septets or characters in them. A line has 56 bits (7 octets,
// 8 septets), or 64 bits for UCS-2. Bit 0 of each octet is on the left, because septets are packed from bit 0 on.
import { encode } from "./cpaas/js/sms.js";
import { h, plural } from "./dom.js";
import { annotated, divided, tables } from "./languages.js";

/** The concatenation reference of the drawn part. */
const REFERENCE = 7;
const ELEMENTS = {
  0x00: ["concatenation", "reference", "parts", "this part"],
  0x08: ["concatenation", "reference, high", "reference, low", "parts", "this part"],
  0x24: ["single shift", "language"],
  0x25: ["locking shift", "language"],
};

/** @returns {(text: string | undefined) => void} draws a part of the text while the panel is open */
export function partPanel(panel, root) {
  let text;
  let at = 0;
  const draw = () => panel.open && root.replaceChildren(...drawn(text, at, (next) => {
    at = next;
    draw();
    root.querySelector('[aria-pressed="true"]').focus();
  }));
  panel.ontoggle = draw;
  return (next) => {
    text = next;
    draw();
  };
}

function drawn(text, at, show) {
  if (text === undefined) return [h("p", { class: "note" }, "This request has no SMS text.")];
  let parts;
  try {
    parts = encode(text, { ...tables(), reference: REFERENCE });
  } catch (error) {
    return [h("p", { class: "cost bad" }, error.message)];
  }
  const index = Math.min(at, parts.length - 1);
  const buttons = parts.slice(0, 12).map((_, number) => h("button", { type: "button", "aria-pressed": String(number === index), onclick: () => show(number) }, `Part ${number + 1}`));
  return [parts.length > 1 && h("p", { class: "tabs" }, ...buttons), ...picture(text, parts[index], index)].filter(Boolean);
}

function picture(text, part, index) {
  const octets = [...part.udh, ...part.ud];
  const line = part.dcs === 8 ? 64 : 56;
  const units = unitsOf(text, part, index);
  const head = part.udh.length * 8;
  const fill = units.find(({ kind }) => kind === "fill")?.bits ?? 0;
  const rows = [];
  for (let from = 0; from < octets.length * 8; from += line) {
    const until = Math.min(from + line, octets.length * 8);
    const bytes = octets.slice(from / 8, until / 8).map((octet, place) => cell(hex(octet), 8, from + 8 * place < head ? "head" : "octet", from + 8 * place));
    rows.push(h("tr", {}, h("th", { scope: "row" }, String(from / 8)), ...bytes), h("tr", { class: "units" }, h("td"), ...units.flatMap((unit) => clipped(unit, from, until))));
  }
  const name = part.dcs === 8 ? "characters of 16 bits" : "septets";
  const caption = `${plural(octets.length, "octet")}: ${part.udh.length > 0 ? `${plural(part.udh.length, "octet")} of header${fill ? `, ${plural(fill, "fill bit")}` : ""}, then ` : ""}${name}. User data length ${part.udl} ${part.dcs === 8 ? "octets" : "septets"}.`;
  const body = h("table", { class: "octets" }, h("caption", {}, caption), h("tbody", {}, ...rows));
  return [headerOf(part.udh), h("div", { class: "marked", tabindex: "0", role: "group", "aria-label": `Octets of part ${index + 1}` }, body)].filter(Boolean);
}

const hex = (octet) => octet.toString(16).toUpperCase().padStart(2, "0");
const cell = (text, bits, kind, from, title) => h("td", { colSpan: bits, class: kind, title: title ?? `octet ${from / 8}` }, text);

/** The cells of a unit on one line; a unit can continue on the next line. */
function clipped({ from, bits, kind, text, title }, start, end) {
  const first = Math.max(from, start);
  const last = Math.min(from + bits, end);
  return last > first ? [cell(first === from ? text : "…", last - first, kind, from, title)] : [];
}

/** The header as one unit, fill bits, then a unit for each septet or UTF-16 code unit. */
function unitsOf(text, part, index) {
  const units = [];
  let at = 0;
  const add = (bits, kind, label, title) => {
    units.push({ from: at, bits, kind, text: label, title });
    at += bits;
  };
  const { parts } = divided(text);
  const { start16, end16 } = parts[index];
  const head = part.udh.length * 8;
  if (head > 0) add(head, "head", "header", "user data header");
  if (part.dcs === 8) {
    for (const unit of text.slice(start16, end16)) for (const half of unit.length > 1 ? [`${unit}◖`, `${unit}◗`] : [visible(unit)]) add(16, "septet", half, "UTF-16 code unit");
    return units;
  }
  if (head % 7) add(7 - (head % 7), "fill", "", "fill bits");
  for (const { start16: from, end16: until, septets } of annotated(text).characters) {
    if (from < start16 || until > end16) continue;
    if (septets === 2) add(7, "escape", "ESC", "escape to the single shift table");
    add(7, "septet", visible(text.slice(from, until)), "septet");
  }
  const rest = (part.udh.length + part.ud.length) * 8 - at;
  if (rest > 0) add(rest, "fill", "", "unused bits");
  return units;
}

/** The meaning of each octet of the header. */
function headerOf(udh) {
  if (udh.length === 0) return h("p", { class: "note" }, "No header: a single part without national tables.");
  const items = [[udh[0], "length of the header"]];
  for (let at = 1; at + 1 < udh.length; at += 2 + udh[at + 1]) {
    const [name, ...values] = ELEMENTS[udh[at]] ?? ["element"];
    items.push([udh[at], `element: ${name}`], [udh[at + 1], "its length"]);
    for (let place = 0; place < udh[at + 1]; place++) items.push([udh[at + 2 + place], values[place] ?? "data"]);
  }
  return h("dl", { class: "header" }, ...items.map(([octet, meaning]) => h("div", {}, h("dt", {}, hex(octet)), h("dd", {}, meaning))));
}

const visible = (character) => ({ " ": "␣", "\n": "LF", "\r": "CR", "\f": "FF" })[character] ?? character;
