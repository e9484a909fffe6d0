//! Helpers that do not depend on the provider.

mod contains;
mod error_codes;
#[cfg(feature = "app-hash")]
pub(crate) mod hex;
mod named_enum;
mod nearest;
pub(crate) mod percent;
pub(crate) mod punycode;
pub(crate) mod repeats;
pub(crate) mod serde_message;
mod sorted;
#[cfg(feature = "callback")]
pub(crate) mod system_random;
pub(crate) mod token_lifetime;
pub(crate) mod url_parts;

pub(crate) use contains::contains;
pub(crate) use error_codes::error_codes;
pub(crate) use named_enum::named_enum;
pub(crate) use nearest::folded;
pub use nearest::nearest;
pub(crate) use sorted::sorted;
