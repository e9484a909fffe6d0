//! Backs up and verifies a journal.

use std::path::Path;

use serde::Serialize;

use super::{Place, place};
use crate::blocking::open_journal;
use crate::error::{Error, Result};
use crate::journal::{Journal, OpenOptions, Verification};

/// What [`Journal::backup`] wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BackupSummary {
    /// The size of the file in bytes.
    pub bytes: u64,
    /// Campaigns of the journal, without those of `send_once`.
    pub campaigns: u64,
    /// Their rows.
    pub rows: i64,
    /// Why the journal would be refused for writing, or what a reader of it may miss; `None` if neither.
    pub warning: Option<String>,
}

impl Journal {
    /// Copies one moment of a journal in a file to a new file, while workers write to it. The new file has mode 0600 and is complete:
    /// it has neither a write-ahead log nor a lock file. It is refused until [`Journal::mark_restored`] or, if nothing was sent since,
    /// [`Journal::mark_moved`].
    ///
    /// # Errors
    /// [`Error::Backup`] when the file exists or cannot be written; [`Error::Damaged`] when the copy is damaged; [`Error::Setting`] for
    /// a journal in Postgres, which pg_dump backs up.
    pub fn backup(url: &str, file: &Path) -> Result<BackupSummary> {
        if matches!(place(url), Ok(Place::Postgres)) {
            let message = "a journal in Postgres is backed up with pg_dump or a base backup; \
                see \"Backup, upgrade, purge\" in docs/campaigns.md";
            return Err(Error::Setting(message.to_owned()));
        }
        let mut journal = open_journal(url, OpenOptions::to_read())?;
        let campaigns = journal.campaigns()?;
        let bytes = journal.write_backup(file)?;
        Ok(BackupSummary {
            bytes,
            campaigns: u64::try_from(campaigns.len()).unwrap_or(u64::MAX),
            rows: campaigns.iter().map(|campaign| campaign.counts.rows).sum(),
            warning: journal.warning(),
        })
    }

    /// Checks a journal and changes nothing: the integrity of the database, of each chunk and of its kept columns, the counts of each
    /// campaign, the chains of permits, that other users cannot access its files, and whether it is the journal that was written last.
    /// Workers may use it meanwhile.
    ///
    /// # Errors
    /// When the journal cannot be opened. What is wrong with a journal that opens is in the result.
    pub fn verify(url: &str) -> Result<Verification> {
        Ok(open_journal(url, OpenOptions::to_read())?.verify_contents())
    }
}
