//! JSON values: the part of `serde_json::Value` that the rules use.

use std::borrow::Cow;

use cpaas_scan::{Entry, Mark};
use serde::ser::{Serialize, Serializer};

use super::Number;
use crate::rules::repeats::sort;

/// A JSON value.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object.
    Object(Map<String, Value>),
}

/// The members of an object, by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Map<K, V>(Vec<(K, V)>);

/// Members that are sorted once, so that a large object costs little more than its size, and by the sort that the library
/// has anyway. Of those of one name the last counts.
#[inline(never)]
pub(crate) fn object(mut members: Vec<(String, Value)>) -> Map<String, Value> {
    let mut order = Vec::new();
    for (name, _) in &members {
        order.push((Cow::Borrowed(name.as_bytes()), order.len()));
    }
    sort(&mut order);
    let places: Vec<usize> = order.into_iter().map(|(_, place)| place).collect();
    let mut sorted: Vec<(String, Value)> = Vec::new();
    for place in places {
        let member = members.get_mut(place).map(std::mem::take).unwrap_or_default();
        if sorted.last().is_some_and(|(last, _)| *last == member.0) {
            sorted.pop();
        }
        sorted.push(member);
    }
    Map(sorted)
}

/// A value of a tape; of members that stand twice the last counts.
#[inline(never)]
pub(crate) fn value(entry: Entry<'_>) -> Value {
    match entry.mark() {
        Mark::Null => Value::Null,
        Mark::False => Value::Bool(false),
        Mark::True => Value::Bool(true),
        Mark::Number => super::number(entry.text()).map_or(Value::Null, Value::Number),
        Mark::Text => Value::String(entry.owned()),
        Mark::Array => {
            let mut items = Vec::new();
            for item in entry.children() {
                items.push(value(item));
            }
            Value::Array(items)
        }
        Mark::Object => {
            let mut list = Vec::new();
            for member in entry.children() {
                list.push((member.name().to_owned(), value(member)));
            }
            Value::Object(object(list))
        }
    }
}

impl Map<String, Value> {
    /// No members.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Sets a member; gives its former value back.
    #[inline(never)]
    pub fn insert(&mut self, name: String, value: Value) -> Option<Value> {
        let place = self.0.iter().position(|(known, _)| *known >= name).unwrap_or(self.0.len());
        match self.0.get_mut(place) {
            Some((known, old)) if *known == name => Some(std::mem::replace(old, value)),
            _ => {
                self.0.insert(place, (name, value));
                None
            }
        }
    }

    /// A member's value.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Whether there is such a member.
    #[must_use]
    pub fn contains_key(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// A member's value, to change it.
    #[must_use]
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.0.iter_mut().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// The members, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0.iter().map(|(name, value)| (name, value))
    }
}

impl Default for Map<String, Value> {
    fn default() -> Self {
        Self::new()
    }
}

impl FromIterator<(String, Value)> for Map<String, Value> {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(members: I) -> Self {
        object(members.into_iter().collect())
    }
}

impl IntoIterator for Map<String, Value> {
    type Item = (String, Value);
    type IntoIter = std::vec::IntoIter<(String, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl Serialize for Map<String, Value> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl Value {
    /// A member of an object.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.as_object()?.get(name)
    }

    /// The members of an object.
    #[must_use]
    pub const fn as_object(&self) -> Option<&Map<String, Self>> {
        if let Self::Object(map) = self { Some(map) } else { None }
    }

    /// The text of a string.
    #[must_use]
    pub const fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text.as_str()) } else { None }
    }

    /// The value of a whole number.
    #[must_use]
    pub const fn as_i64(&self) -> Option<i64> {
        if let Self::Number(number) = self { number.as_i64() } else { None }
    }

    /// The value of a whole number that is not negative.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        if let Self::Number(number) = self { number.as_u64() } else { None }
    }

    /// Whether it is `null`.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Whether it is an object.
    #[must_use]
    pub const fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => number.serialize(serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => items.serialize(serializer),
            Self::Object(map) => map.serialize(serializer),
        }
    }
}

macro_rules! from_numbers {
    ($($type:ty),*) => { $( impl From<$type> for Value {
        fn from(value: $type) -> Self {
            Self::Number(value.into())
        }
    } )* };
}

from_numbers!(i32, i64, u32, u64, usize);

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Value {
    fn from(values: Vec<T>) -> Self {
        let mut items = Vec::with_capacity(values.len());
        for value in values {
            items.push(value.into());
        }
        Self::Array(items)
    }
}
