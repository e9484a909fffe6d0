//! A database in an SQLite file, for the processes of one machine.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::{Purpose, bring_to_present, is_present};
use crate::error::{Error, Result, unopened};
use crate::journal::{SqliteTransaction, Work, connect_unchanging, sqlite_failed};
use crate::private_file::{self, refuse_wide};

/// How long a command waits for another process.
const BUSY: Duration = Duration::from_secs(3);

/// Held while a thread opens a file.
static OPENING: Mutex<()> = Mutex::new(());

/// An SQLite file. Each command opens it: there is no connection that a fork could copy.
#[derive(Clone, Debug)]
pub(super) struct SqliteFile {
    path: PathBuf,
    is_durable: bool,
}

impl SqliteFile {
    /// Opens a file, and creates it if it does not exist. Only its owner can access a new file. Another file is not changed.
    pub(super) fn open(path: &Path, purpose: &Purpose) -> Result<Self> {
        let file = Self { path: path.to_owned(), is_durable: purpose.is_durable };
        // Closing the descriptor of a new file releases the locks that another thread's connection has on it.
        let _one_thread = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = match private_file::create(path) {
            Ok(_) => true,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => false,
            Err(error) => return Err(unopened(path.display())(error)),
        };
        let is_begun = || {
            let found = std::fs::metadata(path).map_err(unopened(path.display()))?;
            if found.is_file() { Ok(found.len() > 0) } else { Err(foreign(purpose)) }
        };
        // Another process may have created the file just now. One that stays empty has lost what it contained.
        let until = Instant::now() + BUSY;
        while !is_new && !is_begun()? && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
        if !is_new && !is_begun()? {
            let name = purpose.name;
            return Err(Error::Source(format!(
                "the file of a {name} must be one that it created, got an empty file"
            )));
        }
        // A connection that could write would move the log of another database into its file.
        let may_be_own =
            is_new || is_marked(&connect_unchanging(path)?, purpose).is_ok_and(|is_marked| is_marked);
        if !may_be_own {
            return Err(foreign(purpose));
        }
        refuse_wide(&["", "-wal", "-shm"].map(|suffix| {
            let mut path = path.as_os_str().to_owned();
            path.push(suffix);
            PathBuf::from(path)
        }))?;
        let mut connection = file.connect()?;
        begin(&mut connection, purpose)?;
        Ok(file)
    }

    fn connect(&self) -> Result<Connection> {
        // Without the flag that creates a file: one that was deleted is an error, so that nothing is forgotten silently.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags).map_err(sqlite_failed)?;
        connection.busy_timeout(BUSY).map_err(sqlite_failed)?;
        if !self.is_durable {
            connection.pragma_update(None, "synchronous", "normal").map_err(sqlite_failed)?;
        }
        Ok(connection)
    }

    pub(super) fn run(&self, writes: bool, work: Work<'_>) -> Result<()> {
        let mut connection = self.connect()?;
        let behavior = if writes { TransactionBehavior::Immediate } else { TransactionBehavior::Deferred };
        let transaction = connection.transaction_with_behavior(behavior).map_err(sqlite_failed)?;
        work(&mut SqliteTransaction::new(&transaction))?;
        transaction.commit().map_err(sqlite_failed)
    }
}

/// Whether the file has the mark of its purpose.
fn is_marked(connection: &Connection, purpose: &Purpose) -> Result<bool> {
    let id = connection.query_row("PRAGMA application_id", [], |row| row.get::<_, i32>(0));
    Ok(id.map_err(sqlite_failed)? == purpose.application_id)
}

/// Whether the file has the table of versions. Without it, its tables are new or were created only in part.
fn has_versions(connection: &Connection) -> Result<bool> {
    let sql = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'cpaas_stores'";
    let found = connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    Ok(found.map_err(sqlite_failed)? == 1)
}

/// Creates the tables of a new file, or brings those of an older one to the present version.
fn begin(connection: &mut Connection, purpose: &Purpose) -> Result<()> {
    if !is_marked(connection, purpose)?
        || !has_versions(connection)?
        || !is_present(&mut SqliteTransaction::new(connection), purpose)?
    {
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(sqlite_failed)?;
        bring_to_present(&mut SqliteTransaction::new(&transaction), purpose)?;
        transaction.pragma_update(None, "application_id", purpose.application_id).map_err(sqlite_failed)?;
        transaction.commit().map_err(sqlite_failed)?;
    }
    let mode = connection.query_row("PRAGMA journal_mode", [], |row| row.get::<_, String>(0));
    if mode.map_err(sqlite_failed)? != "wal" {
        // Fails while another process uses the file. The store works without it too, and the next one that opens it tries again.
        let _ = connection.pragma_update(None, "journal_mode", "wal");
    }
    Ok(())
}

fn foreign(purpose: &Purpose) -> Error {
    Error::Source(format!("the file of a {} must be one that it created, got another file", purpose.name))
}
