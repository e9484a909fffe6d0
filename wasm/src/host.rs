//! Time and random bytes of the host, `wasm/js/server/host.js`.

#[cfg(target_arch = "wasm32")]
mod imported {
    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen(raw_module = "../../js/server/host.js")]
    extern "C" {
        #[wasm_bindgen(js_name = monotonicMs)]
        pub(crate) fn monotonic_ms() -> f64;
        #[wasm_bindgen(js_name = unixMs)]
        pub(crate) fn unix_ms() -> f64;
        /// Whether the host has random bytes.
        #[wasm_bindgen(js_name = fillRandom)]
        pub(crate) fn fill_random(bytes: &mut [u8]) -> bool;
    }
}

/// A build for another target has no host; it is only compiled, never run.
#[cfg(not(target_arch = "wasm32"))]
mod imported {
    pub(crate) const fn monotonic_ms() -> f64 {
        0.0
    }
    pub(crate) const fn unix_ms() -> f64 {
        0.0
    }
    pub(crate) const fn fill_random(_bytes: &mut [u8]) -> bool {
        false
    }
}

pub(crate) use imported::{fill_random, monotonic_ms, unix_ms};
