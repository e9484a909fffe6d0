//! The JSON entry points of the bindings: `ffi`, `python` and `wasm` pass requests as JSON and read responses as JSON.

pub mod prepared;
