//! Searches the messages of an account: `/messages`, which can wait for a message, and `/phones`.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;

use cpaas::channel::Channel;
use cpaas::otp::OtpChannel;
use cpaas::otp::workflows::StepChannel;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::ControlRequest;
use super::log_filter::{Period, message_operations, one_of};
use crate::account::Account;
use crate::http_bodies::ok;
use crate::message::{Message, STATUSES};
use crate::provider_error::{ProviderError, ProviderResult};

/// Selects messages; an absent member matches all.
#[derive(Debug, Clone, Default)]
struct Filter {
    to: Option<String>,
    from: Option<String>,
    contains: Option<String>,
    channel: Option<String>,
    id: Option<String>,
    status: Option<String>,
    /// The number of the user, who may be the sender or the recipient.
    phone: Option<String>,
    /// A part of the text, a number, the passcode or the reference, or the whole id; in lower case, without the `+` of a number.
    text: Option<String>,
    inbound: Option<bool>,
    operation: Option<String>,
    period: Period,
    /// The running number of the first message to search.
    since: u64,
}

impl Filter {
    fn of(request: &ControlRequest) -> ProviderResult<Self> {
        Ok(Self {
            to: request.param("to").map(|to| to.trim_start_matches(['+', ' ']).to_owned()),
            from: request.param("from"),
            contains: request.param("contains"),
            channel: one_of(request, "channel", &channels())?,
            id: request.param("id"),
            status: one_of(request, "status", &STATUSES)?,
            phone: request.param("phone").map(|number| number.trim_start_matches(['+', ' ']).to_owned()),
            text: request.param("text").map(|text| text.trim().trim_start_matches('+').to_lowercase()),
            inbound: match request.param("direction").as_deref() {
                None => None,
                Some("in") => Some(true),
                Some("out") => Some(false),
                Some(_) => {
                    let error = ProviderError::plain(400, "`direction` must be \"in\" or \"out\"");
                    return Err(error.at("direction"));
                }
            },
            operation: one_of(request, "operation", &message_operations())?,
            period: Period::of(request)?,
            since: request.number("since")?.unwrap_or_default(),
        })
    }

    fn fits(&self, message: &Message, now: u64) -> bool {
        let is =
            |wanted: &Option<String>, given: &str| wanted.as_deref().is_none_or(|wanted| wanted == given);
        message.is_shown()
            && is(&self.to, &message.to)
            && is(&self.from, &message.from)
            && is(&self.channel, message.channel)
            && is(&self.operation, message.operation)
            && self.period.contains(message.at)
            && self
                .status
                .as_deref()
                .is_none_or(|status| message.status_at(now).0.eq_ignore_ascii_case(status))
            && self.phone.as_deref().is_none_or(|phone| phone_of(message) == phone)
            && self.text.as_deref().is_none_or(|text| holds(message, text))
            && self.inbound.is_none_or(|inbound| inbound == message.inbound)
            && self.contains.as_deref().is_none_or(|part| message.text.contains(part))
            && self.id.as_deref().is_none_or(|id| message.is(id))
    }
}

/// The channels of messages.
fn channels() -> Vec<&'static str> {
    let mut names = Vec::new();
    for name in OtpChannel::VALUES.iter().chain(StepChannel::VALUES).chain(Channel::NAMES) {
        if !names.contains(name) {
            names.push(*name);
        }
    }
    names
}

/// Whether a message contains `text` in its text, numbers, passcode or reference, or has it as its id. `text` is in lower case.
fn holds(message: &Message, text: &str) -> bool {
    let words = [&message.text, &message.from, &message.to].map(String::as_str);
    let more = [message.otp.as_deref(), message.reference.as_deref()];
    words.into_iter().chain(more.into_iter().flatten()).any(|words| words.to_lowercase().contains(text))
        || message.is(text)
}

/// The number of the phone that a message belongs to.
fn phone_of(message: &Message) -> &str {
    let number = if message.inbound { &message.from } else { &message.to };
    number.trim_start_matches('+')
}

#[derive(Default)]
struct Phone<'a> {
    channels: Vec<&'static str>,
    messages: u64,
    last: Option<(u64, &'a Message)>,
}

/// The phones with matching messages, those with the newest messages first.
pub(super) fn phones(request: &ControlRequest) -> ProviderResult<Response> {
    let filter = Filter::of(request)?;
    let limit = request.number("limit")?.unwrap_or(100).min(10_000) as usize;
    let offset = usize::try_from(request.number("offset")?.unwrap_or_default()).unwrap_or(usize::MAX);
    let state = request.account.state();
    let now = state.clock.now();
    let mut index: HashMap<&str, usize> = HashMap::new();
    let mut phones: Vec<Phone<'_>> = Vec::new();
    let fitting = state.messages.since(filter.since).rev().filter(|(_, message)| filter.fits(message, now));
    for (number, message) in fitting {
        let at = *index.entry(phone_of(message)).or_insert_with(|| {
            phones.push(Phone::default());
            phones.len() - 1
        });
        let Some(phone) = phones.get_mut(at) else { continue };
        phone.messages += 1;
        phone.last.get_or_insert((number, message));
        if !phone.channels.contains(&message.channel) {
            phone.channels.push(message.channel);
        }
    }
    let shown: Vec<Value> = phones
        .iter()
        .skip(offset)
        .take(limit)
        .filter_map(|phone| {
            let (number, last) = phone.last?;
            Some(json!({
                "number": phone_of(last),
                "channels": phone.channels,
                "messages": phone.messages,
                "last": super::inbox_view::message(&state, number, last, now),
            }))
        })
        .collect();
    Ok(ok(&json!({"phones": shown, "total": phones.len()})))
}

/// The newest matching messages, at most `limit`, oldest first. Waits at most `wait` until there is one.
async fn find(account: &Arc<Account>, filter: &Filter, limit: usize, wait: Duration) -> Vec<Value> {
    let deadline = Instant::now() + wait;
    loop {
        let changed = account.changed.notified();
        tokio::pin!(changed);
        changed.as_mut().enable();
        let mut found: Vec<Value> = {
            let state = account.state();
            let now = state.clock.now();
            let fitting =
                state.messages.since(filter.since).rev().filter(|(_, message)| filter.fits(message, now));
            fitting
                .take(limit)
                .map(|(number, message)| super::inbox_view::message(&state, number, message, now))
                .collect()
        };
        found.reverse();
        if !found.is_empty() || timeout_at(deadline, changed).await.is_err() {
            return found;
        }
    }
}

/// One message of the inbox.
pub(super) fn message(request: &ControlRequest, id: &str) -> ProviderResult<Response> {
    let state = request.account.state();
    let found = state.messages.iter().rev().find(|(_, message)| message.is_shown() && message.is(id));
    let (number, message) = found.ok_or_else(|| ProviderError::plain(404, "no such message"))?;
    Ok(ok(&super::inbox_view::message(&state, number, message, state.clock.now())))
}

pub(super) async fn messages(request: &ControlRequest) -> ProviderResult<Response> {
    let filter = Filter::of(request)?;
    let limit = request.number("limit")?.unwrap_or(100).min(10_000) as usize;
    let found = find(&request.account, &filter, limit, request.wait()?).await;
    let state = request.account.state();
    Ok(ok(&json!({
        "messages": found,
        "total": state.messages.next(),
        "evicted": state.messages.evicted(),
    })))
}
