//! The journal in Postgres, for workers on many machines.
//!
//! One row of `meta` is locked first by every transaction that writes, so that transactions are serial. After a lost
//! connection the store reads the token to learn whether the commit is durable.

mod tls;

use std::collections::HashMap;
use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use pollster::block_on;
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{AsyncMessage, Client, Config, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::OpenOptions;
use super::store::{Row, Store, Transaction, Value, Work, with_cause};
use crate::error::{Error, Result};

/// How long a lost server is tried again.
const RECONNECT: Duration = Duration::from_secs(20);
/// Starts a transaction that writes. All others wait for it, so the server ends the session of a worker that stops within
/// it: a frozen machine, or one that lost its network.
const BEGIN: &str =
    "BEGIN; SET LOCAL synchronous_commit = on; SET LOCAL idle_in_transaction_session_timeout = '10s'";

/// A Postgres database.
pub struct PostgresStore {
    /// Drives the connection on a thread of its own, so that callers may be in a runtime or not.
    runtime: Option<Runtime>,
    config: Config,
    tls: MakeRustlsConnect,
    connection: Option<Connection>,
    process: u32,
    /// Every transaction that writes compares the identity from now on.
    is_identified: bool,
}

struct Connection {
    client: Client,
    statements: HashMap<String, Statement>,
    /// The server warned: a commit may not be replicated.
    has_warned: Arc<AtomicBool>,
}

/// Why a transaction ended without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Failure {
    /// A serialization failure or deadlock: nothing was committed.
    Again,
    /// The connection was lost.
    Lost,
}

impl PostgresStore {
    /// Connects and creates what the lock needs.
    ///
    /// # Errors
    /// When the server cannot be reached, does not keep commits, or is not the one that the journal was created on.
    pub fn open(url: &str, options: OpenOptions) -> Result<Self> {
        let runtime =
            Builder::new_multi_thread().worker_threads(1).enable_all().build().map_err(Error::Open)?;
        let (config, tls) = tls::connection(url)?;
        let process = std::process::id();
        let mut store =
            Self { runtime: Some(runtime), config, tls, connection: None, process, is_identified: false };
        store.prepare()?;
        store.identify(options)?;
        Ok(store)
    }

    fn prepare(&mut self) -> Result<()> {
        let setup = "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
            INSERT INTO meta (name, value) VALUES ('lock', '') ON CONFLICT DO NOTHING";
        let mut tries = 0;
        loop {
            self.connect()?;
            let Some(connection) = &self.connection else { return Err(Error::Task) };
            match block_on(connection.client.batch_execute(setup)) {
                Ok(()) => return Ok(()),
                // Two processes create the table at once.
                Err(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) && tries < 10 => tries += 1,
                Err(error) => return Err(failed(&error)),
            }
        }
    }

    /// Stores the identity of the server, or compares it.
    fn identify(&mut self, options: OpenOptions) -> Result<()> {
        self.repeated(true, &mut |transaction| {
            let locked = transaction.query(LOCK, &[])?;
            let row = locked.first().ok_or(Error::Damaged("the row `lock` is missing"))?;
            let (found, stored) = (row.text(0)?, row.optional_text(3)?);
            let is_copy = stored.is_some_and(|stored| stored != found);
            if is_copy && !options.restored {
                return Err(Error::Copied);
            }
            let sql = "INSERT INTO meta (name, value) VALUES ('identity', $1)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value";
            transaction.execute(sql, &[found.into()])?;
            if is_copy {
                let sql = "INSERT INTO meta (name, value) VALUES ('restored', '1') ON CONFLICT DO NOTHING";
                transaction.execute(sql, &[])?;
            }
            Ok(())
        })?;
        self.is_identified = true;
        Ok(())
    }

    fn connect(&mut self) -> Result<()> {
        if self.connection.as_ref().is_some_and(|connection| !connection.client.is_closed()) {
            return Ok(());
        }
        let Some(runtime) = &self.runtime else { return Err(Error::Task) };
        let has_warned = Arc::new(AtomicBool::new(false));
        let until = Instant::now() + RECONNECT;
        let connected = loop {
            let (config, tls) = (self.config.clone(), self.tls.clone());
            let task = runtime.spawn(async move { config.connect(tls).await });
            match block_on(task).map_err(|_| Error::Task)? {
                Ok(connected) => break connected,
                Err(error) if self.connection.is_some() && may_return(&error) && Instant::now() < until => {
                    tracing::debug!(%error, "the server of the journal is not reached");
                    std::thread::sleep(Duration::from_millis(200));
                }
                Err(error) => return Err(failed(&error)),
            }
        };
        let (client, mut connection) = connected;
        let warned = has_warned.clone();
        runtime.spawn(poll_fn(move |context| {
            loop {
                match connection.poll_message(context) {
                    Poll::Ready(Some(Ok(AsyncMessage::Notice(notice)))) => {
                        let is_warning = notice.severity() == "WARNING";
                        warned.fetch_or(is_warning, Ordering::SeqCst);
                    }
                    Poll::Ready(Some(Ok(_))) => {}
                    Poll::Ready(Some(Err(_)) | None) => return Poll::Ready(()),
                    Poll::Pending => return Poll::Pending,
                }
            }
        }));
        self.connection = Some(Connection { client, statements: HashMap::new(), has_warned });
        Ok(())
    }

    /// One transaction. An error says whether it may be run again.
    fn attempt(&mut self, writes: bool, work: Work<'_>) -> Result<(), (Error, Option<Failure>)> {
        if std::process::id() != self.process {
            return Err((Error::Forked, None));
        }
        self.connect().map_err(|error| (error, None))?;
        let Self { connection: Some(connection), is_identified, .. } = self else {
            return Err((Error::Task, None));
        };
        connection.has_warned.store(false, Ordering::SeqCst);
        let mut open =
            Open { connection, failure: None, is_identified: *is_identified, now_us: None, serial: 0 };
        let result = open.run(writes, work);
        let failure = open.failure;
        match result {
            Ok(()) if writes && connection.has_warned.load(Ordering::SeqCst) => {
                let message = "the server warned at a commit, so that it may be lost with the server";
                Err((Error::Journal(message.to_owned()), None))
            }
            Ok(()) => Ok(()),
            Err(error) => {
                if failure != Some(Failure::Lost) {
                    // A connection in an unknown state is closed.
                    let rolled_back = block_on(connection.client.batch_execute("ROLLBACK"));
                    if rolled_back.is_err() {
                        connection.statements.clear();
                    }
                }
                Err((error, failure))
            }
        }
    }

    fn repeated(&mut self, writes: bool, work: Work<'_>) -> Result<()> {
        let until = Instant::now() + RECONNECT;
        loop {
            match self.attempt(writes, work) {
                Err((_, Some(_))) if Instant::now() < until => std::thread::sleep(Duration::from_millis(2)),
                result => return result.map_err(|(error, _)| error),
            }
        }
    }
}

impl Drop for PostgresStore {
    fn drop(&mut self) {
        // A runtime must not wait for its threads inside another one.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Store for PostgresStore {
    fn write(&mut self, work: Work<'_>) -> Result<()> {
        self.repeated(true, work)
    }

    fn read(&mut self, work: Work<'_>) -> Result<()> {
        self.repeated(false, work)
    }

    fn bytes_type(&self) -> &'static str {
        "BYTEA"
    }
}

/// Locks the journal. Returns system identifier and timeline (a restored backup has another timeline, another server
/// another identifier), `fsync`, the clock, and the identity that the journal was created with.
const LOCK: &str = "SELECT CASE WHEN pg_is_in_recovery() THEN NULL ELSE
    (SELECT system_identifier::text FROM pg_control_system()) || ':' ||
    substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END, current_setting('fsync'),
    (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
    (SELECT value FROM meta WHERE name = 'identity'), value FROM meta WHERE name = 'lock' FOR UPDATE";

struct Open<'s> {
    connection: &'s mut Connection,
    failure: Option<Failure>,
    is_identified: bool,
    now_us: Option<i64>,
    /// The number of the last transaction that wrote.
    serial: i64,
}

impl Open<'_> {
    fn run(&mut self, writes: bool, work: Work<'_>) -> Result<()> {
        if writes {
            self.batch(BEGIN)?;
            self.lock()?;
        } else {
            self.batch("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?;
        }
        work(self)?;
        if !writes {
            return self.batch("COMMIT");
        }
        // A pooler or driver that replays the statements of a transaction breaks the NOT NULL of this column.
        let (old, new) = (self.serial, self.serial + 1);
        let count = "UPDATE meta SET value = CASE WHEN value IN ('', '";
        self.batch(&format!("{count}{old}') THEN '{new}' END WHERE name = 'lock'; COMMIT"))
    }

    /// Waits for other transactions that write, and checks that the server is the one that the journal was created on.
    fn lock(&mut self) -> Result<()> {
        let locked = self.query(LOCK, &[])?;
        let row = locked.first().ok_or(Error::Damaged("the row `lock` is missing"))?;
        self.serial = row.text(4)?.parse().unwrap_or(0);
        if row.text(1)? != "on" {
            return Err(Error::Setting("the server of the journal must have fsync on".to_owned()));
        }
        let found = row.optional_text(0)?;
        let found = found.ok_or_else(in_recovery)?;
        if self.is_identified && row.optional_text(3)?.is_some_and(|stored| stored != found) {
            return Err(Error::Copied);
        }
        self.now_us = Some(row.int(2)?);
        Ok(())
    }

    fn batch(&mut self, sql: &str) -> Result<()> {
        let result = block_on(self.connection.client.batch_execute(sql));
        result.map_err(|error| self.fail(&error))
    }

    fn fail(&mut self, error: &tokio_postgres::Error) -> Error {
        let is_lost =
            error.is_closed() || error.as_db_error().is_none() || self.connection.client.is_closed();
        self.failure = match error.code() {
            // The last two: this transaction was replayed, and the first one counts. A failure of this transaction
            // itself is reported by the statement that failed, before any other.
            Some(
                &SqlState::T_R_SERIALIZATION_FAILURE
                | &SqlState::T_R_DEADLOCK_DETECTED
                | &SqlState::NOT_NULL_VIOLATION
                | &SqlState::IN_FAILED_SQL_TRANSACTION,
            ) => Some(Failure::Again),
            Some(
                &SqlState::ADMIN_SHUTDOWN
                | &SqlState::CRASH_SHUTDOWN
                | &SqlState::CANNOT_CONNECT_NOW
                | &SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
            ) => Some(Failure::Lost),
            _ if is_lost => Some(Failure::Lost),
            _ => None,
        };
        failed(error)
    }

    fn statement(&mut self, sql: &str) -> Result<Statement> {
        if let Some(known) = self.connection.statements.get(sql) {
            return Ok(known.clone());
        }
        let prepared = block_on(self.connection.client.prepare(sql));
        let statement = prepared.map_err(|error| self.fail(&error))?;
        self.connection.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

fn parameters(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

impl Transaction for Open<'_> {
    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>> {
        let statement = self.statement(sql)?;
        let rows = block_on(self.connection.client.query(&statement, &parameters(values)));
        rows.map_err(|error| self.fail(&error))?.iter().map(row).collect()
    }

    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64> {
        if sql.trim_start().starts_with("CREATE") {
            return self.batch(sql).map(|()| 0);
        }
        let statement = self.statement(sql)?;
        let changed = block_on(self.connection.client.execute(&statement, &parameters(values)));
        changed.map_err(|error| self.fail(&error))
    }

    fn now_us(&mut self) -> Result<i64> {
        if let Some(now_us) = self.now_us {
            return Ok(now_us);
        }
        let sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";
        let rows = self.query(sql, &[])?;
        rows.first().ok_or(Error::Damaged("the server has no clock"))?.int(0)
    }
}

fn row(row: &tokio_postgres::Row) -> Result<Row> {
    let value = |(index, column): (usize, &tokio_postgres::Column)| {
        let value = match *column.type_() {
            Type::INT8 => row.try_get::<_, Option<i64>>(index).map(Into::into),
            Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(index).map(Into::into),
            _ => row.try_get::<_, Option<String>>(index).map(Into::into),
        };
        value.map_err(|error| failed(&error))
    };
    row.columns().iter().enumerate().map(value).collect::<Result<_>>().map(Row)
}

impl ToSql for Value {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> std::result::Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(value) => value.to_sql(kind, out),
            Self::Text(value) => value.to_sql(kind, out),
            Self::Bytes(value) => value.to_sql(kind, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        matches!(*kind, Type::INT8 | Type::TEXT | Type::VARCHAR | Type::BYTEA)
    }

    to_sql_checked!();
}

fn in_recovery() -> Error {
    Error::Setting("the server of the journal must not be in recovery or read-only".to_owned())
}

/// Whether a connection that failed may succeed soon: the server is not reached, starts, or has too many connections. A
/// database that was dropped or a wrong password stays so.
fn may_return(error: &tokio_postgres::Error) -> bool {
    matches!(error.code(), None | Some(&SqlState::CANNOT_CONNECT_NOW | &SqlState::TOO_MANY_CONNECTIONS))
}

/// Messages of the server may quote values; its codes do not.
fn failed(error: &tokio_postgres::Error) -> Error {
    match error.code() {
        Some(&SqlState::DISK_FULL) => Error::DiskFull,
        Some(&SqlState::READ_ONLY_SQL_TRANSACTION) => in_recovery(),
        Some(&SqlState::INVALID_CATALOG_NAME) => {
            Error::Journal("the database does not exist on the server".to_owned())
        }
        Some(code) => Error::Journal(format!("the server reported the error {}", code.code())),
        None => Error::Journal(with_cause(error)),
    }
}
