//! The browser module: strings in, strings out. The typed wrapper is `wasm/package`; nothing here needs
//! a key or the network.

use cpaas::OperationId;
use wasm_bindgen::prelude::wasm_bindgen;

/// Checks a request given as JSON; the report as JSON, or nothing for an unknown operation.
#[wasm_bindgen(js_name = validateText)]
#[must_use]
pub fn validate_text(operation: &str, request: &str) -> Option<String> {
    OperationId::find(operation).map(|operation| operation.validate_json(request).to_json())
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
