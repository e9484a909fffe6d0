/** SMS text with national language tables. This entry has its own module, which the main entry does not load. */

/** ISO 639-1 codes of the languages with national tables. */
export type Language = "tr" | "es" | "pt" | "bn" | "gu" | "hi" | "kn" | "ml" | "or" | "pa" | "ta" | "te" | "ur";

export interface TextOptions {
  referenceBits?: 8 | 16 | null;
  split?: "codePoint" | "grapheme" | null;
  encoding?: "gsm7" | "ucs2" | null;
  /** The languages whose national tables may be used, or "auto" for all. The provider must support them. */
  languages?: "auto" | readonly Language[] | null;
  /** true: replaces characters by those of the default alphabet; "auto": only if this saves a part. */
  transliterate?: boolean | "auto" | null;
}

export interface EncodeOptions extends TextOptions {
  /** The concatenation reference, 0 to 65535; a number above 255 is sent with 16 bits. */
  reference?: number | null;
  ports?: { destination: number; source: number } | null;
}

export interface Count {
  encoding: "gsm7" | "ucs2";
  count: number;
  units: number;
  remaining: number;
}

export interface Replacement {
  start: number;
  end: number;
  start16: number;
  end16: number;
  from: string;
  to: string;
}

export interface Transliteration {
  text: string;
  replacements: Replacement[];
  /** The characters outside the default alphabet that have no replacement. */
  kept: string[];
}

export interface Segments extends Count, Partial<Transliteration> {
  parts: { start: number; end: number; start16: number; end16: number; units: number }[];
  countByCodePoint?: number;
  countByGrapheme?: number;
  lockingShift?: Language;
  singleShift?: Language;
  /** With `languages`: the number of parts that the national tables save. */
  saved?: number;
}

export interface EncodedPart {
  /** The user data header with its length octet; empty if there is none. */
  udh: Uint8Array;
  /** The octets after the header, including fill bits. */
  ud: Uint8Array;
  /** The length: septets for GSM 7-bit, including header and fill bits; octets for UCS-2. */
  udl: number;
  /** 0 for GSM 7-bit, 8 for UCS-2. */
  dcs: number;
}

export class TextError extends RangeError {
  constructor(code: string, message: string, position?: { part?: number | null; octet?: number | null });
  readonly code: string;
  /** For `decode`: the index of the part with the error; null if a part is missing. */
  readonly part: number | null;
  /** For `decode`: the octet in that part, from the start of its header. */
  readonly octet: number | null;
}

/** Thrown by every function that is called before {@link init}; the message names the function and the entry. */
export class NotInitialised extends Error {
  private constructor();
}

/** Loads the module once; by default the file of this package. */
export function init(source?: string | URL | Request | Response | BufferSource | WebAssembly.Module | Promise<Response>): Promise<void>;
export function initSync(bytes: BufferSource | WebAssembly.Module): void;

export function segments(text: string, options?: TextOptions): Segments;
export function countSegments(texts: Iterable<string>, options?: TextOptions): Count[];
export function annotate(text: string, options?: Pick<TextOptions, "languages" | "referenceBits">): {
  characters: { start: number; end: number; start16: number; end16: number; septets: number | null; forcesUcs2: boolean; replacement: string | null }[];
  causes: { character: string; count: number; start: number; start16: number; replacement: string | null }[];
  replaced: { text: string; saved: number } | null;
  languages?: { lockingShift?: Language; singleShift?: Language; count: number; saved: number };
};
export function estimate(text: string, price: string, options?: TextOptions): Count & Partial<Transliteration> & { pricePerPart: string; total: string; lockingShift?: Language; singleShift?: Language };
export function encode(text: string, options?: EncodeOptions): EncodedPart[];
/** Decodes the parts of one message, in any order. Octets are bytes or hexadecimal digits. @throws {@link TextError} with `part` and `octet`. */
export function decode(parts: Iterable<{ udh?: Uint8Array | string; ud: Uint8Array | string; udl: number; dcs?: number }>): string;
export function transliterate(text: string): Transliteration;
/** Returns the smallest and the largest number of parts of a template with merge fields such as `{{name}}`. */
export function templateSegments(
  template: string,
  values: { fields?: Record<string, number | readonly [number, number] | readonly string[]> } | { rows: readonly Record<string, string>[] },
  options?: Omit<TextOptions, "transliterate">,
): { shortest: Count; longest: Count; rows?: [number, number]; reason: "same" | "length" | "encoding"; message: string; fields: string[] };
