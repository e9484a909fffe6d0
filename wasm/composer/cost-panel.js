// The panel "What it costs": a price table, recipients, merge fields, and the sum. Files are read in the page.
import { afterwards, h, plural } from "./dom.js";
import { tablesOf } from "./languages.js";
import { costOf, fieldsOf, parseRecipients, problemOfPrices } from "./recipients.js";

/** Example prices. */
const PRICES = "prefix,price,currency\n30,0.045,EUR\n49,0.075,EUR\n";
const amount = new Intl.NumberFormat("en").format;

/** The recipients of a request: those of its member `to`, with an example for each merge field of its text. */
function recipientsOf(text, to) {
  const numbers = typeof to === "string" ? to.split(",").map((number) => number.trim()).filter(Boolean) : [];
  const fields = fieldsOf(text ?? "");
  if (numbers.length === 0) return "to,name\n306912345678,Nia";
  return [["to", ...fields], ...numbers.map((number) => [number, ...fields])].map((cells) => cells.join(",")).join("\n");
}

/**
 * @returns {(text: string | undefined, languages: string, to?: unknown) => void} shows the cost of a text, or a note if the request has no
 * text. The recipients are those of the request until the user edits them.
 */
export function costPanel(root) {
  let text;
  const [prices, pricesBox] = table("prices", "Price table", PRICES, "First line: prefix,price,currency. Then one line per prefix; the longest prefix applies.");
  const [recipients, recipientsBox] = table("recipients", "Recipients", "to,name\n306912345678,Nia", "A table with a column for the number. Other columns fill {{ name }} in the text.");
  const result = h("div", { class: "total", role: "status" });
  const example = h("p", { class: "note" }, "These are example prices: replace them with yours.");
  pricesBox.insertBefore(example, prices);
  const draw = () => {
    example.hidden = prices.value !== PRICES;
    result.replaceChildren(...summary(text, prices.value, recipients.value));
  };
  const soon = afterwards(draw, 200);
  for (const area of [prices, recipients]) area.addEventListener("input", soon);
  let isEdited = false;
  recipients.addEventListener("input", () => (isEdited = true));
  root.replaceChildren(result, pricesBox, recipientsBox);
  let languages;
  let to;
  return (next, choice, receiver) => {
    if (next === text && choice === languages && receiver === to && result.childNodes.length > 0) return;
    [text, languages, to] = [next, choice, receiver];
    if (!isEdited) recipients.value = recipientsOf(text, to);
    soon();
  };
}

/** A text area that a file can fill. */
function table(id, label, value, help) {
  const area = h("textarea", { id, rows: "4", spellcheck: "false", dir: "ltr", "aria-describedby": `${id}-help` });
  area.value = value;
  const file = h("input", { type: "file", id: `${id}-file`, accept: ".csv,.tsv,.txt,text/csv,text/plain", onchange: async () => {
    if (!file.files[0]) return;
    area.value = await file.files[0].text();
    area.dispatchEvent(new Event("input"));
  } });
  const upload = h("label", { class: "upload", for: file.id }, `Upload ${label.toLowerCase()}`);
  return [area, h("div", { class: "field" }, h("label", { for: id }, label), h("p", { class: "help", id: `${id}-help` }, help), area, h("p", { class: "uploads" }, upload, file))];
}

function summary(text, priceText, recipientText) {
  if (text === undefined) return [h("p", { class: "note" }, "This request has no SMS text: nothing is counted.")];
  const wrong = problemOfPrices(priceText);
  if (wrong) return [h("p", { class: "cost bad" }, sentence(wrong))];
  const table = parseRecipients(recipientText);
  let cost;
  try {
    cost = costOf(text, table, priceText);
  } catch (error) {
    return [h("p", { class: "cost bad" }, error.message)];
  }
  return [total(cost, table, priceText === PRICES), sample(cost.sample, fieldsOf(text)), cost.failed > 0 && marked(cost, table)].filter(Boolean);
}

const sentence = (message) => message[0].toUpperCase() + message.slice(1);

function total({ parts, sums, sent }, { rows }, isExample) {
  const about = [...sums].map(([currency, sum]) => `${sum} ${currency}`).join(" + ") || "nothing";
  return h("p", { class: "cost" }, h("strong", { class: "sum" }, about), ` for ${amount(sent)} of ${plural(rows.length, "recipient")}, ${plural(parts, "part")}${isExample ? ", at example prices" : ""}`);
}

function sample(found, fields) {
  if (!found) return h("p", { class: "note" }, "No row can be sent.");
  const about = fields.length > 0 ? `With the first row (${fields.join(", ")})` : "The text";
  const tables = tablesOf(found);
  return h("div", { class: "sample" }, h("p", { class: "note" }, `${about}, to ${found.to}: ${plural(found.count, "part")}${tables && `, tables: ${tables}`}`), h("div", { class: "bubble", dir: "auto" }, found.text));
}

/** A table of the first rows that cannot be sent, with their line, their cells and their problem. */
function marked({ problems, failed }, { columns, rows }) {
  const byLine = new Map(rows.map((row) => [row.line, row]));
  const head = h("tr", {}, ...["Line", ...columns, "Problem"].map((name) => h("th", { scope: "col" }, name)));
  const body = problems.map(({ line, message }) => h("tr", { class: "wrong" }, h("td", {}, String(line)), ...columns.map((name) => h("td", {}, byLine.get(line).fields[name])), h("td", {}, message)));
  const more = failed > problems.length && h("p", { class: "note" }, `and ${amount(failed - problems.length)} more rows`);
  return h("div", { class: "marked", tabindex: "0", role: "group", "aria-label": "Rows with a problem" }, h("table", {}, h("caption", {}, failed === 1 ? "1 row cannot be sent" : `${amount(failed)} rows cannot be sent`), h("thead", {}, head), h("tbody", {}, ...body)), more);
}
