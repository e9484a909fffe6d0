//! A suppression store in an SQLite file, for the processes of one machine.

use std::path::{Path, PathBuf};
use std::time::Duration;

use cpaas::clock::BoxFuture;
use cpaas::suppression::{StoreError, SuppressionStore};
use cpaas::text::msisdn::normalize_number;
use rusqlite::{Connection, OpenFlags};

use crate::error::{Error, Result};

/// How long a command waits for another process.
const BUSY: Duration = Duration::from_secs(3);

/// The numbers that get no SMS, in an SQLite file. Several processes and threads may use one file.
///
/// Each command opens the file: a store has no connection that a fork could copy.
#[derive(Debug, Clone)]
pub struct SqliteSuppressionStore {
    path: PathBuf,
}

impl SqliteSuppressionStore {
    /// Opens a file, and creates it if it does not exist.
    ///
    /// # Errors
    /// When the file cannot be created, or is not a suppression store.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        let store = Self { path: path.into() };
        let created = Connection::open(&store.path).and_then(|connection| {
            connection.busy_timeout(BUSY)?;
            connection.pragma_update(None, "journal_mode", "wal")?;
            connection.execute_batch(
                "CREATE TABLE IF NOT EXISTS suppressed_number (number TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
            )
        });
        created.map_err(|error| Error::Source(format!("the suppression store cannot be opened: {error}")))?;
        Ok(store)
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the store contains a number, in any notation with its country code.
    ///
    /// # Errors
    /// When the text is not a number, or the file cannot be read.
    pub fn contains(&self, number: &str) -> Result<bool> {
        let number = canonical(number)?;
        self.run(|connection| {
            connection.query_row(
                "SELECT EXISTS (SELECT 1 FROM suppressed_number WHERE number = ?1)",
                [&number],
                |row| row.get(0),
            )
        })
    }

    /// Adds a number. Returns whether it is new.
    ///
    /// # Errors
    /// When the text is not a number, or the file cannot be written.
    pub fn insert(&self, number: &str) -> Result<bool> {
        let number = canonical(number)?;
        self.run(|connection| {
            connection.execute("INSERT OR IGNORE INTO suppressed_number (number) VALUES (?1)", [&number])
        })
        .map(|rows| rows > 0)
    }

    /// Removes a number. Returns whether the store contained it.
    ///
    /// # Errors
    /// When the text is not a number, or the file cannot be written.
    pub fn delete(&self, number: &str) -> Result<bool> {
        let number = canonical(number)?;
        self.run(|connection| {
            connection.execute("DELETE FROM suppressed_number WHERE number = ?1", [&number])
        })
        .map(|rows| rows > 0)
    }

    /// Runs a command. A file that was deleted is an error, so that nobody is forgotten silently.
    fn run<T>(&self, command: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Connection::open_with_flags(&self.path, flags)
            .and_then(|connection| {
                connection.busy_timeout(BUSY)?;
                command(&connection)
            })
            .map_err(|error| Error::Source(format!("the suppression store failed: {error}")))
    }

    /// Runs a command on a thread on which it may block.
    fn blocking<'a, T: Send + 'static>(
        &'a self,
        number: &'a str,
        command: fn(&Self, &str) -> Result<T>,
    ) -> BoxFuture<'a, Result<T, StoreError>> {
        let (store, number) = (self.clone(), number.to_owned());
        Box::pin(async move {
            tokio::task::spawn_blocking(move || command(&store, &number)).await?.map_err(StoreError::from)
        })
    }
}

fn canonical(number: &str) -> Result<String> {
    let number =
        normalize_number(number, None).map_err(|reason| Error::Source(format!("number {reason}")))?;
    Ok(number.into_owned())
}

impl SuppressionStore for SqliteSuppressionStore {
    fn is_suppressed<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        // A text that is not a number, such as the id of a chat channel, is not in the store.
        if normalize_number(number, None).is_err() {
            return Box::pin(async { Ok(false) });
        }
        self.blocking(number, Self::contains)
    }

    fn add<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        self.blocking(number, Self::insert)
    }

    fn remove<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        self.blocking(number, Self::delete)
    }
}
