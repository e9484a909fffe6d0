//! Helpers that know nothing of the provider.

mod nearest;
pub(crate) mod percent;
pub(crate) mod repeats;

pub(crate) use nearest::nearest;

/// Makes a map of members, which are inserted one by one. Collecting a map sorts them first, and the sort of each type is 6 KB of
/// the C library.
pub(crate) fn map_of<M: Default + Extend<(K, V)>, K, V>(members: impl IntoIterator<Item = (K, V)>) -> M {
    let mut map = M::default();
    map.extend(members);
    map
}
