use axum::response::Response;
use serde::Serialize;

use super::request::{KNOWN, MALFORMED, read, refuse};
use super::single_sms::{SENT, announce, dispatch, recipient, throttle};
use crate::assumptions::D;
use crate::body::ok;
use crate::call::Call;
use crate::ledger::{Sort, fnv};
use crate::provider_error::Outcome;
use crate::time::iso;

/// The most numbers in a call (D31).
const MOST: usize = 10_000;

/// The answer to a bulk SMS (B3).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Sent<'a> {
    response_code: u8,
    response_text: &'static str,
    messages: Vec<One<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct One<'a> {
    id: String,
    timestamp: &'a str,
    to: &'a str,
    text_length: usize,
}

/// Sends one SMS to many numbers; a number listed twice gets two (B3).
pub(crate) fn send(call: &mut Call<'_>) -> Outcome<Response> {
    let object = call.object(KNOWN, MALFORMED)?;
    let request = read(call, &object)?;
    let numbers = recipients(call, request.to)?;
    call.note(D(49));
    let account = std::sync::Arc::clone(&call.account);
    let mut state = account.state();
    for to in &numbers {
        throttle(&mut state, to)?;
    }
    state.room(numbers.len())?;
    let body = fnv(call.body);
    let timestamp = iso(state.clock.now());
    let text_length = request.text.chars().count();
    let messages = numbers
        .iter()
        .map(|to| One {
            id: dispatch(call, &mut state, &request, to, Sort::SmsBulk, body).to_string(),
            timestamp: &timestamp,
            to,
            text_length,
        })
        .collect();
    drop(state);
    announce(call);
    Ok(ok(&Sent { response_code: 0, response_text: SENT, messages }))
}

/// All numbers, or a refusal that names the place of the first bad one (D30).
fn recipients(call: &mut Call<'_>, list: &str) -> Outcome<Vec<String>> {
    let count = list.split(',').count();
    if count > MOST {
        return Err(refuse(902, "`to` holds more than 10000 numbers").leaning(D(31)));
    }
    let mut numbers = Vec::with_capacity(count);
    for (place, one) in list.split(',').enumerate() {
        let number = recipient(call, one.trim())?.ok_or_else(|| {
            refuse(902, &format!("`to`: number {} is not 7 to 15 digits without a plus sign", place + 1))
                .leaning(D(29))
                .leaning(D(30))
        })?;
        numbers.push(number);
    }
    Ok(numbers)
}
