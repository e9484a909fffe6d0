//! What only the tests of the workspace need.

pub mod cases;
pub mod coverage;
pub mod examples;
pub mod faulted;
pub mod generate;
pub mod hostile;
pub mod openapi;
pub mod proxy;
pub mod rotation;

/// The Rust blocks of the page on callbacks, compiled and run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/callbacks.md")]
pub struct CallbacksPage;
