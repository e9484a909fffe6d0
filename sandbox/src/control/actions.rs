//! The control API's actions: clock, faults, users' messages, message statuses, reset.

use axum::response::Response;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::ControlRequest;
use crate::account::Account;
use crate::account_state::State;
use crate::account_state::media_files::MediaFile;
use crate::callbacks::Attempt;
use crate::faults::{CheckedRule, Faults, Rule};
use crate::http_bodies::ok;
use crate::otp;
use crate::provider_error::{ProviderError, ProviderResult};
use crate::random::Id;
use crate::time_text::{iso, saturate, saturating_length};
use crate::timers::Timer;
use crate::webhooks::{Inbound, Report};

pub(super) fn clock(request: &ControlRequest) -> Response {
    let state = request.account.state();
    ok(&json!({
        "now": iso(state.clock.now()),
        "ms": state.clock.now(),
        "mode": state.clock.mode(),
        "timers": state.timers.len(),
        "next": state.timers.next().map(iso),
    }))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Advance {
    /// A length such as `14d`, or a number of seconds.
    advance: Value,
}

pub(super) async fn advance(request: &ControlRequest) -> ProviderResult<Response> {
    let Advance { advance } = request.read()?;
    let length = match &advance {
        Value::String(text) => saturating_length(text),
        Value::Number(seconds) => {
            seconds.as_f64().filter(|seconds| *seconds >= 0.0).map(|seconds| saturate(seconds * 1_000.0))
        }
        _ => None,
    };
    let length = length.ok_or_else(|| {
        ProviderError::plain(
            400,
            "`advance` must be a length of time, such as 14d; a clock only moves forward",
        )
        .at("/advance")
    })?;
    let until = request.account.state().clock.now().saturating_add(length);
    crate::scheduler::advance(&request.shared, &request.account, until).await;
    Ok(clock(request))
}

/// The maximum number of fault rules, and the maximum size of their JSON in bytes.
const MAX_RULES: usize = 10_000;
const RULES_BYTES: usize = 1 << 20;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rules {
    rules: Vec<Rule>,
}

pub(super) fn faults(request: &ControlRequest) -> Response {
    let state = request.account.state();
    let rules: Vec<Value> = state
        .faults
        .rules()
        .map(|(rule, seen, hits)| json!({"rule": rule, "seen": seen, "hits": hits}))
        .collect();
    ok(&json!({"rules": rules}))
}

/// Replaces the rules of the account and of the accounts that the rules name. Changes nothing if a rule is invalid.
pub(super) fn set_faults(request: &ControlRequest) -> ProviderResult<Response> {
    let mut lists = checked_rules(request)?;
    if !lists.iter().any(|(account, _)| Arc::ptr_eq(account, &request.account)) {
        lists.push((Arc::clone(&request.account), Vec::new()));
    }
    for (account, rules) in lists {
        let mut state = account.state();
        state.faults = Faults::default();
        add_rules(&mut state, rules);
    }
    Ok(faults(request))
}

/// Adds rules after those that exist, which keep their counts. Changes nothing if a rule is invalid or an account would have too many.
pub(super) fn add_faults(request: &ControlRequest) -> ProviderResult<Response> {
    let lists = checked_rules(request)?;
    for (account, rules) in &lists {
        let count = account.state().faults.rules().count() + rules.len();
        if count > MAX_RULES {
            return Err(ProviderError::plain(
                400,
                format!("an account must have at most {MAX_RULES} rules, got {count}"),
            )
            .at("/rules"));
        }
    }
    for (account, rules) in lists {
        add_rules(&mut account.state(), rules);
    }
    Ok(faults(request))
}

fn add_rules(state: &mut State, rules: Vec<CheckedRule>) {
    let State { faults, random, clock, .. } = state;
    faults.add(rules, clock.now(), random);
}

/// The rules of a request, by account.
fn checked_rules(request: &ControlRequest) -> ProviderResult<Vec<(Arc<Account>, Vec<CheckedRule>)>> {
    if request.body.len() > RULES_BYTES {
        return Err(ProviderError::plain(413, format!("the body must have at most {RULES_BYTES} bytes")));
    }
    let Rules { rules } = request.read()?;
    if rules.len() > MAX_RULES {
        return Err(ProviderError::plain(
            400,
            format!("`rules` must have at most {MAX_RULES} rules, got {}", rules.len()),
        )
        .at("/rules"));
    }
    let mut lists: Vec<(Arc<Account>, Vec<CheckedRule>)> = Vec::new();
    for (index, rule) in rules.into_iter().enumerate() {
        let invalid = |(member, text): (&str, String)| {
            let error = ProviderError::plain(400, format!("rules[{index}]: {text}"));
            error.at(format!("/rules/{index}{member}"))
        };
        let account = match &rule.matches.account {
            None => Arc::clone(&request.account),
            Some(sid) => {
                request.shared.account(sid).filter(|account| account.sid() == sid).ok_or_else(|| {
                    invalid(("/match/account", "`match.account` must be the sid of an account".to_owned()))
                })?
            }
        };
        let rule = rule.checked().map_err(invalid)?;
        match lists.iter_mut().find(|(known, _)| Arc::ptr_eq(known, &account)) {
            Some((_, list)) => list.push(rule),
            None => lists.push((account, vec![rule])),
        }
    }
    Ok(lists)
}

pub(super) fn clear_faults(request: &ControlRequest) -> Response {
    request.account.state().faults = Faults::default();
    faults(request)
}

pub(super) async fn inbound(request: &ControlRequest) -> ProviderResult<Response> {
    let inbound: Inbound = request.read()?;
    let id = request.account.state().inbound(inbound)?;
    request.settle().await;
    Ok(ok(&json!({"id": id})))
}

/// Delivers the callback of an attempt again, with the usual retries, even if the target responded with 410.
pub(super) async fn replay(request: &ControlRequest, number: &str) -> ProviderResult<Response> {
    let delivery = {
        let mut state = request.account.state();
        let attempt = number.parse().ok().and_then(|number| state.callbacks.attempts.get(number));
        let delivery = attempt.map(Attempt::replay);
        let delivery = delivery.ok_or_else(|| ProviderError::plain(404, "no such attempt is kept"))?;
        state.callbacks.enable(&delivery.url);
        let queued = state.callbacks.enqueue(delivery);
        let delivery = queued.map_err(|_| ProviderError::plain(503, "too many callbacks wait already"))?;
        let now = state.clock.now();
        state.timers.set(now, Timer::Callback(delivery));
        delivery
    };
    request.account.scheduled.notify_one();
    request.settle().await;
    Ok(ok(&json!({"delivery": delivery})))
}

pub(super) async fn webhook_event(request: &ControlRequest) -> ProviderResult<Response> {
    let report: Report = request.read()?;
    let delivered = request.account.state().messenger_b_report(&report)?;
    request.settle().await;
    Ok(ok(&json!({"delivered": delivered})))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Force {
    status: String,
    #[serde(default)]
    errorcode: i64,
}

/// Gives a chat message a status, such as a late `Delivered`.
pub(super) async fn status(request: &ControlRequest, id: &str) -> ProviderResult<Response> {
    let force: Force = request.read()?;
    let status = ["Created", "Ready", "Sent", "Delivered", "Failed", "expired"]
        .into_iter()
        .find(|status| *status == force.status)
        .ok_or_else(|| {
            let text = "`status` must be Created, Ready, Sent, Delivered, Failed or expired";
            ProviderError::plain(400, text).at("/status")
        })?;
    {
        let mut state = request.account.state();
        let found = state.messages.iter().rev().find(|(_, message)| message.is(id));
        let (number, chat) = found
            .map(|(number, message)| (number, message.operation.starts_with("messages.")))
            .ok_or_else(|| ProviderError::plain(404, "no such message"))?;
        if !chat {
            return Err(ProviderError::plain(
                400,
                "only messages of the operations `messages.*` have a status that can be set",
            ));
        }
        state.chat_status(number, status, force.errorcode);
    }
    request.settle().await;
    Ok(ok(&json!({"id": Id::parse(id).map(|id| id.to_string()), "status": status})))
}

/// Deletes a message from the inbox. The provider's records, the ledger and the counts of campaigns keep it.
pub(super) fn delete_message(request: &ControlRequest, id: &str) -> ProviderResult<Response> {
    let number = request.account.state().hide_message(id);
    let number = number.ok_or_else(|| ProviderError::plain(404, "no such message"))?;
    request.account.changed.notify_waiters();
    Ok(ok(&json!({"n": number, "id": Id::parse(id).map(|id| id.to_string())})))
}

/// Deletes all messages from the inbox, as [`delete_message`] deletes one.
pub(super) fn delete_messages(request: &ControlRequest) -> Response {
    let count = request.account.state().hide_messages();
    request.account.changed.notify_waiters();
    ok(&json!({"deleted": count}))
}

/// The maximum number of media files, and the maximum length of their URLs in bytes.
const MAX_MEDIA: usize = 10_000;
const MEDIA_URL: usize = 8_192;

pub(super) fn media(request: &ControlRequest) -> ProviderResult<Response> {
    let file: MediaFile = request.read()?;
    if file.url.len() > MEDIA_URL {
        return Err(
            ProviderError::plain(400, format!("`url` must have at most {MEDIA_URL} bytes")).at("/url")
        );
    }
    let mut state = request.account.state();
    if state.media.len() >= MAX_MEDIA && !state.media.contains_key(&file.url) {
        return Err(ProviderError::plain(507, format!("at most {MAX_MEDIA} media files can be set")));
    }
    state.media.insert(file.url.clone(), file);
    Ok(ok(&json!({"ok": true})))
}

pub(super) fn workflow(request: &ControlRequest, sid: &str) -> ProviderResult<Response> {
    let start: otp::Start = request.read()?;
    let lifetime = request.shared.options.otp_ttl;
    let id = otp::run(&mut request.account.state(), sid, start, lifetime)?;
    request.account.notify();
    Ok(ok(&json!({"requestID": id})))
}

/// Deletes the account's data; keys, settings and clock stay.
pub(super) fn reset(request: &ControlRequest) -> Response {
    let started = std::time::Instant::now();
    request.account.reset(&request.shared.options);
    let took = started.elapsed();
    ok(&json!({"ok": true, "us": u64::try_from(took.as_micros()).unwrap_or(u64::MAX)}))
}
