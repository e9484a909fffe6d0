//! Callback tokens (section Authentication, "Callbacks"): `v1.<kid>.<head>.<tag>`, 78 characters with a key id of two.
//!
//! - Alphabet: `A-Z a-z 0-9 _ . -` only, so that a token survives a template with any of the three delimiters and needs no
//!   escaping in a URL.
//! - `head`: canonical base64url without padding of 21 bytes: purpose (1 byte), issued and expires (Unix seconds, 4 bytes
//!   each, big-endian; expires 0 = never), nonce (12 bytes).
//! - `tag`: canonical base64url of HMAC-SHA256 over the parts "cpaas-cb-v1", kid, head, audience and reference, each
//!   preceded by its length in 4 bytes, big-endian.
//! - Of the nonce 5 bytes are random and 7 are keyed marks of the audience, the reference and the head itself, see
//!   [`Refusal`]. A nonce of 12 random bytes, made elsewhere, verifies just as well.
//!
//! A token is not one-shot, since reports repeat; see [`Duplicates`](super::Duplicates).

mod claims;
mod format;
mod mac;
mod mint;
mod verify;

pub use claims::{Claims, Nonce, Purpose, Refusal};
pub(super) use format::is_token_byte;
pub(super) use mac::marks_key;
pub use mint::{Lifetime, MintError};
pub(super) use verify::claimed_purpose;

/// The shortest lifetime of a token, in seconds.
pub const MIN_LIFETIME: u32 = 60;
/// The longest lifetime of a token that expires, in seconds: 61 days.
pub const MAX_LIFETIME: u32 = 61 * 24 * 3600;
/// The lifetime of a delivery-report token unless another is given, in seconds: 72 hours.
pub const DEFAULT_LIFETIME: u32 = 72 * 3600;
/// How far, in seconds, `issued` may lie ahead of the verifier's clock.
pub const CLOCK_LEEWAY: u64 = 30;
