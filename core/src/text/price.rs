//! Money without loss: a decimal number as it was written.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Digits a price may have: its product with any number of parts then fits 128 bits.
const MAX_DIGITS: usize = 28;

/// An amount of money as an exact decimal number, in whatever currency the caller counts.
///
/// Written and read as a string (`"0.0075"`; JSON: a string too), because a binary floating-point number has no 0.0075.
/// Digits with at most one point and a digit before and after it, at most 28 digits; no sign, exponent or separator. The
/// number of decimals is kept: 4 times `0.0075` is `0.0300`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Price {
    /// The amount in units of the last decimal.
    digits: u128,
    decimals: usize,
}

/// A text that is no [`Price`]. It quotes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PriceError;

impl fmt::Display for PriceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PriceError::MESSAGE)
    }
}

impl PriceError {
    pub(super) const MESSAGE: &str =
        "a price is a decimal number of at most 28 digits, such as 0.0075, without a sign or an exponent";
}

impl std::error::Error for PriceError {}

impl Price {
    /// The price of so many parts; no digit is lost.
    #[must_use]
    pub const fn times(self, parts: u32) -> Self {
        Self { digits: self.digits.saturating_mul(parts as u128), decimals: self.decimals }
    }
}

impl FromStr for Price {
    type Err = PriceError;

    fn from_str(text: &str) -> Result<Self, PriceError> {
        let (whole, fraction) = match text.split_once('.') {
            Some((_, "")) => return Err(PriceError),
            Some(halves) => halves,
            None => (text, ""),
        };
        if whole.is_empty() || whole.len() + fraction.len() > MAX_DIGITS {
            return Err(PriceError);
        }
        let mut digits = 0u128;
        for byte in whole.bytes().chain(fraction.bytes()) {
            if !byte.is_ascii_digit() {
                return Err(PriceError);
            }
            digits = digits * 10 + u128::from(byte - b'0');
        }
        Ok(Self { digits, decimals: fraction.len() })
    }
}

impl Price {
    fn text(self) -> String {
        let mut digits = written(self.digits);
        // At least one digit stands before the point.
        let zeros = (self.decimals + 1).saturating_sub(digits.len());
        digits.insert_str(0, &"0".repeat(zeros));
        if self.decimals > 0 {
            digits.insert(digits.len() - self.decimals, '.');
        }
        digits
    }
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// The digits of a number; by hand, since the standard library's way for 128 bits weighs more in the browser
/// than all other prices do.
fn written(number: u128) -> String {
    let mut limbs = [96, 64, 32, 0].map(|shift| (number >> shift) as u32);
    let mut digits = Vec::new();
    while digits.is_empty() || limbs != [0; 4] {
        let mut rest = 0;
        for limb in &mut limbs {
            let value = rest << 32 | u64::from(*limb);
            *limb = (value / 10) as u32;
            rest = value % 10;
        }
        digits.push(char::from(b'0' + rest as u8));
    }
    digits.into_iter().rev().collect()
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
