//! The control API's queries: overview, ledger, campaigns, events, requests, callback attempts, counters.

use std::collections::HashMap;

use axum::response::Response;

use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::ControlRequest;
use super::log_filter::LogFilter;
use crate::account_state::State;
use crate::account_state::campaigns::parse_reference;
use crate::http_bodies::ok;
use crate::ledger::Entry;
use crate::origin_check::Source;
use crate::provider_error::ProviderResult;
use crate::time_text::iso;

pub(super) fn overview(request: &ControlRequest) -> Response {
    let state = request.account.state();
    ok(&json!({
        "version": env!("CARGO_PKG_VERSION"),
        "account": request.account.sid(),
        "accounts": request.shared.accounts().iter().map(|account| account.sid().to_owned()).collect::<Vec<_>>(),
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
        "streams": request.shared.open_streams(),
        "regions": ["/region/fra", "/region/sg", "/region/hk", "/region/us"],
    }))
}

/// Accepted messages, from which tests count lost and duplicate ones.
pub(super) fn ledger(request: &ControlRequest) -> ProviderResult<Response> {
    let from = usize::try_from(request.number("from")?.unwrap_or_default()).unwrap_or(usize::MAX);
    let limit = usize::try_from(request.number("limit")?.unwrap_or(10_000)).unwrap_or(usize::MAX);
    let state = request.account.state();
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

pub(super) fn limits(request: &ControlRequest) -> Response {
    let state = request.account.state();
    ok(&json!({"counters": state.limits.counters(state.clock.now())}))
}

/// The campaigns that sent messages to this account, with the statuses of the messages that are kept.
pub(super) fn campaigns(request: &ControlRequest) -> Response {
    let state = request.account.state();
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

/// The number of messages of the family `messaging` by status, without those that never left `Created`.
pub(super) fn statistics(request: &ControlRequest) -> Response {
    let state = request.account.state();
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

/// Repeats a query until it finds something or `wait` has passed.
async fn query_until_found(
    request: &ControlRequest,
    find: impl Fn(&State) -> Vec<Value>,
) -> ProviderResult<Vec<Value>> {
    let deadline = Instant::now() + request.wait()?;
    loop {
        let changed = request.account.changed.notified();
        tokio::pin!(changed);
        changed.as_mut().enable();
        let found = find(&request.account.state());
        if !found.is_empty() || timeout_at(deadline, changed).await.is_err() {
            return Ok(found);
        }
    }
}

pub(super) async fn events(request: &ControlRequest) -> ProviderResult<Response> {
    let since = request.number("since")?.unwrap_or_default();
    let filter = LogFilter::of_events(request)?;
    let found = query_until_found(request, |state| {
        let events = state.events.since(since).filter(|(_, event)| filter.fits_event(event));
        events.map(|(number, event)| event.show(number)).collect()
    })
    .await?;
    let state = request.account.state();
    Ok(ok(&json!({
        "events": found, "total": state.events.next(), "evicted": state.events.evicted(),
    })))
}

pub(super) fn requests(request: &ControlRequest) -> ProviderResult<Response> {
    let since = request.number("since")?.unwrap_or_default();
    let limit = usize::try_from(request.number("limit")?.unwrap_or(1_000)).unwrap_or(usize::MAX);
    let filter = LogFilter::of_requests(request)?;
    let state = request.account.state();
    let base = request.shared.base();
    let fitting = state.requests.since(since).rev().filter(|(_, one)| filter.fits_request(one));
    let mut found: Vec<Value> = fitting.take(limit).map(|(number, one)| one.show(number, base)).collect();
    found.reverse();
    Ok(ok(&json!({
        "requests": found, "total": state.requests.next(), "evicted": state.requests.evicted(),
    })))
}

pub(super) async fn callbacks(request: &ControlRequest) -> ProviderResult<Response> {
    let since = request.number("since")?.unwrap_or_default();
    let filter = LogFilter::of_callbacks(request)?;
    let found = query_until_found(request, |state| {
        let attempts =
            state.callbacks.attempts.since(since).filter(|(_, attempt)| filter.fits_attempt(attempt));
        attempts.map(|(number, attempt)| attempt.show(number, request.source == Source::Own)).collect()
    })
    .await?;
    let state = request.account.state();
    let attempts = &state.callbacks.attempts;
    Ok(ok(&json!({
        "attempts": found, "total": attempts.next(), "evicted": attempts.evicted(),
    })))
}
