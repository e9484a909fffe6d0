//! Support code of the workspace's tests.

pub mod cases;
pub mod coverage;
pub mod examples;
pub mod fault_server;
pub mod faulted;
pub mod openapi;
pub mod proxy;
pub mod rotation;

use std::path::{Path, PathBuf};

/// The root of the workspace.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The Rust blocks of `docs/callbacks.md`, compiled and run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/callbacks.md")]
pub struct CallbacksPage;
