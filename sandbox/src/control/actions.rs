//! What can be done to an account: its clock, faults, users, and the state of its messages.

use axum::response::Response;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::ControlRequest;
use crate::account::Account;
use crate::faults::{Checked, Rule};
use crate::otp;
use crate::provider_error::{Outcome, ProviderError};
use crate::random::Id;
use crate::response_body::ok;
use crate::state::State;
use crate::store::media_files::MediaFile;
use crate::time_text::{iso, saturate, saturating_length};
use crate::timers::Timer;
use crate::webhooks::{Inbound, Report};

pub(super) fn clock(order: &ControlRequest) -> Response {
    let state = order.account.state();
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

pub(super) async fn advance(order: &ControlRequest) -> Outcome<Response> {
    let Advance { advance } = order.read()?;
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
    let until = order.account.state().clock.now().saturating_add(length);
    crate::scheduler::advance(&order.shared, &order.account, until).await;
    Ok(clock(order))
}

/// The largest list of rules.
const MOST_RULES: usize = 10_000;
const RULES_BYTES: usize = 1 << 20;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rules {
    rules: Vec<Rule>,
}

pub(super) fn faults(order: &ControlRequest) -> Response {
    let state = order.account.state();
    let rules: Vec<Value> = state
        .faults
        .rules()
        .map(|(rule, seen, hits)| json!({"rule": rule, "seen": seen, "hits": hits}))
        .collect();
    ok(&json!({"rules": rules}))
}

/// Replaces the rules of the account, and of the accounts that the rules name: all of them, or none.
pub(super) fn set_faults(order: &ControlRequest) -> Outcome<Response> {
    if order.body.len() > RULES_BYTES {
        return Err(ProviderError::plain(413, format!("the body must have at most {RULES_BYTES} bytes")));
    }
    let Rules { rules } = order.read()?;
    if rules.len() > MOST_RULES {
        return Err(ProviderError::plain(
            400,
            format!("`rules` must hold at most {MOST_RULES}, got {}", rules.len()),
        )
        .at("/rules"));
    }
    let mut lists: Vec<(Arc<Account>, Vec<Checked>)> = vec![(Arc::clone(&order.account), Vec::new())];
    for (place, rule) in rules.into_iter().enumerate() {
        let refused = |(member, text): (&str, String)| {
            let error = ProviderError::plain(400, format!("rules[{place}]: {text}"));
            error.at(format!("/rules/{place}{member}"))
        };
        let account = match &rule.matches.account {
            None => Arc::clone(&order.account),
            Some(sid) => {
                order.shared.account(sid).filter(|account| account.sid() == sid).ok_or_else(|| {
                    refused(("/match/account", "`match.account` must be the sid of an account".to_owned()))
                })?
            }
        };
        let rule = rule.checked().map_err(refused)?;
        match lists.iter_mut().find(|(known, _)| Arc::ptr_eq(known, &account)) {
            Some((_, list)) => list.push(rule),
            None => lists.push((account, vec![rule])),
        }
    }
    for (account, rules) in lists {
        let mut state = account.state();
        let State { faults, random, clock, .. } = &mut *state;
        faults.set(rules, clock.now(), random);
    }
    Ok(faults(order))
}

pub(super) fn clear_faults(order: &ControlRequest) -> Response {
    order.account.state().faults = crate::faults::Faults::default();
    faults(order)
}

pub(super) async fn inbound(order: &ControlRequest) -> Outcome<Response> {
    let inbound: Inbound = order.read()?;
    let id = order.account.state().inbound(inbound)?;
    order.settle().await;
    Ok(ok(&json!({"id": id})))
}

/// Delivers the callback of an attempt once more, with the usual repetitions, also to a target that said 410.
pub(super) async fn replay(order: &ControlRequest, number: &str) -> Outcome<Response> {
    let delivery = {
        let mut state = order.account.state();
        let attempt = number.parse().ok().and_then(|number| state.callbacks.attempts.get(number));
        let delivery = attempt.map(|attempt| attempt.delivery().clone());
        let delivery = delivery.ok_or_else(|| ProviderError::plain(404, "no such attempt is kept"))?;
        state.callbacks.enable(&delivery.url);
        let taken = state.callbacks.enqueue(delivery);
        let delivery = taken.map_err(|_| ProviderError::plain(503, "too many callbacks wait already"))?;
        let now = state.clock.now();
        state.timers.set(now, Timer::Callback(delivery));
        delivery
    };
    order.account.scheduled.notify_one();
    order.settle().await;
    Ok(ok(&json!({"delivery": delivery})))
}

pub(super) async fn webhook_event(order: &ControlRequest) -> Outcome<Response> {
    let report: Report = order.read()?;
    let told = order.account.state().messenger_b_report(&report)?;
    order.settle().await;
    Ok(ok(&json!({"told": told})))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Force {
    status: String,
    #[serde(default)]
    errorcode: i64,
}

/// Gives a chat message a status, such as a late `Delivered`.
pub(super) async fn status(order: &ControlRequest, id: &str) -> Outcome<Response> {
    let force: Force = order.read()?;
    let status = ["Created", "Ready", "Sent", "Delivered", "Failed", "expired"]
        .into_iter()
        .find(|status| *status == force.status)
        .ok_or_else(|| {
            let text = "`status` must be Created, Ready, Sent, Delivered, Failed or expired";
            ProviderError::plain(400, text).at("/status")
        })?;
    {
        let mut state = order.account.state();
        let found = state.messages.iter().rev().find(|(_, message)| message.is(id));
        let (number, chat) = found
            .map(|(number, message)| (number, message.operation.starts_with("messages.")))
            .ok_or_else(|| ProviderError::plain(404, "no such message"))?;
        if !chat {
            return Err(ProviderError::plain(400, "only messages of family D have a status that can be set"));
        }
        state.chat_status(number, status, force.errorcode);
    }
    order.settle().await;
    Ok(ok(&json!({"id": Id::parse(id).map(|id| id.to_string()), "status": status})))
}

/// How many files are known, and how long their URLs may be.
const MOST_MEDIA: usize = 10_000;
const MEDIA_URL: usize = 8_192;

pub(super) fn media(order: &ControlRequest) -> Outcome<Response> {
    let facts: MediaFile = order.read()?;
    if facts.url.len() > MEDIA_URL {
        return Err(
            ProviderError::plain(400, format!("`url` must have at most {MEDIA_URL} bytes")).at("/url")
        );
    }
    let mut state = order.account.state();
    if state.media.len() >= MOST_MEDIA && !state.media.contains_key(&facts.url) {
        return Err(ProviderError::plain(507, format!("at most {MOST_MEDIA} files are known")));
    }
    state.media.insert(facts.url.clone(), facts);
    Ok(ok(&json!({"ok": true})))
}

pub(super) fn workflow(order: &ControlRequest, sid: &str) -> Outcome<Response> {
    let start: otp::Start = order.read()?;
    let lifetime = order.shared.options.otp_ttl;
    let request = otp::run(&mut order.account.state(), sid, start, lifetime)?;
    order.account.changed.notify_waiters();
    order.account.scheduled.notify_one();
    Ok(ok(&json!({"requestID": request})))
}

/// An empty account again, with its keys and settings; its clock goes on.
pub(super) fn reset(order: &ControlRequest) -> Response {
    let started = std::time::Instant::now();
    order.account.reset(&order.shared.options);
    let took = started.elapsed();
    ok(&json!({"ok": true, "us": u64::try_from(took.as_micros()).unwrap_or(u64::MAX)}))
}
