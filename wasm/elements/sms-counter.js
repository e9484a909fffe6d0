// The class of `<sms-counter>`: the parts, the encoding and the price of the text in a control, and the characters that force UCS-2.
import { parsePrice, times } from "../js/decimal.js";
import { annotate, init, isReady, segments } from "../pkg/segments/browser.js";
import { ENGLISH } from "./counter-messages.js";
import { CounterView } from "./counter-view.js";

/** The functions of `cpaas/segments`, which count unless the page sets others. */
const OWN = { segments: (text) => segments(text, { parts: true }), annotate };

/** The properties that a page can set before the element is registered. */
const PROPERTIES = ["htmlFor", "price", "currency", "control", "text", "counting", "messages"];

/** Replaces the text of a control as typing does: it can be undone, and frameworks receive the event `input`. */
function type(control, text) {
  const before = control.value;
  let from = 0;
  while (from < before.length && before[from] === text[from]) from++;
  let kept = 0;
  while (kept < Math.min(before.length, text.length) - from && before.at(-1 - kept) === text.at(-1 - kept)) kept++;
  const inserted = text.slice(from, text.length - kept);
  control.focus();
  control.setSelectionRange(from, before.length - kept);
  const command = inserted === "" ? "delete" : "insertText";
  document.execCommand?.(command, false, inserted);
  if (control.value === text) return;
  // The browser has no such command, or an attribute such as `maxlength` limits it.
  control.setRangeText(text, 0, control.value.length, "end");
  control.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, inputType: "insertReplacementText" }));
}

/** A server has no elements. */
const Base = globalThis.HTMLElement ?? class {};

export class SmsCounter extends Base {
  static observedAttributes = ["for", "price", "currency"];

  #view;
  #listeners;
  #control = null;
  #text = "";
  #counting = null;
  #texts = ENGLISH;
  #value = null;
  #isLoading = false;

  connectedCallback() {
    this.#upgrade();
    this.#view ??= new CounterView(this.shadowRoot ?? this.attachShadow({ mode: "open" }), (causes) => this.#replace(causes));
    this.#listen();
    this.update();
  }

  disconnectedCallback() {
    this.#listeners?.abort();
    this.#listeners = undefined;
  }

  attributeChangedCallback() {
    if (this.#listeners) this.update();
  }

  get htmlFor() {
    return this.getAttribute("for") ?? "";
  }

  set htmlFor(id) {
    this.#reflect("for", id);
  }

  get price() {
    return this.getAttribute("price");
  }

  set price(price) {
    this.#reflect("price", price);
  }

  get currency() {
    return this.getAttribute("currency");
  }

  set currency(currency) {
    this.#reflect("currency", currency);
  }

  get control() {
    if (this.#control) return this.#control;
    return (this.htmlFor && this.getRootNode().getElementById?.(this.htmlFor)) || null;
  }

  set control(control) {
    this.#control = control ?? null;
    if (!this.#listeners) return;
    this.#listen();
    this.update();
  }

  get text() {
    const { control } = this;
    return control ? String(control.value ?? "") : this.#text;
  }

  set text(text) {
    this.#text = String(text ?? "");
    this.update();
  }

  get counting() {
    return this.#counting;
  }

  set counting(counting) {
    this.#counting = counting ?? null;
    this.update();
  }

  get messages() {
    return this.#texts;
  }

  set messages(messages) {
    this.#texts = { ...ENGLISH, ...messages };
    this.update();
  }

  get value() {
    return this.#value;
  }

  get ready() {
    return this.#counting ? Promise.resolve() : init();
  }

  /** Moves the focus to the count. */
  focus(options) {
    this.#view?.focus(options);
  }

  /** Counts the text again. Call it after a script has set the value of the control, which no event reports. */
  update() {
    if (!this.#listeners) return;
    const { text } = this;
    if (!this.#counting && !isReady()) {
      this.#view.showLoading(this.#texts, [...text].length);
      this.#load();
      return;
    }
    let shown;
    try {
      shown = this.#count(text);
    } catch (error) {
      this.#set(null);
      this.#view.showFailure(this.#texts.failed({ message: error.message }));
      return;
    }
    this.#view.show(this.#texts, shown);
    this.#set(shown.value);
  }

  /** Loads the module once. After a failure, the next input tries again. */
  async #load() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      await init();
    } catch (error) {
      this.#isLoading = false;
      if (this.#listeners && !this.#counting) this.#view.showFailure(this.#texts.failed({ message: error.message }));
      return;
    }
    this.#isLoading = false;
    this.update();
  }

  #count(text) {
    const { segments: divide, annotate: explain } = this.#counting ?? OWN;
    const { count, encoding, units, remaining, parts } = divide(text);
    const { causes, replaced } = encoding === "ucs2" && explain ? explain(text) : { causes: [], replaced: null };
    const price = this.price === null ? undefined : parsePrice(this.price);
    const total = price === undefined ? null : times(price, count);
    const error = this.price !== null && price === undefined ? this.#texts.badPrice() : undefined;
    const { control } = this;
    const canReplace = !control?.readOnly && !control?.disabled;
    return { value: { count, encoding, units, remaining, total, causes }, parts, saved: replaced?.saved ?? null, currency: this.currency ?? "", error, canReplace };
  }

  #set(value) {
    const changed = JSON.stringify(value) !== JSON.stringify(this.#value);
    this.#value = value;
    if (changed && value) this.dispatchEvent(new CustomEvent("sms-count", { bubbles: true, composed: true, detail: value }));
  }

  #replace(causes) {
    const { control } = this;
    const text = causes.reduce((edited, { character, replacement }) => (replacement === null ? edited : edited.replaceAll(character, replacement)), this.text);
    if (control) type(control, text);
    else this.text = text;
    this.dispatchEvent(new CustomEvent("sms-replace", { bubbles: true, composed: true, detail: { text } }));
  }

  /**
   * Listens for input in the whole tree, so a control that appears later or replaces another one needs no registration. The capturing
   * phase also has events that do not bubble.
   */
  #listen() {
    this.#listeners?.abort();
    this.#listeners = new AbortController();
    const options = { signal: this.#listeners.signal, capture: true };
    const tree = this.#control?.getRootNode() ?? this.getRootNode();
    tree.addEventListener("input", ({ target }) => target === this.control && this.update(), options);
    // The controls of a form have their old values until its event `reset` has ended.
    tree.addEventListener("reset", ({ target }) => target === this.control?.form && setTimeout(() => this.update()), options);
  }

  #reflect(name, value) {
    if (value === null || value === undefined) this.removeAttribute(name);
    else this.setAttribute(name, String(value));
  }

  /** Properties that were set before the element was registered hide the accessors of the class. */
  #upgrade() {
    for (const name of PROPERTIES.filter((property) => Object.hasOwn(this, property))) {
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
  }
}
