//! Prices as exact decimal numbers, and the price of a text.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::division::Division;
use super::errors::{MAX_PARTS, SegmentError};
use super::segments::divide;
use super::{Encoding, Language, SegmentOptions, count};

/// The maximum number of digits of a parsed price.
const MAX_DIGITS: usize = 28;
/// The number of digits that are stored. The product of a parsed price and a `u32` has at most 38.
const DIGITS: usize = 40;

/// An amount of money as an exact decimal number, in any currency.
///
/// Its text form, also in JSON, is a string (`"0.0075"`), because binary floating point cannot represent 0.0075: at most 28
/// digits, with at most one point between two of them, without a sign, an exponent or separators. The number of decimals is
/// kept: 4 times `0.0075` is `0.0300`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Price {
    /// The digits, the last decimal first.
    digits: [u8; DIGITS],
    decimals: usize,
}

/// The text is not a [`Price`]. The message does not quote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a price must be a decimal number of at most {MAX_DIGITS} digits, such as 0.0075, without a sign or an exponent"
)]
pub struct PriceError;

impl Price {
    /// Zero.
    pub const ZERO: Self = Self { digits: [0; DIGITS], decimals: 0 };

    /// The exact price of `parts` parts.
    #[must_use]
    pub fn times(self, parts: u32) -> Self {
        self.times_many(parts.into())
    }

    /// The exact price of up to 2 to the power of 60 parts.
    pub(super) fn times_many(mut self, parts: u64) -> Self {
        let (parts, mut carry) = (parts.min(1 << 60), 0);
        for digit in &mut self.digits {
            let product = u64::from(*digit) * parts + carry;
            *digit = (product % 10) as u8;
            carry = product / 10;
        }
        // A product of more than 40 digits saturates.
        if carry > 0 {
            self.digits = [9; DIGITS];
        }
        self
    }

    /// The exact sum, with as many decimals as the price that has more.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let decimals = self.decimals.max(other.decimals);
        let (mut sum, other) = (self.with_decimals(decimals), other.with_decimals(decimals));
        let mut carry = 0;
        for (digit, added) in sum.digits.iter_mut().zip(other.digits) {
            let both = *digit + added + carry;
            (*digit, carry) = (both % 10, both / 10);
        }
        if carry > 0 {
            sum.digits = [9; DIGITS];
        }
        sum
    }

    fn with_decimals(mut self, decimals: usize) -> Self {
        let more = decimals - self.decimals.min(decimals);
        let decimals = self.decimals.max(decimals);
        if self.digits.iter().rev().take(more).any(|digit| *digit > 0) {
            return Self { digits: [9; DIGITS], decimals }; // A number of more than 40 digits saturates.
        }
        self.digits.rotate_right(more.min(DIGITS));
        Self { digits: self.digits, decimals }
    }

    /// The price in units of 10 to the power of `-decimals`; `None` if the number of units is not an integer below 2 to the
    /// power of 63.
    #[must_use]
    pub fn scaled(self, decimals: usize) -> Option<i64> {
        let mut scaled: i64 = 0;
        let places = 0..DIGITS.max(decimals);
        for place in places.rev() {
            // The digit at 10 to the power of `place - decimals`.
            let index = (place + self.decimals).checked_sub(decimals);
            let digit = index.and_then(|index| self.digits.get(index)).copied().unwrap_or(0);
            scaled = scaled.checked_mul(10)?.checked_add(digit.into())?;
        }
        let rest = self.decimals.saturating_sub(decimals);
        self.digits.iter().take(rest).all(|digit| *digit == 0).then_some(scaled)
    }
}

impl FromStr for Price {
    type Err = PriceError;

    fn from_str(text: &str) -> Result<Self, PriceError> {
        let (whole, fraction) = match text.split_once('.') {
            Some((_, "")) => return Err(PriceError),
            Some(sides) => sides,
            None => (text, ""),
        };
        if whole.is_empty() || whole.len() + fraction.len() > MAX_DIGITS {
            return Err(PriceError);
        }
        let mut digits = [0; DIGITS];
        for (digit, byte) in digits.iter_mut().zip(fraction.bytes().rev().chain(whole.bytes().rev())) {
            if !byte.is_ascii_digit() {
                return Err(PriceError);
            }
            *digit = byte - b'0';
        }
        Ok(Self { digits, decimals: fraction.len() })
    }
}

impl Price {
    fn text(self) -> String {
        // There is at least one digit before the point.
        let count = self
            .digits
            .iter()
            .rposition(|digit| *digit > 0)
            .map_or(0, |last| last + 1)
            .max(self.decimals + 1);
        let mut text = String::new();
        for (index, digit) in self.digits.iter().enumerate().take(count).rev() {
            text.push(char::from(b'0' + digit));
            if index > 0 && index == self.decimals {
                text.push('.');
            }
        }
        text
    }
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl Serialize for Price {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

impl<'de> Deserialize<'de> for Price {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The price of a text: the number of parts times the price of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Estimate {
    /// The alphabet of the text.
    pub encoding: Encoding,
    /// The number of parts, which is what is billed (specification: Limits, "SMS length").
    pub count: u32,
    /// Septets or UTF-16 code units of the text.
    pub units: u32,
    /// Units that still fit into the last part at the same price.
    pub remaining: u32,
    /// The price of one part.
    pub price_per_part: Price,
    /// The price of all parts, with the same number of decimals.
    pub total: Price,
    /// The language of the locking shift table of all parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locking_shift: Option<Language>,
    /// The language of the single shift table of all parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub single_shift: Option<Language>,
}

/// Returns the price of a text that is divided between code points with an 8-bit reference.
///
/// ```
/// use cpaas::text::estimate;
/// let estimate = estimate(&"я".repeat(71), "0.0075".parse()?)?;
/// assert_eq!(estimate.total.to_string(), "0.0150");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SegmentError::TooManyParts`]: the text cannot be sent.
pub fn estimate(text: &str, price_per_part: Price) -> Result<Estimate, SegmentError> {
    let count = count(text);
    if count.count > MAX_PARTS {
        return Err(SegmentError::TooManyParts { parts: count.count });
    }
    Ok(price_of(&Division::without_languages(count), price_per_part))
}

/// Returns the price of a text that is divided with these options.
///
/// # Errors
/// As [`segments`](super::segments).
pub fn estimate_with(
    text: &str,
    price_per_part: Price,
    options: &SegmentOptions,
) -> Result<Estimate, SegmentError> {
    let division = divide(text, options, 0, &mut |_, _| {})?;
    Ok(price_of(&division, price_per_part))
}

fn price_of(division: &Division, price_per_part: Price) -> Estimate {
    let (count, (locking_shift, single_shift)) = (division.count, division.languages);
    Estimate {
        encoding: count.encoding,
        count: count.count,
        units: count.units,
        remaining: count.remaining,
        price_per_part,
        total: price_per_part.times(count.count),
        locking_shift,
        single_shift,
    }
}
