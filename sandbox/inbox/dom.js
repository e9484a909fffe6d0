// Helpers for DOM elements; text is never parsed as HTML.

/** An element: `h("p.note", { title: "…", on: { click } }, "text", child)`. */
export function h(name, props = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag || "div");
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (key === "value") {
      element.value = value;
    } else {
      element.setAttribute(key, value === true ? "" : value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const find = (selector, within = document) => within.querySelector(selector);

/** Announces a text to screen readers. */
export function announce(text) {
  find("#news").textContent = text;
}

let timer = 0;

/** Shows a notice at the edge of the page for 5 seconds. */
export function toast(text, kind = "info") {
  const place = find("#toast");
  place.replaceChildren(h(`p.${kind}`, {}, text));
  clearTimeout(timer);
  timer = setTimeout(() => place.replaceChildren(), 5000);
}

/** Copies a text; `name` is what the notice calls it. */
export async function copyText(text, name) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`Copied ${name}`, "good");
  } catch {
    toast("This browser does not let the page copy", "bad");
  }
}

/** `12:03:05`, preceded by the day if it differs from the day of `now`. Times are UTC. */
export function clockTime(iso, now) {
  if (!iso) return "";
  const time = iso.slice(11, 19);
  return !now || iso.slice(0, 10) === now.slice(0, 10) ? time : `${day(iso)} ${time}`;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `3 Jan`. */
export function day(iso) {
  return `${Number(iso.slice(8, 10))} ${months[Number(iso.slice(5, 7)) - 1]}`;
}

/** A `time` element. */
export function moment(iso, now) {
  return h("time", { datetime: iso, title: iso }, clockTime(iso, now));
}

/** A length of time with its unit: `5 min`. */
export function length(ms) {
  const units = [["d", 86_400_000], ["h", 3_600_000], ["min", 60_000], ["s", 1000]];
  for (const [name, size] of units) {
    if (ms >= size) return `${Math.round((ms / size) * 10) / 10} ${name}`;
  }
  return `${ms} ms`;
}

const PAGES = { "sandbox.txt": "the sandbox", "provider-codes.txt": "codes of the provider", "problems.txt": "problems" };

/** A link to a page of the documentation that the sandbox serves; the browser scrolls to the text `find`. */
export function docsLink({ page, find: text }) {
  const encoded = encodeURIComponent(text).replaceAll("-", "%2D");
  return h("a", { href: `/docs/${page}#:~:text=${encoded}`, target: "_blank", rel: "noopener" }, `Documentation: ${PAGES[page] ?? page}`);
}

/** Why an entry failed, with a link to the documentation; `null` for a success. */
export function why({ explanation }) {
  return explanation ? h("p.why", {}, withCode(explanation.text), " ", docsLink(explanation)) : null;
}

/** A text whose words in backticks are code. */
const withCode = (text) => text.split("`").map((part, n) => (n % 2 ? h("code", {}, part) : part));

const decoded = (text) => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
};

/** The names and values of a query or a form, decoded. */
export function parameters(query) {
  return (query ? query.split("&") : []).map((pair) => {
    const [name, ...value] = pair.split("=");
    return [decoded(name), decoded(value.join("="))];
  });
}

/** Names and values as a description list; `null` if there are none. */
export function parameterList(pairs, label) {
  if (!pairs.length) return null;
  return h("dl.parameters", { "aria-label": label }, pairs.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value === "" ? h("span.quiet", {}, "(empty)") : value)]).flat());
}

/** A label with a tone: `good`, `bad`, `warn` or `""`. */
export function badge(text, tone = "") {
  return h(tone ? `span.badge.${tone}` : "span.badge", {}, text);
}

/** A button that runs `work` at its second press; the first one shows `question`. */
export function confirmed(text, question, work) {
  const button = h("button.small", { type: "button", on: { click: press, blur: () => ask(false) } }, text);
  function ask(isAsked) {
    button.classList.toggle("danger", isAsked);
    button.textContent = isAsked ? question : text;
  }
  async function press() {
    if (!button.classList.contains("danger")) return ask(true);
    await work().catch((error) => toast(error.message, "bad"));
    ask(false);
  }
  return button;
}

/** A name and a value of a description list; `null` if the value is empty. */
export function fact(name, value) {
  if (value === undefined || value === null || value === "") return null;
  return [h("dt", {}, name), h("dd", {}, value)];
}

/** An icon drawn by the style sheet, because fonts without emoji show an empty box. */
export const glyph = (name) => h(`span.glyph.is-${name}`, { "aria-hidden": "true" });
