//! The members of a payload in a query, a form or JSON.

use serde_json::{Map, Value};

use crate::callback::token_url::TOKEN_PARAMETER;
use crate::callback::url_encoding;

/// The members of a payload that have not been read yet.
#[derive(Clone, Debug, Default)]
pub(in crate::callback) struct Fields(pub(in crate::callback) Map<String, Value>);

impl Fields {
    /// Removes and returns the first of `names` whose value is a string, a number or a boolean, as a string.
    pub(super) fn take(&mut self, names: &[&str]) -> Option<String> {
        let name = names.iter().find(|name| self.0.get(**name).and_then(scalar).is_some())?;
        self.0.remove(*name).as_ref().and_then(scalar)
    }

    /// The value at a JSON pointer, as a string.
    pub(super) fn at(&self, pointer: &str) -> Option<String> {
        let mut steps = pointer.split('/').skip(1);
        let first = self.0.get(steps.next()?)?;
        steps.try_fold(first, |value, step| value.get(step)).and_then(scalar)
    }

    /// The value at the first of the pointers that has one.
    pub(super) fn first_at(&self, pointers: &[&str]) -> Option<String> {
        pointers.iter().find_map(|pointer| self.at(pointer))
    }

    pub(in crate::callback) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}

/// The payload of a request, and its members if it is an object.
///
/// A body is parsed as a form if its content type is that of a form, otherwise as JSON. The parameters of the query are
/// members too. If a name occurs several times, the body overrides the query, and the last occurrence counts.
pub(in crate::callback) fn fields(query: &str, content_type: &str, body: &[u8]) -> (Value, Option<Fields>) {
    let mut members = object(query);
    members.remove(TOKEN_PARAMETER);
    if body.is_empty() {
        return (Value::Object(members.clone()), Some(Fields(members)));
    }
    let raw = read_body(content_type, body);
    match &raw {
        Value::Object(own) => {
            members.extend(own.clone());
            (raw, Some(Fields(members)))
        }
        _ => (raw, None),
    }
}

fn read_body(content_type: &str, body: &[u8]) -> Value {
    let media_type = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let as_text = || Value::String(String::from_utf8_lossy(body).into_owned());
    if media_type == "application/x-www-form-urlencoded" {
        return std::str::from_utf8(body).map_or_else(|_| as_text(), |text| Value::Object(object(text)));
    }
    // Some senders write a byte order mark.
    let json = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    serde_json::from_slice(json).unwrap_or_else(|_| as_text())
}

fn object(query: &str) -> Map<String, Value> {
    let pairs = url_encoding::pairs(query);
    pairs.map(|(name, value)| (name.into_owned(), Value::String(value.into_owned()))).collect()
}
