//! A suppression store in an SQLite file, for the processes of one machine.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use cpaas::clock::BoxFuture;
use cpaas::suppression::{StoreError, SuppressionStore};
use cpaas::text::msisdn::normalize_number;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::error::{Error, Result};
use crate::journal::connect_unchanging;
use crate::private_file::{self, refuse_wide};

/// How long a command waits for another process.
const BUSY: Duration = Duration::from_secs(3);

/// The mark of the file (`application_id`): "CPsl" in ASCII.
const APPLICATION_ID: i32 = 0x4350_736c;

/// Held while a thread opens a store.
static OPENING: Mutex<()> = Mutex::new(());

/// The numbers that get no SMS, in an SQLite file. Several processes and threads may use one file.
///
/// Each command opens the file: a store has no connection that a fork could copy.
#[derive(Debug, Clone)]
pub struct SqliteSuppressionStore {
    path: PathBuf,
}

impl SqliteSuppressionStore {
    /// Opens a file, and creates it if it does not exist. Only its owner can access a new file.
    ///
    /// # Errors
    /// When the file cannot be created, is not a suppression store, or can be accessed by other users. Another file is not changed.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        let store = Self { path: path.into() };
        // Closing the descriptor of a new file releases the locks that another thread's connection has on it.
        let _one_thread = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
        match private_file::create(&store.path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(not_opened(&error)),
            _ => {}
        }
        let is_empty = match std::fs::metadata(&store.path) {
            Ok(found) if !found.is_file() => return Err(foreign()),
            Ok(found) => found.len() == 0,
            Err(error) => return Err(not_opened(&error)),
        };
        // A connection that could write would move the log of another database into its file.
        let may_be_store =
            is_empty || is_marked(&connect_unchanging(&store.path)?).is_ok_and(|marked| marked);
        if !may_be_store {
            return Err(foreign());
        }
        refuse_wide(&["", "-wal", "-shm"].map(|suffix| {
            let mut path = store.path.clone().into_os_string();
            path.push(suffix);
            PathBuf::from(path)
        }))?;
        store
            .connect()
            .and_then(|mut connection| begin(&mut connection))
            .map_err(|error| not_opened(&error))?;
        Ok(store)
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the store contains a number, in any notation with its country code. False for a text that is not a number, such as a
    /// short code or the id of a chat channel.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn contains(&self, number: &str) -> Result<bool> {
        self.contains_each(&[number]).map(|found| found.first().is_some_and(|found| *found))
    }

    /// For each number, whether the store contains it. Opens the file once.
    fn contains_each(&self, numbers: &[impl AsRef<str>]) -> Result<Vec<bool>> {
        self.run(|connection| {
            let mut query =
                connection.prepare("SELECT EXISTS (SELECT 1 FROM suppressed_number WHERE number = ?1)")?;
            let mut contains = |number: &str| match canonical(number) {
                Ok(number) => query.query_row([&number], |row| row.get(0)),
                Err(_) => Ok(false),
            };
            numbers.iter().map(|number| contains(number.as_ref())).collect()
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

    /// Removes a number. Returns whether the store contained it: false for a text that is not a number.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn delete(&self, number: &str) -> Result<bool> {
        let Ok(number) = canonical(number) else { return Ok(false) };
        self.run(|connection| {
            connection.execute("DELETE FROM suppressed_number WHERE number = ?1", [&number])
        })
        .map(|rows| rows > 0)
    }

    /// Runs a command. A file that was deleted is an error, so that nobody is forgotten silently.
    fn run<T>(&self, command: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        self.connect()
            .and_then(|connection| command(&connection))
            .map_err(|error| Error::Source(format!("the suppression store failed: {error}")))
    }

    fn connect(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection.busy_timeout(BUSY)?;
        Ok(connection)
    }

    /// Runs a command on a thread on which it may block.
    fn blocking<I: Send + 'static, T: Send + 'static>(
        &self,
        input: I,
        command: fn(&Self, &I) -> Result<T>,
    ) -> BoxFuture<'static, Result<T, StoreError>> {
        let store = self.clone();
        Box::pin(async move {
            tokio::task::spawn_blocking(move || command(&store, &input)).await?.map_err(StoreError::from)
        })
    }
}

/// Whether the database has the mark of a suppression store.
fn is_marked(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("PRAGMA application_id", [], |row| row.get(0)).map(|id: i32| id == APPLICATION_ID)
}

/// Creates the table of a new file.
fn begin(connection: &mut Connection) -> rusqlite::Result<()> {
    if !is_marked(connection)? {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another process may have been first.
        if !is_marked(&transaction)? {
            transaction.execute_batch(&format!(
                "CREATE TABLE suppressed_number (number TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
                 PRAGMA application_id = {APPLICATION_ID}"
            ))?;
        }
        transaction.commit()?;
    }
    let mode: String = connection.query_row("PRAGMA journal_mode", [], |row| row.get(0))?;
    if mode != "wal" {
        // Fails while another process uses the file. The store works without it too, and the next one that opens it tries again.
        let _ = connection.pragma_update(None, "journal_mode", "wal");
    }
    Ok(())
}

fn not_opened(error: &dyn std::fmt::Display) -> Error {
    Error::Source(format!("the suppression store cannot be opened: {error}"))
}

fn foreign() -> Error {
    Error::Source("the file of a suppression store must be one that it created, got another file".to_owned())
}

fn canonical(number: &str) -> Result<String> {
    let number =
        normalize_number(number, None).map_err(|reason| Error::Source(format!("number {reason}")))?;
    Ok(number.into_owned())
}

impl SuppressionStore for SqliteSuppressionStore {
    fn is_suppressed<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        self.blocking(number.to_owned(), |store, number| store.contains(number))
    }

    fn are_suppressed<'a>(&'a self, numbers: &'a [String]) -> BoxFuture<'a, Result<Vec<bool>, StoreError>> {
        self.blocking(numbers.to_vec(), |store, numbers| store.contains_each(numbers))
    }

    fn add<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        self.blocking(number.to_owned(), |store, number| store.insert(number))
    }

    fn remove<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        self.blocking(number.to_owned(), |store, number| store.delete(number))
    }
}
