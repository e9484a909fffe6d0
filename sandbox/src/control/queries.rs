//! What can be seen: events, requests, callback attempts, counters.

use std::collections::HashMap;
use std::time::Duration;

use axum::response::Response;

use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::ControlRequest;
use crate::ledger::Entry;
use crate::origin_check::Source;
use crate::provider_error::{Outcome, ProviderError};
use crate::response_body::ok;
use crate::state::State;
use crate::store::campaigns::parse_reference;
use crate::time_text::{iso, parse_length};

pub(super) fn overview(order: &ControlRequest) -> Response {
    let state = order.account.state();
    ok(&json!({
        "version": env!("CARGO_PKG_VERSION"),
        "account": order.account.sid(),
        "accounts": order.shared.accounts().iter().map(|account| account.sid().to_owned()).collect::<Vec<_>>(),
        "now": iso(state.clock.now()),
        "clock": state.clock.mode(),
        "messages": {"kept": state.messages.len(), "evicted": state.messages.evicted()},
        "requests": {"kept": state.requests.len(), "evicted": state.requests.evicted()},
        "events": {"kept": state.events.len(), "evicted": state.events.evicted()},
        "attempts": {"kept": state.callbacks.attempts.len(), "evicted": state.callbacks.attempts.evicted()},
        "bytes": state.bytes(),
        "callbacks_waiting": state.callbacks.waiting(),
        "ledger": state.ledger.len(),
        "timers": state.timers.len(),
        "streams": order.shared.open_streams(),
        "regions": ["/region/fra", "/region/sg", "/region/hk", "/region/us"],
    }))
}

/// Accepted messages, for counting lost and duplicate ones.
pub(super) fn ledger(order: &ControlRequest) -> Outcome<Response> {
    let from = usize::try_from(order.number("from")?.unwrap_or_default()).unwrap_or(usize::MAX);
    let limit = usize::try_from(order.number("limit")?.unwrap_or(10_000)).unwrap_or(usize::MAX);
    let state = order.account.state();
    let entries: Vec<Value> = state
        .ledger
        .entries(from, limit)
        .iter()
        .zip(from..)
        .map(|(entry, number)| entry.show(number))
        .collect();
    Ok(ok(&json!({
        "total": state.ledger.len(),
        "limit": state.ledger_limit,
        "bytes_per_entry": size_of::<Entry>(),
        "entries": entries,
    })))
}

pub(super) fn limits(order: &ControlRequest) -> Response {
    let state = order.account.state();
    ok(&json!({"counters": state.limits.counters(state.clock.now())}))
}

/// The campaigns whose messages came here, with the states of those that are kept.
pub(super) fn campaigns(order: &ControlRequest) -> Response {
    let state = order.account.state();
    let now = state.clock.now();
    let mut counts: HashMap<&str, serde_json::Map<String, Value>> = HashMap::new();
    for (_, message) in state.messages.iter() {
        let Some((id, ..)) = message.reference.as_deref().and_then(parse_reference) else { continue };
        let counts = counts.entry(id).or_default();
        let status = message.status_at(now).0;
        let count = counts.get(status).and_then(Value::as_u64).unwrap_or_default();
        counts.insert(status.to_owned(), json!(count + 1));
    }
    let statuses = |id: &str| Value::Object(counts.get(id).cloned().unwrap_or_default());
    ok(&json!({"campaigns": state.campaigns.show(statuses)}))
}

/// Messages of family D by status; those that never left `Created` do not count.
pub(super) fn statistics(order: &ControlRequest) -> Response {
    let state = order.account.state();
    let mut counts = serde_json::Map::from_iter([("messages".to_owned(), json!(0))]);
    for (_, message) in state.messages.iter() {
        let counted =
            message.operation.starts_with("messages.") && !matches!(message.status, "Created" | "deleted");
        for name in ["messages", message.status].into_iter().filter(|_| counted) {
            let count = counts.get(name).and_then(Value::as_u64).unwrap_or_default();
            counts.insert(name.to_owned(), json!(count + 1));
        }
    }
    ok(&Value::Object(counts))
}

fn wait(order: &ControlRequest) -> Outcome<Duration> {
    match order.param("wait") {
        None => Ok(Duration::ZERO),
        Some(text) => {
            parse_length(&text).map(|length| Duration::from_millis(length.min(300_000))).ok_or_else(|| {
                ProviderError::plain(400, "`wait` must be a length of time, such as 5s").at("wait")
            })
        }
    }
}

/// Looks until there is something or the time is over.
async fn look(order: &ControlRequest, find: impl Fn(&State) -> Vec<Value>) -> Outcome<Vec<Value>> {
    let deadline = Instant::now() + wait(order)?;
    loop {
        let changed = order.account.changed.notified();
        tokio::pin!(changed);
        changed.as_mut().enable();
        let found = find(&order.account.state());
        if !found.is_empty() || timeout_at(deadline, changed).await.is_err() {
            return Ok(found);
        }
    }
}

pub(super) async fn events(order: &ControlRequest) -> Outcome<Response> {
    let since = order.number("since")?.unwrap_or_default();
    let kind = order.param("kind");
    let subject = order.param("subject");
    let found = look(order, |state| {
        let events = state.events.since(since).filter(|(_, event)| {
            kind.as_deref().is_none_or(|kind| kind == event.kind)
                && subject.as_deref().is_none_or(|subject| event.subject.as_deref() == Some(subject))
        });
        events.map(|(number, event)| event.show(number)).collect()
    })
    .await?;
    let state = order.account.state();
    Ok(ok(&json!({
        "events": found, "total": state.events.next(), "evicted": state.events.evicted(),
    })))
}

pub(super) fn requests(order: &ControlRequest) -> Outcome<Response> {
    let since = order.number("since")?.unwrap_or_default();
    let limit = usize::try_from(order.number("limit")?.unwrap_or(1_000)).unwrap_or(usize::MAX);
    let state = order.account.state();
    let base = order.shared.base();
    let mut found: Vec<Value> =
        state.requests.since(since).rev().take(limit).map(|(number, one)| one.show(number, base)).collect();
    found.reverse();
    Ok(ok(&json!({
        "requests": found, "total": state.requests.next(), "evicted": state.requests.evicted(),
    })))
}

pub(super) async fn callbacks(order: &ControlRequest) -> Outcome<Response> {
    let since = order.number("since")?.unwrap_or_default();
    let subject = order.param("subject");
    let found = look(order, |state| {
        let attempts = state
            .callbacks
            .attempts
            .since(since)
            .filter(|(_, attempt)| subject.as_deref().is_none_or(|subject| attempt.subject() == subject));
        attempts.map(|(number, attempt)| attempt.show(number, order.source == Source::Own)).collect()
    })
    .await?;
    let state = order.account.state();
    let attempts = &state.callbacks.attempts;
    Ok(ok(&json!({
        "attempts": found, "total": attempts.next(), "evicted": attempts.evicted(),
    })))
}
