// Generated from the enums and tables that `codegen/src/typescript/closed_names.rs` lists: `cargo run -p codegen` rewrites it.
/** The outcome of a call that was not accepted. */
export const OUTCOMES = /* @__PURE__ */ Object.freeze(["invalid", "rejected", "not_sent", "unknown", "accepted_id_unknown"]);

/** Whether a request reached the provider, or took effect there. */
export const SENT_STATES = /* @__PURE__ */ Object.freeze(["no", "maybe", "yes"]);

/** The cause of an error of a call. "other" stands for a reason that a newer version stored. */
export const REASONS = /* @__PURE__ */ Object.freeze(["validation", "config", "dns", "connect", "tls", "proxy", "timeout", "deadline", "reset", "http", "decode", "cancelled", "mismatch", "too_large", "runtime", "resources", "not_verified", "other"]);

/** The outcome of an element of a bulk call. */
export const ELEMENT_OUTCOMES = /* @__PURE__ */ Object.freeze(["accepted", "rejected", "missing"]);

/** Why a callback is rejected, for the log only. */
export const REJECTION_REASONS = /* @__PURE__ */ Object.freeze(["absent", "malformed", "unknown_key", "altered", "expired", "not_yet_valid", "other_purpose", "other_audience", "other_reference", "method", "endpoint", "body"]);
