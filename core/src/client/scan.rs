//! One pass over an answer for the members that say whether it was a success; nothing else of it
//! is kept. It reads cut answers as far as they came.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

mod scalar;
#[cfg(test)]
mod tests;

use crate::request::xml;
use scalar::Scalar;

/// A member that decides, as far as it was seen.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deciding {
    /// It was not seen.
    #[default]
    Absent,
    /// It was seen, and is not an integer; or it was seen twice with two values.
    Unreadable,
    /// Its value.
    Is(i64),
}

impl Deciding {
    pub(crate) const fn value(self) -> Option<i64> {
        match self {
            Self::Is(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it is readable and has another value than `success`.
    pub(crate) const fn refuses(self, success: i64) -> bool {
        matches!(self, Self::Is(value) if value != success)
    }

    fn contradicts(self, value: Option<i64>) -> bool {
        match self {
            Self::Absent => false,
            Self::Unreadable => value.is_some(),
            Self::Is(known) => value != Some(known),
        }
    }

    fn set(&mut self, value: Option<i64>) {
        *self = match (*self, value) {
            (Self::Absent, Some(value)) => Self::Is(value),
            (Self::Is(known), Some(value)) if known == value => Self::Is(known),
            _ => Self::Unreadable,
        };
    }
}

/// A member that is a string or null.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) enum Name {
    /// It was not seen.
    #[default]
    Absent,
    /// It is `null`.
    Null,
    /// It is something else than a string and null, or empty.
    Unreadable,
    /// Its value.
    Is(String),
}

/// The elements of a response that is an array, or the one of a response that is an object in its place.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Elements {
    /// How many there are.
    pub(crate) count: usize,
    /// Objects whose `response` is another integer than 0.
    pub(crate) refused: usize,
    /// Objects whose `response` is 0.
    pub(crate) accepted: usize,
    /// Strings that are not empty.
    pub(crate) ids: usize,
    /// Objects with an id.
    pub(crate) with_id: usize,
    /// The `response` of the first element.
    pub(crate) first: Deciding,
}

/// What was seen at the top level of a response.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Seen {
    /// Families A and D: `code`.
    pub(crate) code: Deciding,
    /// `messenger_c`: `error_code`.
    pub(crate) error_code: Deciding,
    /// Whether `code` is a JSON integer and not the text of one.
    pub(crate) code_is_integer: bool,
    /// Family B: `responseCode`; an element of family C: `response`.
    pub(crate) response_code: Deciding,
    /// `messenger_b`: `status`.
    pub(crate) status: Deciding,
    /// `messenger_c`: `ok`.
    pub(crate) ok: Option<bool>,
    /// `message`, `responseText`, `status_message` or `description`, when it is a string that is not empty.
    pub(crate) message: Option<String>,
    /// `requestID`.
    pub(crate) request_id: Name,
    /// Whether `messageId`, `id` or `bulkId` is a string that is not empty.
    pub(crate) id: bool,
    /// Whether it is `messageId` or `bulkId`, which nobody but the provider writes.
    pub(crate) message_id: bool,
    /// The values of `id`, `messageId` and `bulkId`.
    names: (Name, Name, Name),
    /// Whether a member that decides is there twice, with two values.
    pub(crate) contradicts: bool,
    /// Whether `responseCode` or `ok` is there, is not null and cannot be read.
    pub(crate) unreadable: bool,
    /// Whether there is an `error` that is neither null nor false.
    pub(crate) error: bool,
    /// Whether there is a member `messages`.
    pub(crate) messages: bool,
    /// The elements of an array.
    pub(crate) elements: Elements,
    /// Whether the response is an object.
    pub(crate) object: bool,
    /// Whether the response is an array.
    pub(crate) array: bool,
    /// Whether the response was read to its end.
    pub(crate) whole: bool,
    /// Whether it is JSON or XML that ends too early.
    pub(crate) truncated: bool,
    /// Whether the response is whole, and JSON or the XML form, or nothing at all.
    pub(crate) known: bool,
    /// The last member before an error: good when the response just ended there.
    last: Option<(String, Scalar<'static>)>,
}

/// Reads JSON, or the XML form of family B.
pub(crate) fn scan(body: &[u8]) -> Seen {
    let mut seen = Seen::default();
    match first(body) {
        Some(b'{' | b'[') => {
            let body = without_cut_number(body);
            let mut json = serde_json::Deserializer::from_slice(body);
            let read = json.deserialize_any(Top(&mut seen));
            if let (Err(error), Some((name, value))) = (&read, seen.last.take())
                && error.is_eof()
            {
                seen.keep(&name, value);
            }
            let read = read.and_then(|()| json.end());
            seen.truncated = read.as_ref().is_err_and(serde_json::Error::is_eof);
            seen.whole = read.is_ok();
            seen.known = seen.whole;
        }
        first => match xml::start(body) {
            Some(body) => read_xml(body, &mut seen),
            None => seen.known = first.is_none(),
        },
    }
    seen
}

/// More objects than this in one response are not read; a page of records has a thousand at the most.
const MOST_OBJECTS: usize = 100_000;
/// More members and elements than this in one response are not read.
const MOST_MEMBERS: usize = 500_000;

/// Whether a response holds more values than are read: their memory is out of proportion to its bytes.
pub(crate) fn is_crowded(body: &[u8]) -> bool {
    let count = |wanted: u8| body.iter().filter(|byte| **byte == wanted).count();
    body.len() > MOST_OBJECTS && (count(b'{') > MOST_OBJECTS || count(b',') > MOST_MEMBERS)
}

/// Whether an answer can be JSON, judged by its first byte.
pub(crate) fn looks_like_json(body: &[u8]) -> bool {
    matches!(first(body), Some(b'{' | b'['))
}

fn first(body: &[u8]) -> Option<u8> {
    body.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

/// A number at the very end of a cut answer may go on: 20 of 200.
fn without_cut_number(body: &[u8]) -> &[u8] {
    let end = body.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |last| last + 1);
    body.get(..end).unwrap_or_default()
}

struct Top<'a>(&'a mut Seen);

impl<'de> Visitor<'de> for Top<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.0.object = true;
        let mut held: Option<(Cow<'de, str>, Scalar<'de>)> = None;
        loop {
            // A value counts when what follows it shows that it was whole.
            let key = map.next_key::<Cow<'de, str>>();
            if let Some((name, value)) = held.take() {
                match &key {
                    Ok(_) => self.0.keep(&name, value),
                    Err(_) => self.0.last = Some((name.into_owned(), value.owned())),
                }
            }
            let Some(key) = key? else { return Ok(()) };
            if matches!(key.as_ref(), "data" | "sender" | "conversation" | "messages") {
                self.0.messages |= key == "messages";
                map.next_value::<IgnoredAny>()?;
            } else {
                held = Some((key, map.next_value::<Scalar<'de>>()?));
            }
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.0.array = true;
        loop {
            let mut element = Seen::default();
            if seq.next_element_seed(Element(&mut element))?.is_none() {
                return Ok(());
            }
            self.0.elements.add(&element);
        }
    }
}

impl Elements {
    fn add(&mut self, element: &Seen) {
        if self.count == 0 {
            self.first = element.response_code;
        }
        self.count += 1;
        self.refused += usize::from(element.response_code.refuses(0));
        self.accepted += usize::from(element.response_code == Deciding::Is(0));
        self.ids += usize::from(!element.object && element.id);
        self.with_id += usize::from(element.object && element.id);
    }
}

struct Element<'a>(&'a mut Seen);

impl<'de> serde::de::DeserializeSeed<'de> for Element<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Element<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an element")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.0.id = !text.is_empty();
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        self.0.id = true;
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        self.0.id = true;
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        Top(self.0).visit_map(map)
    }
}

impl Seen {
    fn keep(&mut self, key: &str, value: Scalar<'_>) {
        match key {
            "error_code" => self.error_code.set(value.integer()),
            "code" => {
                self.code_is_integer = matches!(value, Scalar::Integer(_));
                self.contradicts |= self.code.contradicts(value.integer());
                self.code.set(value.integer());
            }
            "responseCode" | "response" => {
                self.unreadable |= value.integer().is_none() && value != Scalar::Null;
                self.contradicts |= self.response_code.contradicts(value.integer());
                self.response_code.set(value.integer());
            }
            "status" => {
                self.contradicts |= self.status.contradicts(value.integer());
                self.status.set(value.integer());
            }
            "ok" => {
                let ok = value.boolean();
                self.unreadable |= ok.is_none() && value != Scalar::Null;
                self.contradicts |= self.ok.is_some_and(|known| Some(known) != ok);
                self.ok = ok;
            }
            "error" => self.error |= !matches!(value, Scalar::Null | Scalar::Boolean(false)),
            "message" | "responseText" | "status_message" | "description" => {
                self.message = value.string().filter(|text| !text.is_empty());
            }
            "requestID" => {
                let name = value.name();
                self.contradicts |= self.request_id != Name::Absent && self.request_id != name;
                self.request_id = name;
            }
            "messageId" | "id" | "bulkId" => {
                let name = value.name();
                let is_id = matches!(name, Name::Is(_));
                self.id |= is_id;
                self.message_id |= is_id && key != "id";
                let known = match key {
                    "id" => &mut self.names.0,
                    "messageId" => &mut self.names.1,
                    _ => &mut self.names.2,
                };
                self.contradicts |= *known != Name::Absent && *known != name;
                *known = name;
            }
            _ => {}
        }
    }
}

/// The members of the XML form stand one level below its root; a page of HTML is no answer.
fn read_xml(body: &[u8], seen: &mut Seen) {
    let end = xml::walk(body, |root, name, text| {
        if !root.eq_ignore_ascii_case("html") {
            seen.object = true;
            seen.keep(name, Scalar::Text(Cow::Owned(text)));
        }
    });
    seen.whole = end != xml::End::Cut;
    seen.truncated = !seen.whole && seen.object;
    seen.known = seen.whole && seen.object;
}
