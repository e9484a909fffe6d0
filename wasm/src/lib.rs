//! The browser module: strings in, JSON strings and numbers out. The typed wrapper is `wasm/js`; nothing here needs
//! a key or the network.

use cpaas::text::{self, Count, Encoding, TextError};
use cpaas::{OperationId, UnknownOperation, check, markup};
use wasm_bindgen::handler;
use wasm_bindgen::prelude::wasm_bindgen;

/// The report on a request, as JSON. The error is the message for an unknown operation. The request is UTF-8: JavaScript
/// encodes a long string faster than the glue copies it.
#[wasm_bindgen(js_name = validateText)]
pub fn validate_text(operation: &str, request: &[u8]) -> Result<String, String> {
    let operation = OperationId::find(operation).ok_or_else(|| UnknownOperation::new(operation).message())?;
    let request = str::from_utf8(request).map_err(|error| error.to_string())?;
    Ok(operation.validate_json(request).to_json())
}

/// The report on a value that belongs to no request (a photo, a username), as JSON; empty for an unknown rule.
#[wasm_bindgen(js_name = checkText)]
#[must_use]
pub fn check_text(rule: &str, value: &str) -> String {
    check::json(rule, value).map(|report| report.to_json()).unwrap_or_default()
}

/// Counts the parts of a text given as UTF-16 code units, which costs less than encoding it as UTF-8. The result is one
/// number, see [`pack`]: an object would cost more than the count.
#[wasm_bindgen]
#[must_use]
pub fn count(units: &[u16]) -> f64 {
    pack(text::scalar::count_utf16(units))
}

/// The parts of a text with options in JSON. The error is the code and the message of a [`TextError`].
#[wasm_bindgen]
pub fn segments(text: &str, options: Option<String>) -> Result<String, String> {
    text::segments_json(text, options.as_deref()).map_err(code_and_message)
}

/// What each character of a text costs, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn annotate(text: &str) -> String {
    text::annotate_json(text)
}

/// The price of a text, as JSON. The error is the code and the message of a [`TextError`].
#[wasm_bindgen]
pub fn estimate(text: &str, price: &str) -> Result<String, String> {
    text::estimate_json(text, price).map_err(code_and_message)
}

/// What a sender is, as JSON.
#[wasm_bindgen(js_name = checkSender)]
#[must_use]
pub fn check_sender(sender: &str) -> String {
    text::sender_json(sender)
}

/// A number with its country code in the form that is sent; nothing for another text.
#[wasm_bindgen(js_name = normalizeNumber)]
#[must_use]
pub fn normalize_number(number: &str) -> Option<String> {
    text::msisdn::normalize_number(number, None)
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

/// Requests a new instance: the next call of any function makes it, before it runs.
#[wasm_bindgen]
pub fn renew() {
    handler::schedule_reinit();
}

/// The version of the crate.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    cpaas::VERSION.to_owned()
}

fn code_and_message(error: TextError) -> String {
    format!("{} {}", error.code(), error)
}

/// Packs a count into one number: 1 bit of encoding, 8 of remaining units, 19 of parts, 25 of units, from the lowest bit
/// on. 53 bits are exact in a double.
#[expect(clippy::cast_precision_loss, reason = "53 bits")]
fn pack(count: Count) -> f64 {
    let ucs2 = u64::from(count.encoding == Encoding::Ucs2);
    let packed = ucs2
        | (u64::from(count.remaining.min(0xFF)) << 1)
        | (u64::from(count.count.min(0x7_FFFF)) << 9)
        | (u64::from(count.units.min(0x1FF_FFFF)) << 28);
    packed as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_carry_code_and_message() {
        let unknown = validate_text("sms.sent", b"{}").unwrap_err();
        assert_eq!(unknown, "unknown operation; did you mean `sms.send`?");
        assert!(segments("a", Some("[]".to_owned())).unwrap_err().starts_with("text."));
        assert!(estimate("a", "x").unwrap_err().starts_with("text."));
        assert!(segments("a", None).unwrap().starts_with('{'));
    }

    #[test]
    fn packed_numbers_are_where_the_wrapper_reads_them() {
        let packed = count(&[0x44F; 71]) as u64;
        assert_eq!((packed & 1, packed >> 1 & 0xFF, packed >> 9 & 0x7_FFFF, packed >> 28), (1, 63, 2, 71));
    }
}
