//! Members of a request or an answer that the specification does not show.

use std::collections::BTreeMap;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

const EXPLICIT: &str = "extra";

/// Undocumented members of an object.
///
/// Members read from JSON are kept and reported by validation as `msg.field.unknown`. Members
/// added with [`Extra::insert`], which is the JSON member `extra`, were meant: they are sent merged
/// into the object and not reported. A known name among the latter is `extra.known_field`.
#[derive(Clone, Default, PartialEq)]
pub struct Extra {
    // Behind a pointer and nearly always none: every model has one, and is moved and dropped with it.
    #[expect(clippy::box_collection, reason = "one word in every model instead of three")]
    members: Option<Box<BTreeMap<String, Value>>>,
}

impl Extra {
    /// Adds a member on purpose.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<Value>) {
        let explicit =
            self.members_mut().entry(EXPLICIT.to_owned()).or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(map) = explicit {
            map.insert(name.into(), value.into());
        }
    }

    /// Keeps a member that came in JSON.
    pub fn keep(&mut self, name: impl Into<String>, value: Value) {
        self.members_mut().insert(name.into(), value);
    }

    fn members_mut(&mut self) -> &mut BTreeMap<String, Value> {
        self.members.get_or_insert_default()
    }

    pub(crate) fn read<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match self.members_mut().insert(name.to_owned(), map.next_value()?) {
            None => Ok(()),
            Some(_) => Err(twice()),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_none()
    }

    /// A member by name, meant or not.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// The members that were not meant, in the order of their names.
    pub fn unexpected(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.members
            .iter()
            .flat_map(|members| members.iter())
            .filter(|(key, value)| !(key.as_str() == EXPLICIT && (value.is_object() || value.is_null())))
            .map(|(key, value)| (key.as_str(), value))
    }

    /// The members that were meant.
    pub fn explicit(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.members
            .as_ref()
            .and_then(|members| members.get(EXPLICIT))
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .map(|(key, value)| (key.as_str(), value))
    }

    /// All members, as they are sent.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.unexpected().chain(self.explicit())
    }
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
        let members = BTreeMap::deserialize(deserializer)?;
        Ok(Self { members: (!members.is_empty()).then(|| Box::new(members)) })
    }
}

impl std::fmt::Debug for Extra {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Extra({} members)", self.iter().count())
    }
}

/// The name of a member: borrowed from the text where it has no escapes.
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

#[cold]
#[inline(never)]
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

/// A member that stands twice: the slow lane takes the last and says so.
#[cold]
pub(crate) fn twice<E: Error>() -> E {
    E::custom("a member stands twice")
}
