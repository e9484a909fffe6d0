//! One-time passcodes, SMS, number lookup, chat channels and callbacks of one messaging provider.
//!
//! Every endpoint is a typed value, an [`operation::Operation`]; [`operations`] is the one list of them.
//! With the feature `http` (default) a [`client::Client`] calls them.
#![cfg_attr(not(test), forbid(unsafe_code))]

mod answer;
#[cfg(feature = "callback")]
pub mod callback;
pub mod channel;
pub mod check;
#[cfg(feature = "http")]
pub mod client;
mod clock;
pub mod config;
mod digits;
pub mod error;
pub mod extra;
pub mod http;
mod json;
mod macros;
pub mod markup;
mod open_enum;
pub mod operation;
pub mod operations;
pub mod prepared;
pub mod problem;
pub mod reconcile;
pub mod redact;
mod rules;
pub mod schema;
pub mod secret;
pub mod text;
mod util;
mod validate;
pub mod value;
pub mod values;
pub mod wire;

#[cfg(feature = "http")]
pub use client::{Client, Response};
pub use operations::{OperationId, UnknownOperation, validate_json};
pub use problem::{Problem, Report, Severity};
pub use {config::Config, error::Error, error::Outcome};

/// The operations, by family.
pub use operations::{lookup, messages, otp, sms, webhooks};

/// The version of this crate.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
