//! Makes a journal one complete file: moves the write-ahead log into the database.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::file_system::beside;
use super::lock_file::LockFile;
use super::unlocked::has_log;
use super::{BUSY_TIMEOUT, SqliteStore, failed};
use crate::error::Result;

/// The files that contain the journal now: the database, and a log that is not empty.
pub(super) fn files(path: &Path) -> Vec<PathBuf> {
    let log = beside(path, "-wal");
    let log = if has_log(path) { Some(log) } else { None };
    std::iter::once(path.to_owned()).chain(log).collect()
}

/// Truncates the log, unless another process has the journal locked or reads from the log at this moment. A failure loses
/// nothing, because the log stays then.
pub(super) fn complete(store: &mut SqliteStore) {
    let Some(lock) = store.lock.take() else { return };
    if has_log(&store.path) && lock.try_lock().is_ok_and(|is_locked| is_locked) {
        if let Err(error) = truncate(store, &lock) {
            tracing::debug!(%error, "the write-ahead log of the journal was not truncated");
        }
        let _ = lock.unlock();
    }
    store.lock = Some(lock);
}

/// Does not wait for another SQLite program, so that every command ends at once.
fn truncate(store: &mut SqliteStore, lock: &LockFile) -> Result<()> {
    store.connection.busy_timeout(Duration::ZERO).map_err(failed)?;
    let truncated = store.generation_of_own_files(lock).and_then(|generation| {
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        store.connection.query_row(sql, [], |_| Ok(())).map_err(failed)?;
        store.remember(lock, generation).map_err(super::disk)
    });
    store.connection.busy_timeout(BUSY_TIMEOUT).map_err(failed)?;
    truncated
}
