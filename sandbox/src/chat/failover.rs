//! A message with several channels: the next channel is used if the message is not delivered in time (D5, D44).

use axum::response::Response;
use serde_json::{Value, json};

use super::chat_request::{ChatRequest, read, reject};
use super::send_message::{OutgoingChat, destination, launch, reject_magic, write_to_ledger};
use crate::account_state::State;
use crate::account_state::chat_progress::{ChannelAttempt, Failover};
use crate::assumptions::{AssumptionId, AssumptionSet};
use crate::call::Call;
use crate::http_bodies::ok;
use crate::ledger::{SendOperation, fnv};
use crate::log_entries::Event;
use crate::provider_error::{ProviderError, ProviderResult};
use crate::random::Id;
use crate::timers::Timer;
use crate::traceparent::Traceparent;

/// The part of a failover that the sandbox needs.
pub(super) struct Plan {
    timeout: u64,
}

/// Reads a failover; its traffic accounts must be the caller's (D45).
pub(super) fn plan(call: &mut Call<'_>, failover: &Value) -> ProviderResult<Plan> {
    let seconds = failover.pointer("/timeoutFailover/timeoutInSeconds").and_then(Value::as_u64);
    let accounts = failover.pointer("/timeoutFailover/trafficAccounts").and_then(Value::as_array);
    for (place, account) in accounts.into_iter().flatten().enumerate() {
        let field = format!("/failover/timeoutFailover/trafficAccounts/{place}");
        let own = call.account.credentials.traffic_account_id.as_str();
        if account.as_str().is_none_or(|id| !id.eq_ignore_ascii_case(own)) {
            let error = ProviderError::plain(404, "no such traffic account [sandbox]");
            return Err(error.at(field).assuming(AssumptionId(45)));
        }
    }
    Ok(Plan { timeout: seconds.unwrap_or_default().saturating_mul(1_000) })
}

/// Sends over the first channel and returns an id for each channel.
pub(crate) fn send(call: &mut Call<'_>) -> ProviderResult<Response> {
    let request = &read(call, false)?;
    call.assume(AssumptionId(40))?;
    let plan = plan(call, request.failover.as_ref().unwrap_or(&Value::Null))?;
    if request.account_id.is_some() {
        super::send_message::traffic_account(call, request)?;
    }
    let (first, content) =
        request.channels.first().ok_or_else(|| reject("a channel object is required [sandbox]", ""))?;
    let to = destination(call, first, request)?;
    let account = std::sync::Arc::clone(&call.account);
    let mut state = account.state();
    reject_magic(&mut state, first, content, &to)?;
    state.check_capacity(request.channels.len())?;
    let ids = start(call, &mut state, request, &plan, &to, SendOperation::Failover, None);
    drop(state);
    call.account.notify();
    let ids: Vec<String> = ids.iter().map(Id::to_string).collect();
    Ok(ok(&json!(ids)))
}

/// Writes every channel to the ledger and sends over the first.
pub(super) fn start(
    call: &Call<'_>,
    state: &mut State,
    request: &ChatRequest,
    plan: &Plan,
    to: &str,
    operation: SendOperation,
    bulk: Option<&str>,
) -> Vec<Id> {
    let body = fnv(call.body);
    let mut attempts = Vec::with_capacity(request.channels.len());
    let traceparent = Traceparent::of(call.headers);
    for (channel, content) in &request.channels {
        let outgoing = OutgoingChat { channel, content, to, operation, body, bulk, traceparent };
        let id = write_to_ledger(call, state, &outgoing);
        attempts.push(ChannelAttempt { channel, content: content.clone(), id });
    }
    let ids: Vec<Id> = attempts.iter().map(|one| one.id).collect();
    let number = state.failover_count;
    state.failover_count += 1;
    if let (Some(first), Some((channel, content))) = (ids.first(), request.channels.first()) {
        let now = state.clock.now();
        let mut failover = Failover {
            attempts,
            to: to.to_owned(),
            operation,
            body,
            bulk: bulk.map(str::to_owned),
            traceparent,
            timeout: plan.timeout,
            current: 0,
            message: 0,
            delivered: false,
            assumptions: call.assumptions,
            pause: call.shared.options.delivery,
        };
        let outgoing = OutgoingChat { channel, content, to, operation, body, bulk, traceparent };
        failover.message = launch(call, state, &outgoing, *first, Some((number, failover.show())));
        state.plan_failover(now.saturating_add(plan.timeout), number, failover);
    }
    ids
}

impl State {
    /// Sends over the next channel, unless the message was delivered before the timeout.
    pub(crate) fn failover_due(&mut self, number: u64) {
        let Some(mut failover) = self.failovers.remove(number) else { return };
        if failover.delivered {
            self.chains.remove(&failover.message);
            return;
        }
        failover.current += 1;
        let Some(next) = failover.attempts.get(failover.current) else { return };
        let now = self.clock.now();
        let event = Event::new(now, "failover.moved").about(next.id.to_string());
        let (channel, content, id) = (next.channel, next.content.clone(), next.id);
        self.event(event.assuming(AssumptionSet::default().with(AssumptionId(44))));
        let outgoing = OutgoingChat {
            channel,
            content: &content,
            to: &failover.to,
            operation: failover.operation,
            body: failover.body,
            bulk: failover.bulk.as_deref(),
            traceparent: failover.traceparent,
        };
        let shown = Some((number, failover.show()));
        failover.message = self.launch_outgoing(&outgoing, id, shown, failover.assumptions, failover.pause);
        self.plan_failover(now.saturating_add(failover.timeout), number, failover);
    }

    /// Schedules the timeout of the current channel. Drops the failover if too many failovers wait for a timeout.
    fn plan_failover(&mut self, at: u64, number: u64, failover: Failover) {
        let id = failover.attempts.get(failover.current).map(|one| one.id.to_string()).unwrap_or_default();
        if self.failovers.insert(number, failover) {
            self.timers.set(at, Timer::Failover(number));
        } else {
            self.event(Event::new(self.clock.now(), "failover.dropped").about(id));
        }
    }

    /// Marks the failover of a delivered message. A delivery after the switch to another channel is logged.
    pub(crate) fn failover_delivered(&mut self, message: u64) {
        let Some(number) = self.chains.get(&message).and_then(|chain| chain.failover) else { return };
        let id = self.messages.get(message).map(|message| message.id.to_string()).unwrap_or_default();
        let now = self.clock.now();
        match self.failovers.get_mut(number) {
            Some(failover) if failover.message == message => failover.delivered = true,
            Some(failover) => {
                failover.delivered = true;
                self.event(Event::new(now, "late_delivery").about(id));
            }
            None => self.event(Event::new(now, "late_delivery").about(id)),
        }
    }
}
