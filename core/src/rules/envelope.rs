//! The envelope of the three sending operations (D1, D5, D6).

use super::address;
use super::failover;
use super::members;
use super::repeats::repeats;
use super::scan;
use super::uuid::is_uuid;
use crate::channel::{Channel, Envelope, Failover};
use crate::operation::Validate;
use crate::problem::{Code, Pointer, Problems, Severity, codes};
use crate::schema::Field;

/// Which of the three operations sends an envelope.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sending {
    /// One message over one channel (D1).
    Single,
    /// One message over several channels (D5).
    Failover,
    /// Many messages (D6). A channel object or a failover that is `{}` counts as absent.
    Bulk,
}

/// An envelope as one of the operations sends it.
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
        destinations(envelope, Wanted::by(channels.iter().copied()), at, problems);
    } else {
        destination(envelope, at, problems);
    }
    if sending != Sending::Failover && channels.len() > 1 && failover.is_none() {
        let severity = if is_bulk { Severity::Warning } else { Severity::Error };
        problems.report(&codes::MSG_CHANNEL_MULTIPLE, at).severity(severity);
    }
    if is_bulk && has_messenger_c(&channels) {
        problems.add_key(&codes::MSG_CHANNEL_NOT_IN_BULK, at, "messenger_c");
    }
    each(&channels, at, problems);
    match failover {
        Some(failover) if sending != Sending::Single => moving(failover, &channels, at, problems),
        None if sending == Sending::Failover => problems.add_key(&codes::FAILOVER_REQUIRED, at, "failover"),
        _ => {}
    }
    if is_bulk && envelope.version.as_deref().is_some_and(|version| !reaches_1_1(version)) {
        problems.add_key(&codes::BULK_VERSION, at, "version");
    }
    rest(envelope, fields, at, problems);
}

fn account(envelope: &Envelope, sending: Sending, at: &Pointer<'_>, problems: &mut Problems) {
    let code = match envelope.traffic_account_id.as_deref() {
        None if sending != Sending::Failover => &codes::MSG_TRAFFIC_ACCOUNT_ID_REQUIRED,
        Some(id) if !is_uuid(id) => &codes::MSG_TRAFFIC_ACCOUNT_ID_NOT_UUID,
        _ => return,
    };
    problems.add_key(code, at, "trafficAccountId");
}

/// `messenger_c` is reached by an identifier of its own (D1a), every other channel by phone number.
fn destination(envelope: &Envelope, at: &Pointer<'_>, problems: &mut Problems) {
    let destination = envelope.destination.as_deref().unwrap_or_default();
    if destination.trim().is_empty() {
        problems.add_key(&codes::MSG_DESTINATION_REQUIRED, at, "destination");
    } else if let Some(code) = not_number(destination, Wanted::by(envelope.channels.iter())) {
        problems.add_key(code, at, "destination");
    }
}

/// What the channels of a message can reach.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Phone numbers and nothing else: the channels are `sms`.
    Number,
    /// Phone numbers, and maybe identifiers of a channel (D1).
    Phone,
    /// Identifiers.
    Identifier,
}

impl Wanted {
    fn by<'a>(channels: impl Iterator<Item = &'a Channel>) -> Self {
        let mut wanted = None;
        for channel in channels {
            let one = match channel {
                Channel::MessengerC(_) => Self::Identifier,
                Channel::Sms(_) => Self::Number,
                _ => Self::Phone,
            };
            wanted = Some(if wanted.is_none_or(|wanted| wanted == one) { one } else { Self::Phone });
        }
        wanted.unwrap_or(Self::Identifier)
    }
}

/// What is wrong with a destination that must be a number. A letter makes it no number at all; spaces and hyphens, or too
/// few digits, may only be another way to write one.
fn not_number(destination: &str, wanted: Wanted) -> Option<&'static Code> {
    if wanted == Wanted::Identifier || address::is_phone(destination) {
        return None;
    }
    let is_name = destination.bytes().any(|byte| byte.is_ascii_alphabetic());
    Some(if is_name && wanted == Wanted::Number {
        &codes::MSG_DESTINATION_NOT_NUMBER
    } else {
        &codes::MSG_DESTINATION_NOT_PHONE
    })
}

fn destinations(envelope: &Envelope, wanted: Wanted, at: &Pointer<'_>, problems: &mut Problems) {
    let at = &at.key("destinations");
    let destinations = envelope.destinations.as_deref().unwrap_or_default();
    if destinations.is_empty() {
        problems.add(&codes::BULK_DESTINATIONS_EMPTY, at);
    }
    let mut numbers = Vec::new();
    for (index, destination) in destinations.iter().enumerate() {
        if destination.trim().is_empty() {
            problems.add(&codes::BULK_DESTINATION_BLANK, &at.index(index));
        } else if let Some(code) = not_number(destination, wanted) {
            problems.add(code, &at.index(index));
        }
        address::listed(destination, index, &mut numbers);
    }
    for (index, first) in repeats(numbers) {
        problems.report(&codes::BULK_DESTINATIONS_DUPLICATE, &at.index(index)).param("first", first);
    }
}

/// Whether one of the channels is `messenger_c`.
pub(super) fn has_messenger_c(channels: &[&Channel]) -> bool {
    channels.iter().any(|channel| matches!(channel, Channel::MessengerC(_)))
}

fn each(channels: &[&Channel], at: &Pointer<'_>, problems: &mut Problems) {
    if channels.is_empty() {
        problems.add(&codes::MSG_CHANNEL_MISSING, at);
    }
    for channel in channels {
        channel.check(&at.key(channel.name()), problems);
    }
}

fn moving(failover: &Failover, channels: &[&Channel], at: &Pointer<'_>, problems: &mut Problems) {
    failover.check(&at.key("failover"), problems);
    failover::with_channels(failover, channels, at, problems);
}

/// What not all of the operations have.
const OTHERS: &[&str] = &["destination", "destinations", "failover", "version"];

/// Members that another operation has, and members that none has.
fn rest(envelope: &Envelope, fields: &'static [Field], at: &Pointer<'_>, problems: &mut Problems) {
    for name in OTHERS {
        if envelope.has(name) && !fields.iter().any(|field| field.wire == *name) {
            members::one(fields, &|wire| envelope.has(wire), name, at, problems);
        }
    }
    members::unknown_in(fields, &|wire| envelope.has(wire), &envelope.extra, at, problems);
}

/// A version is two numbers with a full stop between them, or one.
fn reaches_1_1(version: &str) -> bool {
    let (major, minor) = scan::cut(version, b'.').unwrap_or((version, "0"));
    match (number(major), number(minor)) {
        (Some(major), Some(minor)) => (major, minor) >= (1, 1),
        _ => false,
    }
}

fn number(digits: &str) -> Option<u32> {
    let number =
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| crate::digits::whole(digits)).flatten()?;
    u32::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    use super::reaches_1_1;

    #[test]
    fn versions() {
        for right in ["1.1", "1.10", "2", "2.0"] {
            assert!(reaches_1_1(right), "{right}");
        }
        for wrong in ["1.0", "0.9", "1", "", "x", "1.", "1.1.1", "+1.1", "v1.1"] {
            assert!(!reaches_1_1(wrong), "{wrong}");
        }
    }
}
