//! The browser module: strings in, JSON strings and numbers out. `wasm/js` is its typed wrapper. No function needs the network,
//! and only those of servers need a key.
//!
//! Each feature is a group of functions. `wasm/build` compiles several modules, so that a page loads only the functions that it
//! uses: the main module of `cpaas` (`counting` and `validator`), its tools module (`annotation` and `tools`), the module of
//! `cpaas/segments` (`counting` and `annotation`), the module of `cpaas/inline` (all of these), the module of `cpaas/phone` (`phone`),
//! and the module of servers, `cpaas/client` and `cpaas/callbacks` (`call` and `callbacks`).

#[cfg(feature = "annotation")]
pub mod annotation;
#[cfg(feature = "call")]
pub mod call;
#[cfg(feature = "callbacks")]
pub mod callbacks;
#[cfg(feature = "counting")]
pub mod counting;
#[cfg(any(feature = "call", feature = "callbacks"))]
pub mod host;
#[cfg(feature = "phone")]
pub mod planned_numbers;
#[cfg(feature = "tools")]
pub mod prices_and_markup;
#[cfg(feature = "validator")]
pub mod validator;

use wasm_bindgen::handler;
use wasm_bindgen::prelude::wasm_bindgen;

/// The allocator of a module, in place of that of `std`, which is four times as large and slower.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::GlobalTlsf = rlsf::GlobalTlsf::new();

/// Requests a new instance, which the next call of any function creates before it runs.
#[wasm_bindgen]
pub fn renew() {
    handler::schedule_reinit();
}

/// The version of the crate.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    cpaas::VERSION.to_owned()
}

/// Formats an error as a string that is not a JSON object. An exception would need a table of objects, which adds 500 bytes of gzip.
#[cfg(any(feature = "counting", feature = "tools"))]
fn code_and_message(code: &str, error: impl std::fmt::Display) -> String {
    format!("{code} {error}")
}
