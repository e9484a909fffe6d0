//! Callback tokens (section Authentication, "Callbacks"): `v1.<kid>.<head>.<tag>`, 78 characters with a key id of two.
//!
//! - Alphabet: `A-Z a-z 0-9 _ . -` only, so that a token needs no escaping in a URL and contains no delimiter of a template.
//! - `head`: canonical base64url without padding of 21 bytes: purpose (1 byte), issued and expires (Unix seconds, 4 bytes
//!   each, big-endian; expires 0 = never), nonce (12 bytes).
//! - `tag`: canonical base64url of HMAC-SHA256 over the parts "cpaas-cb-v1", kid, head, audience and reference, each
//!   preceded by its length in 4 bytes, big-endian.
//! - nonce: 5 random bytes, then 7 bytes of short keyed hashes ("marks") of the audience, the reference and the head before the
//!   marks. The marks serve only to log why a tag is invalid, see [`RejectionReason`]. A nonce of 12 random bytes, from another
//!   implementation, is valid too.
//!
//! A token can be used several times, because reports repeat; see [`Duplicates`](super::Duplicates).

mod claims;
mod format;
mod mac;
mod mint_token;
mod verify_token;

use crate::util::token_lifetime;

pub use claims::{Claims, Nonce, Purpose, RejectionReason};
pub(super) use format::is_token_byte;
pub(crate) use mac::RANDOM_BYTES;
pub(crate) use mint_token::random;
pub use mint_token::{Lifetime, MintError};
pub(super) use verify_token::claimed_purpose;

/// The shortest lifetime of a token, in seconds.
pub const MIN_LIFETIME: u32 = token_lifetime::MIN;
/// The longest lifetime of a token that expires, in seconds: 61 days.
pub const MAX_LIFETIME: u32 = token_lifetime::MAX;
/// The lifetime of a delivery-report token unless another is given, in seconds: 72 hours.
pub const DEFAULT_LIFETIME: u32 = 72 * 3600;
/// The maximum number of seconds that `issued` may be ahead of the clock of the verifier.
pub const CLOCK_LEEWAY: u64 = 30;
