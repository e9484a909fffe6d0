//! SMS text: encoding, parts, price, replacements, senders and numbers.
//!
//! All functions are pure: no I/O, no allocation for a count, the same result on every platform. The limits are those of the
//! specification ("Limits", SMS length and SMS sender), which follow 3GPP TS 23.038 (alphabets) and TS 23.040 (concatenation).
//!
//! | Alphabet | single part | each of several parts | with a 16-bit reference |
//! |---|---|---|---|
//! | GSM 7-bit default alphabet and its extension table | 160 septets | 153 | 152 |
//! | UCS-2, sent as UTF-16 | 70 units | 67 | 66 |
//!
//! An escape pair (extension character) and a surrogate pair are never divided between two parts. All functions are
//! thread-safe and stateless. The widest instruction set of the CPU is detected once, at run time.

mod alphabet;
mod annotate;
#[cfg(feature = "graphemes")]
mod cluster;
#[cfg(feature = "graphemes")]
mod cluster_table;
mod count;
mod cut;
pub(crate) mod graphemes;
mod letters;
pub mod msisdn;
mod price;
mod price_table;
mod replacement;
pub mod scalar;
mod segment_options;
mod segments;
pub mod sender;
#[cfg(not(target_arch = "wasm32"))]
mod simd;
mod text_json;

pub use annotate::{Annotated, Cause, annotate, causes};
pub use count::{Count, Encoding, count, count_batch};
pub use price::{Estimate, Price, PriceError, estimate};
pub use price_table::{EstimateError, EstimateTo, PrefixShare, PriceTable, PriceTableError, estimate_to};
pub use replacement::{replaced, replacement};
pub use segment_options::{OptionsError, ReferenceBits, SegmentOptions, Split};
pub use segments::{MAX_PARTS, Part, SegmentError, Segments, segments, segments_into};
pub use text_json::{TextError, annotate_json, estimate_json, estimate_to_json, segments_json, sender_json};

/// Septets of a character in the GSM 7-bit default alphabet (TS 23.038 section 6.2.1): 1 in the basic table, 2 in the
/// extension table (an escape and a septet), `None` if the character is in neither table and forces UCS-2.
#[must_use]
pub fn septets(character: char) -> Option<u8> {
    match alphabet::septets(character) {
        0 => None,
        cost => Some(cost),
    }
}
