//! One-time passcodes, SMS, number lookup, chat channels and callbacks of one messaging provider.
//!
//! Every endpoint is a typed value, an [`operation::Operation`]; [`operations`] is the one list of them.
//! With the feature `http` (default) a [`client::Client`] calls them.
#![cfg_attr(not(test), forbid(unsafe_code))]

#[cfg(feature = "wire")]
mod answer;
#[cfg(feature = "callback")]
pub mod callback;
pub mod channel;
pub mod check;
#[cfg(feature = "http")]
pub mod client;
#[cfg(feature = "wire")]
mod clock;
#[cfg(feature = "wire")]
pub mod config;
mod digits;
#[cfg(feature = "wire")]
pub mod error;
pub mod extra;
#[cfg(feature = "wire")]
pub mod http;
#[cfg(feature = "wire")]
pub mod json;
#[cfg(not(feature = "wire"))]
mod light;
mod macros;
pub mod markup;
mod open_enum;
pub mod operation;
pub mod operations;
pub mod problem;
#[cfg(not(feature = "wire"))]
mod read;
#[cfg(feature = "wire")]
pub mod reconcile;
pub mod redact;
mod rules;
#[cfg(feature = "wire")]
pub mod secret;
pub mod shape;
pub mod text;
mod validate;
pub mod value;
pub mod values;
#[cfg(feature = "wire")]
pub mod wire;

#[cfg(feature = "http")]
pub use client::{Answer, Client};
pub use operations::{OperationId, UnknownOperation, validate_json};
pub use problem::{Problem, Report, Severity};
#[cfg(feature = "wire")]
pub use {config::Config, error::Error, error::Outcome};

/// The operations, by family.
pub use operations::{lookup, messages, otp, sms, webhooks};

/// The version of this crate.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
