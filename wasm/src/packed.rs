//! Counts as one number each: a struct across the boundary would cost more than the count.

use cpaas::text::{self, Count, Encoding};

/// Counts one text.
#[must_use]
pub fn one(text: &str) -> f64 {
    pack(text::count(text))
}

/// 1 bit of encoding, 8 of remaining room, 19 of parts, 25 of units: exact in a double.
#[expect(clippy::cast_precision_loss, reason = "53 bits")]
#[must_use]
pub fn pack(count: Count) -> f64 {
    let ucs2 = u64::from(count.encoding == Encoding::Ucs2);
    let packed = ucs2
        | (u64::from(count.remaining.min(0xFF)) << 1)
        | (u64::from(count.count.min(0x7_FFFF)) << 9)
        | (u64::from(count.units.min(0x1FF_FFFF)) << 28);
    packed as f64
}

/// As [`pack`] for a text of at most 2,048 units, in 32 bits: 1 of encoding, 8 of remaining room, 6 of parts, 13 of units.
#[must_use]
pub fn short(count: Count) -> u32 {
    let ucs2 = u32::from(count.encoding == Encoding::Ucs2);
    ucs2 | (count.remaining & 0xFF) << 1 | (count.count & 0x3F) << 9 | (count.units & 0x1FFF) << 15
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_where_the_wrapper_reads_them() {
        let packed = one(&"я".repeat(71)) as u64;
        assert_eq!((packed & 1, packed >> 1 & 0xFF, packed >> 9 & 0x7_FFFF, packed >> 28), (1, 63, 2, 71));
    }

    #[test]
    fn the_longest_short_text_fits() {
        let packed = short(text::count(&"€".repeat(2048)));
        assert_eq!((packed & 1, packed >> 1 & 0xFF, packed >> 9 & 0x3F, packed >> 15), (0, 9, 27, 4096));
        let packed = short(text::count(&"я".repeat(2048)));
        assert_eq!((packed & 1, packed >> 1 & 0xFF, packed >> 9 & 0x3F, packed >> 15), (1, 29, 31, 2048));
    }
}
