//! The JSON that the inbox page draws: messages with their parsed markup and the status of their passcode, and accounts.

use cpaas::bindings::parse_markup_json;
use cpaas::text::autofill;
use serde_json::{Value, json};

use crate::account::Account;
use crate::account_state::State;
use crate::explanations;
use crate::message::Message;
use crate::sandbox_state::Shared;
use crate::time_text::iso;

/// The message with `formatted` (messenger_c: text and entities, or an error), `passcode` (status, expiry), `autofill` (what an
/// SMS fills in, or why it does not), and `explanation` (why it failed).
pub(super) fn message(state: &State, number: u64, message: &Message, now: u64) -> Value {
    let mut shown = message.show(number, now);
    let Value::Object(members) = &mut shown else { return shown };
    if message.channel == "messenger_c"
        && let Some(formatted) = members.get("content").and_then(formatted)
    {
        members.insert("formatted".to_owned(), formatted);
    }
    if message.channel == "sms" && !message.inbound {
        members.extend(autofill(&message.text).map(|found| ("autofill".to_owned(), found)));
    }
    if let Some(explanation) = explanations::of_message(message, message.status_at(now).0) {
        members.insert("explanation".to_owned(), explanation);
    }
    let passcode = members.get("request_id").and_then(Value::as_str).and_then(|sid| state.otps.find(sid));
    if let Some(otp) = passcode {
        let passcode = json!({"status": otp.status_at(now).0, "expires": iso(otp.expires)});
        members.insert("passcode".to_owned(), passcode);
    }
    shown
}

/// What an SMS fills in, if it tries to: `host`, `embeddedHost`, `appHash` and the message of the first problem.
fn autofill(text: &str) -> Option<Value> {
    let found = autofill::check(text);
    let problem = found.problems.first().map(|problem| &problem.message);
    let is_attempt = found.host.is_some() || found.app_hash.is_some() || problem.is_some();
    let members = json!({
        "host": found.host, "embeddedHost": found.embedded_host, "appHash": found.app_hash, "problem": problem,
    });
    is_attempt.then_some(members)
}

/// The text or caption, parsed in its `parseMode`.
fn formatted(content: &Value) -> Option<Value> {
    let part = ["text", "photo", "document", "video", "voice"].iter().find_map(|kind| content.get(kind))?;
    let text = part.get("message").or_else(|| part.get("caption"))?.as_str()?;
    let mode = part.get("parseMode").and_then(Value::as_str).unwrap_or("Default");
    let parsed: Value = serde_json::from_str(&parse_markup_json(text, mode)).ok()?;
    Some(parsed.get("sent").cloned().unwrap_or(parsed))
}

/// Whether a message may still change by itself.
pub(super) fn is_open(state: &State, message: &Message, now: u64) -> bool {
    if message.inbound || message.hidden {
        return false;
    }
    match message.more.as_ref().and_then(|more| more.get("request_id")).and_then(Value::as_str) {
        Some(sid) => state.otps.find(sid).is_some_and(|otp| otp.status_at(now).0 == "pending"),
        None => matches!(message.status_at(now).0, "accepted" | "Created" | "Ready" | "Sent"),
    }
}

/// An account without its keys.
fn account(account: &Account) -> Value {
    let state = account.state();
    let settings = &state.settings;
    json!({
        "sid": account.sid(),
        "email": account.email,
        "clock": state.clock.mode(),
        "now": iso(state.clock.now()),
        "messages": state.messages.next(),
        "two_way": settings.two_way,
        "settings": super::accounts::settings(settings),
        "inbound": {
            "sms": settings.inbound_callback.is_some() && !settings.two_way.is_empty(),
            "messenger_b": state.messenger_b_webhook.is_some(),
            "messenger_c": state.messenger_c_webhook.is_some(),
            "business_chat": settings.inbound_callback.is_some() || settings.chat_callback.is_some(),
        },
    })
}

/// The first data that the page reads; it contains no secrets.
pub(super) fn page(shared: &Shared) -> Value {
    let accounts: Vec<Value> = shared.accounts().iter().map(|one| account(one)).collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "base": shared.base(),
        "accounts": accounts,
        "operations": super::log_filter::operations(),
        "message_operations": super::log_filter::message_operations(),
        "faults": crate::faults::Kind::ALL,
        "presets": super::fault_presets::all(),
        "composer": shared.options.composer.is_some(),
    })
}
