//! Member types with more than one form in JSON.

use std::fmt;

use crate::value::{Number, Value};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::schema::{HasKind, Kind};

/// A map from names to strings.
pub type StringMap = std::collections::BTreeMap<String, String>;

/// A number or a string, kept unchanged, because the type is not documented.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Scalar {
    /// A JSON number.
    Number(Number),
    /// A JSON string.
    Text(String),
}

impl Scalar {
    /// The value, if it is an integer or a string that contains one.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Number(number) => number.as_i64(),
            Self::Text(text) => text.parse().ok(),
        }
    }
}

impl Default for Scalar {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

/// A string for which empty and absent have different meanings.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ExplicitString(Option<String>);

impl ExplicitString {
    /// The string; `None` if it is absent.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

/// A number written as a JSON string; a JSON number is accepted too.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct NumericText(String);

impl NumericText {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value, if the text is an integer.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.0.parse().ok()
    }
}

/// One string or several.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OneOrMany {
    /// One string.
    One(String),
    /// An array of strings.
    Many(Vec<String>),
}

impl OneOrMany {
    /// The strings, in order.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Many(many) => many,
        }
    }
}

impl Default for OneOrMany {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

/// A list that is an array in JSON, or a string that contains an array.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Listed<T> {
    /// The elements.
    Items(Vec<T>),
    /// The received value, if it is neither an array nor such a string.
    Untouched(Value),
}

impl<T> Listed<T> {
    /// The elements; empty if the list could not be read.
    #[must_use]
    pub fn items(&self) -> &[T] {
        match self {
            Self::Items(items) => items,
            Self::Untouched(_) => &[],
        }
    }
}

impl<T> Listed<T> {
    /// Whether it is a list without elements.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        matches!(self, Self::Items(items) if items.is_empty())
    }

    /// Whether the value could not be read as a list.
    #[must_use]
    pub const fn is_unreadable(&self) -> bool {
        matches!(self, Self::Untouched(_))
    }
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self::Items(Vec::new())
    }
}

impl<T> From<Vec<T>> for Listed<T> {
    fn from(items: Vec<T>) -> Self {
        Self::Items(items)
    }
}

/// Parses a string that contains a JSON array. Any other string is kept, and validation reports it.
impl<T: DeserializeOwned> From<&str> for Listed<T> {
    fn from(text: &str) -> Self {
        serde_json::from_str(text).map_or_else(|_| Self::Untouched(text.into()), Self::Items)
    }
}

/// See `From<&str>`.
impl<T: DeserializeOwned> From<String> for Listed<T> {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl<T: Serialize> Serialize for Listed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Items(items) => items.serialize(serializer),
            Self::Untouched(value) => value.serialize(serializer),
        }
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Listed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let items = match &value {
            Value::String(text) => serde_json::from_str(text).ok(),
            Value::Array(_) => Vec::deserialize(&value).ok(),
            _ => None,
        };
        Ok(items.map_or(Self::Untouched(value), Self::Items))
    }
}

impl<T: HasKind> HasKind for Listed<T> {
    const KIND: Kind = Kind::Array(&T::KIND);

    fn report_missing(&self, at: &crate::problem::Pointer<'_>, problems: &mut crate::problem::Problems) {
        match self {
            Self::Items(items) => items.report_missing(at, problems),
            Self::Untouched(_) => problems.add(&crate::problem::codes::RESPONSE_MEMBER_UNREADABLE, at),
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Listed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Items(items) => items.fmt(f),
            Self::Untouched(_) => f.write_str("…"),
        }
    }
}

struct ScalarVisitor;

impl Visitor<'_> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or a string")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Scalar, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Scalar, E> {
        Ok(Scalar::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Scalar, E> {
        Number::from_f64(value).map(Scalar::Number).ok_or_else(|| E::custom("not a finite number"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Scalar, E> {
        Ok(value.into())
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

impl<'de> Deserialize<'de> for NumericText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Scalar::deserialize(deserializer)? {
            Scalar::Number(number) => Self(number.to_string()),
            Scalar::Text(text) => Self(text),
        })
    }
}

impl<'de> Deserialize<'de> for OneOrMany {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(untagged, expecting = "a string or an array of strings")]
        enum Read {
            One(String),
            Many(Vec<String>),
        }
        Ok(match Read::deserialize(deserializer)? {
            Read::One(one) => Self::One(one),
            Read::Many(many) => Self::Many(many),
        })
    }
}

impl<'de> Deserialize<'de> for ExplicitString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

impl Serialize for ExplicitString {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl Serialize for Scalar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
        }
    }
}

impl Serialize for NumericText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl Serialize for OneOrMany {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::One(one) => serializer.serialize_str(one),
            Self::Many(many) => many.serialize(serializer),
        }
    }
}

impl HasKind for Scalar {
    const KIND: Kind = Kind::Scalar;
}

impl HasKind for ExplicitString {
    const KIND: Kind = Kind::String;

    fn is_set(&self) -> bool {
        self.0.is_some()
    }
}

impl HasKind for NumericText {
    const KIND: Kind = Kind::Scalar;
}

impl HasKind for OneOrMany {
    const KIND: Kind = Kind::OneOrMany(&Kind::String);
}

/// `Debug` hides the value, which may be a phone number or a code.
impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

impl fmt::Debug for ExplicitString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

impl fmt::Debug for NumericText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

impl fmt::Debug for OneOrMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} strings", self.as_slice().len())
    }
}

macro_rules! from_integers {
    ($($type:ty),*) => {
        $(
            impl From<$type> for Scalar {
                fn from(value: $type) -> Self {
                    Self::Number(value.into())
                }
            }

            impl From<$type> for NumericText {
                fn from(value: $type) -> Self {
                    Self(value.to_string())
                }
            }
        )*
    };
}

from_integers!(i32, i64, u32, u64);

macro_rules! from_texts {
    ($($type:ty),*) => {
        $(
            impl From<$type> for Scalar {
                fn from(value: $type) -> Self {
                    Self::Text(value.into())
                }
            }

            impl From<$type> for ExplicitString {
                fn from(value: $type) -> Self {
                    Self(Some(value.into()))
                }
            }

            impl From<$type> for NumericText {
                fn from(value: $type) -> Self {
                    Self(value.into())
                }
            }

            impl From<$type> for OneOrMany {
                fn from(value: $type) -> Self {
                    Self::One(value.into())
                }
            }

            impl From<Vec<$type>> for OneOrMany {
                fn from(values: Vec<$type>) -> Self {
                    Self::Many(values.into_iter().map(Into::into).collect())
                }
            }
        )*
    };
}

from_texts!(&str, String);

impl<const N: usize> From<[&str; N]> for OneOrMany {
    fn from(values: [&str; N]) -> Self {
        Self::Many(values.map(str::to_owned).into())
    }
}
