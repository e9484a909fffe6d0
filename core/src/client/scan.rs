//! One pass over an answer for the members that say whether it was a success; nothing else of it
//! is kept. It reads cut answers as far as they came.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::wire::xml;

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
            None => {
                seen.whole = serde_json::from_slice::<IgnoredAny>(body).is_ok();
                seen.known = seen.whole || first.is_none();
            }
        },
    }
    seen
}

/// More objects than this in one response are not read; a page of records has a thousand at the most.
const MOST_OBJECTS: usize = 100_000;
/// More members and elements than this in one response are not read.
const MOST_MEMBERS: usize = 500_000;

/// Whether a response holds so many values that the memory they take is out of proportion to its bytes.
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
                self.code.set(value.integer());
            }
            "responseCode" | "response" => self.response_code.set(value.integer()),
            "status" => self.status.set(value.integer()),
            "ok" => self.ok = value.boolean(),
            "message" | "responseText" | "status_message" | "description" => {
                self.message = value.string().filter(|text| !text.is_empty());
            }
            "requestID" => self.request_id = value.name(),
            "messageId" | "id" | "bulkId" => {
                let is_id = matches!(value.name(), Name::Is(_));
                self.id |= is_id;
                self.message_id |= is_id && key != "id";
            }
            _ => {}
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Scalar<'de> {
    Integer(i64),
    Number(f64),
    Boolean(bool),
    Text(Cow<'de, str>),
    Null,
    Other,
}

impl Scalar<'_> {
    fn owned(self) -> Scalar<'static> {
        match self {
            Self::Integer(value) => Scalar::Integer(value),
            Self::Number(value) => Scalar::Number(value),
            Self::Boolean(value) => Scalar::Boolean(value),
            Self::Text(text) => Scalar::Text(Cow::Owned(text.into_owned())),
            Self::Null => Scalar::Null,
            Self::Other => Scalar::Other,
        }
    }

    fn integer(&self) -> Option<i64> {
        match self {
            Self::Integer(value) => Some(*value),
            Self::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    fn boolean(&self) -> Option<bool> {
        match self {
            Self::Boolean(value) => Some(*value),
            Self::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    fn string(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.into_owned()),
            _ => None,
        }
    }

    /// An id may be written as a number.
    fn name(self) -> Name {
        match self {
            Self::Null => Name::Null,
            Self::Text(text) if !text.is_empty() => Name::Is(text.into_owned()),
            Self::Integer(value) => Name::Is(value.to_string()),
            Self::Number(value) => Name::Is(value.to_string()),
            _ => Name::Unreadable,
        }
    }
}

impl<'de> serde::Deserialize<'de> for Scalar<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Scalar<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Scalar::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(i64::try_from(value).map_or(Scalar::Other, Scalar::Integer))
    }

    #[expect(clippy::cast_possible_truncation, reason = "whole and small")]
    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        let whole = value.fract() == 0.0 && value.abs() < 1e9;
        Ok(if whole { Scalar::Integer(value as i64) } else { Scalar::Number(value) })
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Scalar::Boolean(value))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Scalar::Null)
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        Ok(Scalar::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Scalar::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Scalar::Other)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_members_of_each_family_are_seen() {
        let a = scan(br#"{"code":492,"message":"Limit with that Name already exists","requestID":null}"#);
        assert_eq!((a.code, a.request_id), (Deciding::Is(492), Name::Null));
        assert_eq!(a.message.as_deref(), Some("Limit with that Name already exists"));
        let b = scan(br#"{"responseCode":902,"responseText":"no","messages":[{"responseCode":1}]}"#);
        assert_eq!(
            (b.response_code, b.message.as_deref(), b.messages),
            (Deciding::Is(902), Some("no"), true)
        );
        let c = scan(br#"[{"response":901},{"response":0}]"#);
        assert_eq!((c.elements.first, c.object, c.array), (Deciding::Is(901), false, true));
        assert_eq!((c.elements.count, c.elements.refused, c.elements.accepted), (2, 1, 1));
        let w = scan(br#"{"status":1,"status_message":"url","event_types":["seen"]}"#);
        assert_eq!((w.status, w.message.as_deref()), (Deciding::Is(1), Some("url")));
        let bot = scan(br#"{"ok":false,"error_code":404,"description":"Not Found"}"#);
        assert_eq!((bot.ok, bot.error_code), (Some(false), Deciding::Is(404)));
        let d = scan(br#"{"messageId":"m","conversation":{"code":3}}"#);
        assert_eq!((d.id, d.code, d.whole), (true, Deciding::Absent, true));
        assert_eq!(scan(br#"["m-1",null,"",{"id":"x"}]"#).elements.ids, 1);
        assert_eq!(scan(b"[]").elements.count, 0);
    }

    #[test]
    fn the_xml_form_is_seen() {
        let seen =
            scan(b"<?xml version=\"1.0\"?><response><id>1</id><responseCode>0</responseCode></response>");
        assert_eq!((seen.response_code, seen.id, seen.whole), (Deciding::Is(0), true, true));
        assert_eq!(scan(b"<html><responseCode>0</responseCode></html>").response_code, Deciding::Absent);
    }

    #[test]
    fn xml_is_seen_however_it_is_written() {
        for refused in [
            "<r><responseCode><![CDATA[902]]></responseCode><responseText>a &amp; b</responseText></r>",
            "<s:r xmlns:s='u'><s:responseCode>902</s:responseCode><s:responseText>a &#38; b</s:responseText></s:r>",
            "\u{feff}<r><responseText>a <![CDATA[& ]]>b</responseText><responseCode>9<!-- - -->02</responseCode></r>",
            "<r><responseText>a &amp; b</responseText><responseCode>902<more>0</more></responseCode></r>\n",
        ] {
            let seen = scan(refused.as_bytes());
            assert_eq!((seen.response_code, seen.known), (Deciding::Is(902), true), "{refused}");
            assert_eq!(seen.message.as_deref(), Some("a & b"), "{refused}");
        }
        let unknown =
            scan(b"<r><responseText>caf&eacute;</responseText><responseCode>902</responseCode></r>");
        assert_eq!(
            unknown.response_code,
            Deciding::Is(902),
            "an entity that nobody declared hides no refusal"
        );
        assert_eq!(
            scan(b"<h:html><h:responseCode>0</h:responseCode></h:html>").response_code,
            Deciding::Absent
        );
    }

    #[test]
    fn xml_that_is_cut_is_read_as_far_as_it_came() {
        let body = "<r><responseCode>902</responseCode><responseText>é</responseText></r>".as_bytes();
        let shown = body.len() - "<responseText>é</responseText></r>".len();
        for cut in 0..body.len() {
            let seen = scan(&body[..cut]);
            assert_eq!((seen.response_code != Deciding::Absent, seen.whole), (cut >= shown, false), "{cut}");
        }
        assert!(scan(body).whole);
    }

    #[test]
    fn a_cut_answer_is_read_as_far_as_it_came() {
        let body = br#"{"id":"1","responseCode":0,"textLength":5}"#;
        let shown = |cut: usize| scan(&body[..cut]).response_code;
        let member = "{\"id\":\"1\",\"responseCode\":0".len();
        assert!((0..=member).all(|cut| shown(cut) == Deciding::Absent));
        assert!((member + 1..=body.len()).all(|cut| shown(cut) == Deciding::Is(0)));
        assert!((0..body.len()).all(|cut| !scan(&body[..cut]).whole));
        assert!(scan(body).whole);
    }

    #[test]
    fn a_member_that_is_not_an_integer_is_unreadable() {
        for value in ["null", "[902]", r#""ERR_NO_CREDIT""#, "902.5", r#"{"code":902}"#, "true", r#""""#] {
            let body = format!(r#"{{"id":"x","responseCode":{value}}}"#);
            assert_eq!(scan(body.as_bytes()).response_code, Deciding::Unreadable, "{value}");
        }
        assert_eq!(scan(br#"{"responseCode":902,"responseCode":0}"#).response_code, Deciding::Unreadable);
        assert_eq!(scan(br#"{"responseCode":0,"responseCode":0.0}"#).response_code, Deciding::Is(0));
    }

    #[test]
    fn a_response_of_very_many_values_is_crowded() {
        assert!(is_crowded(&b"{},".repeat(100_001)));
        assert!(is_crowded(&b"null,".repeat(500_001)));
        assert!(!is_crowded(&b"{},".repeat(100_000)));
    }

    #[test]
    fn a_cut_number_is_no_number() {
        assert_eq!(scan(br#"{"code":200"#).code, Deciding::Absent);
        assert_eq!(scan(br#"{"code":200}"#).code, Deciding::Is(200));
        assert_eq!(scan(br#"{"code":2garbage"#).code, Deciding::Absent);
        assert_eq!(scan(br#"{"code":200,"#).code, Deciding::Is(200));
        assert_eq!(scan(br#"{"code":-"#).code, Deciding::Absent);
        assert_eq!(scan(br#"{"code":"492"}"#).code, Deciding::Is(492));
        assert_eq!(scan(b"<html>").code, Deciding::Absent);
        assert_eq!(scan(b"").code, Deciding::Absent);
    }
}
