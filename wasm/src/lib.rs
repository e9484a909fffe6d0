//! cpaas-wasm
