//! Time and random bytes of the host, `wasm/js/server/host.js`.

#[cfg(target_arch = "wasm32")]
mod imported {
    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen(raw_module = "../../js/server/host.js")]
    extern "C" {
        /// The milliseconds since any fixed moment.
        #[wasm_bindgen(js_name = monotonicMs)]
        pub(crate) fn monotonic_ms() -> f64;

        /// The milliseconds since 1970-01-01 00:00:00 UTC.
        #[wasm_bindgen(js_name = unixMs)]
        pub(crate) fn unix_ms() -> f64;

        /// Fills `bytes`; returns false if the host has no random bytes.
        #[wasm_bindgen(js_name = fillRandom)]
        pub(crate) fn fill_random(bytes: &mut [u8]) -> bool;
    }
}

/// A build for another target is compiled, but it has no host.
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

#[cfg(feature = "call")]
pub(crate) use clock::{HostClock, milliseconds};
#[cfg(all(feature = "callbacks", target_arch = "wasm32"))]
pub(crate) use imported::fill_random;

#[cfg(feature = "call")]
mod clock {
    use std::time::Duration;

    use cpaas::clock::{BoxFuture, Clock, NoEntropy};

    use super::imported::{fill_random, monotonic_ms, unix_ms};

    /// The clock of the host. JavaScript waits.
    pub(crate) struct HostClock;

    impl Clock for HostClock {
        fn monotonic(&self) -> Duration {
            milliseconds(monotonic_ms())
        }

        fn unix_time(&self) -> Duration {
            milliseconds(unix_ms())
        }

        fn sleep(&self, _duration: Duration) -> Option<BoxFuture<'_, ()>> {
            None
        }

        fn fill_random(&self, bytes: &mut [u8]) -> Result<(), NoEntropy> {
            if fill_random(bytes) { Ok(()) } else { Err(NoEntropy) }
        }
    }

    /// A number of milliseconds; zero if it is not one.
    pub(crate) fn milliseconds(number: f64) -> Duration {
        Duration::try_from_secs_f64(number / 1000.0).unwrap_or_default()
    }
}
