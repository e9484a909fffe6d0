//! Helpers that do not depend on the provider.

#[cfg(feature = "callback")]
pub(crate) mod hex;
mod nearest;
pub(crate) mod percent;
pub(crate) mod repeats;
pub(crate) mod serde_message;
pub(crate) mod url_parts;

pub(crate) use nearest::nearest;

/// Makes a map by inserting members one by one. `collect` sorts them first, which adds 6 KB to the C library for each type.
pub(crate) fn map_of<M: Default + Extend<(K, V)>, K, V>(members: impl IntoIterator<Item = (K, V)>) -> M {
    let mut map = M::default();
    map.extend(members);
    map
}
