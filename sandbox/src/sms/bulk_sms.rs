//! Bulk SMS (B3).

use axum::response::Response;
use cpaas::http::Family;
use cpaas::sms;
use serde::Serialize;

use super::single_sms::{Outgoing, SENT, dispatch, rely_on_type};
use crate::assumptions::AssumptionId;
use crate::call::Call;
use crate::http_bodies::ok;
use crate::ledger::{SendOperation, fnv};
use crate::provider_error::{ProviderError, ProviderResult};
use crate::time_text::iso;

/// The maximum number of numbers in a call (D31).
const MAX_RECIPIENTS: usize = 10_000;

/// The response to a bulk SMS (B3).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Sent<'a> {
    response_code: u8,
    response_text: &'static str,
    messages: Vec<SentMessage<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SentMessage<'a> {
    id: String,
    timestamp: &'a str,
    to: &'a str,
    text_length: usize,
}

/// Sends one SMS to many numbers; a number listed twice receives two (B3).
pub(crate) fn send(call: &mut Call<'_>) -> ProviderResult<Response> {
    let request: sms::SendBulkSms = call.request()?;
    rely_on_type(call, request.kind.as_deref())?;
    let numbers: Vec<&str> = request.to.split(',').map(str::trim).collect();
    if numbers.len() > MAX_RECIPIENTS {
        let message = format!("`to`: at most {MAX_RECIPIENTS} numbers, got {} [sandbox]", numbers.len());
        return Err(ProviderError::new(400, 902, message).assuming(AssumptionId(31)));
    }
    let outgoing = Outgoing {
        from: request.from,
        text: request.text,
        test: request.test.unwrap_or_default(),
        reference: request.reference,
        callback: request.callback,
    };
    call.note(AssumptionId(49));
    let account = std::sync::Arc::clone(&call.account);
    let mut state = account.state();
    for to in &numbers {
        state.throttle(to, Family::Sms)?;
    }
    state.check_capacity(numbers.len())?;
    let body = fnv(call.body);
    let timestamp = iso(state.clock.now());
    let text_length = outgoing.text.chars().count();
    let messages = numbers
        .iter()
        .map(|to| SentMessage {
            id: dispatch(call, &mut state, &outgoing, to, SendOperation::SmsBulk, body).to_string(),
            timestamp: &timestamp,
            to,
            text_length,
        })
        .collect();
    drop(state);
    account.notify();
    Ok(ok(&Sent { response_code: 0, response_text: SENT, messages }))
}
