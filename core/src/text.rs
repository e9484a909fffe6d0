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
pub mod autofill;
#[cfg(feature = "graphemes")]
mod cluster;
#[cfg(feature = "graphemes")]
mod cluster_table;
mod count_types;
mod counter;
#[cfg(feature = "national")]
mod decode_user_data;
mod division;
mod errors;
pub(crate) mod graphemes;
pub(crate) mod intent;
mod language;
mod letters;
pub mod msisdn;
#[cfg(feature = "national")]
mod national;
#[cfg_attr(not(feature = "national"), path = "text/national_division_disabled.rs")]
mod national_division;
#[cfg(feature = "national")]
pub(crate) mod national_json;
#[cfg_attr(not(feature = "national"), path = "text/national_options_disabled.rs")]
mod national_options;
mod national_savings;
#[cfg(feature = "national")]
mod national_tables;
mod part_limits;
mod price;
mod price_table;
mod replacement;
pub(crate) mod scalar_counter;
mod segment_options;
mod segments;
pub mod sender;
#[cfg(feature = "national")]
mod septet_packing;
#[cfg(not(target_arch = "wasm32"))]
mod simd;
#[cfg(feature = "national")]
mod template_segments;
pub(crate) mod text_json;
#[cfg(feature = "national")]
mod transliterate;
#[cfg(feature = "national")]
mod transliteration_table;
#[cfg(feature = "national")]
mod user_data;
#[cfg(feature = "national")]
mod user_data_header;

pub use annotate::{Annotated, Cause, annotate, causes};
pub use count_types::{Count, Encoding};
pub use counter::{count, count_batch, count_with};
pub use division::Part;
pub use errors::{MAX_PARTS, OptionsError, SegmentError};
pub use intent::{Certainty, Intent, IntentKind, intent};
pub use language::{Language, Languages};
pub use national_options::annotate_with;
pub use price::{Estimate, Price, PriceError, estimate, estimate_with};
pub use price_table::{
    CurrencyShare, EstimateError, EstimateTo, PrefixPrice, PrefixShare, PriceTable, PriceTableError,
    estimate_to, estimate_to_with,
};
pub use replacement::{replaced, replacement};
pub use segment_options::{ReferenceBits, SegmentOptions, Split};
pub use segments::{Segments, segments, segments_into};

#[cfg(feature = "national")]
pub use {
    decode_user_data::decode,
    errors::DecodeError,
    template_segments::{
        FieldValues, RangeReason, TemplateError, TemplateSegments, template_segments,
        template_segments_of_rows,
    },
    transliterate::{Replacement, Transliterate, Transliteration, transliterate},
    user_data::{EncodeOptions, Encoded, EncodedPart, encode},
    user_data_header::Ports,
};

/// Septets of a character in the GSM 7-bit default alphabet (TS 23.038 section 6.2.1): 1 in the basic table, 2 in the
/// extension table (an escape and a septet), `None` if the character is in neither table and forces UCS-2.
#[must_use]
pub fn septets(character: char) -> Option<u8> {
    match alphabet::septets(character) {
        0 => None,
        cost => Some(cost),
    }
}
