//! The browser module: texts in, texts and numbers out. The typed wrapper is `wasm/js`; nothing here
//! needs a key or the network.

use cpaas::{OperationId, markup, text};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// Checks a request given as JSON; the report as JSON, or nothing for an unknown operation.
#[wasm_bindgen(js_name = validateText)]
#[must_use]
pub fn validate_text(operation: &str, request: &str) -> Option<String> {
    OperationId::find(operation).map(|operation| operation.validate_json(request).to_json())
}

/// Counts the parts of a text and leaves the four numbers where [`counted`] reads them; a struct would
/// cost more than the count.
#[wasm_bindgen]
#[must_use]
pub fn count(text: &str) -> f64 {
    let count = text::count(text);
    let ucs2 = u64::from(count.encoding == text::Encoding::Ucs2);
    // 1 bit of encoding, 8 of remaining room, 20 of units, 24 of parts: exact in a double.
    let packed = ucs2
        | (u64::from(count.remaining.min(255)) << 1)
        | (u64::from(count.units.min(0xF_FFFF)) << 9)
        | (u64::from(count.count.min(0xFF_FFFF)) << 29);
    #[expect(clippy::cast_precision_loss, reason = "53 bits")]
    let packed = packed as f64;
    packed
}

/// The parts of a text as JSON; throws for options that are not understood and for too many parts.
#[wasm_bindgen]
pub fn segments(text: &str, options: Option<String>) -> Result<String, JsError> {
    text::segments_json(text, options.as_deref()).map_err(|error| JsError::new(&error.to_string()))
}

/// What each character costs, which force UCS-2, and what would do in their place, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn annotate(text: &str) -> String {
    text::annotate_json(text)
}

/// The price of a text as JSON; throws for a price that is no decimal number.
#[wasm_bindgen]
pub fn estimate(text: &str, price: &str) -> Result<String, JsError> {
    text::estimate_json(text, price).map_err(|error| JsError::new(&error.to_string()))
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
    OperationId::ALL.iter().map(|operation| operation.meta().id).collect::<Vec<_>>().join(" ")
}

/// The version of the module.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    cpaas::VERSION.to_owned()
}
