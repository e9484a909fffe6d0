//! Rules of the envelope of the three sending operations (D1, D5, D6).

use super::failover::{self, has_messenger_c};
use super::{Channel, Envelope, Failover};
use crate::problem::{Code, Pointer, Problems, Severity, Validate, codes};
use crate::rules::formats::{self, is_uuid};
use crate::rules::unknown_members;
use crate::schema::Field;
use crate::util::{nearest, repeats::repeats};
use crate::value::Value;

/// The operation that sends an envelope.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sending {
    /// One message over one channel (D1).
    Single,
    /// One message over several channels (D5).
    Failover,
    /// Many messages (D6). A channel object or a failover `{}` counts as absent.
    Bulk,
}

/// Checks an envelope with the rules of the operation that sends it.
pub(crate) fn check(
    envelope: &Envelope,
    sending: Sending,
    fields: &'static [Field],
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    let is_bulk = sending == Sending::Bulk;
    let mut channels = Vec::new();
    for channel in &envelope.channels {
        if !is_bulk || !channel.is_empty() {
            channels.push(channel);
        }
    }
    let failover = envelope.failover.as_ref().filter(|failover| !is_bulk || !failover.is_empty());
    account(envelope, sending, at, problems);
    if is_bulk {
        destinations(envelope, DestinationKind::by(channels.iter().copied()), at, problems);
    } else {
        destination(envelope, at, problems);
    }
    if sending != Sending::Failover && channels.len() > 1 && failover.is_none() {
        let severity = if is_bulk { Severity::Warning } else { Severity::Error };
        problems.report_as(&codes::MSG_CHANNEL_MULTIPLE, severity, at);
    }
    if is_bulk && has_messenger_c(&channels) {
        problems.add_key(&codes::MSG_CHANNEL_NOT_IN_BULK, at, "messenger_c");
    }
    check_channels(&channels, at, problems);
    match failover {
        Some(failover) if sending != Sending::Single => check_failover(failover, &channels, at, problems),
        None if sending == Sending::Failover => problems.add_key(&codes::FAILOVER_REQUIRED, at, "failover"),
        _ => {}
    }
    if is_bulk && envelope.version.as_deref().is_some_and(|version| !reaches_1_1(version)) {
        problems.add_key(&codes::BULK_VERSION, at, "version");
    }
    check_unknown(envelope, fields, at, problems);
}

fn account(envelope: &Envelope, sending: Sending, at: &Pointer<'_>, problems: &mut Problems) {
    let code = match envelope.traffic_account_id.as_deref() {
        None if sending != Sending::Failover => &codes::MSG_TRAFFIC_ACCOUNT_ID_REQUIRED,
        Some(id) if !is_uuid(id) => &codes::MSG_TRAFFIC_ACCOUNT_ID_NOT_UUID,
        _ => return,
    };
    problems.add_key(code, at, "trafficAccountId");
}

/// Checks the destination: `messenger_c` has its own identifiers (D1a), every other channel accepts phone numbers.
fn destination(envelope: &Envelope, at: &Pointer<'_>, problems: &mut Problems) {
    let destination = envelope.destination.as_deref().unwrap_or_default();
    if destination.trim().is_empty() {
        problems.add_key(&codes::MSG_DESTINATION_REQUIRED, at, "destination");
    } else if let Some(code) = destination_code(destination, DestinationKind::by(envelope.channels.iter())) {
        problems.report_key(code, at, "destination").fix_with(|| formats::number_fix(destination));
    }
}

/// The destinations that the channels of a message accept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DestinationKind {
    /// Phone numbers only: the only channel is `sms`.
    Number,
    /// Phone numbers, or identifiers of a channel (D1).
    Phone,
    /// Any identifier: the only channel is `messenger_c`, or there is no channel.
    Identifier,
}

impl DestinationKind {
    fn by<'a>(channels: impl Iterator<Item = &'a Channel>) -> Self {
        let mut kind = None;
        for channel in channels {
            let one = match channel {
                Channel::MessengerC(_) => Self::Identifier,
                Channel::Sms(_) => Self::Number,
                _ => Self::Phone,
            };
            kind = Some(if kind.is_none_or(|kind| kind == one) { one } else { Self::Phone });
        }
        kind.unwrap_or(Self::Identifier)
    }
}

/// The code for a destination that must be a phone number. A letter is an error; spaces, hyphens or too few digits may be
/// another spelling and are a warning.
fn destination_code(destination: &str, kind: DestinationKind) -> Option<&'static Code> {
    if kind == DestinationKind::Identifier || formats::is_phone(destination) {
        return None;
    }
    let is_name = destination.bytes().any(|byte| byte.is_ascii_alphabetic());
    Some(if is_name && kind == DestinationKind::Number {
        &codes::MSG_DESTINATION_NOT_NUMBER
    } else {
        &codes::MSG_DESTINATION_NOT_PHONE
    })
}

fn destinations(envelope: &Envelope, kind: DestinationKind, at: &Pointer<'_>, problems: &mut Problems) {
    let at = &at.key("destinations");
    let destinations = envelope.destinations.as_deref().unwrap_or_default();
    if destinations.is_empty() {
        problems.add(&codes::BULK_DESTINATIONS_EMPTY, at);
    }
    let has_repeats = problems.keeps(&codes::BULK_DESTINATIONS_DUPLICATE);
    let mut numbers = Vec::new();
    for (index, destination) in destinations.iter().enumerate() {
        if destination.trim().is_empty() {
            problems.add(&codes::BULK_DESTINATION_BLANK, &at.index(index));
        } else if let Some(code) = destination_code(destination, kind) {
            problems.report(code, &at.index(index)).fix_with(|| formats::number_fix(destination));
        }
        if has_repeats {
            formats::listed(destination, index, &mut numbers);
        }
    }
    for (index, first) in repeats(&numbers) {
        problems.report(&codes::BULK_DESTINATIONS_DUPLICATE, &at.index(index)).param("first", first);
    }
}

fn check_channels(channels: &[&Channel], at: &Pointer<'_>, problems: &mut Problems) {
    if channels.is_empty() {
        problems.add(&codes::MSG_CHANNEL_MISSING, at);
    }
    for channel in channels {
        channel.check(&at.key(channel.name()), problems);
    }
}

fn check_failover(failover: &Failover, channels: &[&Channel], at: &Pointer<'_>, problems: &mut Problems) {
    failover.check(&at.key("failover"), problems);
    failover::with_channels(failover, channels, at, problems);
}

/// Members that only some of the operations have.
const OTHERS: &[&str] = &["destination", "destinations", "failover", "version"];

/// Reports members of another operation and undocumented members. With a failover, an undocumented object, or a name
/// similar to that of a channel, is an error, because the failover would skip it.
fn check_unknown(envelope: &Envelope, fields: &'static [Field], at: &Pointer<'_>, problems: &mut Problems) {
    for name in OTHERS {
        if envelope.has(name) && !fields.iter().any(|field| field.wire == *name) {
            let unknown = (*name, &codes::MSG_FIELD_UNKNOWN);
            unknown_members::report_unknown(fields, &|wire| envelope.has(wire), unknown, at, problems);
        }
    }
    let has_failover = fields
        .iter()
        .any(|field| field.wire == "failover" && (field.required || envelope.failover.is_some()));
    let code_of = |name: &str, value: &Value| -> &'static Code {
        let is_channel = value.is_object() || nearest(name, &mut Channel::NAMES.iter().copied()).is_some();
        if has_failover && is_channel { &codes::FAILOVER_CHANNEL_UNKNOWN } else { &codes::MSG_FIELD_UNKNOWN }
    };
    unknown_members::unknown_in(fields, &|wire| envelope.has(wire), &envelope.extra, &code_of, at, problems);
}

/// Whether a version (`major` or `major.minor`) is 1.1 or later.
fn reaches_1_1(version: &str) -> bool {
    let (major, minor) = version.split_once('.').unwrap_or((version, "0"));
    match (number(major), number(minor)) {
        (Some(major), Some(minor)) => (major, minor) >= (1, 1),
        _ => false,
    }
}

fn number(digits: &str) -> Option<u32> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::reaches_1_1;

    #[test]
    fn versions_from_1_1_are_valid() {
        for valid in ["1.1", "1.10", "2", "2.0"] {
            assert!(reaches_1_1(valid), "{valid}");
        }
        for invalid in ["1.0", "0.9", "1", "", "x", "1.", "1.1.1", "+1.1", "v1.1"] {
            assert!(!reaches_1_1(invalid), "{invalid}");
        }
    }
}
