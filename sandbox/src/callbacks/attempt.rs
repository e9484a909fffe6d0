//! One attempt on its way.

use std::sync::Arc;

use serde_json::json;

use super::{Delivery, http_client};
use crate::account::Account;
use crate::log::Event;
use crate::shared::Shared;
use crate::timers::Timer;

/// An attempt that is to be made now.
#[derive(Debug)]
pub(crate) struct Flight {
    pub(crate) number: u64,
    pub(crate) at: u64,
    pub(crate) delivery: Arc<Delivery>,
}

impl Flight {
    /// Calls the target, notes its answer and plans the next attempt.
    pub(crate) async fn fly(self, shared: &Arc<Shared>, account: &Arc<Account>) {
        let answer = {
            let _permit = shared.net.flights.acquire().await;
            // Boxed, so that the many that wait for a permit are small.
            Box::pin(http_client::send(shared, &self.delivery)).await
        };
        let mut state = account.state();
        let now = state.clock.now();
        let kind = match &answer {
            http_client::Answer::Status(200..300, _) => "callback.delivered",
            http_client::Answer::Status(410, _) => "callback.disabled",
            http_client::Answer::Refused(_) => "callback.refused",
            _ => "callback.failed",
        };
        let reason = match &answer {
            http_client::Answer::Refused(reason) => Some(*reason),
            _ => None,
        };
        let next = state.callbacks.landed(self.number, self.at, now, answer);
        state.trim();
        match next {
            Some(next) => state.timers.set(next, Timer::Callback(self.number)),
            None if kind == "callback.failed" => {
                state.event(Event::new(now, "callback.given_up").about(self.delivery.subject.as_str()));
            }
            None => {}
        }
        let mut event =
            Event::new(now, kind).about(self.delivery.subject.as_str()).leaning(self.delivery.assumed);
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
}
