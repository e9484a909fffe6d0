//! Bulk messages over chat channels (D6).

use axum::response::Response;
use serde_json::{Value, json};

use super::chat_request::{read, reject};
use super::failover;
use super::send_message::{
    OutgoingChat, check_number, launch, recipient, reject_magic, traffic_account, write_to_ledger,
};
use crate::assumptions::AssumptionId;
use crate::call::Call;
use crate::http_bodies::ok;
use crate::ledger::{SendOperation, fnv};
use crate::provider_error::{ProviderError, ProviderResult};
use crate::traceparent::Traceparent;

/// The maximum number of destinations in a call (D31).
const MAX_RECIPIENTS: usize = 10_000;

/// Sends one message to several destinations (D6).
pub(crate) fn send(call: &mut Call<'_>) -> ProviderResult<Response> {
    version(call)?;
    let request = read(call, true)?;
    let traffic_account = traffic_account(call, &request)?;
    if request.destinations.len() > MAX_RECIPIENTS {
        let message =
            format!("at most {MAX_RECIPIENTS} destinations, got {} [sandbox]", request.destinations.len());
        return Err(reject(message, "/destinations").assuming(AssumptionId(31)));
    }
    let (channel, content) =
        request.channels.first().ok_or_else(|| reject("a channel object is required [sandbox]", ""))?;
    let plan = request.failover.as_ref().map(|failover| failover::plan(call, failover)).transpose()?;
    check_number(call, &request, "/destinations")?;
    let destinations = request
        .destinations
        .iter()
        .map(|to| recipient(call, channel, to))
        .collect::<ProviderResult<Vec<String>>>()?;
    let account = std::sync::Arc::clone(&call.account);
    let mut state = account.state();
    for to in &destinations {
        reject_magic(&mut state, channel, content, to)?;
    }
    state.check_capacity(destinations.len() * request.channels.len())?;
    let bulk = state.random.uuid();
    let body = fnv(call.body);
    let mut messages: Vec<Value> = Vec::with_capacity(destinations.len());
    for to in &destinations {
        let id = match &plan {
            Some(plan) => {
                let ids =
                    failover::start(call, &mut state, &request, plan, to, SendOperation::Bulk, Some(&bulk));
                ids.first().copied()
            }
            None => {
                let outgoing = OutgoingChat {
                    channel,
                    content,
                    to,
                    operation: SendOperation::Bulk,
                    body,
                    bulk: Some(&bulk),
                    traceparent: Traceparent::of(call.headers),
                };
                let id = write_to_ledger(call, &mut state, &outgoing);
                launch(call, &mut state, &outgoing, id, None);
                Some(id)
            }
        };
        messages.push(json!({
            "destination": to,
            "trafficAccountId": traffic_account,
            "messageId": id.map(|id| id.to_string()),
        }));
    }
    drop(state);
    account.notify();
    Ok(ok(&json!({"bulkId": bulk, "messages": messages})))
}

/// The operation exists from version 1.1 (D51).
fn version(call: &mut Call<'_>) -> ProviderResult<()> {
    let text = call.route.param("version");
    let (major, minor) = text.split_once('.').unwrap_or((text, "0"));
    let version = major.parse::<u32>().ok().zip(minor.parse::<u32>().ok());
    match version {
        Some((1, 1)) => Ok(()),
        Some(version) if version > (1, 1) => call.assume(AssumptionId(51)),
        _ => Err(ProviderError::plain(404, "bulk messages exist from version 1.1 [sandbox]")
            .assuming(AssumptionId(51))),
    }
}
