//! The browser module: texts in, texts and numbers out. The typed wrapper is `wasm/js`; nothing here
//! needs a key or the network.

#[cfg(target_arch = "wasm32")]
mod heap;
mod packed;
pub mod request;
pub mod short;

use cpaas::{OperationId, check, markup, text};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// A check of what stands in no request, by its name; the report as JSON, empty for an unknown check.
#[wasm_bindgen(js_name = checkText)]
#[must_use]
pub fn check_text(name: &str, arguments: &str) -> String {
    check::json(name, arguments).map(|report| report.to_json()).unwrap_or_default()
}

/// What kind of sender a text is, and how long, as JSON.
#[wasm_bindgen(js_name = checkSender)]
#[must_use]
pub fn check_sender(sender: &str) -> String {
    text::sender_json(sender)
}

/// Counts the parts of a text; the four numbers in one double, see `packed`.
#[wasm_bindgen]
#[must_use]
pub fn count(text: &str) -> f64 {
    packed::one(text)
}

/// The parts of a text as JSON; throws for options that are not understood and for too many parts.
///
/// # Errors
/// The code and the message of the reason, with a space between.
#[wasm_bindgen]
pub fn segments(text: &str, options: Option<String>) -> Result<String, JsError> {
    text::segments_json(text, options.as_deref()).map_err(|error| refused(&error))
}

/// What each character costs, which force UCS-2, and what would do in their place, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn annotate(text: &str) -> String {
    text::annotate_json(text)
}

/// The price of a text as JSON; throws for a price that is no decimal number.
///
/// # Errors
/// As [`segments`].
#[wasm_bindgen]
pub fn estimate(text: &str, price: &str) -> Result<String, JsError> {
    text::estimate_json(text, price).map_err(|error| refused(&error))
}

fn refused(error: &text::TextError) -> JsError {
    JsError::new(&[error.code(), " ", &error.message()].concat())
}

/// Parses a messenger_c text; the result or the error as JSON.
#[wasm_bindgen(js_name = parseMarkup)]
#[must_use]
pub fn parse_markup(text: &str, mode: &str) -> String {
    markup::parse_json(text, mode)
}

/// Escapes a plain text for a mode; `{"text"}` or the error as JSON.
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

/// The version of the module.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    cpaas::VERSION.to_owned()
}
