use axum::response::Response;
use serde::Serialize;

use super::request::{KNOWN, MALFORMED, Request, read, refuse};
use super::{ending, xml};
use crate::assumptions::D;
use crate::body::ok;
use crate::call::{Call, number};
use crate::ledger::{Sort, fnv};
use crate::magic::{self, Magic};
use crate::message::Message;
use crate::provider_error::{Outcome, ProviderError};
use crate::random::Id;
use crate::state::{Accepted, State};
use crate::time::iso;
use crate::timers::Timer;

/// The answer to one SMS (B2).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sent<'a> {
    pub(super) id: String,
    pub(super) timestamp: String,
    pub(super) to: &'a str,
    pub(super) response_code: u8,
    pub(super) text_length: usize,
    pub(super) response_text: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) test: bool,
}

pub(super) const SENT: &str = "SMS sent [sandbox]";

/// Sends one SMS (B1).
pub(crate) fn send(call: &mut Call<'_>) -> Outcome<Response> {
    let object = call.object(KNOWN, MALFORMED)?;
    let request = read(call, &object)?;
    let to = recipient(call, request.to)?
        .ok_or_else(|| refuse(902, "`to` is 7 to 15 digits without a plus sign").leaning(D(29)))?;
    call.note(D(49));
    if call.route.xml {
        call.rely(D(32))?;
    }
    let account = std::sync::Arc::clone(&call.account);
    let mut state = account.state();
    throttle(&mut state, &to)?;
    state.room(1)?;
    let id = dispatch(call, &mut state, &request, &to, Sort::Sms, fnv(call.body));
    let sent = Sent {
        id: id.to_string(),
        timestamp: iso(state.clock.now()),
        to: &to,
        response_code: 0,
        text_length: request.text.chars().count(),
        response_text: SENT,
        test: request.test,
    };
    drop(state);
    announce(call);
    Ok(if call.route.xml { xml::reply(&sent) } else { ok(&sent) })
}

/// The digits of a recipient, or nothing.
pub(super) fn recipient(call: &mut Call<'_>, to: &str) -> Outcome<Option<String>> {
    number(call, to, false)
}

/// The magic numbers that refuse a call.
pub(super) fn throttle(state: &mut State, to: &str) -> Outcome<()> {
    match magic::of(to) {
        Some(Magic::Throttled) => {
            Err(ProviderError::new(429, 906, "throttled by a magic number [sandbox]").retry_after(1))
        }
        Some(Magic::FirstCall503) if state.first_call(to) => {
            Err(ProviderError::new(503, 990, "first call to a magic number [sandbox]"))
        }
        _ => Ok(()),
    }
}

pub(super) fn announce(call: &Call<'_>) {
    call.account.changed.notify_waiters();
    call.account.scheduled.notify_one();
}

/// Puts one message into the ledger, the inbox, the usage and on its way.
pub(super) fn dispatch(
    call: &Call<'_>,
    state: &mut State,
    request: &Request<'_>,
    to: &str,
    sort: Sort,
    body: u64,
) -> Id {
    let now = state.clock.now();
    let accepted =
        Accepted { sort, body, to, reference: request.reference, fault: call.fault, test: request.test };
    let id = state.accept(&accepted);
    if request.test {
        return id;
    }
    state.countries.count(now, to);
    let ending = ending(magic::of(to));
    let due = now + call.shared.options.delivery;
    let report = state.report_target(request.callback);
    let url = request.callback.map_or(0, str::len);
    let message = Message {
        id,
        at: now,
        updated: now,
        operation: sort.operation(),
        channel: "sms",
        inbound: false,
        from: request.from.to_owned(),
        to: to.to_owned(),
        text: request.text.to_owned(),
        status: "accepted",
        settles: Some((due, ending)),
        otp: None,
        reference: request.reference.map(Into::into),
        more: None,
        assumed: call.marks.with(D(36)),
    };
    let number = state.keep(message, url);
    if report {
        state.reports.insert(number, request.callback.map(Into::into));
        state.timers.set(due, Timer::SmsSettles(number));
    }
    id
}
