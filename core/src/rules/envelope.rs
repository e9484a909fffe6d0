//! The envelope of the three sending operations (D1, D5, D6).

use super::address;
use super::failover;
use super::members;
use super::repeats::repeats;
use super::uuid::is_uuid;
use crate::channel::{Channel, Envelope, Failover};
use crate::operation::Validate;
use crate::problem::{Pointer, Problems, Severity, codes};
use crate::shape::Field;

/// One message over one channel (D1).
pub(crate) fn single(
    envelope: &Envelope,
    fields: &'static [Field],
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    account(envelope, true, at, problems);
    destination(envelope, at, problems);
    let channels: Vec<&Channel> = envelope.channels.iter().collect();
    if channels.len() > 1 && envelope.failover.is_none() {
        problems.add(&codes::MSG_CHANNEL_MULTIPLE, at);
    }
    each(&channels, at, problems);
    rest(envelope, fields, at, problems);
}

/// One message over several channels (D5).
pub(crate) fn with_failover(
    envelope: &Envelope,
    fields: &'static [Field],
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    account(envelope, false, at, problems);
    destination(envelope, at, problems);
    let channels: Vec<&Channel> = envelope.channels.iter().collect();
    each(&channels, at, problems);
    match &envelope.failover {
        Some(failover) => moving(failover, &channels, at, problems),
        None => problems.add(&codes::FAILOVER_REQUIRED, &at.key("failover")),
    }
    rest(envelope, fields, at, problems);
}

/// Many messages (D6). A channel object or a failover that is `{}` counts as absent.
pub(crate) fn bulk(envelope: &Envelope, fields: &'static [Field], at: &Pointer<'_>, problems: &mut Problems) {
    account(envelope, true, at, problems);
    destinations(envelope.destinations.as_deref().unwrap_or_default(), &at.key("destinations"), problems);
    let channels: Vec<&Channel> = envelope.channels.iter().filter(|channel| !channel.is_empty()).collect();
    let failover = envelope.failover.as_ref().filter(|failover| !failover.is_empty());
    if channels.len() > 1 && failover.is_none() {
        problems.tell(&codes::MSG_CHANNEL_MULTIPLE, at).severity(Severity::Warning);
    }
    if channels.iter().any(|channel| matches!(channel, Channel::MessengerC(_))) {
        problems.add(&codes::MSG_CHANNEL_NOT_IN_BULK, &at.key("messenger_c"));
    }
    each(&channels, at, problems);
    if let Some(failover) = failover {
        moving(failover, &channels, at, problems);
    }
    if envelope.version.as_deref().is_some_and(|version| !reaches_1_1(version)) {
        problems.add(&codes::BULK_VERSION, &at.key("version"));
    }
    rest(envelope, fields, at, problems);
}

fn account(envelope: &Envelope, required: bool, at: &Pointer<'_>, problems: &mut Problems) {
    let place = at.key("trafficAccountId");
    match envelope.traffic_account_id.as_deref() {
        None if required => problems.add(&codes::MSG_TRAFFIC_ACCOUNT_ID_REQUIRED, &place),
        Some(id) if !is_uuid(id) => problems.add(&codes::MSG_TRAFFIC_ACCOUNT_ID_NOT_UUID, &place),
        _ => {}
    }
}

/// `messenger_c` is reached by an identifier of its own (D1a), every other channel by phone number.
fn destination(envelope: &Envelope, at: &Pointer<'_>, problems: &mut Problems) {
    let destination = envelope.destination.as_deref().unwrap_or_default();
    if destination.trim().is_empty() {
        problems.add(&codes::MSG_DESTINATION_REQUIRED, &at.key("destination"));
    } else if !address::is_phone(destination)
        && envelope.channels.iter().any(|channel| !matches!(channel, Channel::MessengerC(_)))
    {
        problems.add(&codes::MSG_DESTINATION_NOT_PHONE, &at.key("destination"));
    }
}

fn destinations(destinations: &[String], at: &Pointer<'_>, problems: &mut Problems) {
    if destinations.is_empty() {
        problems.add(&codes::BULK_DESTINATIONS_EMPTY, at);
    }
    let mut numbers = Vec::new();
    for (index, destination) in destinations.iter().enumerate() {
        if destination.trim().is_empty() {
            problems.add(&codes::BULK_DESTINATION_BLANK, &at.index(index));
        }
        address::listed(destination, index, &mut numbers);
    }
    for (index, first) in repeats(numbers) {
        problems.tell(&codes::BULK_DESTINATIONS_DUPLICATE, &at.index(index)).param("first", first);
    }
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

/// Members that another operation has, and members that none has.
fn rest(envelope: &Envelope, fields: &'static [Field], at: &Pointer<'_>, problems: &mut Problems) {
    for name in ["destination", "destinations", "failover", "version"] {
        if envelope.has(name) && !fields.iter().any(|field| field.wire == name) {
            members::one(fields, &|wire| envelope.has(wire), name, &at.key(name), problems);
        }
    }
    members::unknown_in(fields, &|wire| envelope.has(wire), &envelope.extra, at, problems);
}

/// A version is two numbers with a full stop between them, or one.
fn reaches_1_1(version: &str) -> bool {
    let (major, minor) = version.split_once('.').unwrap_or((version, "0"));
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
