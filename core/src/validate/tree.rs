//! JSON as it stands: with its order kept, and with members that stand twice.

#[cfg(feature = "wire")]
use std::fmt;

use crate::value::{Number, Value, object};
#[cfg(feature = "wire")]
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
#[cfg(feature = "wire")]
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A JSON value.
pub(crate) enum Tree {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    Array(Vec<Tree>),
    Object(Vec<Member>),
}

/// A member of an object.
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) value: Tree,
    pub(crate) occurs: Occurs,
}

/// How often a name occurs in its object; known once the object was walked.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Occurs {
    Once,
    /// The first of several, which takes the value of the last.
    First,
    /// One of the others.
    Again,
}

impl Member {
    pub(crate) const fn new(name: String, value: Tree) -> Self {
        Self { name, value, occurs: Occurs::Once }
    }
}

/// Where a text stops being JSON; both count from one, columns in bytes.
#[cfg(feature = "wire")]
pub(crate) struct Fault {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

#[cfg(not(feature = "wire"))]
pub(crate) use crate::light::Fault;

impl Tree {
    /// JSON as a tree.
    #[cfg(feature = "wire")]
    pub(crate) fn parse(json: &str) -> Result<Self, Fault> {
        serde_json::from_str(json).map_err(|error| Fault { line: error.line(), column: error.column() })
    }

    /// JSON as a tree.
    #[cfg(not(feature = "wire"))]
    pub(crate) fn parse(json: &str) -> Result<Self, Fault> {
        crate::light::read(json)
    }

    /// JSON as a value: no second parser in the browser's module.
    pub(crate) fn value(json: &str) -> Option<Value> {
        Self::parse(json).ok().map(Self::into_value)
    }

    /// The value; of members that stand twice the last counts.
    #[inline(never)]
    pub(crate) fn into_value(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(value),
            Self::Number(value) => Value::Number(value),
            Self::Text(value) => Value::String(value),
            Self::Array(items) => Value::Array(items.into_iter().map(Self::into_value).collect()),
            Self::Object(members) => {
                let mut list = Vec::with_capacity(members.len());
                for member in members {
                    list.push((member.name, member.value.into_value()));
                }
                Value::Object(object(list))
            }
        }
    }
}

#[cfg(feature = "wire")]
impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

#[cfg(feature = "wire")]
struct Reader;

#[cfg(feature = "wire")]
impl<'de> Visitor<'de> for Reader {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        Ok(Number::from_f64(value).map_or(Tree::Null, Tree::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Tree, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Tree::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
        let mut members: Vec<Member> = Vec::new();
        while let Some((name, value)) = map.next_entry()? {
            members.push(Member::new(name, value));
        }
        Ok(Tree::Object(members))
    }
}

#[cfg(feature = "wire")]
impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Object(members) => {
                let mut map = serializer.serialize_map(None)?;
                for member in members {
                    map.serialize_entry(&member.name, &member.value)?;
                }
                map.end()
            }
        }
    }
}
