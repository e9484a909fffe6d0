/** Regions and kinds of numbers. This entry has its own module with the numbering plans, which the main entry does not load. */

/** The kind of a range of numbers. */
export type NumberType =
  | "fixedLine"
  | "mobile"
  | "fixedLineOrMobile"
  | "tollFree"
  | "premiumRate"
  | "sharedCost"
  | "voip"
  | "personal"
  | "pager"
  | "universalAccess"
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

/** Checks a number with its country code against the numbering plans. A text that is not a number is neither possible nor valid. */
export function checkNumber(number: string): NumberCheck;
