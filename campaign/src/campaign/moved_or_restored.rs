//! Declares a journal as moved or restored.

use crate::blocking::open_journal;
use crate::error::{Error, Result};
use crate::journal::{Journal, OpenOptions, RestoreSummary, mark_moved, mark_restored};

impl Journal {
    /// Declares that a journal was moved with nothing lost, while all workers were stopped: to another disk, by a dump, or by the
    /// promotion of a synchronous standby. No row changes.
    ///
    /// # Errors
    /// When a witness remembers a commit that the journal lacks, its files do not belong together or are damaged, a worker on this
    /// machine uses it, or it cannot be opened.
    pub fn mark_moved(url: &str) -> Result<()> {
        let mut store = super::store(url, OpenOptions::to_declare())?;
        mark_moved(store.as_mut())?;
        store.complete();
        Ok(())
    }

    /// Declares that a journal is a copy or a restored backup, and that no other copy is in use. Every row that may be sent or has
    /// no outcome becomes unknown, because the original may have sent it. New keys of `send_once` are refused unless
    /// `forget_keys` is true: the original may have used them, and is refused new keys on this machine from then on. If the journal opens,
    /// `forget_keys` changes no row; if it was set back or copied since it was declared, declare it without `forget_keys` too.
    ///
    /// # Errors
    /// When the journal is damaged, a worker on this machine uses it (one that uses the original of a copy does not count), or it cannot be
    /// opened.
    pub fn mark_restored(url: &str, forget_keys: bool) -> Result<RestoreSummary> {
        if forget_keys && let Some(summary) = forget_keys_of(url)? {
            return Ok(summary);
        }
        let mut store = super::store(url, OpenOptions::to_declare())?;
        let summary = mark_restored(store.as_mut(), forget_keys)?;
        store.complete();
        Ok(summary)
    }
}

/// Accepts new keys in a journal that opens; `None` for one that does not open because of its content.
fn forget_keys_of(url: &str) -> Result<Option<RestoreSummary>> {
    let options = OpenOptions { existing: true, ..OpenOptions::default() };
    // An open for writing creates a journal in an empty database. The declaration reports why a journal does not open.
    let opened = open_journal(url, OpenOptions::to_read()).and_then(|_| open_journal(url, options));
    match opened {
        Ok(mut journal) => journal.forget_keys().map(Some),
        Err(
            Error::Copied { .. }
            | Error::MixedTables { .. }
            | Error::MixedChunks { .. }
            | Error::SuppressionsLost { .. }
            | Error::LostCommits
            | Error::Damaged(_)
            | Error::NoJournal(_),
        ) => Ok(None),
        Err(error) => Err(error),
    }
}
