//! Pieces of requests: bodies with members to change, paths and queries.

use serde::Serialize;
use serde_json::{Map, Value};

use super::RequestContext;
use crate::error::{Error, Outcome, Reason, SentState};
use crate::http::HttpRequest;
use crate::operation::Operation;
use crate::rules::url::is_dot_segment;

/// The members of a model, to change before they are sent.
pub(crate) fn members<T: Serialize>(model: &T) -> Map<String, Value> {
    match serde_json::to_value(model) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    }
}

/// Gives a member another name.
pub(crate) fn rename(members: &mut Map<String, Value>, from: &str, to: &str) {
    if let Some(value) = members.remove(from) {
        members.insert(to.to_owned(), value);
    }
}

/// Writes a list as the string that holds it as a JSON array.
pub(crate) fn set_text<T: Serialize>(members: &mut Map<String, Value>, name: &str, list: &[T]) {
    members.insert(name.to_owned(), Value::String(list_text(list)));
}

/// A list as JSON in a string: the form of `buckets` and `channels` in requests (A8, A9).
#[must_use]
pub fn list_text<T: Serialize>(list: &[T]) -> String {
    serde_json::to_string(list).unwrap_or_default()
}

/// Percent-encodes everything but the unreserved characters of RFC 3986.
#[must_use]
pub fn encode(text: &str) -> String {
    encode_except(text, b"-._~")
}

/// Percent-encodes every character outside `pchar` (RFC 3986, section 3.3): the form of one segment of a path. A `%` becomes
/// `%25`, so that no text is taken for an encoded one.
#[must_use]
pub fn encode_segment(text: &str) -> String {
    encode_except(text, b"-._~!$&'()*+,;=:@")
}

fn encode_except(text: &str, kept: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |value: u8| DIGITS.get(usize::from(value)).map_or('0', |digit| char::from(*digit));
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || kept.contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    out
}

/// Adds members to a query that may be empty.
pub(crate) fn push_query<'a>(query: &mut String, members: impl IntoIterator<Item = (&'a str, &'a Value)>) {
    for (name, value) in members {
        let text = match value {
            Value::Null => continue,
            Value::String(text) => encode(text),
            other => encode(&other.to_string()),
        };
        query.push(if query.is_empty() { '?' } else { '&' });
        query.push_str(&encode(name));
        query.push('=');
        query.push_str(&text);
    }
}

/// The members as a query, in the order of the specification, undocumented ones last.
fn query<O: Operation>(mut members: Map<String, Value>) -> String {
    let mut query = String::new();
    for field in O::FIELDS {
        if let Some(value) = members.remove(field.wire) {
            push_query(&mut query, [(field.wire, &value)]);
        }
    }
    push_query(&mut query, members.iter().map(|(name, value)| (name.as_str(), value)));
    query
}

impl RequestContext {
    /// A request without a body whose members stand in the query.
    pub(crate) fn get<O: Operation>(&self, operation: &O) -> Result<HttpRequest, Error> {
        self.request::<O>(&format!("{}{}", O::PATH, query::<O>(members(operation))))
    }

    /// A search: its members in the query, or in a body where the configuration asks for it.
    pub(crate) fn search<O: Operation>(&self, operation: &O) -> Result<HttpRequest, Error> {
        let members = members(operation);
        if self.names.search_body && !members.is_empty() {
            return self.request::<O>(O::PATH)?.json(&members);
        }
        self.get(operation)
    }

    /// A request with a sid in its path. Undocumented members of one without a body go into the query.
    pub(crate) fn with_sid<O: Operation>(&self, operation: &O, sid: &str) -> Result<HttpRequest, Error> {
        let path = path_with::<O>("sid", sid)?;
        if O::METHOD == crate::operation::Method::Put {
            return self.request::<O>(&path);
        }
        let mut members = members(operation);
        members.remove("sid");
        self.request::<O>(&format!("{path}{}", query::<O>(members)))
    }

    /// A request with a bot's id in its path, and a query that may be empty.
    pub(crate) fn with_bot_id<O: Operation>(&self, bot_id: &str, query: &str) -> Result<HttpRequest, Error> {
        self.request::<O>(&format!("{}{query}", path_with::<O>("bot_id", bot_id)?))
    }
}

/// The path of an operation with one of its segments filled. Encoding cannot make a dot segment safe, since URL parsers
/// read `%2e` as a dot: it is refused, also where validation is off.
fn path_with<O: Operation>(name: &str, text: &str) -> Result<String, Error> {
    if text.is_empty() || is_dot_segment(text) {
        let message = format!("nothing was sent: `{name}` must not be empty, `.` or `..`");
        return Err(Error::new(Outcome::Invalid, SentState::No, Reason::Validation, O::ID, message));
    }
    Ok(O::PATH.replace(&format!("{{{name}}}"), &encode_segment(text)))
}
