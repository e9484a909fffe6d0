//! The journal: the durable state of campaigns, in any [`Store`].
//!
//! Its methods block; call them outside of async tasks. A change is durable when the method returns `Ok`.

mod attempts;
mod campaign_record;
mod campaigns;
mod claim;
mod contacts;
mod copy_rights;
mod counter_changes;
mod fence;
mod last_permit;
mod load_history;
mod mark_restored;
mod once_keys;
mod outages;
mod owner_file;
mod owners;
#[cfg(feature = "postgres")]
mod postgres;
mod progress;
mod provider;
mod reports;
mod retries;
mod schema;
mod settle;
mod settlement;
mod sqlite;
mod state_folder;
mod stop_reason;
mod store;
mod suppress_and_purge;
mod suppression_changes;
mod suppressions;
mod unsent;
mod verify;

pub use campaign_record::{CampaignRecord, Counts, State};
pub use campaigns::{ChunkCounts, NewCampaign, locate};
pub use claim::{ChunkView, Claim, Claimed};
pub use load_history::StoredOutcome;
pub use mark_restored::RestoreSummary;
pub(crate) use mark_restored::{mark_moved, mark_restored};
pub(crate) use owner_file::OwnerFile;
pub(crate) use owners::Moment;
pub use owners::Owner;
#[cfg(feature = "postgres")]
pub use postgres::PostgresStore;
#[cfg(feature = "postgres")]
pub(crate) use postgres::{Sessions as PostgresSessions, has_password};
pub(crate) use progress::done;
pub(crate) use provider::Provider;
pub use reports::{DeliveredRow, ReportSummary, ResolveSummary};
pub use retries::RetryReason;
pub use settle::Exchange;
pub use settlement::Settlement;
pub(crate) use sqlite::{Open as SqliteTransaction, connect_unchanging, failed as sqlite_failed};
pub use sqlite::{OpenOptions, SqliteStore};
pub use state_folder::state_folder_problem;
pub(crate) use state_folder::{known_store_change, remember_store_change};
pub use stop_reason::StopReason;
pub use store::{Declaration, DeclarationWork, Location, Row, Store, Transaction, Value, Watch, Work};

pub use verify::{JournalProblem, Verification};

pub use crate::settings::Settings;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::{Error, Result};
use crate::protocol::ProbeTimes;
use copy_rights::Right;

/// Names of campaigns that belong to keys of `send_once` begin with this.
pub(crate) const ONCE_PREFIX: &str = "once:";
/// Rows of a chunk; the last chunk of a campaign may have fewer.
pub const CHUNK_ROWS: usize = 1000;

/// The journal of campaigns.
pub struct Journal {
    /// In a mutex, so that a journal can be shared and an error can contain it.
    store: Mutex<Box<dyn Store>>,
    /// `None`: the default. In a box, so that an error with a journal is small.
    probe_times: Option<Box<ProbeTimes>>,
}

impl Journal {
    /// A journal in a store. Creates the tables if they are missing.
    ///
    /// # Errors
    /// When the store fails or is of a newer version.
    pub fn new(mut store: Box<dyn Store>) -> Result<Self> {
        schema::create(store.as_mut())?;
        Ok(Self { store: Mutex::new(store), probe_times: None })
    }

    /// Replaces the times between probes, so that tests need not wait for minutes.
    #[doc(hidden)]
    pub fn set_probe_times(&mut self, times: ProbeTimes) {
        self.probe_times = Some(Box::new(times));
    }

    fn probe_times(&self) -> ProbeTimes {
        self.probe_times.as_deref().copied().unwrap_or_default()
    }

    /// Why a journal that was opened for reading only would be refused for writing; `None` if it would not.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        self.locked().warning().map(ToString::to_string)
    }

    /// # Errors
    /// [`Error::Copied`] when the journal was opened for reading only and is not the one that was written last.
    pub(crate) fn refuse_copy(&self) -> Result<()> {
        match self.locked().warning() {
            Some(Error::Copied { place, mismatch }) => {
                Err(Error::Copied { place: place.clone(), mismatch: mismatch.clone() })
            }
            _ => Ok(()),
        }
    }

    /// The files that contain the journal now, without the lock file: more than one while its write-ahead log is not empty. Empty for
    /// a database server.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        self.locked().files()
    }

    pub(crate) fn write_backup(&mut self, file: &Path) -> Result<u64> {
        self.store().backup(file)
    }

    /// The path of the file, or the address of the database without its password.
    pub(crate) fn place(&self) -> String {
        self.locked().place()
    }

    /// Observes whether the files of the journal are replaced.
    pub(crate) fn watch(&self) -> Option<Watch> {
        self.locked().watch()
    }

    fn store(&mut self) -> &mut dyn Store {
        self.store.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut()
    }

    fn locked(&self) -> MutexGuard<'_, Box<dyn Store>> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write<T>(&mut self, mut work: impl FnMut(&mut dyn Transaction) -> Result<T>) -> Result<T> {
        let mut result = None;
        self.store().write(&mut |transaction| {
            result = Some(work(transaction)?);
            Ok(())
        })?;
        result.ok_or(Error::Task)
    }

    /// A change of a campaign by its user, in a transaction that also reads the right to the campaign.
    ///
    /// # Errors
    /// Also [`Error::NotInCopy`], after the change was stored.
    fn change(
        &mut self,
        mut work: impl FnMut(&mut dyn Transaction, &mut Option<Right>) -> Result<()>,
    ) -> Result<()> {
        let mut right = None;
        let changed = self.write(|transaction| work(transaction, &mut right));
        let place = self.store().place();
        match right {
            Some(right) => right.reach(&place, changed),
            None => changed,
        }
    }

    fn read<T>(&mut self, mut work: impl FnMut(&mut dyn Transaction) -> Result<T>) -> Result<T> {
        let mut result = None;
        self.store().read(&mut |transaction| {
            result = Some(work(transaction)?);
            Ok(())
        })?;
        result.ok_or(Error::Task)
    }
}

impl std::fmt::Debug for Journal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Journal").finish_non_exhaustive()
    }
}

/// A journal in files that nobody uses any more becomes one complete file.
impl Drop for Journal {
    fn drop(&mut self) {
        if self.store().is_read_only() || self.store().files().len() < 2 {
            return;
        }
        let is_used = self.read(owners::any_possibly_alive);
        if is_used.is_ok_and(|is_used| !is_used) {
            self.store().complete();
        }
    }
}
