//! Prices, senders, numbers, markup, intents, codes that fill themselves in, and values that are not part of a request.

use std::borrow::Cow;

use cpaas::bindings;
use cpaas::text;
use cpaas::text::autofill;
use cpaas::value::Value;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::code_and_message;

/// The report on a value that is not part of a request (a photo, a username), as JSON; empty for an unknown rule.
#[wasm_bindgen(js_name = checkText)]
#[must_use]
pub fn check_text(rule: &str, value: &str) -> String {
    bindings::check_json(rule, value).map(|report| report.to_json()).unwrap_or_default()
}

/// The price of a text, as JSON, or an error, see [`code_and_message`].
#[wasm_bindgen]
#[must_use]
pub fn estimate(text: &str, price: &str) -> String {
    bindings::estimate_json(text, price).unwrap_or_else(|error| code_and_message(error.code(), error))
}

/// The price of a text to one number or a JSON list of them, as JSON, or an error; the prices are CSV.
#[wasm_bindgen(js_name = estimateTo)]
#[must_use]
pub fn estimate_to(text: &str, prices: &str, to: &str) -> String {
    bindings::estimate_to_json(text, prices, to, None)
        .unwrap_or_else(|error| code_and_message(error.code(), error))
}

/// A number with its country code in the form that is sent; `None` for any other text.
#[wasm_bindgen(js_name = normalizeNumber)]
#[must_use]
pub fn normalize_number(number: &str) -> Option<String> {
    text::msisdn::normalize_number(number, None).ok().map(Cow::into_owned)
}

/// What an inbound message asks for, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn intent(text: &str) -> String {
    bindings::intent_json(text)
}

/// A message that fills its one-time code in, as JSON `{"body"}`, or an error, see [`code_and_message`].
#[wasm_bindgen(js_name = autofillBody)]
#[must_use]
pub fn autofill_body(text: &str, options: &str) -> String {
    match autofill::body_from_json(text, options) {
        Ok(body) => object("body", body),
        Err(error) => code_and_message(error.code(), error),
    }
}

/// What a message fills in, as JSON.
#[wasm_bindgen(js_name = checkAutofill)]
#[must_use]
pub fn check_autofill(message: &str) -> String {
    autofill::check_json(message)
}

/// The hash of an Android app, as JSON `{"hash"}`, or an error, see [`code_and_message`].
#[wasm_bindgen(js_name = appHash)]
#[must_use]
pub fn app_hash(package: &str, certificate: &[u8]) -> String {
    match autofill::app_hash(package, certificate) {
        Ok(hash) => object("hash", hash),
        Err(error) => code_and_message(error.code(), error),
    }
}

/// A JSON object with one member.
fn object(name: &str, text: String) -> String {
    Value::from_iter([(name, text)]).to_string()
}

/// The classification of a sender, as JSON.
#[wasm_bindgen(js_name = checkSender)]
#[must_use]
pub fn check_sender(sender: &str) -> String {
    bindings::sender_json(sender)
}

/// Parses a `messenger_c` text: the entities or the error, as JSON.
#[wasm_bindgen(js_name = parseMarkup)]
#[must_use]
pub fn parse_markup(text: &str, mode: &str) -> String {
    bindings::parse_markup_json(text, mode)
}

/// Escapes a `messenger_c` text: the text or the error, as JSON.
#[wasm_bindgen(js_name = escapeMarkup)]
#[must_use]
pub fn escape_markup(text: &str, mode: &str) -> String {
    bindings::escape_markup_json(text, mode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_carry_code_and_message() {
        assert!(estimate("a", "x").starts_with("text."));
    }
}
