//! One message over one channel, and the checks that failover and bulk share with it.

use axum::response::Response;
use cpaas::http::Family;
use cpaas::text::msisdn;
use serde_json::Value;

use super::chat_request::{ChatRequest, read, reject};
use super::{delivery, presentation};
use crate::account_state::media_files::check_media;
use crate::account_state::{Accepted, State};
use crate::assumptions::AssumptionId;
use crate::call::{Call, digits};
use crate::http_bodies::ok;
use crate::ledger::{SendOperation, fnv};
use crate::magic_numbers::{self, Magic};
use crate::message::Message;
use crate::provider_error::{ProviderError, ProviderResult};
use crate::random::Id;
use crate::traceparent::Traceparent;

/// Sends one message over one channel (D1).
pub(crate) fn send(call: &mut Call<'_>) -> ProviderResult<Response> {
    let request = read(call, false)?;
    call.note(AssumptionId(40));
    let traffic_account = traffic_account(call, &request)?;
    let (channel, content) =
        request.channels.first().ok_or_else(|| reject("a channel object is required [sandbox]", ""))?;
    let to = destination(call, channel, &request)?;
    let account = std::sync::Arc::clone(&call.account);
    let mut state = account.state();
    reject_magic(&mut state, channel, content, &to)?;
    state.check_capacity(1)?;
    let outgoing = OutgoingChat {
        channel,
        content,
        to: &to,
        operation: SendOperation::Message,
        body: fnv(call.body),
        bulk: None,
        traceparent: Traceparent::of(call.headers),
    };
    let id = write_to_ledger(call, &mut state, &outgoing);
    let now = state.clock.now();
    launch(call, &mut state, &outgoing, id, None);
    drop(state);
    call.account.notify();
    Ok(ok(&presentation::accepted(&account, id, channel, content, &to, &traffic_account, now)))
}

/// One message for one recipient over one channel.
pub(super) struct OutgoingChat<'a> {
    pub(super) channel: &'static str,
    pub(super) content: &'a Value,
    pub(super) to: &'a str,
    pub(super) operation: SendOperation,
    pub(super) body: u64,
    pub(super) bulk: Option<&'a str>,
    pub(super) traceparent: Option<Traceparent>,
}

/// The traffic account must be one of the caller's (D45).
pub(super) fn traffic_account(call: &mut Call<'_>, request: &ChatRequest) -> ProviderResult<String> {
    let own = &call.account.credentials.traffic_account_id;
    match &request.account_id {
        Some(id) if id.eq_ignore_ascii_case(own) => Ok(own.clone()),
        Some(_) => Err(ProviderError::plain(404, "no such traffic account [sandbox]")
            .at("/trafficAccountId")
            .assuming(AssumptionId(45))
            .assuming(AssumptionId(41))),
        None => Err(reject("`trafficAccountId` is required [sandbox]", "/trafficAccountId")),
    }
}

/// The recipient: digits for SMS, an identifier of the channel for chat.
pub(super) fn destination(
    call: &mut Call<'_>,
    channel: &str,
    request: &ChatRequest,
) -> ProviderResult<String> {
    let given = request.destinations.first().map(String::as_str).unwrap_or_default();
    check_number(call, request, "/destination")?;
    recipient(call, channel, given)
}

/// Only SMS needs a phone number; the other channels have identifiers too (D29).
pub(super) fn check_number(call: &Call<'_>, request: &ChatRequest, field: &str) -> ProviderResult<()> {
    let has_sms = request.channels.iter().any(|(channel, _)| *channel == "sms");
    if has_sms && call.has_warning("msg.destination.not_phone") {
        let message = "must be a phone number: 7 to 15 digits [msg.destination.not_phone]";
        return Err(reject(message, field).assuming(AssumptionId(29)));
    }
    Ok(())
}

pub(super) fn recipient(call: &mut Call<'_>, channel: &str, given: &str) -> ProviderResult<String> {
    // An identifier of messenger_c may begin with a plus that is not part of a phone number.
    let is_number = channel != "messenger_c" || msisdn::is_shape(given.strip_prefix('+').unwrap_or(given));
    if is_number { Ok(digits(call, given)?.to_owned()) } else { Ok(given.to_owned()) }
}

/// Rejects files that are known to be too large, and the magic numbers that reject a call.
pub(super) fn reject_magic(
    state: &mut State,
    channel: &str,
    content: &Value,
    to: &str,
) -> ProviderResult<()> {
    check_media(&state.media, channel, content)?;
    state.throttle(to, Family::Messaging)?;
    let is_unsupported = magic_numbers::of(to) == Some(Magic::Unsupported);
    if is_unsupported && channel == "business_chat" && content.get("fallback").is_none() {
        let message = "failed precondition: the device does not support the message [sandbox]";
        return Err(ProviderError::plain(400, message).at("/business_chat"));
    }
    Ok(())
}

/// Writes a message to the ledger.
pub(super) fn write_to_ledger(call: &Call<'_>, state: &mut State, outgoing: &OutgoingChat<'_>) -> Id {
    state.accept(&Accepted {
        operation: outgoing.operation,
        body: outgoing.body,
        to: outgoing.to,
        reference: None,
        fault: call.fault,
        test: false,
    })
}

/// Stores a message in the inbox and schedules its statuses.
pub(super) fn launch(
    call: &Call<'_>,
    state: &mut State,
    outgoing: &OutgoingChat<'_>,
    id: Id,
    failover: Option<(u64, Value)>,
) -> u64 {
    let pause = call.shared.options.delivery;
    state.launch_outgoing(outgoing, id, failover, call.assumptions, pause)
}

/// Adds to `message` how the device shows a `business_chat` object. Returns false if the device cannot show the object.
fn on_device(message: &mut Message, content: &Value, magic: Option<Magic>) -> bool {
    let heights = presentation::media_heights(content);
    if !heights.is_empty() {
        message.add_member("media_heights", heights);
    }
    let fallback = content.get("fallback").and_then(Value::as_str);
    let forced = content.get("forceFallback").and_then(Value::as_bool) == Some(true);
    let unsupported = magic == Some(Magic::Unsupported);
    match fallback {
        Some(fallback) if forced || unsupported => {
            message.text = fallback.to_owned();
            message.add_member("shown", "fallback");
            true
        }
        _ => !unsupported,
    }
}

impl State {
    pub(super) fn launch_outgoing(
        &mut self,
        outgoing: &OutgoingChat<'_>,
        id: Id,
        failover: Option<(u64, Value)>,
        assumptions: crate::assumptions::AssumptionSet,
        pause: u64,
    ) -> u64 {
        let now = self.clock.now();
        let magic = magic_numbers::of(outgoing.to);
        let stuck = magic == Some(Magic::Stuck);
        let mut message = Message {
            id,
            at: now,
            updated: now,
            operation: outgoing.operation.name(),
            channel: outgoing.channel,
            inbound: false,
            from: outgoing.content.get("sender").and_then(Value::as_str).unwrap_or("sandbox").to_owned(),
            to: outgoing.to.to_owned(),
            text: presentation::text(outgoing.channel, outgoing.content),
            status: if stuck { "Created" } else { "Ready" },
            settles: None,
            otp: None,
            reference: None,
            traceparent: outgoing.traceparent,
            more: None,
            assumed: assumptions.with(AssumptionId(43)),
            hidden: false,
        };
        message.add_member("content", outgoing.content.clone());
        if let Some(bulk) = outgoing.bulk {
            message.add_member("bulk_id", bulk);
        }
        if let Some((_, shown)) = &failover {
            message.add_member("failover", shown.clone());
        }
        let mut steps = delivery::steps(outgoing.channel, outgoing.content, magic, pause);
        if outgoing.channel == "business_chat" && !on_device(&mut message, outgoing.content, magic) {
            steps = vec![(pause, "Failed", delivery::FAILED)];
        }
        if let Some(refused) = self.session(outgoing, &mut message) {
            steps = vec![(pause, "Failed", refused)];
        }
        self.launch(message, steps, failover.map(|(number, _)| number))
    }
}
