use axum::response::Response;
use cpaas::text::msisdn;
use serde_json::Value;

use super::envelope::{Request, read, reject};
use super::{delivery, presentation};
use crate::assumptions::AssumptionId;
use crate::call::{Call, digits};
use crate::ledger::{SendOperation, fnv};
use crate::magic_numbers::{self, Magic};
use crate::message::Message;
use crate::provider_error::{Outcome, ProviderError};
use crate::random::Id;
use crate::response_body::ok;
use crate::state::{Accepted, State};
use crate::store::media_files::check_media;

/// Sends one message over one channel (D1), or over several with a failover (D5).
pub(crate) fn send(call: &mut Call<'_>) -> Outcome<Response> {
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
    let order = OutgoingChat {
        channel,
        content,
        to: &to,
        sort: SendOperation::Message,
        body: fnv(call.body),
        bulk: None,
    };
    let id = enter(call, &mut state, &order);
    let now = state.clock.now();
    launch(call, &mut state, &order, id, None);
    drop(state);
    call.account.changed.notify_waiters();
    call.account.scheduled.notify_one();
    Ok(ok(&presentation::accepted(&account, id, channel, content, &to, &traffic_account, now)))
}

/// One message for one recipient over one channel.
pub(super) struct OutgoingChat<'a> {
    pub(super) channel: &'static str,
    pub(super) content: &'a Value,
    pub(super) to: &'a str,
    pub(super) sort: SendOperation,
    pub(super) body: u64,
    pub(super) bulk: Option<&'a str>,
}

/// The traffic account must be one of the caller's (D45).
pub(super) fn traffic_account(call: &mut Call<'_>, request: &Request) -> Outcome<String> {
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

/// The recipient: digits for SMS, an identifier of the channel otherwise.
pub(super) fn destination(call: &mut Call<'_>, channel: &str, request: &Request) -> Outcome<String> {
    let given = request.destinations.first().map(String::as_str).unwrap_or_default();
    check_number(call, request, "/destination")?;
    recipient(call, channel, given)
}

/// Only SMS needs a phone number; the other channels have identifiers too (D29).
pub(super) fn check_number(call: &Call<'_>, request: &Request, field: &str) -> Outcome<()> {
    let has_sms = request.channels.iter().any(|(channel, _)| *channel == "sms");
    if has_sms && call.has_warning("msg.destination.not_phone") {
        let message = "must be a phone number: 7 to 15 digits [msg.destination.not_phone]";
        return Err(reject(message, field).assuming(AssumptionId(29)));
    }
    Ok(())
}

pub(super) fn recipient(call: &mut Call<'_>, channel: &str, given: &str) -> Outcome<String> {
    // messenger_c has identifiers of its own; a plus before other characters belongs to one of them.
    let is_number = channel != "messenger_c" || msisdn::is_shape(given.strip_prefix('+').unwrap_or(given));
    if is_number { Ok(digits(call, given)?.to_owned()) } else { Ok(given.to_owned()) }
}

/// Rejects files that are known to be too large, and the magic numbers that reject a call.
pub(super) fn reject_magic(state: &mut State, channel: &str, content: &Value, to: &str) -> Outcome<()> {
    check_media(&state.media, channel, content)?;
    match magic_numbers::of(to) {
        Some(Magic::Throttled) => {
            Err(ProviderError::plain(429, "throttled by a magic number [sandbox]").retry_after(1))
        }
        Some(Magic::FirstCall503) if state.first_call(to) => {
            Err(ProviderError::plain(503, "first call to a magic number [sandbox]"))
        }
        Some(Magic::Unsupported) if channel == "business_chat" && content.get("fallback").is_none() => {
            Err(ProviderError::plain(
                400,
                "failed precondition: the device does not support the message [sandbox]",
            )
            .at("/business_chat"))
        }
        _ => Ok(()),
    }
}

/// Writes an order to the ledger.
pub(super) fn enter(call: &Call<'_>, state: &mut State, order: &OutgoingChat<'_>) -> Id {
    state.accept(&Accepted {
        sort: order.sort,
        body: order.body,
        to: order.to,
        reference: None,
        fault: call.fault,
        test: false,
    })
}

/// Puts an order into the inbox and on its way.
pub(super) fn launch(
    call: &Call<'_>,
    state: &mut State,
    order: &OutgoingChat<'_>,
    id: Id,
    failover: Option<(u64, Value)>,
) -> u64 {
    let pause = call.shared.options.delivery;
    state.launch_order(order, id, failover, call.assumptions, pause)
}

/// What the device makes of a `business_chat` object; `false` when it can show nothing.
fn on_device(message: &mut Message, content: &Value, magic: Option<Magic>) -> bool {
    let heights = presentation::media_heights(content);
    if !heights.is_empty() {
        message.deliver("media_heights", heights);
    }
    let fallback = content.get("fallback").and_then(Value::as_str);
    let forced = content.get("forceFallback").and_then(Value::as_bool) == Some(true);
    let unsupported = magic == Some(Magic::Unsupported);
    match fallback {
        Some(fallback) if forced || unsupported => {
            message.text = fallback.to_owned();
            message.deliver("shown", "fallback");
            true
        }
        _ => !unsupported,
    }
}

impl State {
    pub(super) fn launch_order(
        &mut self,
        order: &OutgoingChat<'_>,
        id: Id,
        failover: Option<(u64, Value)>,
        assumptions: crate::assumptions::AssumptionSet,
        pause: u64,
    ) -> u64 {
        let now = self.clock.now();
        let magic = magic_numbers::of(order.to);
        let stuck = magic == Some(Magic::Stuck);
        let mut message = Message {
            id,
            at: now,
            updated: now,
            operation: order.sort.operation(),
            channel: order.channel,
            inbound: false,
            from: order.content.get("sender").and_then(Value::as_str).unwrap_or("sandbox").to_owned(),
            to: order.to.to_owned(),
            text: presentation::text(order.channel, order.content),
            status: if stuck { "Created" } else { "Ready" },
            settles: None,
            otp: None,
            reference: None,
            more: None,
            assumed: assumptions.with(AssumptionId(43)),
        };
        message.deliver("content", order.content.clone());
        if let Some(bulk) = order.bulk {
            message.deliver("bulk_id", bulk);
        }
        if let Some((_, shown)) = &failover {
            message.deliver("failover", shown.clone());
        }
        let mut steps = delivery::steps(order.channel, order.content, magic, pause);
        if order.channel == "business_chat" && !on_device(&mut message, order.content, magic) {
            steps = vec![(pause, "Failed", delivery::FAILED)];
        }
        if let Some(refused) = self.session(order, &mut message) {
            steps = vec![(pause, "Failed", refused)];
        }
        self.launch(message, steps, failover.map(|(number, _)| number))
    }
}
