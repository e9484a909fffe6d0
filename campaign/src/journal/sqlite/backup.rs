//! Copies one moment of a journal to a new file, while workers write to it.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use super::file_system::{beside, canonical, inode, sync_folder};
use super::unlocked::connect_unchanging;
use super::{SqliteStore, failed};
use crate::error::{Error, Result};
use crate::protocol::Token;

/// Files that SQLite or this library would take for a part of the database beside which they are.
const PARTS: [&str; 4] = ["-wal", "-shm", "-journal", "-lock"];

/// Writes the copy to a temporary file in the same folder, checks it, and gives it its name if nothing has that name. Returns its
/// size. The lock file is not copied, so the copy is refused until it is declared as moved or restored.
pub(super) fn write(store: &mut SqliteStore, file: &Path) -> Result<u64> {
    store.checked()?;
    let target = Target::new(store, file)?;
    let written = target.copy(&store.connection).and_then(|()| target.publish());
    if written.is_err() {
        let _ = std::fs::remove_file(&target.temporary);
    }
    written
}

struct Target {
    path: PathBuf,
    temporary: PathBuf,
}

impl Target {
    fn new(store: &SqliteStore, file: &Path) -> Result<Self> {
        let refused = |reason: String| Error::Backup { place: file.display().to_string(), reason };
        let path = canonical(file).map_err(|error| refused(error.to_string()))?;
        if path.symlink_metadata().is_ok() {
            return Err(exists(&path));
        }
        if PARTS.iter().any(|part| path == beside(&store.path, part)) {
            return Err(refused("it would be taken for a part of the journal".to_owned()));
        }
        if let Some(part) = PARTS.into_iter().find(|part| inode(&beside(&path, part)) != 0) {
            let part = beside(&path, part);
            return Err(refused(format!(
                "{} would be taken for a part of it; remove that first",
                part.display()
            )));
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let random = Token::random()?.to_hex();
        let temporary = path.with_file_name(format!(".{name}.{}", random.get(..8).unwrap_or_default()));
        let mut options = OpenOptions::new();
        let created = options.write(true).create_new(true).mode(0o600).open(&temporary);
        created.map_err(|error| refused(error.to_string()))?;
        Ok(Self { path, temporary })
    }

    fn failed(&self, reason: impl ToString) -> Error {
        Error::Backup { place: self.path.display().to_string(), reason: reason.to_string() }
    }

    /// Copies the moment of one read transaction. Writers neither wait nor make the copy begin again.
    fn copy(&self, connection: &Connection) -> Result<()> {
        connection.execute_batch("BEGIN; SELECT COUNT(*) FROM sqlite_schema").map_err(failed)?;
        let copied = self.copy_pages(connection);
        connection.execute_batch("COMMIT").map_err(failed)?;
        copied.map_err(|error| self.failed(error))?;
        let check: rusqlite::Result<String> =
            connect_unchanging(&self.temporary)?.query_row("PRAGMA quick_check(1)", [], |row| row.get(0));
        if check.is_ok_and(|found| found == "ok") {
            return Ok(());
        }
        Err(Error::Damaged("SQLite's quick_check fails on a copy of it, so no backup was written"))
    }

    /// The temporary file needs neither locks nor a rollback journal: nobody knows it, and it is removed after a failure.
    fn copy_pages(&self, connection: &Connection) -> rusqlite::Result<()> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut copy = Connection::open_with_flags_and_vfs(&self.temporary, flags, "unix-none")?;
        copy.pragma_update(None, "journal_mode", "OFF")?;
        copy.pragma_update(None, "synchronous", "OFF")?;
        let backup = Backup::new(connection, &mut copy)?;
        while backup.step(-1)? != StepResult::Done {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        Ok(())
    }

    /// Makes the copy durable and gives it its name.
    fn publish(&self) -> Result<u64> {
        let failed = |error: io::Error| self.failed(error);
        let file = File::open(&self.temporary).map_err(failed)?;
        file.sync_all().map_err(failed)?;
        let bytes = file.metadata().map_err(failed)?.len();
        self.rename().map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => exists(&self.path),
            _ => self.failed(error),
        })?;
        sync_folder(&self.path).map_err(|error| {
            self.failed(format!(
                "it was written and is complete, but its folder cannot be made durable ({error}), so it may be lost after a power \
                 failure; copy it to another disk, or remove it and try again"
            ))
        })?;
        Ok(bytes)
    }

    /// Renames the temporary file, unless another one has the name. A file system that has no such renaming links it.
    fn rename(&self) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{CWD, RenameFlags, renameat_with};
            match renameat_with(CWD, &self.temporary, CWD, &self.path, RenameFlags::NOREPLACE) {
                Err(error) if error == rustix::io::Errno::INVAL || error == rustix::io::Errno::NOSYS => {}
                result => return result.map_err(Into::into),
            }
        }
        std::fs::hard_link(&self.temporary, &self.path)?;
        std::fs::remove_file(&self.temporary)
    }
}

fn exists(path: &Path) -> Error {
    let reason = "it exists, and a backup replaces no file".to_owned();
    Error::Backup { place: path.display().to_string(), reason }
}
