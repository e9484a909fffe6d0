//! Counts and splits SMS texts.

use cpaas::bindings;
use cpaas::text::{Count, Encoding};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::code_and_message;

/// Counts the parts of a text given as UTF-16 code units, which costs less than encoding it as UTF-8. The result is one
/// number, see [`pack`]: an object would cost more than the count.
#[wasm_bindgen]
#[must_use]
pub fn count(units: &[u16]) -> f64 {
    pack(bindings::scalar_counter::count_utf16(units))
}

/// The parts of a text with options in JSON, or an error, see [`code_and_message`].
#[wasm_bindgen]
#[must_use]
pub fn segments(text: &str, options: Option<String>) -> String {
    bindings::segments_json(text, options.as_deref())
        .unwrap_or_else(|error| code_and_message(error.code(), error))
}

/// Packs a count into one number: 1 bit of encoding, 8 of remaining units, 19 of parts, 25 of units, from the lowest bit
/// on. 53 bits are exact in a double.
#[expect(clippy::cast_precision_loss, reason = "53 bits")]
fn pack(count: Count) -> f64 {
    let ucs2 = u64::from(count.encoding == Encoding::Ucs2);
    let packed = ucs2
        | (u64::from(count.remaining.min(0xFF)) << 1)
        | (u64::from(count.count.min(0x7_FFFF)) << 9)
        | (u64::from(count.units.min(0x1FF_FFFF)) << 28);
    packed as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_carry_code_and_message() {
        assert!(segments("a", Some("[]".to_owned())).starts_with("text."));
        assert!(segments("a", None).starts_with('{'));
    }

    #[test]
    fn packed_numbers_are_where_the_wrapper_reads_them() {
        let packed = count(&[0x44F; 71]) as u64;
        assert_eq!((packed & 1, packed >> 1 & 0xFF, packed >> 9 & 0x7_FFFF, packed >> 28), (1, 63, 2, 71));
    }
}
