//! The id of a call.

use super::call_environment::Shared;

/// A new id: 128 random bits as 32 lower-case hexadecimal digits, which is also a valid trace id of W3C Trace Context (never all
/// zeros). If the clock has no random bytes, or only zeros, the id is a keyed hash of a counter.
pub(crate) fn new(shared: &Shared) -> String {
    let mut random = [0; 16];
    let id = match shared.clock.fill_random(&mut random) {
        Ok(()) if random != [0; 16] => u128::from_ne_bytes(random),
        _ => shared.known_ids.next_hash(),
    };
    format!("{id:032x}")
}
