//! Undocumented members of a request or response.

use std::collections::BTreeMap;

use crate::value::{Map, Value};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

const EXPLICIT: &str = "extra";

/// Undocumented members of an object.
///
/// Members read from JSON are kept, and validation reports them as `msg.field.unknown`. Members that are added with
/// [`Extra::insert`], or in the JSON member `extra` of a request that is given as JSON text, are explicit: they are merged into the object and not reported.
/// An explicit member with a documented name is reported as `extra.known_field`. In a response, and for serde, `extra` is an
/// undocumented member like any other.
#[derive(Clone, Default, PartialEq)]
pub struct Extra {
    // Boxed, because every model has this member and it is nearly always empty.
    members: Option<Box<Members>>,
}

#[derive(Clone, Default, PartialEq)]
struct Members {
    unexpected: Map<String, Value>,
    explicit: Map<String, Value>,
}

impl Extra {
    /// Adds an explicit member.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<Value>) {
        self.members_mut().explicit.insert(name.into(), value.into());
    }

    /// Keeps a member that was read from JSON.
    pub fn keep(&mut self, name: impl Into<String>, value: Value) {
        self.members_mut().unexpected.insert(name.into(), value);
    }

    /// Keeps the undocumented members of a request. The members of its object `extra` are explicit; `null` counts as absent.
    pub(crate) fn keep_request_members(&mut self, members: Vec<(String, Value)>) {
        for (name, value) in members {
            match value {
                Value::Object(inside) if name == EXPLICIT => self.members_mut().explicit.extend(inside),
                Value::Null if name == EXPLICIT => {}
                value => self.keep(name, value),
            }
        }
    }

    fn members_mut(&mut self) -> &mut Members {
        self.members.get_or_insert_default()
    }

    pub(crate) fn read<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match self.members_mut().unexpected.insert(name.to_owned(), map.next_value()?) {
            None => Ok(()),
            Some(_) => Err(duplicate_member()),
        }
    }

    /// Whether there are no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_none()
    }

    /// A member by name, explicit or not.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        let members = self.members.as_ref()?;
        members.unexpected.get(name).or_else(|| members.explicit.get(name))
    }

    /// The members that are not explicit, in the order of their names.
    pub fn unexpected(&self) -> impl Iterator<Item = (&str, &Value)> {
        pairs(self.members.as_ref().map(|members| &members.unexpected))
    }

    /// The explicit members.
    pub fn explicit(&self) -> impl Iterator<Item = (&str, &Value)> {
        pairs(self.members.as_ref().map(|members| &members.explicit))
    }

    /// All members: first those read from JSON, then the explicit ones.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.unexpected().chain(self.explicit())
    }
}

fn pairs(members: Option<&Map<String, Value>>) -> impl Iterator<Item = (&str, &Value)> {
    members.into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

impl Serialize for Extra {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in self.iter() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Extra {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let unexpected = Map::deserialize(deserializer)?;
        let members = Members { unexpected, explicit: Map::new() };
        Ok(Self { members: (!members.unexpected.is_empty()).then(|| Box::new(members)) })
    }
}

impl std::fmt::Debug for Extra {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Extra({} members)", self.iter().count())
    }
}

/// The name of a member, borrowed from the JSON text if it contains no escapes.
pub(crate) enum Key<'de> {
    Borrowed(&'de str),
    Owned(String),
}

impl Key<'_> {
    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Borrowed(name) => name,
            Self::Owned(name) => name,
        }
    }
}

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Name)
    }
}

fn escaped<'de>(name: &str) -> Key<'de> {
    Key::Owned(name.to_owned())
}

struct Name;

impl<'de> Visitor<'de> for Name {
    type Value = Key<'de>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a member's name")
    }

    fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Key<'de>, E> {
        Ok(Key::Borrowed(name))
    }

    fn visit_str<E>(self, name: &str) -> Result<Key<'de>, E> {
        Ok(escaped(name))
    }
}

/// The error for a duplicate member.
pub(crate) fn duplicate_member<E: Error>() -> E {
    E::custom("duplicate member")
}

/// An object of strings without duplicate names.
pub(crate) struct UniqueStrings(pub(crate) BTreeMap<String, String>);

impl<'de> Deserialize<'de> for UniqueStrings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(UniqueNames)
    }
}

struct UniqueNames;

impl<'de> Visitor<'de> for UniqueNames {
    type Value = UniqueStrings;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object of strings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<UniqueStrings, A::Error> {
        let mut texts = BTreeMap::new();
        while let Some((name, text)) = map.next_entry()? {
            if texts.insert(name, text).is_some() {
                return Err(duplicate_member());
            }
        }
        Ok(UniqueStrings(texts))
    }
}
