/** Regions and kinds of numbers. This entry has its own module with the numbering plans, which the main entry does not load. */

/** The kind of a range of numbers. */
export type NumberType =
  | "fixed_line"
  | "mobile"
  | "fixed_line_or_mobile"
  | "toll_free"
  | "premium_rate"
  | "shared_cost"
  | "voip"
  | "personal"
  | "pager"
  | "universal_access"
  | "voicemail"
  | "unknown";

export interface NumberCheck {
  /** Whether the number is in an assigned range. Only a lookup reports whether it has a subscriber. */
  valid: boolean;
  /** Whether the number has a length that its country uses. */
  possible: boolean;
  /** ISO 3166-1 alpha-2 code of the country; `null` for a number without a country, such as +800. */
  region: string | null;
  type: NumberType;
}

/**
 * Loads the numbering plans once. Then `normalizeNumber(number, region)`, the options `normalize`, `allowCountries` and `allowTypes` of
 * `validate`, and {@link checkNumber} work. `source` is as for `init` of the main entry.
 */
export function loadPhone(source?: BufferSource | WebAssembly.Module | Response | Request | URL | string | Promise<Response>): Promise<void>;

/**
 * Checks a number against the numbering plans. With a region (ISO 3166-1 alpha-2, such as `GR`), it may be written as it is dialed there;
 * an unknown region is a RangeError. A text that is not a number is neither possible nor valid.
 */
export function checkNumber(number: string, region?: string | null): NumberCheck;
