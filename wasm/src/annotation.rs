//! The cost of the characters of a text.

use cpaas::bindings;
use wasm_bindgen::prelude::wasm_bindgen;

/// The cost of each character of a text, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn annotate(text: &str) -> String {
    bindings::annotate_json(text)
}
