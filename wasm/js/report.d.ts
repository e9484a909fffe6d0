// Types of the problems that validation reports.

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

/** A range of a text that is also counted in characters (code points), as people count. */
export interface CharacterSpan extends Span {
  /** First character, from 0. */
  startCharacter: number;
  /** The character after it. */
  endCharacter: number;
}

/** One problem of a request. */
export interface Problem {
  /** JSON pointer into the value; empty for the whole value. */
  pointer: string;
  /** The pointer as keys and indices. */
  path: (string | number)[];
  /** Stable code of the rule. */
  code: string;
  /** The provider rejects an `error`; a `warning` may be a mistake; an `info` requires no change. */
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
  span?: CharacterSpan;
  /** All parameters of the message, including those above. */
  params?: Record<string, unknown>;
  /**
   * An edit of the text (`replace`) or of the member's name (`rename`) that fixes it. For an element of a text with commas (`/to/1` of
   * `sms.send_bulk`), the text is the element.
   */
  fix?: Span & { op: "replace" | "rename"; insert: string };
}

/** The result of validation. If a field has several problems, show the first. */
export interface Report {
  /** Whether there is no error. */
  ok: boolean;
  /** Problems for which the provider rejects the request, in field order. */
  errors: Problem[];
  /** Warnings and infos, which the provider accepts, in field order. */
  warnings: Problem[];
  /** Number of problems that were left out, see `ValidationOptions`; the most severe ones are kept. */
  more: number;
}
