//! A value that may decide: a number, a boolean or a string.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::Name;

/// Larger numbers are not kept exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Scalar<'de> {
    Integer(i64),
    Number(f64),
    Boolean(bool),
    Text(Cow<'de, str>),
    Null,
    Other,
}

impl Scalar<'_> {
    pub(super) fn owned(self) -> Scalar<'static> {
        match self {
            Self::Integer(value) => Scalar::Integer(value),
            Self::Number(value) => Scalar::Number(value),
            Self::Boolean(value) => Scalar::Boolean(value),
            Self::Text(text) => Scalar::Text(Cow::Owned(text.into_owned())),
            Self::Null => Scalar::Null,
            Self::Other => Scalar::Other,
        }
    }

    pub(super) fn integer(&self) -> Option<i64> {
        match self {
            Self::Integer(value) => Some(*value),
            Self::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    pub(super) fn boolean(&self) -> Option<bool> {
        match self {
            Self::Boolean(value) => Some(*value),
            Self::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    pub(super) fn string(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.into_owned()),
            _ => None,
        }
    }

    /// An id may be written as a number.
    pub(super) fn name(self) -> Name {
        match self {
            Self::Null => Name::Null,
            Self::Text(text) if !text.is_empty() => Name::Is(text.into_owned()),
            Self::Integer(value) => Name::Is(value.to_string()),
            Self::Number(value) if value.abs() < EXACT => Name::Is(value.to_string()),
            _ => Name::Unreadable,
        }
    }
}

impl<'de> serde::Deserialize<'de> for Scalar<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Scalar<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Scalar::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(i64::try_from(value).map_or_else(|_| Scalar::Text(Cow::Owned(value.to_string())), Scalar::Integer))
    }

    #[expect(clippy::cast_possible_truncation, reason = "whole and small")]
    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        let whole = value.fract() == 0.0 && value.abs() < 1e9;
        Ok(if whole { Scalar::Integer(value as i64) } else { Scalar::Number(value) })
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Scalar::Boolean(value))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Scalar::Null)
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        Ok(Scalar::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Scalar::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Scalar::Other)
    }
}
