//! The members of a payload in a query, a form or JSON.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::callback::token_url::TOKEN_PARAMETER;
use crate::callback::url_encoding;
use crate::json::{Entry, Tape, ValueKind};

/// The members of a payload that have not been read yet.
#[derive(Clone, Debug, Default)]
pub(in crate::callback) struct Fields {
    pub(in crate::callback) members: Map<String, Value>,
    /// Numbers as written, by JSON pointer, if a number of the payload has no integer type: its value may be rounded.
    written: HashMap<String, String>,
}

impl Fields {
    /// Removes and returns the first of `names` whose value is a string, a number or a boolean, as a string.
    pub(super) fn take(&mut self, names: &[&str]) -> Option<String> {
        let (name, text) = names.iter().find_map(|name| Some((*name, self.at(&format!("/{name}"))?)))?;
        self.members.remove(name);
        Some(text)
    }

    /// The value at a JSON pointer, as a string.
    pub(super) fn at(&self, pointer: &str) -> Option<String> {
        let mut steps = pointer.split('/').skip(1);
        let first = self.members.get(steps.next()?)?;
        match steps.try_fold(first, |value, step| value.get(step))? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => {
                Some(self.written.get(pointer).cloned().unwrap_or_else(|| number.to_string()))
            }
            Value::Bool(truth) => Some(truth.to_string()),
            _ => None,
        }
    }

    /// The value at the first of the pointers that has one.
    pub(super) fn first_at(&self, pointers: &[&str]) -> Option<String> {
        pointers.iter().find_map(|pointer| self.at(pointer))
    }

    pub(in crate::callback) fn has(&self, name: &str) -> bool {
        self.members.contains_key(name)
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
        return (Value::Object(members.clone()), Some(Fields { members, written: HashMap::new() }));
    }
    let raw = read_body(content_type, body);
    match &raw {
        Value::Object(own) => {
            members.extend(own.clone());
            let written = if has_float(&raw) { written_numbers(body) } else { HashMap::new() };
            (raw, Some(Fields { members, written }))
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
    serde_json::from_slice(without_mark(body)).unwrap_or_else(|_| as_text())
}

/// The body without the byte order mark that some senders write.
fn without_mark(body: &[u8]) -> &[u8] {
    body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body)
}

/// Whether a value contains a number that was parsed as a float: one with a fraction or an exponent, or beyond 64 bits.
fn has_float(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64(),
        Value::Array(items) => items.iter().any(has_float),
        Value::Object(members) => members.values().any(has_float),
        _ => false,
    }
}

/// All numbers in the objects of a JSON body as written, by JSON pointer.
fn written_numbers(body: &[u8]) -> HashMap<String, String> {
    let mut numbers = HashMap::new();
    if let Ok(text) = std::str::from_utf8(without_mark(body))
        && let Ok(tape) = Tape::read(text)
    {
        add_numbers(&mut numbers, "", tape.entry(0));
    }
    numbers
}

/// Adds the numbers of a value. If a name occurs several times, the last member counts.
fn add_numbers(numbers: &mut HashMap<String, String>, pointer: &str, value: Entry<'_>) {
    match value.kind() {
        ValueKind::Number => {
            numbers.insert(pointer.to_owned(), value.text().to_owned());
        }
        ValueKind::Object => {
            for member in value.children() {
                let name = member.name().replace('/', "~1");
                add_numbers(numbers, &format!("{pointer}/{name}"), member);
            }
        }
        _ => {}
    }
}

fn object(query: &str) -> Map<String, Value> {
    let pairs = url_encoding::pairs(query);
    pairs.map(|(name, value)| (name.into_owned(), Value::String(value.into_owned()))).collect()
}
