//! Encodes a typed request as an HTTP request.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::RequestContext;
use super::metadata::Meta;
use crate::error::{Error, Outcome, Reason, SentState};
use crate::http::{HttpRequest, Method};
use crate::model::schema::{Field, Format, Location, Model};
use crate::rules::url::is_dot_segment;
use crate::util::percent::{percent_encode, percent_encode_segment};

/// The members of a model as JSON.
pub(crate) fn members<T: Serialize>(model: &T) -> Map<String, Value> {
    match serde_json::to_value(model) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    }
}

/// Renames a member.
pub(crate) fn rename(members: &mut Map<String, Value>, from: &str, to: &str) {
    if let Some(value) = members.remove(from) {
        members.insert(to.to_owned(), value);
    }
}

/// Serializes a value as a string that contains its JSON. A value that is a string already has this form.
pub(crate) struct JsonString<'a, T>(pub(crate) &'a T);

impl<T: Serialize> Serialize for JsonString<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = serde_json::to_string(self.0).map_err(serde::ser::Error::custom)?;
        if json.starts_with('"') { self.0.serialize(serializer) } else { serializer.serialize_str(&json) }
    }
}

/// Serializes the members of a model that the body contains.
struct Body<'a, M>(&'a M);

impl<M: Model> Serialize for Body<'_, M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize_body(serializer)
    }
}

/// The path, query and headers of a request.
#[derive(Default)]
pub(crate) struct Head {
    path: String,
    query: Vec<(String, String)>,
    headers: Vec<(String, String)>,
}

impl Head {
    /// Adds the members that are not in the body, in the order of the fields. Without a body, undocumented members are added to the
    /// query.
    fn add(
        &mut self,
        fields: &[Field],
        mut members: Map<String, Value>,
        has_body: bool,
        id: &'static str,
    ) -> Result<(), Error> {
        for field in fields {
            let Some(value) = members.remove(field.wire) else { continue };
            let text = text(&value, field.format);
            match field.location {
                Location::Path => self.path = filled(&self.path, field.wire, &text, id)?,
                Location::Query => self.query.push((field.wire.to_owned(), encoded(&text, field.format))),
                Location::Header => self.headers.push((field.wire.to_owned(), text)),
                Location::Body => {}
            }
        }
        for (name, value) in members.iter().filter(|(_, value)| !has_body && !value.is_null()) {
            self.query.push((percent_encode(name), percent_encode(&text(value, Format::Plain))));
        }
        Ok(())
    }

    /// Path and query.
    fn target(&self) -> String {
        let query: Vec<String> = self.query.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if query.is_empty() { self.path.clone() } else { format!("{}?{}", self.path, query.join("&")) }
    }

    /// Replaces the value of a parameter by an encoded one.
    pub(crate) fn replace_query(&mut self, name: &str, value: String) {
        if let Some(found) = self.query.iter_mut().find(|(known, _)| known == name) {
            found.1 = value;
        }
    }

    /// Removes a parameter.
    pub(crate) fn remove_query(&mut self, name: &str) {
        self.query.retain(|(known, _)| known != name);
    }

    /// Inserts a parameter before the others.
    pub(crate) fn prepend_query(&mut self, name: &str, value: &str) {
        self.query.insert(0, (name.to_owned(), percent_encode(value)));
    }
}

/// The text of a value in a path, query or header.
fn text(value: &Value, format: Format) -> String {
    match (value, format) {
        (Value::String(text), _) => text.clone(),
        (Value::Array(values), Format::CommaList) => {
            values.iter().map(|value| text(value, Format::Plain)).collect::<Vec<_>>().join(",")
        }
        (other, _) => other.to_string(),
    }
}

/// Percent-encodes a value of the query, except for the commas of a list.
fn encoded(text: &str, format: Format) -> String {
    let encoded = percent_encode(text);
    if format == Format::CommaList { encoded.replace("%2C", ",") } else { encoded }
}

/// Replaces a placeholder of a path. Encoding cannot make a dot segment safe, because URL parsers decode `%2e`: such a segment is
/// rejected, even if validation is off.
fn filled(path: &str, name: &str, text: &str, id: &'static str) -> Result<String, Error> {
    if text.is_empty() || is_dot_segment(text) {
        let message = format!("nothing was sent: `{name}` must not be empty, `.` or `..`");
        return Err(Error::new(Outcome::Invalid, SentState::No, Reason::Validation, id, message));
    }
    Ok(path.replace(&format!("{{{name}}}"), &percent_encode_segment(text)))
}

/// Whether a request has a body: for POST and PUT, if a member belongs in the body.
fn has_body<M: Model>(meta: &Meta, model: &M) -> bool {
    let may = matches!(meta.method, Method::Post | Method::Put);
    may && (!model.extra().is_empty() || M::FIELDS.iter().any(|field| field.location == Location::Body))
}

impl RequestContext {
    /// Encodes a request by its fields.
    pub(crate) fn encode<M: Model + Serialize>(&self, meta: &Meta, model: &M) -> Result<HttpRequest, Error> {
        self.encode_head(meta, model, head(meta, model, meta.path)?)
    }

    /// Encodes a request with a changed head.
    pub(crate) fn encode_head<M: Model>(
        &self,
        meta: &Meta,
        model: &M,
        head: Head,
    ) -> Result<HttpRequest, Error> {
        let mut request = self.request(meta, &head.target())?;
        request.headers.extend(head.headers);
        if has_body(meta, model) { request.json(&Body(model)) } else { Ok(request) }
    }

    /// Encodes a search, with its members in the query, or in the body if `search_body` is configured.
    pub(crate) fn encode_search<M: Model + Serialize>(
        &self,
        meta: &Meta,
        model: &M,
    ) -> Result<HttpRequest, Error> {
        let members = members(model);
        if self.names.search_body && !members.is_empty() {
            return self.request(meta, meta.path)?.json(&members);
        }
        self.encode(meta, model)
    }
}

/// The head of a request, by its fields.
pub(crate) fn head<M: Model + Serialize>(meta: &Meta, model: &M, path: &str) -> Result<Head, Error> {
    let mut head = Head { path: path.to_owned(), ..Head::default() };
    let has_body = has_body(meta, model);
    if !has_body || M::FIELDS.iter().any(|field| field.location != Location::Body) {
        head.add(M::FIELDS, members(model), has_body, meta.id)?;
    }
    Ok(head)
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    unreachable_pub,
    dead_code,
    reason = "a model has setters that the test does not use"
)]
mod tests {
    use serde_json::{Value, json};

    use super::{Body, Head, members};
    use crate::member_types::OneOrMany;
    use crate::model::model;
    use crate::schema::{Location, Model};

    model! {
        /// A request with a member in each location.
        pub struct Everywhere {
            required {
                /// In the path.
                sid: String = "sid" in path where Shown,
                /// In a header.
                tag: String = "X-Tag" in header,
            }
            optional {
                /// In the query.
                numbers: OneOrMany = "numbers" in query as comma_list,
                /// In the body.
                list: Vec<String> = "list" as json_string,
            }
        }
    }

    #[test]
    fn each_member_is_encoded_at_its_location() {
        let model = Everywhere::new("a/b", "t").numbers(["1 2", "3"]).list(vec!["x".to_owned()]);
        let mut head = Head { path: "/v/{sid}".to_owned(), ..Head::default() };
        head.add(Everywhere::FIELDS, members(&model), true, "test").unwrap();
        assert_eq!(head.target(), "/v/a%2Fb?numbers=1%202,3");
        assert_eq!(head.headers, [("X-Tag".to_owned(), "t".to_owned())]);
        assert_eq!(serde_json::to_value(Body(&model)).unwrap(), json!({"list": "[\"x\"]"}));
        let locations = Everywhere::FIELDS.iter().map(|field| field.location);
        let expected = [Location::Path, Location::Header, Location::Query, Location::Body];
        assert!(locations.eq(expected));
    }

    #[test]
    fn undocumented_members_without_a_body_are_encoded_in_the_query() {
        let members = members(&Everywhere::new("s", "t").extra("new one", 1));
        let mut head = Head { path: "/{sid}".to_owned(), ..Head::default() };
        head.add(Everywhere::FIELDS, members, false, "test").unwrap();
        assert_eq!(head.target(), "/s?new%20one=1");
    }

    #[test]
    fn empty_and_dot_segments_are_rejected() {
        for sid in ["", ".", ".."] {
            let mut head = Head { path: "/{sid}".to_owned(), ..Head::default() };
            let sent = members(&Everywhere::new(sid, "t"));
            assert!(head.add(Everywhere::FIELDS, sent, true, "test").is_err(), "{sid:?}");
        }
    }

    #[test]
    fn decoding_reads_every_location() {
        let query = [("numbers".to_owned(), "1,2".to_owned()), ("other".to_owned(), "y".to_owned())];
        let headers = [("x-tag".to_owned(), "t".to_owned())];
        let request = super::super::IncomingRequest::new(&[("sid", "s")], &query, br#"{"list":"[\"x\"]"}"#);
        let read = request.headers(&headers).merge(Everywhere::FIELDS, true).unwrap().into_json().unwrap();
        let read: Value = serde_json::from_str(&read).unwrap();
        assert_eq!(read, json!({"list": ["x"], "numbers": "1,2", "X-Tag": "t", "sid": "s"}));
    }
}
