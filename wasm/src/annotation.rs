//! What the characters of a text cost.

use cpaas::text;
use wasm_bindgen::prelude::wasm_bindgen;

/// What each character of a text costs, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn annotate(text: &str) -> String {
    text::annotate_json(text)
}
