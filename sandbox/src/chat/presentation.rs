//! The response to a message (D1a), and the text and media heights that the inbox shows.

use serde_json::{Value, json};

use crate::account::Account;
use crate::ledger::fnv;
use crate::random::Id;
use crate::time_text::iso;

/// The id of a conversation; it depends only on account, channel and recipient.
fn conversation(account: &Account, channel: &str, to: &str) -> String {
    let half = |salt: &str| fnv(format!("{salt}|{}|{channel}|{to}", account.sid()).as_bytes());
    Id(half("a"), half("b")).to_string()
}

/// The response right after acceptance.
pub(super) fn accepted(
    account: &Account,
    id: Id,
    channel: &str,
    content: &Value,
    to: &str,
    traffic_account: &str,
    now: u64,
) -> Value {
    let identifier = match channel {
        "messenger_c" => "messagingAppIdentifier",
        _ => "phoneNumber",
    };
    let name = content.get("sender").and_then(Value::as_str).unwrap_or("sandbox");
    let sender_id = Id(fnv(account.sid().as_bytes()), fnv(channel.as_bytes())).to_string();
    let mut sender = json!({"id": sender_id, "name": name});
    if let (Value::Object(members), true) = (&mut sender, matches!(channel, "messenger_b" | "messenger_c")) {
        members.insert(identifier.to_owned(), Value::from("99900000"));
    }
    let at = iso(now);
    let mut response = json!({
        "messageId": id.to_string(),
        "sender": sender,
        "conversation": {
            "id": conversation(account, channel, to),
            "participants": [sender, {identifier: to}],
        },
        "createdAt": at,
        "updatedAt": at,
        "trafficAccountId": traffic_account,
        "deliveryStatus": "Ready",
    });
    if let (Value::Object(members), "messenger_b") = (&mut response, channel) {
        members.insert("id".to_owned(), Value::from(id.to_string()));
    }
    response
}

/// The text of a channel object that the recipient reads.
pub(super) fn text(channel: &str, content: &Value) -> String {
    let at = |pointer: &str| content.pointer(pointer).and_then(Value::as_str);
    let found = match channel {
        "sms" => at("/text"),
        "messenger_a" => at("/regular/text"),
        "messenger_b" => at("/text").or_else(|| at("/file/fileName")).or_else(|| at("/mediaUrl")),
        "messenger_c" => at("/text/message").or_else(|| {
            ["photo", "document", "video", "voice"].iter().find_map(|kind| at(&format!("/{kind}/caption")))
        }),
        _ if content.get("forceFallback").and_then(Value::as_bool) == Some(true) => at("/fallback"),
        _ => at("/text/message")
            .or_else(|| at("/standaloneCard/title"))
            .or_else(|| at("/carouselCard/cardContents/0/title"))
            .or_else(|| at("/fallback")),
    };
    found.unwrap_or_default().to_owned()
}

/// A media height in density-independent pixels.
fn height(name: &str) -> Option<u64> {
    match name {
        "SHORT" => Some(112),
        "MEDIUM" => Some(168),
        "TALL" => Some(264),
        _ => None,
    }
}

/// The media heights of a `business_chat` object, one for each card with media.
pub(super) fn media_heights(content: &Value) -> Vec<u64> {
    let one = content.get("standaloneCard").into_iter();
    let several = content.pointer("/carouselCard/cardContents").and_then(Value::as_array);
    one.chain(several.into_iter().flatten())
        .filter_map(|card| height(card.pointer("/media/height")?.as_str()?))
        .collect()
}
