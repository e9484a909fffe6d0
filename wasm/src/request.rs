//! Requests: the wrapper writes their bytes where they are read, which takes the glue character by character.

use std::cell::RefCell;

use cpaas::{OperationId, UnknownOperation};
use wasm_bindgen::prelude::wasm_bindgen;

/// Room that is kept from one request to the next, in bytes.
const KEPT: usize = 65_536;

thread_local! {
    static ROOM: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Where a request of at most so many bytes is written; it holds until the next call.
#[wasm_bindgen(js_name = requestRoom)]
#[must_use]
pub fn request_room(bytes: usize) -> *const u8 {
    ROOM.with_borrow_mut(|room| {
        if room.len() < bytes {
            room.resize(bytes, 0);
        }
        room.as_ptr()
    })
}

/// Checks the request that was written there; the report as JSON, or the message about an unknown operation
/// behind `!`.
#[wasm_bindgen(js_name = validateText)]
#[must_use]
pub fn validate_text(operation: &str, length: usize) -> String {
    let Some(operation) = OperationId::find(operation) else {
        return ["!", &UnknownOperation::new(operation).message()].concat();
    };
    ROOM.with_borrow_mut(|room| {
        let request = std::str::from_utf8(room.get(..length).unwrap_or_default()).unwrap_or_default();
        let report = operation.validate_json(request).to_json();
        if room.len() > KEPT {
            *room = Vec::new();
        }
        report
    })
}
