// Generated from `core/src/provider_codes.rs`: `cargo run -p codegen` rewrites it.
/** A code of the provider, in words. */
export interface ProviderCode {
  /** The family of the operation; `otp.verify` for a code that means something else there; or `report` for the error codes of delivery reports. */
  readonly family: "otp" | "otp.verify" | "sms" | "lookup" | "messaging" | "messenger_b" | "messenger_c" | "report";
  readonly code: number;
  readonly meaning: string;
  /** What to do. */
  readonly advice: string;
  /** The specification, or the assumption of the sandbox. */
  readonly source: string;
}
/** The provider's codes in words, by family and code. */
export declare const providerCodes: readonly ProviderCode[];
/** Returns the row of a code, or `undefined` for an unknown one. */
export declare function providerCode(family: string, code: number): ProviderCode | undefined;
