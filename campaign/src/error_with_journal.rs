//! The error of a function that takes a journal and returns it.

use crate::error::Error;
use crate::journal::Journal;

/// The error of a function that takes a journal, such as [`run`](crate::worker::run), and the journal.
pub struct ErrorWithJournal {
    /// The error.
    pub error: Error,
    /// The journal. Open it again if [`Error::closes_journal`]. `None` if the thread that had it has ended by a panic, for example of
    /// the caller's source of rows.
    pub journal: Option<Journal>,
}

impl std::fmt::Debug for ErrorWithJournal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { error, journal } = self;
        let journal = journal.as_ref().map(|_| "…");
        f.debug_struct("ErrorWithJournal").field("error", error).field("journal", &journal).finish()
    }
}

impl std::fmt::Display for ErrorWithJournal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for ErrorWithJournal {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.error.source()
    }
}

impl From<ErrorWithJournal> for Error {
    /// The error alone; closes the journal.
    fn from(failed: ErrorWithJournal) -> Self {
        failed.error
    }
}
