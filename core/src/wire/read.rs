//! The other direction: a request as it came over the wire, in the neutral form.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use crate::operation::{Method, Operation};
use crate::schema::Kind;

/// A request as a server sees it. [`Operation::decode_request`] makes the neutral JSON of it.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct WireRequest<'a> {
    /// The members of the path by their names in [`Operation::PATH`], decoded.
    pub path: &'a [(&'a str, &'a str)],
    /// The parameters of the query, decoded, in order.
    pub query: &'a [(String, String)],
    /// The body.
    pub body: &'a [u8],
}

impl fmt::Debug for WireRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WireRequest").field("bytes", &self.body.len()).finish_non_exhaustive()
    }
}

/// A request that cannot be brought into the neutral form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodeError {
    /// The member at fault; empty when the body is no JSON object.
    pub member: &'static str,
}

impl<'a> WireRequest<'a> {
    /// From its parts.
    #[must_use]
    pub const fn new(path: &'a [(&'a str, &'a str)], query: &'a [(String, String)], body: &'a [u8]) -> Self {
        Self { path, query, body }
    }

    /// The members of the body, in order; none for an empty body.
    ///
    /// # Errors
    /// When the body is no JSON object.
    pub fn members(&self) -> Result<Members, DecodeError> {
        if self.body.trim_ascii().is_empty() {
            return Ok(Members::default());
        }
        serde_json::from_slice(self.body).map_err(|_| DecodeError { member: "" })
    }

    /// The members of body, query (of a GET or DELETE) and path; numbers and booleans of the query typed.
    ///
    /// # Errors
    /// When the body is no JSON object.
    pub fn merged<O: Operation>(&self) -> Result<Members, DecodeError> {
        let mut members = self.members()?;
        if matches!(O::METHOD, Method::Get | Method::Delete) {
            for (name, text) in self.query {
                members.set(name, typed(O::SCHEMA.field(name).map(|field| field.kind), text));
            }
        }
        for (name, text) in self.path {
            members.set(name, *text);
        }
        Ok(members)
    }

    /// The neutral form of an operation that has nothing of its own.
    pub(crate) fn plain<O: Operation>(&self) -> Result<Cow<'a, str>, DecodeError> {
        if self.path.is_empty() && matches!(O::METHOD, Method::Post | Method::Put) {
            return std::str::from_utf8(self.body).map(Cow::Borrowed).map_err(|_| DecodeError { member: "" });
        }
        self.merged::<O>()?.into_json()
    }
}

/// A text of the query as the JSON value that the member takes.
fn typed(kind: Option<Kind>, text: &str) -> Value {
    let value = match kind {
        Some(Kind::Integer) => text.parse::<i64>().ok().map(Value::from),
        Some(Kind::Boolean) => text.parse::<bool>().ok().map(Value::from),
        _ => None,
    };
    value.unwrap_or_else(|| Value::from(text))
}

/// Members of a JSON object in their order; the last of two with one name wins.
#[derive(Clone, Default, PartialEq)]
pub struct Members(Vec<(String, Value)>);

impl Members {
    /// Sets a member.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        let value = value.into();
        match self.0.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    /// Takes a member out.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(key, _)| key != name);
    }

    /// Gives a member another name, unless that name stands there too.
    pub fn rename(&mut self, from: &str, to: &str) {
        if self.0.iter().all(|(key, _)| key != to) {
            for (key, _) in &mut self.0 {
                if key == from {
                    to.clone_into(key);
                }
            }
        }
    }

    /// The text of a member that is a string.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).and_then(|(_, value)| value.as_str())
    }

    /// Sets a member from the query, when it stands there.
    pub(crate) fn set_from_query(&mut self, request: &WireRequest<'_>, name: &str) {
        if let Some((_, value)) = request.query.iter().find(|(key, _)| key == name) {
            self.set(name, value.as_str());
        }
    }

    /// Replaces a string that holds a JSON array by the array.
    ///
    /// # Errors
    /// When the member is there and is no such string.
    pub(crate) fn parse_text(&mut self, name: &'static str) -> Result<(), DecodeError> {
        let Some((_, value)) = self.0.iter_mut().find(|(key, _)| key == name) else {
            return Ok(());
        };
        match value.as_str().and_then(|text| serde_json::from_str(text).ok()) {
            Some(list @ Value::Array(_)) => *value = list,
            _ => return Err(DecodeError { member: name }),
        }
        Ok(())
    }

    /// The members as JSON text, in their order.
    ///
    /// # Errors
    /// Never in practice: every value was JSON.
    pub fn into_json<'a>(self) -> Result<Cow<'a, str>, DecodeError> {
        serde_json::to_string(&self).map(Cow::Owned).map_err(|_| DecodeError { member: "" })
    }
}

impl fmt::Debug for Members {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Members({})", self.0.len())
    }
}

impl Serialize for Members {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Ordered;

        impl<'de> Visitor<'de> for Ordered {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Members::default();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    members.set(&name, value);
                }
                Ok(members)
            }
        }

        deserializer.deserialize_map(Ordered)
    }
}
