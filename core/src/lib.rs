//! Client library for one messaging provider: one-time passcodes, SMS, number lookup, chat channels and callbacks.
//!
//! ```
//! use cpaas::{Client, Config, sms};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
//! let config = Config::from_env()?;
//! # let config = sandbox.config();
//! let client = Client::new(&config)?;
//! let sent = client.call(sms::SendSms::new("Acme", "306912345678", "Your table is ready")).await?;
//! println!("{}", sent.id);
//! # Ok(())
//! # }
//! ```
//!
//! # Sending
//!
//! | To do | See |
//! |---|---|
//! | configure addresses, keys and time limits | [`Config`] |
//! | call the provider | [`Client`], or [`client::blocking`] without an async runtime |
//! | send and verify one-time passcodes | [`otp`] |
//! | send SMS | [`sms`] |
//! | look up phone numbers | [`lookup`] |
//! | send chat messages, also with failover | [`messages`], with the channels in [`channel`] |
//! | register webhooks | [`webhooks`] |
//! | handle errors | [`Error`], its [`Outcome`] and its [`error::Reason`] |
//! | call an undocumented endpoint | [`client::RawCall`] |
//! | send nothing to people who asked to stop | [`suppression`] |
//! | send no passcodes to attackers who pump | [`guard`] |
//! | replace HTTP, for example in tests | [`client::Transport`] |
//! | send the requests yourself, without an async runtime | [`Client::steps`] |
//!
//! # Text and validation
//!
//! | To do | See |
//! |---|---|
//! | validate a request in JSON | [`validate_json`], its [`Report`] and [`problem`] |
//! | count SMS segments, check senders and numbers | [`text`] |
//! | write one-time codes that fill themselves in | [`text::autofill`] |
//! | parse and escape markup | [`markup`] |
//!
//! # Receiving callbacks
//!
//! With the feature `callback`: the module `callback` receives and verifies callbacks, and signs callback URLs.
//!
//! # Building on the library
//!
//! Every endpoint is a type that implements [`operation::Operation`]; [`OperationId`] lists these operations. [`schema`]
//! describes their members. [`request`] and [`prepared`] convert operations to HTTP requests without I/O; [`http`] contains
//! the types of requests and responses. [`reconcile`] finds out after an unknown outcome whether a request was processed.
//!
//! # Features
//!
//! | Feature | Adds |
//! |---|---|
//! | `http` (default) | [`Client`] over reqwest; includes `call` |
//! | `call` | [`Client`] over a [`client::Transport`] and a [`clock::Clock`] of the program, or step by step, without tokio; includes `callback` |
//! | `rustls-aws-lc` (default), `rustls-ring`, `rustls-no-provider` | TLS by rustls with AWS-LC, with ring, or with a configuration of the program |
//! | `blocking` (default) | [`client::blocking`] |
//! | `graphemes` (default) | segments and lengths by grapheme cluster |
//! | `national` (default) | national language tables, SMS user data, transliteration |
//! | `http2`, `socks` | HTTP/2, SOCKS proxies |
//! | `callback` | templates, tokens and the receiver of callbacks |
//! | `leases` | leases of callbacks, for programs with a Tokio runtime; part of `http` and `axum` |
//! | `axum` | an axum extractor for callbacks |
//! | `app-hash` | the hash of an Android app, for messages that fill a code in |
//! | `phone` | phone number validation by the numbering plans of the world |
//! | `schema` | documentation strings of the models, for generators |
//!
//! Targets of wasm have no sockets and threads: a build with `http`, `leases`, `axum` or a TLS feature ends with an error that names the feature. `call`
//! and `callback` work there.
//!
//! Section numbers such as "A8" refer to the provider's specification; `D01` to `D66`, with two digits, are the project's labeled
//! assumptions.
#![cfg_attr(not(test), forbid(unsafe_code))]
#![cfg_attr(docsrs, feature(doc_cfg))]

// The modules that need sockets or threads are left out of such a build, so that this is its only error.
#[cfg(all(target_family = "wasm", feature = "http"))]
compile_error!(
    "the feature `http` needs sockets, which targets of wasm do not have: use the feature `call` and pass a transport and a clock to \
     `Client::with_transport_and_clock`"
);
#[cfg(all(target_family = "wasm", feature = "leases", not(feature = "http")))]
compile_error!(
    "the features `leases` and `axum` need a Tokio runtime with threads, which targets of wasm do not have: use the feature `callback`"
);
#[cfg(all(target_family = "wasm", feature = "__rustls", not(feature = "http")))]
compile_error!(
    "the features `rustls-…` need sockets, which targets of wasm do not have: use the feature `call` without them"
);

#[doc(hidden)]
pub mod bindings;
#[cfg(feature = "callback")]
pub mod callback;
pub mod channel;
pub mod checks;
#[cfg(feature = "call")]
pub mod client;
pub mod clock;
pub mod config;
mod date_time;
pub mod error;
#[cfg(feature = "call")]
pub mod guard;
pub mod http;
mod json;
pub mod markup;
mod model;
pub mod operation;
mod operations;
pub mod prepared;
#[doc(hidden)]
pub mod printable;
pub mod problem;
pub mod provider_codes;
pub mod reconcile;
pub mod request;
mod response;
mod retry_safety;
mod rules;
pub mod secret;
#[cfg(feature = "call")]
pub mod suppression;
pub mod text;
#[cfg(all(feature = "__rustls", not(target_family = "wasm")))]
#[doc(hidden)]
pub mod tls;
mod util;
#[doc(hidden)]
pub use util::nearest as nearest_name;
mod validate;
pub mod value;

#[cfg(all(feature = "rustls-no-provider", not(target_family = "wasm")))]
pub use ::rustls;
#[cfg(feature = "call")]
pub use client::{Client, Response};
pub(crate) use model::redact;
pub use model::{extra, member_types, schema};
pub use operations::{OperationId, UnknownOperation, validate_json};
pub use problem::{Problem, Report, Severity};
pub use {config::Config, error::Error, error::Outcome};

/// The operations, by family.
pub use operations::{lookup, messages, otp, sms, webhooks};

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The version of this crate.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
