//! Everything but the counting of texts: requests, prices, senders and markup.

use cpaas::{OperationId, Report, Severity, UnknownOperation, check, markup, text};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::code_and_message;

/// The report on a request, as JSON, with at most `limit` problems (1,000 by default): `more` is the number of those that were
/// left out. The error is the message for an unknown operation. The request is UTF-8: JavaScript
/// encodes a long string faster than the glue copies it.
#[wasm_bindgen(js_name = validateText)]
pub fn validate_text(operation: &str, request: &[u8], limit: Option<u32>) -> Result<String, String> {
    let operation = OperationId::find(operation).ok_or_else(|| UnknownOperation::new(operation).message())?;
    let request = str::from_utf8(request).map_err(|error| error.to_string())?;
    Ok(bounded(operation.validate_json(request), limit.map_or(1000, |limit| limit as usize)))
}

/// The report on a value that belongs to no request (a photo, a username), as JSON; empty for an unknown rule.
#[wasm_bindgen(js_name = checkText)]
#[must_use]
pub fn check_text(rule: &str, value: &str) -> String {
    check::json(rule, value).map(|report| report.to_json()).unwrap_or_default()
}

/// The price of a text, as JSON. The error is the code and the message of a [`TextError`].
#[wasm_bindgen]
pub fn estimate(text: &str, price: &str) -> Result<String, String> {
    text::estimate_json(text, price).map_err(code_and_message)
}

/// The price of a text to one number or a JSON list of them, as JSON; the prices are CSV.
#[wasm_bindgen(js_name = estimateTo)]
pub fn estimate_to(text: &str, prices: &str, to: &str) -> Result<String, String> {
    text::estimate_to_json(text, prices, to, None).map_err(code_and_message)
}

/// A number with its country code in the form that is sent; nothing for another text.
#[wasm_bindgen(js_name = normalizeNumber)]
#[must_use]
pub fn normalize_number(number: &str) -> Option<String> {
    text::msisdn::normalize_number(number, None)
}

/// What a sender is, as JSON.
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

/// The names of all operations, separated by spaces.
#[wasm_bindgen]
#[must_use]
pub fn operations() -> String {
    OperationId::NAMES.join(" ")
}

/// The report as JSON, with at most `limit` problems, the most severe ones.
fn bounded(mut report: Report, limit: usize) -> String {
    let all = report.errors.len() + report.warnings.len();
    if all <= limit {
        return report.to_json();
    }
    report.errors.truncate(limit);
    let (mut warnings, infos): (Vec<_>, Vec<_>) =
        report.warnings.into_iter().partition(|problem| problem.severity == Severity::Warning);
    warnings.extend(infos);
    warnings.truncate(limit - report.errors.len());
    report.warnings = warnings;
    let mut json = report.to_json();
    json.pop();
    format!("{json},\"more\":{}}}", all - limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_carry_code_and_message() {
        let unknown = validate_text("sms.sent", b"{}", None).unwrap_err();
        assert_eq!(unknown, "unknown operation; did you mean `sms.send`?");
        assert!(estimate("a", "x").unwrap_err().starts_with("text."));
    }

    #[test]
    fn a_report_keeps_the_most_severe_problems() {
        let request = br#"{"from":"Acme","to":"306912345678","text":"","a":1,"b":1}"#;
        let report: serde_json::Value =
            serde_json::from_str(&validate_text("sms.send", request, Some(2)).unwrap()).unwrap();
        assert_eq!(
            (
                report["errors"].as_array().unwrap().len(),
                report["warnings"][0]["pointer"].as_str(),
                &report["more"]
            ),
            (1, Some("/a"), &1.into())
        );
        assert!(!validate_text("sms.send", request, None).unwrap().contains("more"));
    }
}
