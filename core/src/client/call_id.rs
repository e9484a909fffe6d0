//! The id of a call.

use super::known_ids::KnownIds;
use crate::clock::Clock;

/// A new id: 128 random bits as 32 lower-case hexadecimal digits, which is also a valid trace id of W3C Trace Context (never all
/// zeros). If the clock has no random bytes, or only zeros, the id is a keyed hash of a counter.
pub(crate) fn new(clock: &dyn Clock, known_ids: &KnownIds) -> String {
    let mut random = [0; 16];
    let id = match clock.fill_random(&mut random) {
        Ok(()) if random != [0; 16] => u128::from_ne_bytes(random),
        _ => known_ids.next_hash(),
    };
    format!("{id:032x}")
}
