//! SMS text: encoding, parts, price, replacements, senders and numbers.
//!
//! Everything here is pure computation: no I/O, no allocation where only a count is asked for, the same answer on every
//! platform. The numbers are those of service.md, "Limits" ("SMS length" and "SMS sender"), which are the numbers of
//! 3GPP TS 23.038 (alphabets) and TS 23.040 (concatenation).
//!
//! | Alphabet | one part | each of several parts | with a 16-bit reference |
//! |---|---|---|---|
//! | GSM 7-bit default alphabet and its extension table | 160 septets | 153 | 152 |
//! | UCS-2, sent as UTF-16 | 70 units | 67 | 66 |
//!
//! An escape pair (extension character) and a surrogate pair never straddle two parts. All functions are thread-safe
//! and hold no state; the widest instruction set of the machine is chosen once, at run time.

mod alphabet;
mod annotate;
#[cfg(feature = "graphemes")]
pub(crate) mod clusters;
mod count;
mod cut;
mod estimate;
mod graphemes;
mod json;
mod letters;
mod limits;
pub mod msisdn;
mod options;
mod price;
mod replacement;
pub mod scalar;
mod segments;
pub mod sender;
#[cfg(not(target_arch = "wasm32"))]
mod simd;

pub use annotate::{Annotated, Cause, annotate, causes};
pub use count::{Count, Encoding, count, count_batch};
pub use estimate::{Estimate, estimate};
pub use json::{TextError, annotate_json, estimate_json, segments_json, sender_json};
pub use options::{OptionsError, ReferenceBits, SegmentOptions, Split};
pub use price::{Price, PriceError};
pub use replacement::{replaced, replacement};
pub use segments::{MAX_PARTS, Part, SegmentError, Segments, segments, segments_into};

/// Septets of a character in the GSM 7-bit default alphabet (TS 23.038 section 6.2.1): 1 in the basic table, 2 in the
/// extension table (an escape and a septet), `None` where the character is in neither and so forces UCS-2.
#[must_use]
pub fn septets(character: char) -> Option<u8> {
    match alphabet::septets(character) {
        0 => None,
        cost => Some(cost),
    }
}
