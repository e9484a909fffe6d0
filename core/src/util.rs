//! Helpers that know nothing of the provider.

mod nearest;
pub(crate) mod percent;
pub(crate) mod repeats;

pub(crate) use nearest::nearest;
