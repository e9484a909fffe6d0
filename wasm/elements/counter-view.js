// Draws `<sms-counter>` in its shadow root. Elements are created one by one and texts are set as text, so the page may require Trusted
// Types; the style sheet is constructed, so the page needs no `style-src`.

const STYLE = `
:host { display: block; font: var(--sms-counter-font, inherit); font-size: var(--sms-counter-font-size, .88em); }
:host([hidden]), [hidden] { display: none !important; }
p { margin: var(--sms-counter-gap, .3em) 0; }
.status { font-weight: 600; }
.bar { display: flex; flex-wrap: wrap; gap: 4px; margin-block: var(--sms-counter-gap, .5em); align-items: center; }
.cell { position: relative; flex: 1 1 6em; max-inline-size: 14em; block-size: 1.7em; overflow: hidden; border: 1px solid var(--sms-counter-border, currentColor); border-radius: var(--sms-counter-radius, 6px); background: var(--sms-counter-track, transparent); }
.fill { position: absolute; inset-block: 0; inset-inline-start: 0; background: var(--sms-counter-fill, color-mix(in srgb, currentColor 18%, transparent)); }
.nearly .fill { background: var(--sms-counter-warn, color-mix(in srgb, orange 40%, transparent)); }
.number { position: relative; padding-inline: .4em; line-height: 1.6em; font-size: .9em; font-variant-numeric: tabular-nums; }
details { margin-block: var(--sms-counter-gap, .5em); }
summary { min-block-size: 24px; cursor: pointer; font-weight: 600; }
ul { margin: .3em 0; padding-inline-start: 1.2em; }
li { margin-block: .3em; }
mark { padding: 0 3px; border-radius: 4px; color: inherit; background: var(--sms-counter-warn, color-mix(in srgb, orange 40%, transparent)); }
button { min-inline-size: 24px; min-block-size: 24px; padding: 0 .5em; border: 1px solid var(--sms-counter-accent, currentColor); border-radius: 6px; color: var(--sms-counter-accent, inherit); background: transparent; font: inherit; cursor: pointer; }
button.fix { padding: .15em .8em; border-radius: 999px; color: var(--sms-counter-on-accent, inherit); background: var(--sms-counter-accent, transparent); }
:focus-visible { outline: 3px solid var(--sms-counter-accent, currentColor); outline-offset: 1px; }
.error { color: var(--sms-counter-error, inherit); font-weight: 600; }
@media (forced-colors: active) {
  .fill { background: Highlight; forced-color-adjust: none; opacity: .4; }
  mark, button { border: 1px solid CanvasText; }
}
`;

/** The maximum number of drawn parts and of listed characters. */
const CELLS = 20;
const ROWS = 12;
/** A list with more characters is collapsed at first. */
const OPEN = 4;

let sheet;

/** The style sheet of every counter. */
function styleSheet() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
  }
  return sheet;
}

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Sets a text if it differs: a live region announces every change. */
function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

const codePoint = (character) => `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
const visible = (character) => (/[\s\p{Cf}\p{Cc}\p{M}]/u.test(character) ? "␣" : character);

export class CounterView {
  #root;
  #replace;
  #bar = element("div", { class: "bar", part: "bar", role: "img" });
  #status = element("span", { class: "status", part: "count", role: "status" });
  #units = element("span", { class: "units", part: "units" });
  #count = element("p", { class: "cost", tabindex: "-1" }, this.#status, this.#units);
  #offer = element("p", { class: "offer" });
  #summary = element("summary", {});
  #rows = element("ul", { class: "causes" });
  #causes = element("details", { part: "causes" }, this.#summary, this.#rows);
  #error = element("p", { class: "error", part: "error", role: "status" });
  #box = element("div", {}, this.#bar, this.#count, this.#offer, this.#causes, this.#error);
  #drawn = {};

  /** @param {ShadowRoot} root @param {(causes: { character: string, replacement: string }[]) => void} replace */
  constructor(root, replace) {
    this.#root = root;
    this.#replace = replace;
    root.adoptedStyleSheets = [styleSheet()];
    this.#reset();
    root.append(this.#box);
  }

  focus(options) {
    this.#count.focus(options);
  }

  /** Shows a count. `canReplace`: whether the text can be edited. */
  show(texts, { value, parts, saved, currency, error, canReplace }) {
    this.#box.setAttribute("aria-busy", "false");
    const price = value.total === null ? "" : `, ${texts.price({ total: value.total, currency })}`;
    say(this.#status, texts.parts(value) + price);
    say(this.#units, `: ${texts.units(value)}`);
    this.#drawOnce("bar", texts, [value, parts], () => this.#drawBar(texts, value, parts));
    this.#drawOnce("causes", texts, [value.causes, value.count, saved, canReplace], () => this.#drawCauses(texts, value, saved, canReplace));
    this.#sayError(error ?? "");
  }

  /** Shows the number of characters, before the module is loaded. */
  showLoading(texts, characters) {
    this.#reset();
    this.#box.setAttribute("aria-busy", "true");
    say(this.#units, texts.loading({ characters }));
  }

  showFailure(text) {
    this.#reset();
    this.#sayError(text);
  }

  #reset() {
    this.#box.setAttribute("aria-busy", "false");
    for (const node of [this.#status, this.#units]) say(node, "");
    for (const node of [this.#bar, this.#offer, this.#causes]) node.hidden = true;
    this.#sayError("");
    this.#drawn = {};
  }

  #sayError(text) {
    say(this.#error, text);
    this.#error.hidden = text === "";
  }

  /** Draws a group of elements if its texts or facts differ. If the button with the focus disappears, the focus moves to the count. */
  #drawOnce(name, texts, facts, draw) {
    const key = JSON.stringify(facts);
    if (this.#drawn[name]?.key === key && this.#drawn[name].texts === texts) return;
    const focused = this.#root.activeElement;
    draw();
    this.#drawn[name] = { key, texts };
    if (focused && !this.#root.activeElement) this.focus({ preventScroll: true });
  }

  /** A cell for each part. Without parts, one cell for the whole text. */
  #drawBar(texts, { count, units, remaining }, parts) {
    const sizes = parts?.map((part) => part.units) ?? [units];
    const used = sizes.at(-1) ?? 0;
    const capacity = used + remaining;
    const cells = sizes.slice(0, CELLS).map((size, index) => {
      const share = capacity === 0 ? 0 : Math.round((size / capacity) * 100);
      const fill = element("span", { class: "fill" });
      fill.style.inlineSize = `${share}%`;
      return element("span", { class: share >= 90 ? "cell nearly" : "cell", part: "cell" }, fill, element("span", { class: "number" }, `${index + 1}: ${size}/${capacity}`));
    });
    const more = sizes.length > CELLS ? [element("span", { class: "number" }, texts.more({ count: sizes.length - CELLS }))] : [];
    this.#bar.replaceChildren(...cells, ...more);
    this.#bar.setAttribute("aria-label", texts.bar({ count, used, capacity }));
    this.#bar.hidden = false;
  }

  #drawCauses(texts, { causes, count }, saved, canReplace) {
    const wasEmpty = this.#causes.hidden;
    this.#causes.hidden = causes.length === 0;
    if (wasEmpty) this.#causes.open = causes.length <= OPEN;
    say(this.#summary, causes.length === 0 ? "" : texts.causes({ count: causes.length }));
    const rows = causes.slice(0, ROWS).map((cause) => {
      const named = { ...cause, name: codePoint(cause.character) };
      return element("li", { part: "cause" }, this.#character(texts, named, canReplace), ` ${texts.cause(named)}`);
    });
    if (causes.length > ROWS) rows.push(element("li", {}, texts.more({ count: causes.length - ROWS })));
    this.#rows.replaceChildren(...rows);
    this.#offer.hidden = saved === null || !canReplace;
    if (this.#offer.hidden) return this.#offer.replaceChildren();
    const all = this.#button("fix", texts.replaceAll({ saved }), causes);
    this.#offer.replaceChildren(all, ` → ${texts.parts({ count: count - saved, encoding: "gsm7" })}`);
  }

  #character(texts, cause, canReplace) {
    if (cause.replacement === null || !canReplace) return element("mark", {}, visible(cause.character));
    const button = this.#button("forces", visible(cause.character), [cause]);
    button.title = texts.replace(cause);
    button.setAttribute("aria-label", button.title);
    return button;
  }

  #button(name, text, causes) {
    const button = element("button", { type: "button", class: name, part: "replace" }, text);
    button.addEventListener("click", () => this.#replace(causes));
    return button;
  }
}
