// Generated from the enums and tables that `codegen/src/typescript/closed_names.rs` lists: `cargo run -p codegen` rewrites it.
/** The outcome of a call that was not accepted. */
export type Outcome = "invalid" | "rejected" | "not_sent" | "unknown" | "accepted_id_unknown";
export declare const OUTCOMES: readonly Outcome[];

/** Whether a request reached the provider, or took effect there. */
export type SentState = "no" | "maybe" | "yes";
export declare const SENT_STATES: readonly SentState[];

/** The cause of an error of a call. "other" stands for a reason that a newer version stored. */
export type Reason = "validation" | "config" | "dns" | "connect" | "tls" | "proxy" | "timeout" | "deadline" | "reset" | "http" | "decode" | "cancelled" | "mismatch" | "too_large" | "runtime" | "resources" | "not_verified" | "other";
export declare const REASONS: readonly Reason[];

/** The outcome of an element of a bulk call. */
export type ElementOutcome = "accepted" | "rejected" | "missing";
export declare const ELEMENT_OUTCOMES: readonly ElementOutcome[];

/** Why a callback is rejected, for the log only. */
export type RejectionReason = "absent" | "malformed" | "unknown_key" | "altered" | "expired" | "not_yet_valid" | "other_purpose" | "other_audience" | "other_reference" | "method" | "endpoint" | "body";
export declare const REJECTION_REASONS: readonly RejectionReason[];
