/**
 * Checks SMS, chat and passcode messages as the provider does: rules, parts, markup. Pure computation: no key, no
 * network, no storage. Importing has no effect; call {@link init} once, or use {@link schema}, which calls it.
 *
 * @packageDocumentation
 */
import type { Requests } from "./requests.js";

export type * from "./requests.js";

/** A class of the platform, if its types are known: those of Node omit some. */
type Platform<Name extends string, In = typeof globalThis> = In extends { [Key in Name]: { prototype: infer Value } } ? Value : never;

/** A compiled module. */
export type CompiledModule = typeof globalThis extends { WebAssembly: infer All } ? Platform<"Module", All> : never;

/** The bytes of a module; threads may share them. */
export type Bytes = ArrayBuffer | SharedArrayBuffer | ArrayBufferView;

/** What the module can be loaded from. */
export type Source = Bytes | Platform<"URL"> | string | Platform<"Request"> | Platform<"Response"> | CompiledModule;

/**
 * Loads the module. Later calls return the same promise. After a failure the next call tries again; the error's message
 * contains the reason.
 *
 * @param source - Where the module is, if it is not in this package: for hosts that move files. In Node, Deno and Bun a
 * string without a scheme is a path of the file system.
 */
export function init(source?: Source | Promise<Source>): Promise<void>;
/**
 * Loads the module from its bytes, synchronously: for servers, tests and workers. Does nothing if it is already loaded.
 *
 * @param bytes - The bytes of `cpaas/cpaas_bg.wasm`, or the module compiled from them.
 */
export function initSync(bytes: Bytes | CompiledModule): void;
/** Whether the module is loaded. */
export function isReady(): boolean;
/** Thrown by every function that is called before {@link init}; the message names the function and `init`. */
export class NotInitialised extends Error {
  private constructor();
}

/** The alphabet of a text: GSM 7-bit with its extensions, or UTF-16. */
export type Encoding = "gsm7" | "ucs2";

/** The number of SMS parts of a text. */
export interface SegmentCount {
  encoding: Encoding;
  /** Parts, which are billed; 1 for an empty text. */
  count: number;
  /** Septets (`gsm7`) or UTF-16 code units (`ucs2`) of the whole text. */
  units: number;
  /** Units that still fit the last part. */
  remaining: number;
}

/** One part, as ranges into the text. */
export interface Part {
  /** First UTF-8 byte. */
  start: number;
  /** The byte after it. */
  end: number;
  /** First index into the JavaScript string. */
  start16: number;
  /** The index after it. */
  end16: number;
  /** Septets or code units of the part. */
  units: number;
}

/** The result of {@link segments} with options. */
export interface Segments extends SegmentCount {
  /** The parts; only with `parts: true`. */
  parts?: Part[];
  /** Number of parts if a part may end between any two code points; only with `split: "grapheme"`. */
  countByCodePoint?: number;
  /** Number of parts if grapheme clusters stay whole; only with `split: "grapheme"`. */
  countByGrapheme?: number;
}

/** Options of {@link segments}. */
export interface SegmentOptions {
  /** Bits of the concatenation reference: 8 (default; 153 septets or 67 units a part) or 16 (152 or 66). */
  referenceBits?: 8 | 16;
  /** Where a part may end; networks bill by `codePoint` (default). */
  split?: "codePoint" | "grapheme";
  /** Forces an alphabet. */
  encoding?: Encoding;
  /** Whether to return the parts themselves. */
  parts?: boolean;
}

/** Thrown for a text that cannot be sent, for invalid options and for a price that is not a decimal number. */
export class TextError extends RangeError {
  /** A stable code, such as `text.too_many_parts`. */
  readonly code: string;
  private constructor();
}

/**
 * Counts the parts of a text, which determine the price of an SMS.
 *
 * @throws RangeError above 16,000,000 UTF-16 code units.
 */
export function segments(text: string): SegmentCount;
/** The same with options. @throws {@link TextError} for more than 255 parts and for invalid options. */
export function segments(text: string, options: SegmentOptions | undefined): Segments;
/** Counts the parts of many texts. */
export function countSegments(texts: Iterable<string>): SegmentCount[];

/** One character of a text, with its position. */
export interface AnnotatedCharacter extends Span {
  /** 1 or 2 septets; `null` if the default alphabet does not contain it. */
  septets: 1 | 2 | null;
  /** Whether this character forces the whole text into UCS-2. */
  forcesUcs2: boolean;
  /** A replacement from the default alphabet; empty for an invisible character, `null` if there is none. */
  replacement: string | null;
}

/** A character that forces UCS-2. */
export interface Cause {
  /** The character itself. */
  character: string;
  /** Number of occurrences. */
  count: number;
  /** Byte of its first occurrence. */
  start: number;
  /** Index of its first occurrence in the JavaScript string. */
  start16: number;
  /** A replacement from the default alphabet; empty for an invisible character, `null` if there is none. */
  replacement: string | null;
}

/** The cost of each character, the characters that force UCS-2, and the text without them. */
export interface Annotation {
  /** Every character, in order. */
  characters: AnnotatedCharacter[];
  /** Each character that forces UCS-2, once. */
  causes: Cause[];
  /** The text with every replacement applied and the number of parts saved; `null` if replacing changes nothing. */
  replaced: { text: string; saved: number } | null;
}

/** Returns the cost of each character of a text, and replacements that reduce it. */
export function annotate(text: string): Annotation;

/** The price of a text; prices are decimal numbers in strings, so that no digit is lost. */
export interface Estimate extends SegmentCount {
  /** The argument, unchanged; it has no currency. */
  pricePerPart: string;
  /** Parts times price, with as many decimals as the price. */
  total: string;
}

/** Returns the price of a text. @throws {@link TextError} for a price such as `1e3`, and for more than 255 parts. */
export function estimate(text: string, pricePerPart: string): Estimate;

/**
 * Returns a number in the form that is sent, the country code and the number: `"+30 691 234 5678"` gives `"306912345678"`. Removes
 * `+`, a leading `00` and separators; `null` for any other text. A region needs numbering plans, which are not in this module.
 */
export function normalizeNumber(number: string, region?: null): string | null;

/** Characters of one kind in a sender. */
export interface FoundCharacters {
  /** Number of code points. */
  count: number;
  /** The first one: its UTF-8 byte, and its index in the JavaScript string. */
  first: { byte: number; utf16: number } | null;
}

/** The result of {@link checkSender}. */
export interface SenderCheck {
  /** How a network classifies it. */
  kind: "empty" | "shortCode" | "numeric" | "alphanumeric";
  /** Digits without a plus sign, else code points. At most 16 digits or 11 characters may be sent. */
  length: number;
  /** Septets; `null` if a character is outside the default alphabet. Networks may cut a sender above 11. */
  septets: number | null;
  /** Whether it starts with a plus sign, which is not sent. */
  hasPlus: boolean;
  /** Forbidden characters, characters outside ASCII, and punctuation. */
  charset: { forbidden: FoundCharacters; nonAscii: FoundCharacters; punctuation: FoundCharacters };
}

/** Classifies and measures the sender of an SMS. */
export function checkSender(sender: string): SenderCheck;

/** The syntax of a messenger_c text. */
export type ParseMode = "Default" | "Markdown" | "Html" | "MarkdownV2";

/** A formatted range of a text; `offset` and `length` count UTF-16 code units of the JavaScript string. */
export interface Entity {
  type:
    | "Bold" | "Italic" | "Underline" | "Strikethrough" | "Spoiler" | "Code" | "Pre" | "PreCode" | "TextUrl"
    | "MentionName" | "CustomEmoji" | "FormattedDate" | "BlockQuote" | "ExpandableBlockQuote";
  /** Index of the first code unit. */
  offset: number;
  /** Number of UTF-16 code units. */
  length: number;
  /** The programming language; only in `PreCode`. */
  language?: string;
  /** The address; only in `TextUrl`. */
  url?: string;
  /** The user's id; only in `MentionName`. */
  user_id?: number;
  /** Only in `CustomEmoji`; a string, since it may exceed 2^53. */
  emoji_id?: string;
  /** Seconds since 1970, UTC; only in `FormattedDate`. */
  unix?: number;
  /** The format of the date, as bits; only in `FormattedDate`. */
  date_flags?: number;
}

/** A place that parses, but probably not as intended. */
export interface Finding {
  kind:
    | "link_dropped" | "literal_entity" | "word_underscore" | "code_nested" | "many_entities" | "double_star" | "not_parsed";
  /** First UTF-8 byte. */
  start: number;
  /** The byte after it. */
  end: number;
  /** First index into the JavaScript string. */
  utf16Start: number;
  /** The index after it. */
  utf16End: number;
}

/** The result for a text that parses. */
export interface ParsedMarkup {
  error?: undefined;
  /** The text without its markup. */
  text: string;
  /** The formatted ranges of that text. */
  entities: Entity[];
  /**
   * What the recipient receives: trimmed, overlaps resolved. The limits of 4,096 and 1,024 characters apply to `length`,
   * which counts code points; `utf16` counts UTF-16 code units, `graphemes` grapheme clusters.
   */
  sent: { text: string; entities: Entity[]; length: number; utf16: number; graphemes: number };
  /** Places that parse, but probably not as intended. */
  findings: Finding[];
}

/** The result for a text that does not parse. */
export interface MarkupFailure {
  /** Reason and position. */
  error: {
    /** A stable code. */
    kind: string;
    /** One sentence; it may quote the text. */
    message: string;
    /** UTF-8 byte of the error. */
    offset: number;
    /** Its index in the JavaScript string. */
    utf16Offset: number;
    /** An edit that fixes it, in UTF-8 bytes. */
    fix?: { start: number; end: number; insert: string };
  };
}

/** Parses a messenger_c text; for a text that does not parse the result has `error`, and nothing is thrown. */
export function parseMarkup(text: string, mode: ParseMode): ParsedMarkup | MarkupFailure;
/** Escapes a text so that it is shown unchanged. @throws RangeError for an unknown mode. */
export function escapeMarkup(text: string, mode: ParseMode): string;

/** A range of a text, in UTF-8 bytes and in indices of the JavaScript string. */
export interface Span {
  /** First UTF-8 byte. */
  start: number;
  /** The byte after it. */
  end: number;
  /** First index into the JavaScript string. */
  start16: number;
  /** The index after it. */
  end16: number;
}

/** One problem of a request. */
export interface Problem {
  /** JSON pointer into the value; empty for the whole. */
  pointer: string;
  /** The pointer as keys and indices. */
  path: (string | number)[];
  /** Stable code of the rule. */
  code: string;
  /** The provider rejects an `error`; a `warning` may be a mistake; an `info` is a fact. */
  severity: "error" | "warning" | "info";
  /** One sentence with limits and counts; it does not quote input. */
  message: string;
  /** The limit of the rule, in `unit`. */
  limit?: number | string;
  /** The actual value, in `unit`. */
  actual?: number | string;
  /** The unit of `limit` and `actual`, such as `code points`, `parts`, `bytes`, `seconds`. */
  unit?: string;
  /** The range of the text that the problem is about. */
  span?: Span;
  /** All parameters of the message, including those above. */
  params?: Record<string, unknown>;
  /** An edit of the text (`replace`) or of the member's name (`rename`) that fixes it. */
  fix?: Span & { op: "replace" | "rename"; insert: string };
}

/** The result of validation. If a field has several problems, show the first. */
export interface Report {
  /** Whether there is no error. */
  ok: boolean;
  /** Problems for which the provider rejects the request, in field order. */
  errors: Problem[];
  /** Warnings and facts; the provider accepts them. */
  warnings: Problem[];
}

/** The name of an operation. */
export type OperationId = keyof Requests;

/**
 * Checks a request against every rule of the provider and returns all problems, in field order. The value is checked as
 * `JSON.stringify` writes it, which is what a page sends.
 *
 * A lone surrogate (half of a character, such as `slice` leaves of an emoji) has no form in JSON: each string and each
 * member's name that contains one is a problem `json.syntax`, and no other problem is reported until all are fixed.
 *
 * @throws RangeError for an unknown operation and for a request that needs more memory than is available, TypeError for
 * a value that JSON has no form for (a cycle, a BigInt).
 */
export function validate(operation: OperationId, value: unknown): Report;
/** The same for a request that is already JSON text: faster; a syntax error is one problem, of the whole text. */
export function validateText(operation: OperationId, json: string): Report;
/** The names of all operations. */
export function operations(): OperationId[];

/**
 * A photo of messenger_c: at most 10 MB, 10,000 pixels width plus height, sides at most 20 to 1.
 *
 * @param photo - Its size in bytes, and its sides in pixels.
 */
export function checkPhoto(photo: { bytes: number; width: number; height: number }): Report;
/** A file of messenger_b: at most 200 MB. */
export function checkFile(file: { bytes: number }): Report;
/** The username of a messenger_c bot: 5 to 32 characters, of which the last three are `bot`. */
export function checkBotUsername(username: string): Report;
/** The height of a business_chat card in density-independent pixels: 112 to 344. */
export function checkCardHeight(dp: number): Report;

/** A schema for form libraries and tools: Standard Schema v1 and Standard JSON Schema v1 (standardschema.dev). */
export interface Schema<Request> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "cpaas";
    readonly types?: { readonly input: Request; readonly output: Request } | undefined;
    /** Errors only. Loads the module; the result is a promise until it is loaded, and synchronous afterwards. */
    readonly validate: (value: unknown) => StandardResult<Request> | Promise<StandardResult<Request>>;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
      readonly output: (options: { readonly target: string }) => Record<string, unknown>;
    };
  };
}

/** The result of a Standard Schema. */
export type StandardResult<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly PropertyKey[] }[] };

/** The schema of an operation's request. Does not need `init`. Its JSON Schema contains types, but no rules. */
export function schema<Id extends OperationId>(operation: Id): Schema<Requests[Id]>;

/** The version of the module, which is the package's. */
export function version(): string;
