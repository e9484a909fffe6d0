//! One attempt to deliver a callback.

use std::sync::Arc;

use serde_json::json;

use super::{DueAttempt, TargetResponse, http_client};
use crate::account::Account;
use crate::log_entries::Event;
use crate::sandbox_state::Shared;
use crate::timers::Timer;

/// Calls the target, records its response and schedules the next attempt.
pub(crate) async fn run_attempt(attempt: DueAttempt, shared: &Arc<Shared>, account: &Arc<Account>) {
    let response = {
        let _permit = shared.net.permits.acquire().await;
        // Boxed, so that the tasks that wait for a permit stay small.
        Box::pin(http_client::send(shared, &attempt.delivery)).await
    };
    let mut state = account.state();
    let now = state.clock.now();
    let kind = match &response {
        TargetResponse::Status(200..300, _) => "callback.delivered",
        TargetResponse::Status(410, _) => "callback.disabled",
        TargetResponse::Refused(_) => "callback.refused",
        _ => "callback.failed",
    };
    let reason = match &response {
        TargetResponse::Refused(reason) => Some(*reason),
        _ => None,
    };
    let next = state.callbacks.record_attempt(attempt.number, attempt.at, now, response);
    state.trim();
    match next {
        Some(next) => state.timers.set(next, Timer::Callback(attempt.number)),
        None if kind == "callback.failed" => {
            state.event(Event::new(now, "callback.given_up").about(attempt.delivery.subject.as_str()));
        }
        None => {}
    }
    let mut event =
        Event::new(now, kind).about(attempt.delivery.subject.as_str()).assuming(attempt.delivery.assumed);
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
