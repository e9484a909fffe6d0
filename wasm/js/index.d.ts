/**
 * Checks SMS, chat and passcode messages as the provider does: rules, parts, markup. Pure computation: no key, no
 * network, no storage. Importing has no effect; call {@link init} once, or use {@link schema}, which calls it.
 *
 * @packageDocumentation
 */
import type { Problem, Report, Span } from "./report.js";
import type { Requests } from "./requests.js";

export type * from "./report.js";
export type * from "./requests.js";
export * from "./markup.js";

/** A class of the platform, if its type is declared: the types of Node omit some classes. */
type Platform<Name extends string, In = typeof globalThis> = In extends { [Key in Name]: { prototype: infer Value } } ? Value : never;

/** A compiled module. */
export type CompiledModule = typeof globalThis extends { WebAssembly: infer All } ? Platform<"Module", All> : never;

/** The bytes of a module; threads may share them. */
export type Bytes = ArrayBuffer | SharedArrayBuffer | ArrayBufferView;

/** A source of the module. */
export type Source = Bytes | Platform<"URL"> | string | Platform<"Request"> | Platform<"Response"> | CompiledModule;

/**
 * Loads the module. Later calls return the same promise. After a failure the next call tries again; the error's message
 * contains the reason.
 *
 * @param source - The source of the module, if a host has moved its file out of this package. In Node, Deno and Bun a
 * string without a scheme is a path of the file system.
 */
export function init(source?: Source | Promise<Source>): Promise<void>;
/**
 * Loads the module from its bytes, synchronously: for servers, tests and workers. Does nothing if it is already loaded. In a page it does
 * not load the tools module, whose functions need `loadTools` of `cpaas/tools` then.
 *
 * @param bytes - The bytes of `cpaas/cpaas_bg.wasm`, or the module compiled from them.
 */
export function initSync(bytes: Bytes | CompiledModule): void;
/** Whether the module is loaded. */
export function isReady(): boolean;
/** Thrown by every function that is called before {@link init}; the message names the function, what to call and the entry of the package. */
export class NotInitialised extends Error {
  private constructor();
}

/** The alphabet of a text: GSM 7-bit with its extensions, or UTF-16. */
export type Encoding = "gsm7" | "ucs2";

/** The number of SMS parts of a text. */
export interface SegmentCount {
  encoding: Encoding;
  /** The number of parts, which are billed; 1 for an empty text. */
  count: number;
  /** Septets (`gsm7`) or UTF-16 code units (`ucs2`) of the whole text. */
  units: number;
  /** Units that still fit into the last part. */
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
  /** The alphabet; by default the smallest one that contains the text. */
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
/** Counts the parts of a text with options. @throws {@link TextError} for more than 255 parts and for invalid options. */
export function segments(text: string, options: SegmentOptions | undefined): Segments;
/** The overload for `texts.map(segments)`: the index and the list are ignored. */
export function segments(text: string, index: number, texts: readonly string[]): SegmentCount;
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

/** Returns the characters of a text that force UCS-2, as {@link annotate} does. */
export function causes(text: string): Cause[];

/** The price of a text; prices are decimal numbers in strings, so that no digit is lost. */
export interface Estimate extends SegmentCount {
  /** The argument, unchanged; it has no currency. */
  pricePerPart: string;
  /** Parts times price, with as many decimals as the price. */
  total: string;
}

/** Returns the price of a text. @throws {@link TextError} for a price such as `1e3`, and for more than 255 parts. */
export function estimate(text: string, pricePerPart: string): Estimate;
/** Returns the price of a text to many recipients, with merge fields. @throws {@link TextError} if a row has no value for a field. */
export function estimate(text: string, pricePerPart: string, options: EstimateOptions): EstimateOfRecipients;

/** Options of {@link estimate}. */
export interface EstimateOptions {
  /** The number of recipients, 1 by default; or a row for each recipient: its member `name` replaces the merge field `{{name}}`. */
  recipients?: number | Iterable<Record<string, unknown>>;
  /** A sample row of merge fields, if `recipients` is a number. */
  fields?: Record<string, unknown>;
}

/** An estimate for many recipients. The counts are those of one message, with the sample row if there is one. */
export interface EstimateOfRecipients extends Estimate {
  /** Number of recipients. */
  recipients: number;
  /** Parts of all messages; `total` is their price. */
  parts: number;
}

/** Prices by prefix, and the recipients, for {@link estimate}. */
export interface EstimateToOptions {
  /** CSV whose first line is `prefix,price,currency`; the longest prefix of a number wins. */
  prices: string;
  /** One number or several, in any notation. */
  to: string | Iterable<string>;
  /** A sample row of merge fields. */
  fields?: Record<string, unknown>;
}
/** The recipients of one prefix. */
export interface PrefixShare {
  recipients: number;
  parts: number;
  pricePerPart: string;
  total: string;
  currency: string;
}
/** The recipients whose prices have one currency. */
export interface CurrencyShare {
  recipients: number;
  parts: number;
  total: string;
}

/** The price of a text to one number or several. */
export interface EstimateTo extends SegmentCount {
  /** The price of one part, or null if it differs between the recipients. */
  pricePerPart: string | null;
  /** The exact price of all messages, or null if the recipients have prices in several currencies. */
  total: string | null;
  /** The currency of all messages, or null if there are several. */
  currency: string | null;
  recipients: number;
  /** The recipients of each prefix of the prices. */
  byPrefix: Record<string, PrefixShare>;
  /** The recipients of each currency. */
  byCurrency: Record<string, CurrencyShare>;
}

/**
 * Returns the price of a text to the given numbers, each at the price of its prefix. A bundled page that uses no other function of the
 * tools module loads it first, with `loadTools` of `cpaas/tools`.
 *
 * @throws {@link TextError} for prices that are not valid CSV, for a number without a price, and for more than 255 parts.
 */
export function estimate(text: string, options: EstimateToOptions): EstimateTo;

/**
 * Returns a number in the form that is sent: `"306912345678"` for `"+30 691 234 5678"`. Removes `+`, a leading `00` and separators.
 * Returns `null` for a text that is not a number with its country code, such as `"691 234 5678"`.
 *
 * With a region (`"GR"`), also for a number as it is dialed there. A region requires `loadPhone` of `cpaas/phone`.
 *
 * @throws {RangeError} for an unknown region, and for any region without the numbering plans.
 */
export function normalizeNumber(number: string, region?: string | null): string | null;

/** What an inbound message asks for. */
export interface Intent {
  kind: "stop" | "start" | "help" | "none";
  /**
   * `certain` for the words of 47 CFR 64.1200(a)(10) and of carriers, and for words that mean only this in their language; `likely` for
   * phrases, polite forms and words with other meanings. It is always `certain` for `none`, which means only that the message was not
   * recognized.
   */
  certainty: "certain" | "likely";
}

/**
 * Returns what an inbound message asks for. Case, punctuation, emoji, white space and `RE:` before the text do not matter.
 *
 * A person may ask to stop in words that this function does not know, for which the kind is `none`: let somebody read the messages that
 * remain. "Yes" is `start` and `likely`, because it may answer a question: remove an opt-out only if `start` is `certain`.
 */
export function intent(text: string): Intent;

/** Options of {@link autofillBody}: a host, the hash of an app, or both. */
export interface AutofillOptions {
  /** The host of the page that asks for the code, such as `shop.example`. */
  host?: string | null;
  /** The host of the frame in this page that asks for the code, if it is in a frame of another site. */
  embeddedHost?: string | null;
  /** The code of a message that your program sends itself; by default `{code}`, which the provider replaces. It requires `host`. */
  code?: string | null;
  /** The hash of your Android app, see {@link appHash}. */
  appHash?: string | null;
}

/**
 * Returns the text, followed by the line that fills its one-time code in, for `body` of `otp.send`.
 *
 * @throws {@link TextError} for an invalid option, without `host` and `appHash`, and for a message with `appHash` of more than 140 bytes.
 */
export function autofillBody(text: string, options: AutofillOptions): string;

/** What a message fills in; the members are `null` if it does not try to fill a code in. */
export interface AutofillCheck {
  /** The host of the page into which the code fills itself. */
  host: string | null;
  /** The host of the frame in this page. */
  embeddedHost: string | null;
  /** The code of the line `@host #code`; `{code}` in the body of `otp.send`. */
  code: string | null;
  /** The hash of the Android app that receives the message. */
  appHash: string | null;
  /** Why it does not fill in, although it seems to be meant to. */
  problems: Pick<Problem, "pointer" | "code" | "severity" | "message" | "params" | "fix">[];
}

/** Returns what a message, or the `body` of `otp.send`, fills in, and what prevents it. */
export function checkAutofill(message: string): AutofillCheck;

/**
 * Returns the hash of an Android app, by which SMS Retriever finds the app of a message.
 *
 * @param packageName - The name of the package, such as `com.example.shop`.
 * @param certificate - The certificate that signs the app, in DER, as `keytool -exportcert` writes it.
 * @throws {@link TextError} for an invalid name and for bytes that are not a certificate in DER.
 */
export function appHash(packageName: string, certificate: Uint8Array): string;

/** Characters of one kind in a sender. */
export interface FoundCharacters {
  /** Number of code points. */
  count: number;
  /** The first one: its UTF-8 byte, and its index in the JavaScript string. */
  first: { byte: number; utf16: number } | null;
}

/** The result of {@link checkSender}. */
export interface SenderCheck {
  /** The kind of sender, as a network classifies it. */
  kind: "empty" | "short_code" | "numeric" | "alphanumeric";
  /** The number of digits without a plus sign, or of code points. At most 16 digits or 11 characters may be sent. */
  length: number;
  /** Septets; `null` if a character is outside the default alphabet. Networks may truncate a sender of more than 11 septets. */
  septets: number | null;
  /** Whether the sender starts with a plus sign, which is not sent. */
  hasPlus: boolean;
  /** Forbidden characters, characters outside ASCII, and punctuation. */
  charset: { forbidden: FoundCharacters; nonAscii: FoundCharacters; punctuation: FoundCharacters };
}

/** Classifies and measures the sender of an SMS. */
export function checkSender(sender: string): SenderCheck;

/** Options of {@link validate} and {@link validateText}. */
export interface ValidationOptions {
  /** The maximum number of problems in the report; 1,000 by default. */
  limit?: number;
  /**
   * `"international"` normalizes recipients as a client with this setting does: they may be written in any notation with their
   * country code, and `number.normalized` reports each change. With a region, such as `"GR"`, also as they are dialed there. A
   * region requires `loadPhone` of `cpaas/phone`.
   */
  normalize?: "international" | (string & {});
  /** The countries (ISO 3166-1, such as `"GR"`) whose numbers are allowed: `policy.country`. Requires `loadPhone` of `cpaas/phone`. */
  allowCountries?: Iterable<string>;
  /** The kinds of numbers that are allowed, such as `"mobile"`: `policy.type`. Requires `loadPhone` of `cpaas/phone`. */
  allowTypes?: Iterable<string>;
}

/** The name of an operation. */
export type OperationId = keyof Requests;

/**
 * Checks a request against every rule of the provider and returns all problems, in field order. The value is checked as
 * `JSON.stringify` writes it, which is what a page sends.
 *
 * Any value is accepted, because forms and bodies of requests are not typed. To let the compiler check the fields of a value too, use
 * `satisfies` with the type of the operation:
 *
 * ```ts
 * const message = { from: "Acme", to: "306912345678", text: "Hi" } satisfies SmsSend;
 * validate("sms.send", message);
 * ```
 *
 * JSON cannot represent a lone surrogate, for example half of an emoji that `slice` has cut. Each string and each member name with
 * a lone surrogate is a problem `json.syntax`; other problems are reported only when there are no lone surrogates.
 *
 * A member whose getter throws is a problem `json.syntax`. More than 127 nested arrays and objects are a problem `json.too_deep`.
 *
 * @throws RangeError for an unknown operation, for a request of more than 1,000,000 values (a value that occurs several times counts each
 * time, because JSON repeats it), and for a request that needs more memory than is available.
 * @throws TypeError for a value that JSON cannot represent (a cycle, a BigInt, `FormData`).
 */
export function validate(operation: OperationId, value: unknown, options?: ValidationOptions): Report;
/** Checks a request that is JSON text, which is faster than {@link validate}. A syntax error is one problem of the whole text. */
export function validateText(operation: OperationId, json: string, options?: ValidationOptions): Report;
/** The messages of a locale: maps the code of a problem to a template. Names in braces are `params` of the problem. */
export type Messages = Readonly<Record<string, string>>;

/**
 * Returns the catalogue of a locale. English is part of the package. An application adds other locales with `templates`; the
 * messages of codes that `templates` omits stay English.
 *
 * @param locale - A BCP 47 tag, such as `en` or `de-AT`. The catalogue of `de` is also used for `de-AT` if this has none.
 * @throws RangeError for a locale without catalogue, for templates of a locale that is not a tag, and for an unknown code.
 */
export function messages(locale: string, templates?: Record<string, string>): Messages;

/** Returns the message of a problem in a locale; numbers are formatted for it. A locale without a catalogue gets the English message. */
export function localize(problem: Pick<Problem, "code" | "message" | "params">, locale: string): string;

/** Problem details for an HTTP API (RFC 9457); the media type is `application/problem+json`. */
export interface ProblemDetails {
  /** `about:blank` unless given. */
  type: string;
  title: string;
  /** 422, or 200 if there are no errors; unless given. */
  status: number;
  /** The number of errors and warnings. */
  detail: string;
  instance?: string;
  errors: ProblemDetail[];
  warnings: ProblemDetail[];
}

/** One problem in problem details. */
export interface ProblemDetail {
  /** The JSON pointer as a fragment of a URI, such as `#/text`. */
  pointer: string;
  /** The message. */
  detail: string;
  code: string;
  severity: Problem["severity"];
}

/** Makes problem details of a report, with the status 422, or 200 if there are no errors. `members` replaces `type`, `title`, `status` and `detail`, and adds other members. */
export function problemDetails(report: Report, members?: Record<string, unknown>): ProblemDetails;

/** Returns the names of all operations. */
export function operations(): OperationId[];

/**
 * Checks a photo of messenger_c: at most 10 MB; width plus height at most 10,000 pixels; ratio of the sides at most 20.
 *
 * @param photo - Its size in bytes, and its sides in pixels.
 */
export function checkPhoto(photo: { bytes: number; width: number; height: number }): Report;
/** Checks a file of messenger_b: at most 200 MB. */
export function checkFile(file: { bytes: number }): Report;
/** Checks the username of a messenger_c bot: 5 to 32 characters that end with `bot`. */
export function checkBotUsername(username: string): Report;
/** Checks the height of a business_chat card in density-independent pixels: 112 to 344. */
export function checkCardHeight(dp: number): Report;

/** A schema for form libraries and tools: Standard Schema v1 and Standard JSON Schema v1 (standardschema.dev). */
export interface Schema<Request> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "cpaas";
    readonly types?: { readonly input: Request; readonly output: Request } | undefined;
    /** Reports errors, and with `warnings` also warnings. Loads the module if necessary: until it is loaded, the result is a promise. */
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
  | { readonly issues: readonly Issue[] };

/** A problem of a request, as form libraries read it, with its parameters. */
export interface Issue {
  readonly message: string;
  readonly path: readonly (string | number)[];
  /** Stable code of the rule. */
  readonly code: string;
  /** `"warning"` only with the option `warnings`. */
  readonly severity: "error" | "warning";
  /** Parameters of the message. */
  readonly params?: Record<string, unknown>;
  /** An edit that fixes it. */
  readonly fix?: Problem["fix"];
}

/** Options of {@link schema}. */
export interface SchemaOptions {
  /** Returns the message of an issue, for example `(problem) => localize(problem, "de")`. */
  message?: (problem: Problem) => string;
  /** Whether warnings are issues too. A value with an issue is rejected by form libraries. Infos never are issues. Default: false. */
  warnings?: boolean;
  /**
   * `"absent"`: a member whose value is `""` counts as absent, as the value of an empty input, and the result does not have it. Elements of
   * lists and members of `extra` stay. Default: `"keep"`.
   */
  emptyStrings?: "keep" | "absent";
  /**
   * `"strip"`: members that the operation does not document are not reported, and the result does not have them. Members of `extra` stay, and
   * so does the error about a name that resembles a missing member. Default: `"keep"`.
   */
  unknown?: "keep" | "strip";
}

/**
 * The schema of an operation's request. Does not need `init`. Its JSON Schema (targets `draft-2020-12`, `draft-07`,
 * `openapi-3.0`) has types, required members, limits, patterns and enums; `cpaas/schemas/<operation>.json` has descriptions too.
 */
export function schema<Id extends OperationId>(operation: Id, options?: SchemaOptions): Schema<Requests[Id]>;

/** Returns the version of the module, which is the version of the package. */
export function version(): string;
