//! Magic numbers: `999`, then three digits that select an outcome, then any digits.

use serde_json::{Value, json};

/// The outcome that a magic number selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Magic {
    Delivered,
    Ported,
    Roaming,
    NotSubscribed,
    Absent,
    Expired,
    Unsupported,
    Undelivered,
    Stuck,
    Throttled,
    Failed,
    FirstCall503,
    Unassigned,
}

const TABLE: &[(&str, Magic, &str)] = &[
    ("200", Magic::Delivered, "delivered"),
    ("301", Magic::Ported, "lookup: ported to another network"),
    ("302", Magic::Roaming, "lookup: roaming"),
    ("403", Magic::NotSubscribed, "chat: not subscribed to the account"),
    ("404", Magic::Absent, "lookup: absent; SMS: undelivered; chat: not reached before its ttl"),
    ("408", Magic::Expired, "not delivered before it expired"),
    ("410", Magic::Unsupported, "business_chat: the device does not support the message"),
    ("422", Magic::Undelivered, "undelivered"),
    ("425", Magic::Stuck, "chat: never leaves the status Created"),
    ("429", Magic::Throttled, "every call is throttled: 429"),
    ("500", Magic::Failed, "failed"),
    ("503", Magic::FirstCall503, "the first call is rejected with 503, later calls are accepted"),
    ("604", Magic::Unassigned, "lookup: unassigned; SMS: rejected"),
];

/// The outcome of a magic number; `None` for any other number.
pub(crate) fn of(number: &str) -> Option<Magic> {
    row(number).map(|(_, magic, _)| *magic)
}

/// What a magic number selects, in words.
pub(crate) fn meaning(number: &str) -> Option<&'static str> {
    row(number).map(|(.., meaning)| *meaning)
}

fn row(number: &str) -> Option<&'static (&'static str, Magic, &'static str)> {
    let digits = number.strip_prefix('+').unwrap_or(number);
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let outcome = digits.strip_prefix("999")?.get(..3)?;
    TABLE.iter().find(|(code, ..)| *code == outcome)
}

/// The table for `/_sandbox/magic`.
pub(crate) fn table() -> Value {
    TABLE
        .iter()
        .map(|(code, _, meaning)| json!({"prefix": format!("999{code}"), "example": format!("999{code}0001"), "meaning": meaning}))
        .collect()
}
