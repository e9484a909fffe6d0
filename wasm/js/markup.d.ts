// Types of the markup of messenger_c.

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
  /** The emoji's id, a string because it may exceed 2^53; only in `CustomEmoji`. */
  emoji_id?: string;
  /** Seconds since 1970, UTC; only in `FormattedDate`. */
  unix?: number;
  /** The format of the date, as bits; only in `FormattedDate`. */
  date_flags?: number;
}

/** A part of the text that parses, but probably not as intended. */
export interface Finding {
  kind:
    | "link_dropped" | "literal_entity" | "word_underscore" | "code_nested" | "many_entities" | "double_star" | "not_parsed";
  /** First UTF-8 byte. */
  start: number;
  /** The byte after it. */
  end: number;
  /** First index into the JavaScript string. */
  start16: number;
  /** The index after it. */
  end16: number;
}

/** The result for a text that parses. */
export interface ParsedMarkup {
  error?: undefined;
  /** The text without its markup. */
  text: string;
  /** The formatted ranges of that text. */
  entities: Entity[];
  /**
   * The text as the recipient receives it: trimmed, and without overlapping entities. The limits of 4,096 and 1,024 characters apply to `length`,
   * which counts code points; `utf16` counts UTF-16 code units, `graphemes` grapheme clusters.
   */
  sent: { text: string; entities: Entity[]; length: number; utf16: number; graphemes: number };
  /** Parts of the text that parse, but probably not as intended. */
  findings: Finding[];
}

/** The result for a text with a syntax error. */
export interface MarkupFailure {
  /** Reason and position. */
  error: {
    /** A stable code. */
    kind: string;
    /** One sentence; it may quote the text. */
    message: string;
    /** UTF-8 byte of the error. */
    offset: number;
    /** Index of the error in the JavaScript string. */
    utf16Offset: number;
    /** An edit that fixes it, in UTF-8 bytes. */
    fix?: { start: number; end: number; insert: string };
  };
}

/** Parses a messenger_c text. For a text with a syntax error, the result has `error`; nothing is thrown. */
export function parseMarkup(text: string, mode: ParseMode): ParsedMarkup | MarkupFailure;
/** Escapes a text so that it is shown unchanged. @throws RangeError for an unknown mode. */
export function escapeMarkup(text: string, mode: ParseMode): string;
