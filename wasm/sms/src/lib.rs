//! The browser module of `cpaas/sms`: functions that the main module omits because of their size. Strings in, JSON strings out.
//! An error is a string: a code, a space and a message. The wrapper is `wasm/js/sms.js`.

use cpaas::bindings::{self, TextError};
use wasm_bindgen::prelude::wasm_bindgen;

/// The parts of a text.
#[wasm_bindgen]
pub fn segments(text: &str, options: Option<String>) -> Result<String, String> {
    bindings::segments_json(text, options.as_deref()).map_err(TextError::from).map_err(code_and_message)
}

/// The cost of each character of a text.
#[wasm_bindgen]
pub fn annotate(text: &str, options: Option<String>) -> Result<String, String> {
    bindings::annotate_json_with(text, options.as_deref()).map_err(code_and_message)
}

/// The price of a text.
#[wasm_bindgen]
pub fn estimate(text: &str, price: &str, options: Option<String>) -> Result<String, String> {
    bindings::estimate_json_with(text, price, options.as_deref()).map_err(code_and_message)
}

/// The user data of the parts of a text.
#[wasm_bindgen]
pub fn encode(text: &str, options: Option<String>) -> Result<String, String> {
    bindings::encode_json(text, options.as_deref()).map_err(code_and_message)
}

/// The text of the parts of a message. An error is a string: the code, the part and the octet (each a number or `null`), and the
/// message.
#[wasm_bindgen]
pub fn decode(parts: &str) -> Result<String, String> {
    bindings::decode_json(parts).map_err(|error| match &error {
        TextError::Decode(found) => {
            let position = |position: Option<usize>| position.map_or("null".to_owned(), |at| at.to_string());
            format!("{} {} {} {error}", error.code(), position(found.part), position(found.octet))
        }
        _ => format!("{} null null {error}", error.code()),
    })
}

/// A text with replacements from the default alphabet.
#[wasm_bindgen]
#[must_use]
pub fn transliterate(text: &str) -> String {
    bindings::transliterate_json(text)
}

/// The smallest and the largest number of parts of a template.
#[wasm_bindgen(js_name = templateSegments)]
pub fn template_segments(template: &str, values: &str, options: Option<String>) -> Result<String, String> {
    bindings::template_segments_json(template, values, options.as_deref()).map_err(code_and_message)
}

fn code_and_message(error: TextError) -> String {
    format!("{} {error}", error.code())
}
