/**
 * The web component `<sms-counter>`: parts, encoding and price of the text in a control, and the characters that force UCS-2.
 * Importing this entry registers it; on a server the import does nothing.
 *
 * @packageDocumentation
 */

/** A character that the default alphabet lacks. */
export interface SmsCause {
  readonly character: string;
  /** How often it occurs. */
  readonly count: number;
  /** The text of the default alphabet that replaces it; `""` removes it, `null`: there is none. */
  readonly replacement: string | null;
}

/** What an `<sms-counter>` shows. */
export interface SmsCount {
  /** The number of parts. */
  readonly count: number;
  readonly encoding: "gsm7" | "ucs2";
  /** The septets or UTF-16 code units of all parts. */
  readonly units: number;
  /** The units that fit into the last part. */
  readonly remaining: number;
  /** The exact price, such as `"0.0300"`; null without a valid `price`. */
  readonly total: string | null;
  /** The characters that force UCS-2. */
  readonly causes: readonly SmsCause[];
}

/** The functions that count a text. Those of `cpaas`, `cpaas/segments`, `cpaas/sms` and `cpaas/inline` have these types. */
export interface SmsCounting {
  segments(text: string): Pick<SmsCount, "count" | "encoding" | "units" | "remaining"> & { readonly parts?: readonly { readonly units: number }[] };
  /** Without it, characters that force UCS-2 are not listed. */
  annotate?(text: string): { readonly causes: readonly SmsCause[]; readonly replaced: { readonly text: string; readonly saved: number } | null };
}

/** The texts of an `<sms-counter>`; the default is English. */
export interface SmsCounterMessages {
  parts(values: { count: number; encoding: "gsm7" | "ucs2" }): string;
  price(values: { total: string; currency: string }): string;
  units(values: { units: number; remaining: number; encoding: "gsm7" | "ucs2" }): string;
  /** The description of the bar for screen readers. */
  bar(values: { count: number; used: number; capacity: number }): string;
  causes(values: { count: number }): string;
  /** `name` is the code point, such as `U+2019`. */
  cause(values: { name: string; character: string; count: number; replacement: string | null }): string;
  replace(values: { name: string; character: string; replacement: string | null }): string;
  replaceAll(values: { saved: number }): string;
  more(values: { count: number }): string;
  /** Shown until the module is loaded. */
  loading(values: { characters: number }): string;
  failed(values: { message: string }): string;
  badPrice(): string;
}

/**
 * Fires `sms-count` when its value changes, with the value as `detail`, and `sms-replace` after a button has replaced characters, with
 * `{ text }` as `detail`. Both events bubble and leave shadow trees.
 */
export class SmsCounter extends HTMLElement {
  /** The id of the control whose text is counted; the attribute `for`. */
  htmlFor: string;
  /** The price of a part as a decimal number, such as `"0.0075"`; the attribute `price`. */
  get price(): string | null;
  set price(price: string | number | null | undefined);
  /** The currency to show after the price; the attribute `currency`. */
  get currency(): string | null;
  set currency(currency: string | null | undefined);
  /** The control whose text is counted, instead of `for`: for a control in another tree. */
  get control(): HTMLTextAreaElement | HTMLInputElement | null;
  set control(control: HTMLTextAreaElement | HTMLInputElement | null | undefined);
  /** The counted text. Set it if the element has no control. */
  text: string;
  /** The functions that count; null: those of `cpaas/segments`, which the element loads. */
  counting: SmsCounting | null;
  get messages(): SmsCounterMessages;
  set messages(messages: Partial<SmsCounterMessages>);
  /** What is shown; null until the module is loaded, and for a text that cannot be counted. */
  readonly value: SmsCount | null;
  /** Resolves when the module is loaded; rejects if this fails. The next input tries again. */
  readonly ready: Promise<void>;
  /** Moves the focus to the count, for example after a button of the page disappeared. */
  focus(options?: FocusOptions): void;
  /** Counts the text again. Call it after a script has set the value of the control, which no event reports. */
  update(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "sms-counter": SmsCounter;
  }
  interface HTMLElementEventMap {
    "sms-count": CustomEvent<SmsCount>;
    "sms-replace": CustomEvent<{ text: string }>;
  }
}
