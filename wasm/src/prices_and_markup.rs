//! Prices, senders, numbers, markup, and values that are not part of a request.

use std::borrow::Cow;

use cpaas::{checks, markup, text};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::code_and_message;

/// The report on a value that is not part of a request (a photo, a username), as JSON; empty for an unknown rule.
#[wasm_bindgen(js_name = checkText)]
#[must_use]
pub fn check_text(rule: &str, value: &str) -> String {
    checks::json(rule, value).map(|report| report.to_json()).unwrap_or_default()
}

/// The price of a text, as JSON, or an error, see [`code_and_message`].
#[wasm_bindgen]
#[must_use]
pub fn estimate(text: &str, price: &str) -> String {
    text::estimate_json(text, price).unwrap_or_else(|error| code_and_message(error.code(), error))
}

/// The price of a text to one number or a JSON list of them, as JSON, or an error; the prices are CSV.
#[wasm_bindgen(js_name = estimateTo)]
#[must_use]
pub fn estimate_to(text: &str, prices: &str, to: &str) -> String {
    text::estimate_to_json(text, prices, to, None)
        .unwrap_or_else(|error| code_and_message(error.code(), error))
}

/// A number with its country code in the form that is sent; `None` for any other text.
#[wasm_bindgen(js_name = normalizeNumber)]
#[must_use]
pub fn normalize_number(number: &str) -> Option<String> {
    text::msisdn::normalize_number(number, None).ok().map(Cow::into_owned)
}

/// The classification of a sender, as JSON.
#[wasm_bindgen(js_name = checkSender)]
#[must_use]
pub fn check_sender(sender: &str) -> String {
    text::sender_json(sender)
}

/// Parses a `messenger_c` text: the entities or the error, as JSON.
#[wasm_bindgen(js_name = parseMarkup)]
#[must_use]
pub fn parse_markup(text: &str, mode: &str) -> String {
    markup::parse_json(text, mode)
}

/// Escapes a `messenger_c` text: the text or the error, as JSON.
#[wasm_bindgen(js_name = escapeMarkup)]
#[must_use]
pub fn escape_markup(text: &str, mode: &str) -> String {
    markup::escape_json(text, mode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_carry_code_and_message() {
        assert!(estimate("a", "x").starts_with("text."));
    }
}
