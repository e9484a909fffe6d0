/**
 * Checks SMS, chat and passcode messages as the provider will: rules, parts, markup. Pure computation: no key, no
 * network, no storage. Importing does nothing; call {@link init} once, or use {@link schema}, which does it by itself.
 *
 * @packageDocumentation
 */
import type { Requests } from "./requests.js";

export type * from "./requests.js";

/** A class of the platform, where its types are known: those of Node leave some out. */
type Platform<Name extends string, In = typeof globalThis> = In extends { [Key in Name]: { prototype: infer Value } } ? Value : never;

/** A compiled module. */
export type CompiledModule = typeof globalThis extends { WebAssembly: infer All } ? Platform<"Module", All> : never;

/** The bytes of a module; threads may share them. */
export type Bytes = ArrayBuffer | SharedArrayBuffer | ArrayBufferView;

/** What the module can be loaded from. */
export type Source = Bytes | Platform<"URL"> | string | Platform<"Request"> | Platform<"Response"> | CompiledModule;

/**
 * Loads the module. Later calls give the same promise; after a failure, which the error's message explains, the next
 * call tries again.
 *
 * @param source - Where the module is, if not beside this package: for hosts that move files. In Node, Deno and Bun a
 * string without a scheme is a path of the file system.
 */
export function init(source?: Source | Promise<Source>): Promise<void>;
/**
 * Loads the module from its bytes, at once: for servers, tests and workers. Does nothing where it is loaded already.
 *
 * @param bytes - The bytes of `cpaas/cpaas_bg.wasm`, or the module compiled from them.
 */
export function initSync(bytes: Bytes | CompiledModule): void;
/** Whether the module is loaded. */
export function isReady(): boolean;
/** Thrown by every function that is called before {@link init}; its message names `init`. */
export class NotInitialised extends Error {
  private constructor();
}

/** The alphabet of a text: GSM 7-bit with its extensions, or UTF-16. */
export type Encoding = "gsm7" | "ucs2";

/** How many SMS parts a text has. */
export interface SegmentCount {
  encoding: Encoding;
  /** Parts, which is what is billed; 1 for an empty text. */
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

/** What {@link segments} answers when it has options. */
export interface Segments extends SegmentCount {
  /** The parts; with `parts: true` only. */
  parts?: Part[];
  /** Parts when they may end between any two code points; with `split: "grapheme"` only. */
  countByCodePoint?: number;
  /** Parts when grapheme clusters stay whole; with `split: "grapheme"` only. */
  countByGrapheme?: number;
}

/** Options of {@link segments}. */
export interface SegmentOptions {
  /** Bits of the concatenation reference: 8 (default; 153 septets or 67 units a part) or 16 (152 or 66). */
  referenceBits?: 8 | 16;
  /** Where a part may end; `codePoint` (default) is what networks bill. */
  split?: "codePoint" | "grapheme";
  /** Forces an alphabet. */
  encoding?: Encoding;
  /** Asks for the parts themselves. */
  parts?: boolean;
}

/** Thrown for a text that cannot be sent, options that are not understood and a price that is no number. */
export class TextError extends RangeError {
  /** A stable name of the reason, such as `text.too_many_parts`. */
  readonly code: string;
  private constructor();
}

/**
 * Counts the parts of a text, which is what an SMS costs.
 *
 * @throws RangeError above 16,000,000 characters.
 */
export function segments(text: string): SegmentCount;
/** The same with options. @throws {@link TextError} for more than 255 parts and for wrong options. */
export function segments(text: string, options: SegmentOptions | undefined): Segments;
/** Counts the parts of many texts. */
export function countSegments(texts: Iterable<string>): SegmentCount[];

/** One character of a text, with its place. */
export interface AnnotatedCharacter extends Span {
  /** 1 or 2 septets; `null` where the default alphabet has no place for it. */
  septets: 1 | 2 | null;
  /** Whether this character forces the whole text into UCS-2. */
  forcesUcs2: boolean;
  /** What could stand in its place; empty for an invisible one. */
  replacement: string | null;
}

/** A character that forces UCS-2. */
export interface Cause {
  /** The character itself. */
  character: string;
  /** How often it occurs. */
  count: number;
  /** Byte of its first occurrence. */
  start: number;
  /** Index of its first occurrence in the JavaScript string. */
  start16: number;
  /** What could stand in its place; empty for an invisible one, `null` where nothing does. */
  replacement: string | null;
}

/** What each character costs, which ones force UCS-2, and the text that would not. */
export interface Annotation {
  /** Every character, in order. */
  characters: AnnotatedCharacter[];
  /** Each character that forces UCS-2, once. */
  causes: Cause[];
  /** The text with every replacement made and the parts saved; `null` where replacing changes nothing. */
  replaced: { text: string; saved: number } | null;
}

/** What each character of a text costs, and how it could cost less. */
export function annotate(text: string): Annotation;

/** The price of a text; prices are decimal numbers in strings, so that no digit is lost. */
export interface Estimate extends SegmentCount {
  /** As it was given, in the currency of whoever gave it. */
  pricePerPart: string;
  /** Parts times price, with the price's decimals. */
  total: string;
}

/** What a text costs. @throws {@link TextError} for a price such as `1e3`, and for more than 255 parts. */
export function estimate(text: string, pricePerPart: string): Estimate;

/** Characters of one kind in a sender. */
export interface FoundCharacters {
  /** How many code points. */
  count: number;
  /** The first one: its UTF-8 byte, and its index in the JavaScript string. */
  first: { byte: number; utf16: number } | null;
}

/** What a sender is. */
export interface SenderCheck {
  /** What a network takes it for. */
  kind: "empty" | "shortCode" | "numeric" | "alphanumeric";
  /** Digits without a plus sign, else code points. At most 16 digits or 11 characters may be sent. */
  length: number;
  /** Septets; `null` where a character is outside the default alphabet. Above 11 it may be cut. */
  septets: number | null;
  /** Whether it begins with a plus sign, which is not sent. */
  hasPlus: boolean;
  /** Characters that may not be sent, that are not ASCII, and that are punctuation. */
  charset: { forbidden: FoundCharacters; nonAscii: FoundCharacters; punctuation: FoundCharacters };
}

/** What a sender of an SMS is, and how long. */
export function checkSender(sender: string): SenderCheck;

/** How a messenger_c text is read. */
export type ParseMode = "Default" | "Markdown" | "Html" | "MarkdownV2";

/** A stretch of a text; `offset` and `length` are indices into the JavaScript string. */
export interface Entity {
  type:
    | "Bold" | "Italic" | "Underline" | "Strikethrough" | "Spoiler" | "Code" | "Pre" | "PreCode" | "TextUrl"
    | "MentionName" | "CustomEmoji" | "FormattedDate" | "BlockQuote" | "ExpandableBlockQuote";
  /** First index. */
  offset: number;
  /** UTF-16 units. */
  length: number;
  /** Of `PreCode`: the programming language. */
  language?: string;
  /** Of `TextUrl`: where it leads. */
  url?: string;
  /** Of `MentionName`: who is meant. */
  user_id?: number;
  /** Of `CustomEmoji`; a string, since it may exceed 2^53. */
  emoji_id?: string;
  /** Of `FormattedDate`: seconds since 1970, UTC. */
  unix?: number;
  /** Of `FormattedDate`: how it is shown, as bits. */
  date_flags?: number;
}

/** What parses, but may not be what was meant. */
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

/** A text that parses. */
export interface ParsedMarkup {
  error?: undefined;
  /** The text without its markup. */
  text: string;
  /** What the markup said, in places of that text. */
  entities: Entity[];
  /**
   * What reaches the reader: trimmed, overlaps resolved. `length`, in code points, is what the limits of 4,096 and 1,024
   * characters count; `utf16` are UTF-16 units, `graphemes` what people call characters.
   */
  sent: { text: string; entities: Entity[]; length: number; utf16: number; graphemes: number };
  /** What parses, but may not be what was meant. */
  findings: Finding[];
}

/** A text that does not. */
export interface MarkupFailure {
  /** Why, and where. */
  error: {
    /** A stable name of the reason. */
    kind: string;
    /** One sentence; it may quote the text. */
    message: string;
    /** Byte of the fault. */
    offset: number;
    /** Its index in the JavaScript string. */
    utf16Offset: number;
    /** An edit that mends it, in bytes. */
    fix?: { start: number; end: number; insert: string };
  };
}

/** Parses a messenger_c text; a text that does not parse is an answer with `error`, not an exception. */
export function parseMarkup(text: string, mode: ParseMode): ParsedMarkup | MarkupFailure;
/** Escapes a text so that it is shown as it stands. @throws RangeError for a mode that does not exist. */
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

/** One finding of validation. */
export interface Problem {
  /** JSON pointer into the value; empty for the whole. */
  pointer: string;
  /** The same place as keys and indices. */
  path: (string | number)[];
  /** Stable name of the rule. */
  code: string;
  /** An `error` is refused by the provider; a `warning` is worth a look; an `info` is a fact. */
  severity: "error" | "warning" | "info";
  /** One sentence with limits and counts; it quotes no input. */
  message: string;
  /** What the rule allows, counted in `unit`. */
  limit?: number | string;
  /** What was found, counted in `unit`. */
  actual?: number | string;
  /** What `limit` and `actual` count, such as `code points`, `parts`, `bytes`, `seconds`. */
  unit?: string;
  /** Which part of the text is meant. */
  span?: Span;
  /** All facts, also those above. */
  params?: Record<string, unknown>;
  /** An edit of the text (`replace`) or of the member's name (`rename`) that mends it. */
  fix?: Span & { op: "replace" | "rename"; insert: string };
}

/** What validation says. Of the problems of one field the first is the one to show. */
export interface Report {
  /** Whether there is no error. */
  ok: boolean;
  /** What the provider would refuse, in field order. */
  errors: Problem[];
  /** Warnings and remarks; they refuse nothing. */
  warnings: Problem[];
}

/** The name of an operation. */
export type OperationId = keyof Requests;

/**
 * Checks a request against every rule of the provider: everything wrong in one pass, in field order. The value is
 * checked as `JSON.stringify` writes it, which is what a page would send.
 *
 * A text with half a character (a lone surrogate, such as an emoji leaves behind that `slice` cut) has no form in JSON:
 * each such text and member's name is a `json.syntax` of its own, at its place, and nothing else is told until it is gone.
 *
 * @throws RangeError for an operation that does not exist and for a request that takes more memory than there is, TypeError for a
 * value that JSON has no form for (a cycle, a BigInt).
 */
export function validate(operation: OperationId, value: unknown): Report;
/** The same for a request that is JSON text already: faster, and a fault of syntax is one problem, of the whole text. */
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

/** A schema that form libraries and tools take: Standard Schema v1 and Standard JSON Schema v1 (standardschema.dev). */
export interface Schema<Request> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "cpaas";
    readonly types?: { readonly input: Request; readonly output: Request } | undefined;
    /** Errors only. A promise until the module is loaded, which this does; then at once. */
    readonly validate: (value: unknown) => StandardResult<Request> | Promise<StandardResult<Request>>;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
      readonly output: (options: { readonly target: string }) => Record<string, unknown>;
    };
  };
}

/** What a Standard Schema answers. */
export type StandardResult<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly PropertyKey[] }[] };

/** The schema of an operation's request. Needs no `init`; types only, no rules, are in its JSON Schema. */
export function schema<Id extends OperationId>(operation: Id): Schema<Requests[Id]>;

/** The version of the module, which is the package's. */
export function version(): string;
