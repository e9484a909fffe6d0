//! Support code of the workspace's tests.

pub mod acceptance_table;
pub mod behaviors;
pub mod cases;
pub mod examples;
pub mod fault_run;
pub mod fault_server;
pub mod faulty_proxy;
pub mod key_rotation;
pub mod malformed_cells;
pub mod openapi_check;
pub mod outcome_cells;

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
