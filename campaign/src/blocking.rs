//! Functions that block the calling thread, for programs without an async runtime. [`campaign`](crate::campaign) has the same
//! functions for async code.

pub use crate::campaign::create::{Creation, create};
use crate::campaign::store;
use crate::error::Result;
use crate::journal::{Journal, OpenOptions};

/// Opens a journal: a path, `sqlite:///` and a path, or `postgres://…` with the feature `postgres`.
///
/// # Errors
/// When the journal cannot be opened, is of a newer version, or is not the one that was written last ([`Error::Copied`](crate::Error::Copied)).
pub fn open_journal(url: &str, options: OpenOptions) -> Result<Journal> {
    Journal::new(store(url, options)?)
}
