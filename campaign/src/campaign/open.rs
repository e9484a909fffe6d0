//! Opens a journal.

use crate::background;
use crate::blocking;
use crate::error::{Error, Result};
use crate::journal::{Journal, OpenOptions};

/// Opens a journal: a path, `sqlite:///` and a path, or `postgres://…` with the feature `postgres`. Works on a thread of its own, so that
/// it does not block the runtime. [`blocking::open_journal`] is the same for programs without one.
///
/// The methods of [`Journal`] and the functions that borrow one, such as [`status`](super::status), block for the time of a transaction.
/// Call them with `spawn_blocking` where that matters.
///
/// # Errors
/// When the journal cannot be opened, is of a newer version, or is not the one that was written last ([`Error::Copied`]).
pub async fn open_journal(url: &str, options: OpenOptions) -> Result<Journal> {
    let url = url.to_owned();
    let opened = background::run("campaign-open", move || blocking::open_journal(&url, options));
    opened.map_err(Error::Thread)?.await.map_err(|_| Error::Task)?
}
