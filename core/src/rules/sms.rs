//! Rules of the sender and the text of an SMS, as a channel (D1) and of the operations `sms.*` (B1, B3).

use crate::value::{Map, Value};

use crate::problem::{Code, Fix, Pointer, Problems, Severity, codes, grouped};
use crate::rules::length::{CODE_POINTS, UTF16_UNITS};
use crate::text::sender::{self, Found};
use crate::text::{self, Cause, Count, Encoding, MAX_PARTS};

const MANY_PARTS: u32 = 10;
const MAX_CAUSES: usize = 3;

/// The rules that apply to a sender.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SenderRules {
    /// `/sms/sender`: the specification's limits are errors (D1).
    Channel,
    /// `/from` of the family `sms`, for which the specification states no limit: warnings.
    Sms,
}

impl SenderRules {
    const fn severity(self) -> Severity {
        match self {
            Self::Channel => Severity::Error,
            Self::Sms => Severity::Warning,
        }
    }
}

/// Checks `/from` and `/text` of the family `sms`.
pub(crate) fn check_from_and_text(from: &str, text: &str, at: &Pointer<'_>, problems: &mut Problems) {
    match from {
        "" => problems.add_key(&codes::SMS_FROM_REQUIRED, at, "from"),
        from => sender(from, SenderRules::Sms, &at.key("from"), problems),
    }
    self::text(text, &at.key("text"), problems);
}

/// Checks a sender that is not empty.
pub(crate) fn sender(sender: &str, rules: SenderRules, at: &Pointer<'_>, problems: &mut Problems) {
    let is_numeric = sender::classify(sender).is_numeric();
    if sender::has_plus(sender) {
        let fix = Fix::replace(sender, 0, 1, "");
        problems.report(&codes::SMS_SENDER_PLUS, at).fix(Some(fix));
    }
    let (code, limit): (&'static Code, usize) = if is_numeric {
        (&codes::SMS_SENDER_NUMERIC_TOO_LONG, sender::MAX_NUMERIC)
    } else {
        (&codes::SMS_SENDER_ALNUM_TOO_LONG, sender::MAX_ALPHANUMERIC)
    };
    let length = sender::length(sender);
    if length > limit {
        let unit = if is_numeric { "digits" } else { CODE_POINTS };
        problems.report_as(code, rules.severity(), at).limit(limit, length, unit);
    }
    if is_numeric {
        return;
    }
    let charset = sender::charset(sender);
    report_characters(&codes::SMS_SENDER_CHARSET, charset.forbidden, rules.severity(), sender, at, problems);
    report_characters(
        &codes::SMS_SENDER_NON_ASCII,
        charset.non_ascii,
        Severity::Warning,
        sender,
        at,
        problems,
    );
    report_characters(
        &codes::SMS_SENDER_PUNCTUATION,
        charset.punctuation,
        Severity::Warning,
        sender,
        at,
        problems,
    );
    let septets = sender::septets(sender).filter(|septets| *septets > sender::MAX_SEPTETS);
    if let Some(septets) = septets.filter(|_| length <= limit) {
        problems.report(&codes::SMS_SENDER_SEPTETS, at).limit(sender::MAX_SEPTETS, septets, "septets");
    }
}

fn report_characters(
    code: &'static Code,
    found: Found,
    severity: Severity,
    sender: &str,
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    let Some(first) = found.first else { return };
    let (bytes, units) = sender
        .get(first.byte..)
        .and_then(|tail| tail.chars().next())
        .map_or((0, 0), |character| (character.len_utf8(), character.len_utf16()));
    problems.report_as(code, severity, at).param("actual", found.count).span(
        first.byte,
        first.byte + bytes,
        first.utf16,
        first.utf16 + units,
    );
}

/// Checks a text, and reports its parts and the characters that force UCS-2.
pub(crate) fn text(text: &str, at: &Pointer<'_>, problems: &mut Problems) {
    if text.is_empty() {
        problems.add(&codes::SMS_TEXT_REQUIRED, at);
        return;
    }
    let count = text::count(text);
    if count.encoding == Encoding::Ucs2 && problems.keeps(&codes::SMS_TEXT_UNICODE_CAUSE) {
        unicode_cause(text, count, at, problems);
    }
    if count.count > 1 && problems.keeps(&codes::SMS_TEXT_PARTS) {
        parts(count, at, problems);
    }
    if count.count > MANY_PARTS {
        problems.report(&codes::SMS_TEXT_MANY_PARTS, at).limit(MANY_PARTS, count.count, "parts");
    }
    if count.count > MAX_PARTS {
        problems.report(&codes::SMS_TEXT_PARTS_OVER_255, at).limit(MAX_PARTS, count.count, "parts");
    }
}

fn parts(count: Count, at: &Pointer<'_>, problems: &mut Problems) {
    let unit = if count.encoding == Encoding::Gsm7 { "septets" } else { UTF16_UNITS };
    problems
        .report(&codes::SMS_TEXT_PARTS, at)
        .append(&format!(
            ": {} parts, {} {unit}, {} remaining",
            count.count,
            grouped(count.units.into()),
            count.remaining
        ))
        .param("encoding", count.encoding.as_str())
        .param("parts", count.count)
        .param("units", count.units)
        .param("left", count.remaining)
        .param("unit", unit);
}

/// Reports up to three characters outside the default alphabet, with their replacements.
fn unicode_cause(text: &str, count: Count, at: &Pointer<'_>, problems: &mut Problems) {
    let causes = text::causes(text);
    if causes.len() > MAX_CAUSES {
        return;
    }
    let is_replaceable = causes.iter().all(|cause| cause.replacement.is_some());
    let plain = is_replaceable.then(|| text::replaced(text).0);
    let characters: Vec<Value> = causes.iter().map(cause).collect();
    let force = match causes.len() {
        1 => "1 character forces".to_owned(),
        several => format!("{several} characters force"),
    };
    let added = problems
        .report(&codes::SMS_TEXT_UNICODE_CAUSE, at)
        .message(format!("{force} UCS-2: 70 characters in a single SMS, 67 in each part of a longer one"))
        .param("characters", Value::Array(characters))
        .param("encoding", count.encoding.as_str())
        .param("parts", count.count)
        .fix(plain.as_deref().map(|plain| edit(text, plain)));
    if let Some(plain) = plain {
        added.param("partsIfReplaced", text::count(&plain).count);
    }
}

/// The edit that changes a text to another one: from the first to the last character that differs.
fn edit(text: &str, other: &str) -> Fix {
    let equal = |(one, two): &(char, char)| one == two;
    let length = |(character, _): (char, char)| character.len_utf8();
    let start = text.chars().zip(other.chars()).take_while(equal).map(length).sum();
    let (before, after) = (text.get(start..).unwrap_or_default(), other.get(start..).unwrap_or_default());
    let end: usize = before.chars().rev().zip(after.chars().rev()).take_while(equal).map(length).sum();
    let insert = after.get(..after.len().saturating_sub(end)).unwrap_or_default();
    Fix::replace(text, start, text.len().saturating_sub(end), insert)
}

fn cause(cause: &Cause) -> Value {
    let mut fact = Map::new();
    fact.insert("character".to_owned(), cause.character.to_string().into());
    fact.insert("count".to_owned(), cause.count.into());
    fact.insert("replacement".to_owned(), cause.replacement.map_or(Value::Null, Value::from));
    Value::Object(fact)
}
