// Messages of problems in the languages of an application, and problem details for HTTP APIs.
import { ENGLISH } from "./english.js";
import { object, string } from "./arguments.js";
import { printable } from "./printable.js";

const catalogues = /* @__PURE__ */ new Map();

/** Locales are compared without case, as in BCP 47. */
const key = (locale) => string("messages", "the locale", locale).toLowerCase();

function add(locale, templates) {
  if (!isTag(string("messages", "the locale", locale))) throw new RangeError("messages: the locale must be a BCP 47 tag, such as de or pt-BR");
  for (const [code, template] of Object.entries(object("messages", "the templates", templates))) {
    if (!Object.hasOwn(ENGLISH, code)) throw new RangeError("messages: unknown code; the codes are the keys of messages(\"en\")");
    string("messages", "each template", template);
  }
  catalogues.set(key(locale), Object.freeze({ ...ENGLISH, ...templates }));
}

/** Whether `Intl` accepts a locale. */
function isTag(locale) {
  try {
    return Intl.getCanonicalLocales(locale).length > 0;
  } catch {
    return false;
  }
}

function find(locale) {
  const [language] = key(locale).split("-");
  return catalogues.get(key(locale)) ?? catalogues.get(language) ?? (language === "en" ? ENGLISH : undefined);
}

export function messages(locale, templates) {
  if (templates !== undefined) add(locale, templates);
  const found = find(locale);
  const known = [...new Set(["en", ...catalogues.keys()])].join(", ");
  if (!found) throw new RangeError(printable(`messages: no catalogue for this locale; catalogues: ${known}`));
  return found;
}

const number = (value, locale) => (typeof value === "number" ? new Intl.NumberFormat(locale).format(value) : value);

function shown(value, locale) {
  return Array.isArray(value) ? value.map((item) => shown(item, locale)).join(", ") : String(number(value, locale));
}

/** A locale without a catalogue gets English messages. */
export function localize(problem, requested) {
  const found = find(requested);
  const catalogue = found ?? ENGLISH;
  const locale = !found ? "en" : isTag(requested) ? requested : requested.split("-")[0];
  const template = Object.hasOwn(catalogue, problem.code) ? catalogue[problem.code] : undefined;
  // The message of the problem can contain more than the English template, so it is preferred.
  if (problem.message && (template === undefined || template === ENGLISH[problem.code])) return problem.message;
  const values = parameters(problem);
  const filled = (part) => part.replace(/\{(\w+)\}/g, (field, name) => (has(values, name) ? shown(values[name], locale) : field));
  const names = (part) => Array.from(part.matchAll(/\{(\w+)\}/g), ([, name]) => name);
  const kept = (template ?? "").replace(/\[([^[\]]*)\]/g, (brackets, part) => {
    const needed = names(part);
    if (needed.length === 0) return brackets;
    return needed.every((name) => has(values, name)) ? part : "";
  });
  return printable(filled(kept));
}

const has = (values, name) => Object.hasOwn(values, name) && values[name] !== undefined;

/** The parameters of a problem, plus `position` (the first character of its span) and `count` (the number of its `characters`). */
function parameters({ params = {} }) {
  return { position: params.span?.startCharacter, count: params.characters?.length, ...params };
}

const quantity = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** A pointer as a fragment of a URI (RFC 6901 section 6). It cannot contain a lone surrogate. */
const fragment = (pointer) => `#${pointer.split("/").map((step) => encodeURIComponent(step.replace(/\p{Cs}/gu, "\ufffd"))).join("/")}`;

const detail = ({ pointer, message, code, severity }) => ({ pointer: fragment(pointer), detail: message, code, severity });

export function problemDetails(report, members) {
  const { ok, errors, warnings } = object("problemDetails", "the report", report);
  const counts = [quantity(errors.length, "error"), quantity(warnings.length, "warning")].join(", ");
  // A report with a limit can be invalid and list no error.
  const [title, status] = (ok ?? errors.length === 0) ? ["OK", 200] : ["Unprocessable Content", 422];
  return { type: "about:blank", title, status, detail: counts, ...members, errors: errors.map(detail), warnings: warnings.map(detail) };
}
