//! The messaging provider on a loopback port: stateful, offline, with clocks that can be moved forward,
//! faults on demand, an inbox for every account and a ledger of every accepted message.
//!
//! ```no_run
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! use cpaas_sandbox::Sandbox;
//!
//! let sandbox = Sandbox::builder().start().await?;
//! let config = sandbox.config(); // ready for `cpaas::Client::new`
//! # drop(config);
//! sandbox.stop().await;
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
// In comments, a letter with one digit (`A1`, `D5`) is a section of docs/specification.md, and `D01` to `D66` are the assumptions in
// docs/assumptions.md.

mod account;
mod assumptions;
mod auth;
mod blocking;
mod bounded_log;
mod bounded_map;
mod builder;
mod call;
mod callbacks;
mod chat;
mod clock;
pub mod command_line;
mod control;
mod control_methods;
mod explanations;
mod fault_socket;
mod faults;
mod gateway_response;
mod handlers;
mod http_bodies;
mod ledger;
mod log_entries;
mod lookup;
mod magic_numbers;
mod message;
mod networks;
mod options;
mod ordered_json;
mod origin_check;
mod otp;
mod provider_error;
mod provider_request;
mod python_snippet;
mod query_string;
mod random;

mod account_state;
mod router;
mod sandbox;
mod sandbox_state;
mod scheduler;
mod server;
mod settings;
mod sms;
mod snippets;
mod start_error;
mod static_pages;
mod time_text;
mod timers;
mod traceparent;
mod url;
mod validation;
mod webhooks;

pub use account::Credentials;
pub use blocking::BlockingSandbox;
pub use builder::{Builder, SwitchError};
pub use clock::ClockMode;
pub use control_methods::{ControlError, InboxMessage, MessageFilter};
#[doc(hidden)]
pub use options::{SWITCHES, Switch};
pub use sandbox::Sandbox;
pub use start_error::{OpenError, StartError};

/// Runs the Rust examples of the pages as tests.
#[cfg(doctest)]
mod doc_pages {
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../../docs/rust.md")]
    struct Rust;
    #[doc = include_str!("../../docs/sandbox.md")]
    struct Sandbox;
}
