//! Money without loss: a decimal number as it was written.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Digits a price may have.
const MAX_DIGITS: usize = 28;
/// Digits there is room for: the product with any number of parts has at most 38.
const DIGITS: usize = 40;

/// An amount of money as an exact decimal number, in whatever currency the caller counts.
///
/// Written and read as a string (`"0.0075"`; JSON: a string too), because a binary floating-point number has no 0.0075.
/// Digits with at most one point and a digit before and after it, at most 28 digits; no sign, exponent or separator. The
/// number of decimals is kept: 4 times `0.0075` is `0.0300`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Price {
    /// The amount in units of the last decimal, that digit first.
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
    /// The price of so many parts; no digit is lost.
    #[must_use]
    pub fn times(mut self, parts: u32) -> Self {
        let mut carry = 0;
        for digit in &mut self.digits {
            let product = u64::from(*digit) * u64::from(parts) + carry;
            *digit = (product % 10) as u8;
            carry = product / 10;
        }
        // Of a product's product; it cannot be written.
        if carry > 0 {
            self.digits = [9; DIGITS];
        }
        self
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
        // At least one digit stands before the point.
        let count = self
            .digits
            .iter()
            .rposition(|digit| *digit > 0)
            .map_or(0, |last| last + 1)
            .max(self.decimals + 1);
        let mut text = String::new();
        for (place, digit) in self.digits.iter().enumerate().take(count).rev() {
            text.push(char::from(b'0' + digit));
            if place > 0 && place == self.decimals {
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
