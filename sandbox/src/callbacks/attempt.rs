//! One attempt on its way.

use std::sync::Arc;

use serde_json::json;

use super::{DueAttempt, TargetResponse, http_client};
use crate::account::Account;
use crate::log::Event;
use crate::shared::Shared;
use crate::timers::Timer;

/// Calls the target, records its response and schedules the next attempt.
pub(crate) async fn run_attempt(flight: DueAttempt, shared: &Arc<Shared>, account: &Arc<Account>) {
    let answer = {
        let _permit = shared.net.permits.acquire().await;
        // Boxed, so that the many that wait for a permit are small.
        Box::pin(http_client::send(shared, &flight.delivery)).await
    };
    let mut state = account.state();
    let now = state.clock.now();
    let kind = match &answer {
        TargetResponse::Status(200..300, _) => "callback.delivered",
        TargetResponse::Status(410, _) => "callback.disabled",
        TargetResponse::Refused(_) => "callback.refused",
        _ => "callback.failed",
    };
    let reason = match &answer {
        TargetResponse::Refused(reason) => Some(*reason),
        _ => None,
    };
    let next = state.callbacks.record_attempt(flight.number, flight.at, now, answer);
    state.trim();
    match next {
        Some(next) => state.timers.set(next, Timer::Callback(flight.number)),
        None if kind == "callback.failed" => {
            state.event(Event::new(now, "callback.given_up").about(flight.delivery.subject.as_str()));
        }
        None => {}
    }
    let mut event =
        Event::new(now, kind).about(flight.delivery.subject.as_str()).relying_on(flight.delivery.assumed);
    if let Some(reason) = reason {
        event = event.detail(json!({"reason": reason}));
    }
    state.event(event);
    drop(state);
    account.changed.notify_waiters();
    if next.is_some() {
        account.scheduled.notify_one();
    }
}
