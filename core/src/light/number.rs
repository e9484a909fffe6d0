//! Numbers, kept as JSON has them.

use crate::digits::Digits as _;
use std::fmt;

use serde::ser::{Serialize, Serializer};

/// A JSON number.
#[derive(Clone, Debug, PartialEq)]
pub struct Number(Kept);

#[derive(Clone, Debug, PartialEq)]
enum Kept {
    Whole(i64),
    /// Above the range of the other.
    Large(u64),
    Float(f64, String),
}

impl Number {
    pub(super) const fn float(value: f64, text: String) -> Self {
        Self(Kept::Float(value, text))
    }

    /// Whether it has a fraction or an exponent, or is too large for 64 bits.
    #[must_use]
    pub const fn is_f64(&self) -> bool {
        matches!(self.0, Kept::Float(..))
    }

    /// Whether it is whole and fits.
    #[must_use]
    pub const fn is_i64(&self) -> bool {
        matches!(self.0, Kept::Whole(_))
    }

    /// The value, where it is whole and fits.
    #[must_use]
    pub const fn as_i64(&self) -> Option<i64> {
        match self.0 {
            Kept::Whole(value) => Some(value),
            _ => None,
        }
    }

    /// The value, where it is whole, fits and is not negative.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        match self.0 {
            Kept::Whole(value) => u64::try_from(value).ok(),
            Kept::Large(value) => Some(value),
            Kept::Float(..) => None,
        }
    }

    /// The value.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "what a double is")]
    pub const fn as_f64(&self) -> Option<f64> {
        Some(match self.0 {
            Kept::Whole(value) => value as f64,
            Kept::Large(value) => value as f64,
            Kept::Float(value, _) => value,
        })
    }

    /// The digits, as they are written.
    pub(crate) fn text(&self) -> String {
        match &self.0 {
            Kept::Whole(value) => value.digits(),
            Kept::Large(value) => value.digits(),
            Kept::Float(_, text) => text.clone(),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(super::writer::RAW, &self.text())
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self(Kept::Whole(value))
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Self {
        Self(i64::try_from(value).map_or(Kept::Large(value), Kept::Whole))
    }
}

impl From<i32> for Number {
    fn from(value: i32) -> Self {
        i64::from(value).into()
    }
}

impl From<u32> for Number {
    fn from(value: u32) -> Self {
        i64::from(value).into()
    }
}

impl From<usize> for Number {
    fn from(value: usize) -> Self {
        u64::try_from(value).unwrap_or(u64::MAX).into()
    }
}
