//! What a text costs before it is sent.

use serde::Serialize;

use super::segments::{MAX_PARTS, SegmentError};
use super::{Encoding, Price, count};

/// The price of a text: parts times the price of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Estimate {
    /// The alphabet of the text.
    pub encoding: Encoding,
    /// Parts, which is what is billed (service.md, "Limits", "SMS length").
    pub count: u32,
    /// Septets or UTF-16 code units of the text.
    pub units: u32,
    /// Units that still fit the last part at the same price.
    pub remaining: u32,
    /// The price of one part, as given.
    pub price_per_part: Price,
    /// The price of all parts, with as many decimals.
    pub total: Price,
}

/// The price of a text, cut between code points with an 8-bit reference.
///
/// ```
/// use cpaas::text::estimate;
/// let estimate = estimate(&"я".repeat(71), "0.0075".parse()?)?;
/// assert_eq!(estimate.total.to_string(), "0.0150");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SegmentError::TooManyParts`]: such a text cannot be sent, so it has no price.
pub fn estimate(text: &str, price_per_part: Price) -> Result<Estimate, SegmentError> {
    let count = count(text);
    if count.count > MAX_PARTS {
        return Err(SegmentError::TooManyParts { parts: count.count });
    }
    Ok(Estimate {
        encoding: count.encoding,
        count: count.count,
        units: count.units,
        remaining: count.remaining,
        price_per_part,
        total: price_per_part.times(count.count),
    })
}
