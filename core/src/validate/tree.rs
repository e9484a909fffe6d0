//! JSON with its order kept and with members that stand twice noted.

#[cfg(feature = "wire")]
use std::fmt;

use crate::value::{Map, Number, Value};
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

/// A member of an object: at the place of its first occurrence, with the value of its last.
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) value: Tree,
    pub(crate) is_repeated: bool,
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
                let mut map = Map::new();
                for Member { name, value, .. } in members {
                    map.insert(name, value.into_value());
                }
                Value::Object(map)
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
        let mut places = Map::new();
        while let Some((name, value)) = map.next_entry::<String, Tree>()? {
            match place(&name, &members, &mut places).and_then(|place| members.get_mut(place)) {
                Some(member) => {
                    member.value = value;
                    member.is_repeated = true;
                }
                None => members.push(Member { name, value, is_repeated: false }),
            }
        }
        Ok(Tree::Object(members))
    }
}

/// Where a member of that name stands. Few members are looked through; of many a map is kept, so that a
/// large object costs no more than its size. The map is of the one kind that the library has anyway.
pub(crate) fn place(name: &str, members: &[Member], places: &mut Map<String, Value>) -> Option<usize> {
    const FEW: usize = 16;
    if members.len() < FEW {
        return members.iter().position(|member| member.name.len() == name.len() && member.name == name);
    }
    for (index, member) in members.iter().enumerate().skip(places.len()) {
        places.insert(member.name.clone(), index.into());
    }
    places.get(name).and_then(Value::as_u64).and_then(|place| usize::try_from(place).ok())
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
