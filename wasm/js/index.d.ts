/** Everything here is pure computation: no key, no network, no storage. */

/** Loads the module. Call it once, before any function; later calls are free. `source` overrides where it is found. */
export function init(source?: BufferSource | URL | string | Response | WebAssembly.Module): Promise<void>;
/** Loads the module from its bytes, at once. */
export function initSync(bytes: BufferSource | WebAssembly.Module): void;
/** Whether the module is loaded. */
export function isReady(): boolean;
/** Thrown by every function that is called before `init`. */
export class NotInitialised extends Error {}

export type Encoding = "gsm7" | "ucs2";

/** How many SMS parts a text has (service.md, Limits). */
export interface SegmentCount {
  encoding: Encoding;
  /** Parts; 1 for an empty text. */
  count: number;
  /** Septets (`gsm7`) or UTF-16 code units (`ucs2`) of the whole text. */
  units: number;
  /** Units that still fit the last part. */
  remaining: number;
}

/** One part, as ranges into the text. */
export interface Part {
  /** UTF-8 bytes. */
  start: number;
  end: number;
  /** Indices into the JavaScript string. */
  start16: number;
  end16: number;
  units: number;
}

export interface Segments extends SegmentCount {
  parts?: Part[];
  countByCodePoint?: number;
  countByGrapheme?: number;
}

export interface SegmentOptions {
  /** Bits of the concatenation reference; 8 is the default. */
  referenceBits?: 8 | 16;
  /** Whether parts may split a grapheme cluster, as networks bill them; the default. */
  split?: "codePoint" | "grapheme";
  /** Forces an alphabet. */
  encoding?: Encoding;
  /** Asks for the parts themselves. */
  parts?: boolean;
}

/** Counts the parts of a text; the parts themselves with `{ parts: true }`. */
export function segments(text: string): SegmentCount;
export function segments(text: string, options: SegmentOptions): Segments;
/** Counts the parts of many texts. */
export function countSegments(texts: Iterable<string>): SegmentCount[];

/** One finding of validation. */
export interface Problem {
  /** JSON pointer into the value; the root is the empty string. */
  pointer: string;
  /** The same place as an array of keys. */
  path: (string | number)[];
  /** Stable name of the rule; see docs/problems.md. */
  code: string;
  severity: "error" | "warning" | "info";
  /** One sentence with limits and counts; it quotes no input. */
  message: string;
  limit?: number | string;
  actual?: number | string;
  /** Unit of `limit` and `actual`. */
  unit?: string;
  /** Where in the text, in UTF-8 bytes and UTF-16 code units. */
  span?: { start: number; end: number; start16: number; end16: number };
  params?: Record<string, unknown>;
  /** An edit that mends it, where one is safe. */
  fix?: { op: "replace" | "rename"; start: number; end: number; start16: number; end16: number; insert: string };
}

export interface Report {
  ok: boolean;
  errors: Problem[];
  warnings: Problem[];
}

export type OperationId = string;

/** Checks the value of a request against every rule of the provider. */
export function validate(operation: OperationId, value: unknown): Report;
/** The same for a request that is JSON text already. */
export function validateText(operation: OperationId, json: string): Report;
/** The names of all operations. */
export function operations(): OperationId[];
export function version(): string;
