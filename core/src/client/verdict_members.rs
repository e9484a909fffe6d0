//! Reads the members of a response that decide whether it is a success, in one pass. Other members are skipped. A cut
//! response is read up to the cut.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

#[cfg(test)]
mod member_tests;
mod member_value;

use crate::operation::Family;
use crate::operations::messages::{BulkMessages, Message};
use crate::response::xml;
use crate::schema::Model;
use member_value::MemberValue;

/// A deciding member that is an integer.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IntegerMember {
    /// The response does not contain it.
    #[default]
    Absent,
    /// It is not an integer, or it occurs twice with different values.
    Unreadable,
    /// Its value.
    Is(i64),
}

impl IntegerMember {
    pub(crate) const fn value(self) -> Option<i64> {
        match self {
            Self::Is(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it is an integer other than `success`.
    pub(crate) const fn differs_from(self, success: i64) -> bool {
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

/// A member that contains an id.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) enum IdMember {
    /// The response does not contain it.
    #[default]
    Absent,
    /// It is `null`.
    Null,
    /// It is an empty string, or neither a string, a number nor `null`.
    Unreadable,
    /// Its value.
    Is(String),
}

/// The members that contain the id of a message.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Ids {
    id: IdMember,
    message_id: IdMember,
    bulk_id: IdMember,
}

/// Counts of the elements of a response that is an array.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Elements {
    /// All elements.
    pub(crate) count: usize,
    /// Objects whose `response` is an integer other than 0.
    pub(crate) rejected: usize,
    /// Objects whose `response` is 0.
    pub(crate) accepted: usize,
    /// Elements that are an id: non-empty strings and numbers.
    pub(crate) ids: usize,
    /// Objects with an id.
    pub(crate) with_id: usize,
    /// Objects with an id and without the code of a failure.
    pub(crate) created: usize,
    /// Objects with the code of a failure, also one that was cut.
    pub(crate) failed: usize,
    /// Whether the last element is an object that was cut.
    pub(crate) ends_in_object: bool,
    /// The `response` of the first element.
    pub(crate) first: IntegerMember,
}

/// The deciding members at the top level of a response.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct VerdictMembers {
    /// `otp` and `messaging`: `code`.
    pub(crate) code: IntegerMember,
    /// `messenger_c`: `error_code`.
    pub(crate) error_code: IntegerMember,
    /// Whether `code` is a number or a non-empty string.
    pub(crate) has_code: bool,
    /// Whether `code` is a JSON integer, not a string that contains one.
    pub(crate) code_is_integer: bool,
    /// `sms`: `responseCode`.
    pub(crate) response_code: IntegerMember,
    /// An element of the family `lookup`: `response`.
    response: IntegerMember,
    /// `messenger_b`: `status`.
    pub(crate) status: IntegerMember,
    /// `messenger_c`: `ok`.
    pub(crate) ok: Option<bool>,
    /// `message`, `responseText`, `status_message` and `description`, if they are non-empty strings.
    texts: [Option<String>; TEXTS.len()],
    /// `requestID`.
    pub(crate) request_id: IdMember,
    /// Whether `messageId`, `id` or `bulkId` is a non-empty string or a number other than 0.
    pub(crate) id: bool,
    /// Whether `messageId` or `bulkId` is a non-empty string or a number; only the provider writes these members.
    pub(crate) message_id: bool,
    /// The values of the members with an id.
    ids: Ids,
    /// Whether a deciding member occurs twice with different values.
    pub(crate) contradicts: bool,
    /// Whether `responseCode` or `ok` has a value other than null that is of the wrong type.
    pub(crate) unreadable: bool,
    /// Whether a member `error` is neither null nor false.
    pub(crate) error: bool,
    /// Whether a member may deny that a passcode is valid, see [`may_deny`].
    pub(crate) denied: bool,
    /// Whether a member `messages` is an array.
    pub(crate) messages: bool,
    /// Whether the last member `messages` was read to its end.
    pub(crate) messages_end: bool,
    /// The elements of the last member `messages`.
    pub(crate) sent: Elements,
    /// Whether a member occurs that the responses of the family `messaging` do not document.
    pub(crate) foreign: bool,
    /// The elements of an array.
    pub(crate) elements: Elements,
    /// Whether the response is an object.
    pub(crate) object: bool,
    /// Whether the response is an array.
    pub(crate) array: bool,
    /// Whether the response was read to its end.
    pub(crate) whole: bool,
    /// Whether the response is truncated JSON or XML.
    pub(crate) truncated: bool,
    /// Whether the response is empty, or complete JSON or XML.
    pub(crate) known: bool,
    /// The last member before a syntax error: valid if the response was cut there.
    last: Option<(String, MemberValue<'static>)>,
}

/// The members that contain a message of the provider, by family.
const TEXTS: [&str; 4] = ["message", "responseText", "status_message", "description"];

/// Whether the response to a message or to a bulk message documents a member.
fn is_of_messages(name: &str) -> bool {
    let field = Message::SCHEMA.field(name).or_else(|| BulkMessages::SCHEMA.field(name));
    field.is_some_and(|field| !field.derived)
}

/// Reads the deciding members of JSON, or of the XML form of the family `sms`.
pub(crate) fn read_members(body: &[u8]) -> VerdictMembers {
    let mut members = VerdictMembers::default();
    match first(body) {
        Some(b'{' | b'[') => {
            let body = without_cut_number(body);
            let mut json = serde_json::Deserializer::from_slice(body);
            let read = json.deserialize_any(Container { members: &mut members, is_outer: true });
            if let (Err(error), Some((name, value))) = (&read, members.last.take())
                && error.is_eof()
            {
                members.keep(&name, value);
            }
            let read = read.and_then(|()| json.end());
            members.truncated = read.as_ref().is_err_and(serde_json::Error::is_eof);
            members.whole = read.is_ok();
            members.known = members.whole;
        }
        first => match xml::start(body) {
            Some(body) => read_xml(body, &mut members),
            None => members.known = first.is_none(),
        },
    }
    members
}

/// The maximum number of objects in a response; a page of records has at most a thousand objects.
const MAX_OBJECTS: usize = 100_000;
/// The maximum number of members and elements in a response.
const MAX_MEMBERS: usize = 500_000;

/// Whether a response exceeds these maxima. Parsed values need many times the memory of their text.
pub(crate) fn has_too_many_values(body: &[u8]) -> bool {
    let count = |expected: u8| body.iter().filter(|byte| **byte == expected).count();
    body.len() > MAX_OBJECTS && (count(b'{') > MAX_OBJECTS || count(b',') > MAX_MEMBERS)
}

/// Whether a response can be JSON: its first byte opens an object or an array.
pub(crate) fn looks_like_json(body: &[u8]) -> bool {
    matches!(first(body), Some(b'{' | b'['))
}

fn first(body: &[u8]) -> Option<u8> {
    body.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

/// Removes a number at the end of a cut response: `20` may be the beginning of `200`.
fn without_cut_number(body: &[u8]) -> &[u8] {
    let end = body.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |last| last + 1);
    body.get(..end).unwrap_or_default()
}

/// The name of a member; borrowed if it contains no escapes.
#[derive(serde::Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

/// An object or an array. Only the outer one reads the elements of arrays, so that nesting costs no memory.
struct Container<'a> {
    members: &'a mut VerdictMembers,
    is_outer: bool,
}

impl<'de> Visitor<'de> for Container<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.members.object = true;
        let mut held: Option<(Cow<'de, str>, MemberValue<'de>)> = None;
        loop {
            // The next key shows that the value before it was complete.
            let key = map.next_key::<Name<'de>>().map(|key| key.map(|Name(name)| name));
            if let Some((name, value)) = held.take() {
                match &key {
                    Ok(_) => self.members.keep(&name, value),
                    Err(_) => self.members.last = Some((name.into_owned(), value.owned())),
                }
            }
            let Some(key) = key? else { return Ok(()) };
            self.members.foreign |= !is_of_messages(&key);
            if key == "messages" && self.is_outer {
                let mut value = VerdictMembers::default();
                let read = map.next_value_seed(Element { members: &mut value, reads_array: true });
                self.members.messages |= value.array;
                (self.members.messages_end, self.members.sent) = (read.is_ok(), value.elements);
                read?;
            } else if key == "data" {
                self.members.denied |= map.next_value::<Option<IgnoredAny>>()?.is_some();
            } else if matches!(key.as_ref(), "sender" | "conversation" | "messages") {
                map.next_value::<IgnoredAny>()?;
            } else {
                held = Some((key, map.next_value::<MemberValue<'de>>()?));
            }
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.members.array = true;
        loop {
            let mut element = VerdictMembers::default();
            match seq.next_element_seed(Element { members: &mut element, reads_array: false }) {
                Ok(Some(())) => self.members.elements.add(&element),
                Ok(None) => return Ok(()),
                Err(error) => {
                    self.members.elements.add_cut(element);
                    return Err(error);
                }
            }
        }
    }
}

impl Elements {
    fn add(&mut self, element: &VerdictMembers) {
        if self.count == 0 {
            self.first = element.lookup_code();
        }
        self.count += 1;
        self.rejected += usize::from(element.lookup_code().differs_from(0));
        self.accepted += usize::from(element.lookup_code() == IntegerMember::Is(0));
        self.ids += usize::from(!element.object && element.id);
        self.with_id += usize::from(element.object && element.id);
        self.created += usize::from(element.object && element.id && !element.has_failure_code());
        self.failed += usize::from(element.has_failure_code());
    }

    fn add_cut(&mut self, mut element: VerdictMembers) {
        if let Some((name, value)) = element.last.take() {
            element.keep(&name, value);
        }
        self.ends_in_object = element.object;
        self.failed += usize::from(element.has_failure_code());
    }
}

/// A value in an array, or the value of `messages`.
struct Element<'a> {
    members: &'a mut VerdictMembers,
    reads_array: bool,
}

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
        self.members.id = !text.is_empty();
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        self.members.id = true;
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        self.members.id = true;
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
        if self.reads_array {
            return Container { members: self.members, is_outer: false }.visit_seq(seq);
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        Container { members: self.members, is_outer: false }.visit_map(map)
    }
}

impl VerdictMembers {
    /// The code of the family `lookup`: `response`, or `responseCode` if that is absent.
    pub(crate) const fn lookup_code(&self) -> IntegerMember {
        match self.response {
            IntegerMember::Absent => self.response_code,
            code => code,
        }
    }

    /// Whether the response contains a message of any name.
    pub(crate) fn has_message(&self) -> bool {
        self.texts.iter().any(Option::is_some)
    }

    /// The provider's message: the member that the family documents or, without it, that of another family.
    pub(crate) fn provider_message(&self, family: Family) -> Option<String> {
        let name = match family {
            Family::Otp | Family::Messaging => "message",
            Family::Sms | Family::Lookup => "responseText",
            Family::MessengerB => "status_message",
            Family::MessengerC => "description",
        };
        let own = TEXTS
            .iter()
            .zip(&self.texts)
            .find(|(text, _)| **text == name)
            .and_then(|(_, text)| text.as_ref());
        own.or_else(|| self.texts.iter().flatten().next()).cloned()
    }

    /// Whether `messageId` is null or unreadable.
    pub(crate) const fn has_invalid_message_id(&self) -> bool {
        matches!(self.ids.message_id, IdMember::Null | IdMember::Unreadable)
    }

    /// Whether an element has the code of a failure: in the family `messaging` `code`, in the family `sms` `responseCode`.
    const fn has_failure_code(&self) -> bool {
        self.code.differs_from(0) || self.response_code.differs_from(0)
    }

    /// Whether the response is the documented success of a verification (A2, A3), and no other member may deny it. The form of a failed
    /// verification is undocumented.
    pub(crate) fn is_verified(&self) -> bool {
        let [message, ..] = &self.texts;
        self.code == IntegerMember::Is(200)
            && self.code_is_integer
            && message.is_some()
            && !self.error
            && !self.denied
    }

    fn keep(&mut self, key: &str, value: MemberValue<'_>) {
        self.denied |= may_deny(key, &value);
        match key {
            "error_code" => self.error_code.set(value.integer()),
            "code" => {
                self.code_is_integer = matches!(value, MemberValue::Integer(_));
                self.has_code |= match &value {
                    MemberValue::Integer(_) | MemberValue::Number(_) => true,
                    MemberValue::Text(text) => !text.is_empty(),
                    _ => false,
                };
                self.contradicts |= self.code.contradicts(value.integer());
                self.code.set(value.integer());
            }
            "responseCode" | "response" => {
                self.unreadable |=
                    key == "responseCode" && value.integer().is_none() && value != MemberValue::Null;
                let known = if key == "response" { &mut self.response } else { &mut self.response_code };
                self.contradicts |= known.contradicts(value.integer());
                known.set(value.integer());
            }
            "status" => {
                self.contradicts |= self.status.contradicts(value.integer());
                self.status.set(value.integer());
            }
            "ok" => {
                let ok = value.boolean();
                self.unreadable |= ok.is_none() && value != MemberValue::Null;
                self.contradicts |= self.ok.is_some_and(|known| Some(known) != ok);
                self.ok = ok;
            }
            "error" => self.error |= !matches!(value, MemberValue::Null | MemberValue::Boolean(false)),
            "requestID" => {
                let id = value.id();
                self.contradicts |= self.request_id != IdMember::Absent && self.request_id != id;
                self.request_id = id;
            }
            "messageId" | "id" | "bulkId" => {
                let is_zero = value == MemberValue::Integer(0);
                let id = value.id();
                let is_id = matches!(id, IdMember::Is(_));
                self.id |= is_id && !is_zero;
                self.message_id |= is_id && key != "id";
                let known = match key {
                    "id" => &mut self.ids.id,
                    "messageId" => &mut self.ids.message_id,
                    _ => &mut self.ids.bulk_id,
                };
                self.contradicts |= *known != IdMember::Absent && *known != id;
                *known = id;
            }
            _ => {
                let known = TEXTS.iter().zip(&mut self.texts).find(|(name, _)| **name == key);
                if let Some((_, known)) = known {
                    *known = value.string().filter(|text| !text.is_empty());
                }
            }
        }
    }
}

/// Whether a member may deny that a passcode is valid: it is false, or it has a usual name of a verdict and is not affirmative.
fn may_deny(key: &str, value: &MemberValue<'_>) -> bool {
    match key {
        "error" => false, // `VerdictMembers::error`
        "message" => !matches!(value, MemberValue::Text(text) if text == "OK"),
        "errors" => !matches!(value, MemberValue::Null | MemberValue::Boolean(false)),
        "check" | "checks" | "ok" | "reason" | "result" | "status" | "success" | "valid" | "verified" => {
            match value {
                MemberValue::Null | MemberValue::Boolean(true) => false,
                MemberValue::Text(text) => !["true", "OK", "valid", "success"].contains(&text.as_ref()),
                _ => true,
            }
        }
        _ => value.boolean() == Some(false),
    }
}

/// The members of the XML form are one level below its root. A page of HTML is not a response of the provider.
fn read_xml(body: &[u8], members: &mut VerdictMembers) {
    let end = xml::walk(body, |root, name, text| {
        if !root.eq_ignore_ascii_case("html") {
            members.object = true;
            members.keep(name, MemberValue::Text(Cow::Owned(text)));
        }
    });
    members.whole = end != xml::End::Cut;
    members.truncated = !members.whole && members.object;
    members.known = members.whole && members.object;
}
