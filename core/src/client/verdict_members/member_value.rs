//! The value of a member that may decide: a number, a boolean or a string.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::IdMember;
use crate::response::response_reader::MAX_EXACT;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum MemberValue<'de> {
    Integer(i64),
    Number(f64),
    Boolean(bool),
    Text(Cow<'de, str>),
    Null,
    Other,
}

impl MemberValue<'_> {
    pub(super) fn owned(self) -> MemberValue<'static> {
        match self {
            Self::Integer(value) => MemberValue::Integer(value),
            Self::Number(value) => MemberValue::Number(value),
            Self::Boolean(value) => MemberValue::Boolean(value),
            Self::Text(text) => MemberValue::Text(Cow::Owned(text.into_owned())),
            Self::Null => MemberValue::Null,
            Self::Other => MemberValue::Other,
        }
    }

    pub(super) fn integer(&self) -> Option<i64> {
        match self {
            Self::Integer(value) => Some(*value),
            Self::Text(text) => decimal(text),
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

    /// The value as an id; an id may be a number.
    pub(super) fn id(self) -> IdMember {
        match self {
            Self::Null => IdMember::Null,
            Self::Text(text) if !text.is_empty() => IdMember::Is(text.into_owned()),
            Self::Integer(value) => IdMember::Is(value.to_string()),
            Self::Number(value) if value.abs() < MAX_EXACT => IdMember::Is(value.to_string()),
            _ => IdMember::Unreadable,
        }
    }
}

/// A number as the provider would write it: without a plus sign and without leading zeros.
fn decimal(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_canonical =
        digits == "0" || digits.starts_with(|first: char| first.is_ascii_digit() && first != '0');
    if is_canonical { text.parse().ok() } else { None }
}

impl<'de> serde::Deserialize<'de> for MemberValue<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = MemberValue<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(MemberValue::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(i64::try_from(value)
            .map_or_else(|_| MemberValue::Text(Cow::Owned(value.to_string())), MemberValue::Integer))
    }

    #[expect(clippy::cast_possible_truncation, reason = "an integer below 1e9")]
    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        let whole = value.fract() == 0.0 && value.abs() < 1e9;
        Ok(if whole { MemberValue::Integer(value as i64) } else { MemberValue::Number(value) })
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(MemberValue::Boolean(value))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(MemberValue::Null)
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        Ok(MemberValue::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(MemberValue::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(MemberValue::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(MemberValue::Other)
    }
}
