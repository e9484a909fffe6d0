//! The database of a store that clients consult: an SQLite file, or Postgres.
//!
//! Its transactions are short, several processes run them at the same time, and the database has no identity: other than a journal, a
//! copy or a backup of it may be used. The suppression store counts its changes, so that those who have read more notice an older one.

mod sqlite_file;

use std::path::Path;
#[cfg(feature = "postgres")]
use std::sync::Arc;

use cpaas::clock::BoxFuture;
use cpaas::printable::{MAX_MESSAGE, printable};
use cpaas::suppression::StoreError;

use crate::campaign::{Place, place};
use crate::error::{Error, Result};
#[cfg(feature = "postgres")]
use crate::journal::PostgresSessions;
use crate::journal::Transaction;
use sqlite_file::SqliteFile;

/// What a database is for.
#[derive(Debug)]
pub(crate) struct Purpose {
    /// For messages, such as "suppression store".
    pub(crate) name: &'static str,
    /// The row of the table of versions.
    pub(crate) id: &'static str,
    /// The mark of an SQLite file (`application_id`).
    pub(crate) application_id: i32,
    /// The step from each version of the tables to the next; a new database has version 0.
    pub(crate) steps: &'static [&'static str],
    /// Whether a commit must survive a power failure.
    pub(crate) is_durable: bool,
}

/// A database. Its clones share their connections.
#[derive(Clone, Debug)]
pub(crate) struct Database {
    purpose: &'static Purpose,
    kind: Kind,
    place: String,
}

#[derive(Clone, Debug)]
enum Kind {
    File(SqliteFile),
    #[cfg(feature = "postgres")]
    Server(Arc<PostgresSessions>),
}

impl Database {
    /// Opens a database by its path, `sqlite:///` and its path, or `postgres://…`. Creates the file or the tables if they do not exist.
    ///
    /// # Errors
    /// When it cannot be opened, or the file is another one or can be accessed by other users.
    pub(crate) fn open(url: &str, purpose: &'static Purpose) -> Result<Self> {
        let database = match place(url) {
            Ok(Place::File(path)) => Self::file(path, purpose),
            Ok(Place::Postgres) => Self::server(url, purpose),
            Err(rule) => Err(Error::Setting(format!("it {rule}"))),
        };
        database.map_err(|error| not_opened(purpose, &error))
    }

    fn file(path: &Path, purpose: &'static Purpose) -> Result<Self> {
        let file = SqliteFile::open(path, purpose)?;
        Ok(Self { purpose, kind: Kind::File(file), place: path.display().to_string() })
    }

    #[cfg(feature = "postgres")]
    fn server(url: &str, purpose: &'static Purpose) -> Result<Self> {
        let sessions = PostgresSessions::new(url)?;
        sessions.run(&mut |transaction| bring_to_present_on_server(transaction, purpose))?;
        let place = sessions.place().to_owned();
        Ok(Self { purpose, kind: Kind::Server(Arc::new(sessions)), place })
    }

    #[cfg(not(feature = "postgres"))]
    fn server(_: &str, _: &'static Purpose) -> Result<Self> {
        Err(Error::Setting(crate::campaign::NO_POSTGRES.to_owned()))
    }

    /// The path of the file, or the address of the database without its password.
    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    /// Runs a transaction that only reads. It may run several times.
    pub(crate) fn read<T>(&self, work: impl FnMut(&mut dyn Transaction) -> Result<T>) -> Result<T> {
        self.run(false, work)
    }

    /// Runs a transaction that writes. It may run several times, and if the connection was lost at the commit, after its effect.
    pub(crate) fn write<T>(&self, work: impl FnMut(&mut dyn Transaction) -> Result<T>) -> Result<T> {
        self.run(true, work)
    }

    fn run<T>(&self, writes: bool, mut work: impl FnMut(&mut dyn Transaction) -> Result<T>) -> Result<T> {
        let mut result = None;
        let mut keeping = |transaction: &mut dyn Transaction| {
            result = Some(work(transaction)?);
            Ok(())
        };
        let ended = match &self.kind {
            Kind::File(file) => file.run(writes, &mut keeping),
            #[cfg(feature = "postgres")]
            Kind::Server(sessions) => sessions.run(&mut keeping),
        };
        ended
            .and_then(|()| result.ok_or(Error::Task))
            .map_err(|error| Error::Source(format!("the {} failed: {}", self.purpose.name, cause(&error))))
    }
}

/// Whether the address of a suppression store, a guard or a journal contains a password, so that it must not be shown or stored. A path
/// has none; an address that cannot be read counts as one with a password.
#[must_use]
pub fn has_password(url: &str) -> bool {
    match place(url) {
        #[cfg(feature = "postgres")]
        Ok(Place::Postgres) => crate::journal::has_password(url),
        Ok(Place::File(_)) => false,
        _ => true,
    }
}

/// Runs a command of a store on a thread on which it may block.
pub(crate) fn blocking<S, I, T>(
    store: &S,
    input: I,
    command: fn(&S, &I) -> Result<T>,
) -> BoxFuture<'static, Result<T, StoreError>>
where
    S: Clone + Send + Sync + 'static,
    I: Send + Sync + 'static,
    T: Send + 'static,
{
    let store = store.clone();
    Box::pin(async move {
        tokio::task::spawn_blocking(move || command(&store, &input)).await?.map_err(StoreError::from)
    })
}

/// Brings new or older tables to the present version within a transaction.
fn bring_to_present(transaction: &mut dyn Transaction, purpose: &Purpose) -> Result<()> {
    transaction.run_script(
        "CREATE TABLE IF NOT EXISTS cpaas_stores (name TEXT PRIMARY KEY, version BIGINT NOT NULL)",
    )?;
    let steps = purpose.steps_after(version(transaction, purpose)?)?;
    if steps.is_empty() {
        return Ok(());
    }
    for step in steps {
        transaction.run_script(step)?;
    }
    let sql = "INSERT INTO cpaas_stores (name, version) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET version = excluded.version";
    transaction.execute(sql, &[purpose.id.into(), purpose.version().into()])?;
    Ok(())
}

/// As [`bring_to_present`]. A user without the right to create tables can use those that exist.
#[cfg(feature = "postgres")]
fn bring_to_present_on_server(transaction: &mut dyn Transaction, purpose: &Purpose) -> Result<()> {
    let sql = "SELECT (to_regclass('cpaas_stores') IS NOT NULL)::int::bigint AS is_there";
    let found = transaction.query(sql, &[])?;
    let is_there = found.first().map_or(Ok(0), |row| row.int("is_there"))? == 1;
    if is_there && is_present(transaction, purpose)? {
        return Ok(());
    }
    // Two processes that create a table at once would fail. The number is that of the file: "CPsl" in ASCII.
    transaction.execute("SELECT pg_advisory_xact_lock(1129345900)", &[])?;
    bring_to_present(transaction, purpose)
}

/// Whether the tables are of the present version.
fn is_present(transaction: &mut dyn Transaction, purpose: &Purpose) -> Result<bool> {
    purpose.steps_after(version(transaction, purpose)?).map(<[_]>::is_empty)
}

/// The stored version; 0 if the tables are new.
fn version(transaction: &mut dyn Transaction, purpose: &Purpose) -> Result<i64> {
    let found =
        transaction.query("SELECT version FROM cpaas_stores WHERE name = $1", &[purpose.id.into()])?;
    found.first().map_or(Ok(0), |row| row.int("version"))
}

impl Purpose {
    fn version(&self) -> i64 {
        i64::try_from(self.steps.len()).unwrap_or(i64::MAX)
    }

    fn steps_after(&self, version: i64) -> Result<&'static [&'static str]> {
        let found = usize::try_from(version).ok().and_then(|version| self.steps.get(version..));
        found.ok_or_else(|| {
            let supported = self.version();
            let message = format!(
                "it must have schema version {supported} or older, got {version}; use a newer version of this library"
            );
            Error::Setting(message)
        })
    }
}

fn not_opened(purpose: &Purpose, error: &Error) -> Error {
    Error::Source(format!("the {} cannot be opened: {}", purpose.name, cause(error)))
}

/// The message of an error without the word "journal", which its variant adds.
fn cause(error: &Error) -> String {
    match error {
        Error::Journal(message, _) | Error::Disk(message, _) => message.clone(),
        Error::Open { place, error } => format!("{}: {error}", printable(place, MAX_MESSAGE)),
        Error::DiskFull => "its disk is full".to_owned(),
        error => error.to_string(),
    }
}
