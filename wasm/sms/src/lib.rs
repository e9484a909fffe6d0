//! The browser module of `cpaas/sms`: what the main module leaves out because of its size. Strings in, JSON strings out;
//! errors are a code, a space and a message. The wrapper is `wasm/js/sms.js`.

use cpaas::text::{self, TextError};
use wasm_bindgen::prelude::wasm_bindgen;

/// The parts of a text.
#[wasm_bindgen]
pub fn segments(text: &str, options: Option<String>) -> Result<String, String> {
    text::segments_json(text, options.as_deref()).map_err(TextError::from).map_err(code_and_message)
}

/// What each character of a text costs.
#[wasm_bindgen]
pub fn annotate(text: &str, options: Option<String>) -> Result<String, String> {
    text::annotate_json_with(text, options.as_deref()).map_err(code_and_message)
}

/// The price of a text.
#[wasm_bindgen]
pub fn estimate(text: &str, price: &str, options: Option<String>) -> Result<String, String> {
    text::estimate_json_with(text, price, options.as_deref()).map_err(code_and_message)
}

/// The user data of the parts of a text.
#[wasm_bindgen]
pub fn encode(text: &str, options: Option<String>) -> Result<String, String> {
    text::encode_json(text, options.as_deref()).map_err(code_and_message)
}

/// The text of parts; the error is the code, the part and the octet or `null`, and the message.
#[wasm_bindgen]
pub fn decode(parts: &str) -> Result<String, String> {
    text::decode_json(parts).map_err(|error| match &error {
        TextError::Decode(found) => {
            let position = |position: Option<usize>| position.map_or("null".to_owned(), |at| at.to_string());
            format!("{} {} {} {error}", error.code(), position(found.part), position(found.octet))
        }
        _ => format!("{} null null {error}", error.code()),
    })
}

/// A text with replacements.
#[wasm_bindgen]
#[must_use]
pub fn transliterate(text: &str) -> String {
    text::transliterate_json(text)
}

/// The parts of a template, as a range.
#[wasm_bindgen(js_name = templateSegments)]
pub fn template_segments(template: &str, values: &str, options: Option<String>) -> Result<String, String> {
    text::template_segments_json(template, values, options.as_deref()).map_err(code_and_message)
}

fn code_and_message(error: TextError) -> String {
    format!("{} {error}", error.code())
}
