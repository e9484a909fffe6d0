//! The journal in one SQLite file.

mod identity;

use std::fs::{File, OpenOptions as FileOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, ToSql};

use super::store::{Row, Store, Transaction, Value, Work};
use crate::error::{Error, Result};

/// How a journal is opened.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The file is a copy or a restored backup, and no other copy of it is in use. Every row without an outcome becomes
    /// unknown.
    pub restored: bool,
    /// The file must exist.
    pub existing: bool,
}

/// One SQLite file with mode 0600, a write-ahead log and `synchronous=FULL`. A separate lock file serializes transactions, because
/// another SQLite library in the same process can release the locks of this one.
pub struct SqliteStore {
    connection: Connection,
    lock: File,
    log: PathBuf,
    log_inode: u64,
    process: u32,
    was_restored: bool,
}

impl SqliteStore {
    /// Opens or creates a journal.
    ///
    /// # Errors
    /// When the file cannot be opened, is a copy, or is on a network file system.
    pub fn open(path: &Path, options: OpenOptions) -> Result<Self> {
        create_private(path, options).map_err(Error::Open)?;
        let path = path.canonicalize().map_err(Error::Open)?;
        identity::refuse_network(&path)?;
        let lock = private(&beside(&path, "-lock")).map_err(Error::Open)?;
        // SQLite does not wait for another connection that changes a new file to a write-ahead log, so this lock does.
        lock.lock().map_err(Error::Open)?;
        let opened = open_locked(&path, options.restored);
        let log = beside(&path, "-wal");
        let log_inode = inode(&log);
        lock.unlock().map_err(Error::Open)?;
        let (connection, was_restored) = opened?;
        Ok(Self { connection, lock, log, log_inode, process: std::process::id(), was_restored })
    }

    /// Whether the file was a copy and was opened as restored.
    #[must_use]
    pub const fn was_restored(&self) -> bool {
        self.was_restored
    }

    fn checked(&self) -> Result<()> {
        if std::process::id() != self.process {
            return Err(Error::Forked);
        }
        if inode(&self.log) != self.log_inode {
            return Err(Error::Replaced);
        }
        Ok(())
    }

    fn committed(&mut self, work: Work<'_>) -> Result<()> {
        self.checked()?;
        self.connection.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
        let result = work(&mut Open(&self.connection));
        let result = result.and_then(|()| self.connection.execute_batch("COMMIT").map_err(failed));
        if result.is_err() {
            // After most errors SQLite has already rolled back.
            let _ = self.connection.execute_batch("ROLLBACK");
            return result;
        }
        self.checked()
    }
}

impl Store for SqliteStore {
    fn write(&mut self, work: Work<'_>) -> Result<()> {
        self.lock.lock().map_err(|error| Error::Journal(error.to_string()))?;
        let result = self.committed(work);
        self.lock.unlock().map_err(|error| Error::Journal(error.to_string()))?;
        result
    }

    fn read(&mut self, work: Work<'_>) -> Result<()> {
        self.checked()?;
        self.connection.execute_batch("BEGIN").map_err(failed)?;
        let result = work(&mut Open(&self.connection));
        let ended = self.connection.execute_batch("COMMIT").map_err(failed);
        result.and(ended)
    }

    fn bytes_type(&self) -> &'static str {
        "BLOB"
    }
}

struct Open<'c>(&'c Connection);

impl Transaction for Open<'_> {
    fn query(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Row>> {
        let mut statement = self.0.prepare_cached(sql).map_err(failed)?;
        let names: Arc<[String]> = statement.column_names().map(str::to_owned).collect();
        let read = |row: &rusqlite::Row<'_>| {
            let values = (0..names.len()).map(|column| value(row, column));
            Ok(Row::new(Arc::clone(&names), values.collect::<rusqlite::Result<_>>()?))
        };
        let rows = statement.query_map(rusqlite::params_from_iter(parameters), read);
        rows.map_err(failed)?.collect::<rusqlite::Result<_>>().map_err(failed)
    }

    fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<u64> {
        let mut statement = self.0.prepare_cached(sql).map_err(failed)?;
        let changed = statement.execute(rusqlite::params_from_iter(parameters)).map_err(failed)?;
        Ok(u64::try_from(changed).unwrap_or_default())
    }

    fn run_script(&mut self, sql: &str) -> Result<()> {
        self.0.execute_batch(sql).map_err(failed)
    }

    fn now_us(&mut self) -> Result<i64> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }
}

fn value(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Value> {
    Ok(match row.get_ref(column)? {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(value) => Value::Int(value),
        ValueRef::Text(value) => Value::Text(String::from_utf8_lossy(value).into_owned()),
        ValueRef::Blob(value) => Value::Bytes(value.to_vec()),
        ValueRef::Real(_) => Value::Null,
    })
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(value) => ValueRef::Integer(*value),
            Self::Text(value) => ValueRef::Text(value.as_bytes()),
            Self::Bytes(value) => ValueRef::Blob(value),
        }))
    }
}

/// A configured connection, and whether the file was a copy and was opened as restored.
fn open_locked(path: &Path, restored: bool) -> Result<(Connection, bool)> {
    let connection = Connection::open(path).map_err(failed)?;
    configure(&connection).map_err(failed)?;
    let was_restored = identity::check(&connection, path, restored)?;
    Ok((connection, was_restored))
}

/// Configures a connection. Closing it runs no checkpoint: if its locks were released by another SQLite library, the checkpoint
/// would remove a log that other connections still write to.
fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::from_secs(30))?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "secure_delete", true)
}

fn failed(error: rusqlite::Error) -> Error {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => Error::DiskFull,
        Some(ErrorCode::SystemIoFailure) => Error::Disk(error.to_string()),
        _ => Error::Journal(error.to_string()),
    }
}

fn create_private(path: &Path, options: OpenOptions) -> io::Result<()> {
    let mut file = FileOptions::new();
    file.read(true).write(true).create(!options.existing).mode(0o600).open(path).map(|_| ())
}

fn private(path: &Path) -> io::Result<File> {
    FileOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// The inode of a file, or 0 when it does not exist.
fn inode(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.ino())
}
