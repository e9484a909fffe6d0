//! Decodes HTTP requests on a server, into the JSON that a caller of this library writes.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use super::metadata::Meta;
use crate::http::Method;
use crate::model::schema::{Field, Format, Kind, Location};

/// A request as a server receives it. [`Operation::decode_request`](crate::operation::Operation::decode_request) converts it to JSON.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct IncomingRequest<'a> {
    /// The members of the path by their names in [`Operation::PATH`](crate::operation::Operation::PATH), decoded.
    pub path: &'a [(&'a str, &'a str)],
    /// The parameters of the query, decoded, in order.
    pub query: &'a [(String, String)],
    /// The headers.
    pub headers: &'a [(String, String)],
    /// The body.
    pub body: &'a [u8],
}

impl fmt::Debug for IncomingRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IncomingRequest").field("bytes", &self.body.len()).finish_non_exhaustive()
    }
}

/// A request that cannot be converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequestDecodeError {
    /// The invalid member; empty when the body is not a JSON object.
    pub member: &'static str,
}

impl fmt::Display for RequestDecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.member {
            "" => f.write_str("the body must be a JSON object"),
            member => write!(f, "the member `{member}` cannot be read"),
        }
    }
}

impl std::error::Error for RequestDecodeError {}

const NOT_AN_OBJECT: RequestDecodeError = RequestDecodeError { member: "" };

impl<'a> IncomingRequest<'a> {
    /// Creates a request from its parts, without headers.
    #[must_use]
    pub const fn new(path: &'a [(&'a str, &'a str)], query: &'a [(String, String)], body: &'a [u8]) -> Self {
        Self { path, query, headers: &[], body }
    }

    /// Sets the headers.
    #[must_use]
    pub const fn headers(mut self, headers: &'a [(String, String)]) -> Self {
        self.headers = headers;
        self
    }

    /// The members of the body, in order; none for an empty body.
    ///
    /// # Errors
    /// When the body is not a JSON object.
    pub fn members(&self) -> Result<Members, RequestDecodeError> {
        if self.body.trim_ascii().is_empty() {
            return Ok(Members::default());
        }
        serde_json::from_slice(self.body).map_err(|_| NOT_AN_OBJECT)
    }

    /// The members of body, query, headers and path, in the form in which a caller writes them.
    ///
    /// # Errors
    /// When the body is not a JSON object, or a string that must contain a JSON array does not.
    pub fn merged(&self, meta: &Meta) -> Result<Members, RequestDecodeError> {
        self.merge(meta.input.fields, takes_body(meta.method))
    }

    /// Decodes a request of an operation whose encoding follows from its fields.
    pub(crate) fn decode(&self, meta: &Meta) -> Result<Cow<'a, str>, RequestDecodeError> {
        let is_plain = |field: &Field| field.location == Location::Body && field.format != Format::JsonString;
        if takes_body(meta.method) && meta.input.fields.iter().all(is_plain) {
            return std::str::from_utf8(self.body).map(Cow::Borrowed).map_err(|_| NOT_AN_OBJECT);
        }
        self.merged(meta)?.into_json()
    }

    pub(super) fn merge(
        &self,
        fields: &'static [Field],
        takes_body: bool,
    ) -> Result<Members, RequestDecodeError> {
        let mut members = self.members()?;
        let located = |name: &str, location| {
            fields.iter().find(|field| field.location == location && field.is_named(name))
        };
        for (name, text) in self.query {
            let field = located(name, Location::Query);
            // Undocumented parameters of a request without a body are kept.
            if field.is_some() || !takes_body {
                members.set(name, typed(field.map(|field| field.kind), text));
            }
        }
        for field in fields.iter().filter(|field| field.location == Location::Header) {
            let header = self.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(field.wire));
            if let Some((_, text)) = header {
                members.set(field.wire, typed(Some(field.kind), text));
            }
        }
        for (name, text) in self.path {
            members.set(name, *text);
        }
        for field in fields.iter().filter(|field| field.format == Format::JsonString) {
            members.parse_json_string(field.wire)?;
        }
        Ok(members)
    }
}

const fn takes_body(method: Method) -> bool {
    matches!(method, Method::Post | Method::Put)
}

/// A parameter or header as the JSON value of its kind.
fn typed(kind: Option<Kind>, text: &str) -> Value {
    let value = match kind {
        Some(Kind::Integer) => text.parse::<i64>().ok().map(Value::from),
        Some(Kind::Boolean) => text.parse::<bool>().ok().map(Value::from),
        _ => None,
    };
    value.unwrap_or_else(|| Value::from(text))
}

/// The members of a JSON object in their order. If a name occurs twice, the last member counts.
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

    /// Removes a member.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(key, _)| key != name);
    }

    /// Renames a member, unless the new name exists already.
    pub fn rename(&mut self, from: &str, to: &str) {
        if self.0.iter().all(|(key, _)| key != to) {
            for (key, _) in &mut self.0 {
                if key == from {
                    to.clone_into(key);
                }
            }
        }
    }

    /// The value of a member that is a string.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).and_then(|(_, value)| value.as_str())
    }

    /// Replaces a string that contains a JSON array by the array.
    ///
    /// # Errors
    /// [`RequestDecodeError`] if the member exists and is not such a string.
    pub(crate) fn parse_json_string(&mut self, name: &'static str) -> Result<(), RequestDecodeError> {
        let Some((_, value)) = self.0.iter_mut().find(|(key, _)| key == name) else {
            return Ok(());
        };
        match value.as_str().and_then(|text| serde_json::from_str(text).ok()) {
            Some(list @ Value::Array(_)) => *value = list,
            _ => return Err(RequestDecodeError { member: name }),
        }
        Ok(())
    }

    /// The members as JSON, in their order.
    ///
    /// # Errors
    /// None in practice, because all values are valid JSON.
    pub fn into_json<'a>(self) -> Result<Cow<'a, str>, RequestDecodeError> {
        serde_json::to_string(&self).map(Cow::Owned).map_err(|_| RequestDecodeError { member: "" })
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
