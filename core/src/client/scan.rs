//! One pass over an answer for the members that say whether it was a success; nothing else of it
//! is kept. It reads cut answers as far as they came.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::wire::xml;

/// What was seen at the top level of an answer.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Seen {
    /// Families A and the bot calls: `code`, `error_code`.
    pub(crate) code: Option<i64>,
    /// Family B: `responseCode`; family C: `response` of the first element.
    pub(crate) response_code: Option<i64>,
    /// `messenger_b`: `status`.
    pub(crate) status: Option<i64>,
    /// `messenger_c`: `ok`.
    pub(crate) ok: Option<bool>,
    /// `message`, `responseText`, `status_message` or `description`.
    pub(crate) message: Option<String>,
    /// `requestID`.
    pub(crate) request_id: Option<String>,
    /// An id that says that a record was made: `messageId`, `id` or `bulkId`, or an element of an array.
    pub(crate) id: bool,
    /// Whether the answer is an object.
    pub(crate) object: bool,
    /// Whether the answer was read to its end.
    pub(crate) whole: bool,
    /// Whether the answer is whole, and JSON or the XML form, or nothing at all.
    pub(crate) known: bool,
    /// The last member before an error: good when the answer just ended there.
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
            seen.whole = read.and_then(|()| json.end()).is_ok();
            seen.known = seen.whole;
        }
        first => match xml::start(body) {
            Some(body) => read_xml(body, &mut seen),
            None => seen.known = first.is_none(),
        },
    }
    seen
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
                map.next_value::<IgnoredAny>()?;
            } else {
                held = Some((key, map.next_value::<Scalar<'de>>()?));
            }
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let mut element = Seen::default();
        match seq.next_element_seed(Element(&mut element))? {
            None => {}
            Some(()) => {
                self.0.id = true;
                self.0.response_code = element.response_code;
            }
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
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

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        Top(self.0).visit_map(map)
    }
}

impl Seen {
    fn keep(&mut self, key: &str, value: Scalar<'_>) {
        match key {
            "code" | "error_code" => self.code = value.integer(),
            "responseCode" | "response" => self.response_code = value.integer(),
            "status" => self.status = value.integer(),
            "ok" => self.ok = value.boolean(),
            "message" | "responseText" | "status_message" | "description" => {
                self.message = value.text().filter(|text| !text.is_empty());
            }
            "requestID" => self.request_id = value.text().filter(|text| !text.is_empty()),
            "messageId" | "id" | "bulkId" => self.id |= value.text().is_some_and(|text| !text.is_empty()),
            _ => {}
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Scalar<'de> {
    Integer(i64),
    Boolean(bool),
    Text(Cow<'de, str>),
    Other,
}

impl Scalar<'_> {
    fn owned(self) -> Scalar<'static> {
        match self {
            Self::Integer(value) => Scalar::Integer(value),
            Self::Boolean(value) => Scalar::Boolean(value),
            Self::Text(text) => Scalar::Text(Cow::Owned(text.into_owned())),
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

    fn text(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.into_owned()),
            Self::Integer(value) => Some(value.to_string()),
            _ => None,
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
        Ok(if whole { Scalar::Integer(value as i64) } else { Scalar::Other })
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Scalar::Boolean(value))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Scalar::Other)
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
    seen.known = seen.whole && seen.object;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_members_of_each_family_are_seen() {
        let a = scan(br#"{"code":492,"message":"Limit with that Name already exists","requestID":null}"#);
        assert_eq!((a.code, a.request_id), (Some(492), None));
        assert_eq!(a.message.as_deref(), Some("Limit with that Name already exists"));
        let b = scan(br#"{"responseCode":902,"responseText":"no","messages":[{"responseCode":1}]}"#);
        assert_eq!((b.response_code, b.message.as_deref()), (Some(902), Some("no")));
        let c = scan(br#"[{"response":901},{"response":0}]"#);
        assert_eq!((c.response_code, c.object), (Some(901), false));
        let w = scan(br#"{"status":1,"status_message":"url","event_types":["seen"]}"#);
        assert_eq!((w.status, w.message.as_deref()), (Some(1), Some("url")));
        let bot = scan(br#"{"ok":false,"error_code":404,"description":"Not Found"}"#);
        assert_eq!((bot.ok, bot.code), (Some(false), Some(404)));
        let d = scan(br#"{"messageId":"m","conversation":{"code":3}}"#);
        assert_eq!((d.id, d.code, d.whole), (true, None, true));
        assert!(scan(br#"["m-1"]"#).id);
        assert!(!scan(b"[]").id);
    }

    #[test]
    fn the_xml_form_is_seen() {
        let seen =
            scan(b"<?xml version=\"1.0\"?><response><id>1</id><responseCode>0</responseCode></response>");
        assert_eq!((seen.response_code, seen.id, seen.whole), (Some(0), true, true));
        assert_eq!(scan(b"<html><responseCode>0</responseCode></html>").response_code, None);
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
            assert_eq!((seen.response_code, seen.known), (Some(902), true), "{refused}");
            assert_eq!(seen.message.as_deref(), Some("a & b"), "{refused}");
        }
        let unknown =
            scan(b"<r><responseText>caf&eacute;</responseText><responseCode>902</responseCode></r>");
        assert_eq!(unknown.response_code, Some(902), "an entity that nobody declared hides no refusal");
        assert_eq!(scan(b"<h:html><h:responseCode>0</h:responseCode></h:html>").response_code, None);
    }

    #[test]
    fn xml_that_is_cut_is_read_as_far_as_it_came() {
        let body = "<r><responseCode>902</responseCode><responseText>é</responseText></r>".as_bytes();
        let shown = body.len() - "<responseText>é</responseText></r>".len();
        for cut in 0..body.len() {
            let seen = scan(&body[..cut]);
            assert_eq!((seen.response_code.is_some(), seen.whole), (cut >= shown, false), "{cut}");
        }
        assert!(scan(body).whole);
    }

    #[test]
    fn a_cut_answer_is_read_as_far_as_it_came() {
        let body = br#"{"id":"1","responseCode":0,"textLength":5}"#;
        let shown = |cut: usize| scan(&body[..cut]).response_code;
        let member = "{\"id\":\"1\",\"responseCode\":0".len();
        assert!((0..=member).all(|cut| shown(cut).is_none()));
        assert!((member + 1..=body.len()).all(|cut| shown(cut) == Some(0)));
        assert!((0..body.len()).all(|cut| !scan(&body[..cut]).whole));
        assert!(scan(body).whole);
    }

    #[test]
    fn a_cut_number_is_no_number() {
        assert_eq!(scan(br#"{"code":200"#).code, None);
        assert_eq!(scan(br#"{"code":200}"#).code, Some(200));
        assert_eq!(scan(br#"{"code":2garbage"#).code, None);
        assert_eq!(scan(br#"{"code":200,"#).code, Some(200));
        assert_eq!(scan(br#"{"code":-"#).code, None);
        assert_eq!(scan(br#"{"code":"492"}"#).code, Some(492));
        assert_eq!(scan(b"<html>").code, None);
        assert_eq!(scan(b"").code, None);
    }
}
