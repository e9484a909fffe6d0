//! One SMS, in JSON and in the XML form of `/sms.xml`.

use axum::body::{Body, Bytes};
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::Response;
use cpaas::http::Family;
use cpaas::sms;
use serde::Serialize;

use super::ending;
use crate::account_state::{Accepted, State};
use crate::assumptions::AssumptionId;
use crate::call::Call;
use crate::http_bodies::{Written, ok, response};
use crate::ledger::{SendOperation, fnv};
use crate::magic_numbers;
use crate::message::Message;
use crate::provider_error::{ProviderError, ProviderResult};
use crate::random::Id;
use crate::time_text::iso;
use crate::timers::Timer;
use crate::traceparent::Traceparent;

/// The response to one SMS (B2).
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

/// The fields that one SMS and a bulk SMS share.
#[derive(Debug)]
pub(super) struct Outgoing {
    pub(super) from: String,
    pub(super) text: String,
    pub(super) test: bool,
    pub(super) reference: Option<String>,
    pub(super) callback: Option<String>,
}

/// Sends one SMS (B1).
pub(crate) fn send(call: &mut Call<'_>) -> ProviderResult<Response> {
    let request: sms::SendSms = call.request()?;
    rely_on_type(call, request.kind.as_deref())?;
    let to = request.to;
    let outgoing = Outgoing {
        from: request.from,
        text: request.text,
        test: request.test.unwrap_or_default(),
        reference: request.reference,
        callback: request.callback,
    };
    call.note(AssumptionId(49));
    if call.route.xml {
        call.assume(AssumptionId(32))?;
    }
    let account = std::sync::Arc::clone(&call.account);
    let mut state = account.state();
    state.throttle(&to, Family::Sms)?;
    state.check_capacity(1)?;
    let id = dispatch(call, &mut state, &outgoing, &to, SendOperation::Sms, fnv(call.body));
    let sent = Sent {
        id: id.to_string(),
        timestamp: iso(state.clock.now()),
        to: &to,
        response_code: 0,
        text_length: outgoing.text.chars().count(),
        response_text: SENT,
        test: outgoing.test,
    };
    drop(state);
    account.notify();
    Ok(if call.route.xml { xml_response(&sent) } else { ok(&sent) })
}

/// Notes that a type other than `auto` is treated as `auto` (D26).
pub(super) fn rely_on_type(call: &mut Call<'_>, kind: Option<&str>) -> ProviderResult<()> {
    if kind == Some("auto") { Ok(()) } else { call.assume(AssumptionId(26)) }
}

/// Writes one message to the ledger, the inbox and the usage, and schedules its final status.
pub(super) fn dispatch(
    call: &Call<'_>,
    state: &mut State,
    request: &Outgoing,
    to: &str,
    operation: SendOperation,
    body: u64,
) -> Id {
    let now = state.clock.now();
    let accepted = Accepted {
        operation,
        body,
        to,
        reference: request.reference.as_deref(),
        fault: call.fault,
        test: request.test,
    };
    let id = state.accept(&accepted);
    if request.test {
        return id;
    }
    state.countries.count(now, to);
    let ending = ending(magic_numbers::of(to));
    let due = now + call.shared.options.delivery;
    let report = state.has_report_target(request.callback.as_deref());
    let url = request.callback.as_ref().map_or(0, String::len);
    let message = Message {
        id,
        at: now,
        updated: now,
        operation: operation.name(),
        channel: "sms",
        inbound: false,
        from: request.from.to_owned(),
        to: to.to_owned(),
        text: request.text.to_owned(),
        status: "accepted",
        settles: Some((due, ending)),
        otp: None,
        reference: request.reference.as_deref().map(Into::into),
        traceparent: Traceparent::of(call.headers),
        more: None,
        assumed: call.assumptions.with(AssumptionId(36)),
        hidden: false,
    };
    let number = state.store_message(message, url);
    if report {
        state.reports.insert(number, request.callback.as_deref().map(Into::into));
        state.timers.set(due, Timer::SmsSettles(number));
    }
    id
}

const XML: &str = "application/xml";

fn xml_response(sent: &Sent<'_>) -> Response {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?><response>");
    let mut member = |name: &str, value: &str| {
        text.push_str(&format!("<{name}>{}</{name}>", escape(value)));
    };
    member("id", &sent.id);
    member("timestamp", &sent.timestamp);
    member("to", sent.to);
    member("responseCode", &sent.response_code.to_string());
    member("textLength", &sent.text_length.to_string());
    member("responseText", sent.response_text);
    if sent.test {
        member("test", "true");
    }
    text.push_str("</response>");
    response(200, XML, text)
}

/// An error in the XML form of `/sms.xml` (D32).
pub(crate) fn xml_error(mut response: Response, error: &ProviderError) -> Response {
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><response><responseCode>{}</responseCode><responseText>{}</responseText></response>",
        error.code,
        escape(&error.message)
    );
    response.headers_mut().remove(CONTENT_LENGTH);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(XML));
    let text = Bytes::from(text);
    response.extensions_mut().insert(Written(text.clone()));
    *response.body_mut() = Body::from(text);
    response
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
