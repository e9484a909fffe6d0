//! One transaction. Statements that do not depend on each other's responses are sent together.

use std::sync::{Arc, LazyLock};

use futures_util::future::join_all;
use pollster::block_on;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, Kind, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, Statement};

use super::super::schema::TABLES;
use super::super::store::{Row, Transaction, Value, Work};
use super::identity::{Identity, Locked};
use super::{Connection, Failure, failed};
use crate::error::{Error, Result};

/// Starts a transaction that writes. All other such transactions wait for it. So the server ends the session of a worker that
/// becomes silent within the transaction, for example on a suspended machine or after a loss of the network.
const BEGIN: &str =
    "BEGIN; SET LOCAL synchronous_commit = on; SET LOCAL idle_in_transaction_session_timeout = '10s'";

const BEGIN_READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Locks the journal. Everything that is compared is in the locked row itself: after a wait for the lock, the server evaluates only
/// this row again.
pub(super) static LOCK: LazyLock<String> = LazyLock::new(|| format!("{} FOR UPDATE", *READ_LOCK));

/// The columns of the locked row, and of the server that responds; without the lock.
pub(super) static READ_LOCK: LazyLock<String> = LazyLock::new(|| {
    let tables = TABLES.map(|table| format!("to_regclass('{table}')::oid")).join(", ");
    format!(
        "SELECT CASE WHEN pg_is_in_recovery() THEN NULL ELSE
        (SELECT system_identifier::text FROM pg_control_system()) || ':' ||
        substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || ':' ||
        (SELECT oid::text FROM pg_database WHERE datname = current_database()) || ':' ||
        concat_ws('+', {tables}) END AS server,
        current_setting('fsync') AS fsync, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now_us,
        xmin::text AS xmin, value AS lock,
        (SELECT count(*) = 0 FROM meta WHERE name = 'version')::int::bigint AS is_new FROM meta WHERE name = 'lock'"
    )
});

/// A request to the server.
enum Request {
    /// Statements without parameters or result.
    Batch(String),
    Query(Prepared, Vec<Value>),
    Execute(Prepared, Vec<Value>),
}

/// A statement that the session knows, or the text of one behind a pooler.
#[derive(Clone)]
enum Prepared {
    Known(Statement),
    Text(String),
}

/// Rows, and the number of rows that were changed.
type Reply = (Vec<tokio_postgres::Row>, u64);

impl Request {
    async fn send(&self, client: &Client) -> Result<Reply, tokio_postgres::Error> {
        match self {
            Self::Batch(sql) => client.batch_execute(sql).await.map(|()| (Vec::new(), 0)),
            Self::Query(Prepared::Known(statement), values) => {
                client.query(statement, &parameters(values)).await.map(|rows| (rows, 0))
            }
            Self::Query(Prepared::Text(sql), values) => {
                client.query_typed(sql, &inferred(values)).await.map(|rows| (rows, 0))
            }
            Self::Execute(Prepared::Known(statement), values) => {
                client.execute(statement, &parameters(values)).await.map(|changed| (Vec::new(), changed))
            }
            Self::Execute(Prepared::Text(sql), values) => {
                client.execute_typed(sql, &inferred(values)).await.map(|changed| (Vec::new(), changed))
            }
        }
    }
}

pub(super) struct Open<'s> {
    connection: &'s mut Connection,
    pub(super) failure: Option<Failure>,
    identity: Identity,
    place: &'s str,
    now_us: Option<i64>,
    pub(super) locked: Option<Locked>,
    /// What is sent with the next query or the commit.
    waiting: Vec<Request>,
    /// Whether the first two requests of `waiting` begin the transaction and lock the journal.
    locks: bool,
}

impl<'s> Open<'s> {
    pub(super) const fn new(connection: &'s mut Connection, identity: Identity, place: &'s str) -> Self {
        Self {
            connection,
            failure: None,
            identity,
            place,
            now_us: None,
            locked: None,
            waiting: Vec::new(),
            locks: false,
        }
    }

    pub(super) fn run(&mut self, writes: bool, work: Work<'_>) -> Result<()> {
        if !writes {
            return self.run_alone(BEGIN_READ, work);
        }
        let lock = self.statement(&LOCK)?;
        self.waiting.extend([Request::Batch(BEGIN.to_owned()), Request::Query(lock, Vec::new())]);
        self.locks = true;
        work(self)?;
        self.lock()?;
        // If a pooler or driver replays the statements of a transaction, this statement sets the column to NULL, which fails.
        let locked = self.locked.as_ref().ok_or(Error::Task)?;
        let (old, new) = (locked.value.replace('\'', "''"), locked.new_value());
        let commit = format!(
            "UPDATE meta SET value = CASE WHEN value = '{old}' THEN {new} END WHERE name = 'lock'; COMMIT"
        );
        self.send(Request::Batch(commit)).map(|_| ())
    }

    /// Runs a transaction that does not lock the journal.
    pub(super) fn run_alone(&mut self, begin: &str, work: Work<'_>) -> Result<()> {
        self.waiting.push(Request::Batch(begin.to_owned()));
        work(self)?;
        self.send(Request::Batch("COMMIT".to_owned())).map(|_| ())
    }

    /// Sends the waiting requests and then `requests`. Returns the replies to `requests`. The server runs all of them in this
    /// order and stops at the first failure.
    fn send_all(&mut self, requests: Vec<Request>) -> Result<Vec<Reply>> {
        let mut all = std::mem::take(&mut self.waiting);
        let before = all.len();
        all.extend(requests);
        let client = &self.connection.client;
        let replies = block_on(join_all(all.iter().map(|request| request.send(client))));
        let mut replies: Vec<Reply> =
            replies.into_iter().collect::<Result<_, _>>().map_err(|error| self.fail(&error))?;
        if std::mem::take(&mut self.locks) {
            let locked = rows(replies.get(1).map(|(found, _)| found.as_slice()).unwrap_or_default())?;
            self.locked(locked.first().ok_or(Error::Damaged("the row `lock` is missing"))?)?;
        }
        Ok(replies.split_off(before))
    }

    fn send(&mut self, request: Request) -> Result<Reply> {
        self.send_all(vec![request])?.pop().ok_or(Error::Task)
    }

    /// Locks the journal, unless it is already locked.
    fn lock(&mut self) -> Result<()> {
        if self.locks { self.send_all(Vec::new()).map(|_| ()) } else { Ok(()) }
    }

    /// Handles the reply to [`LOCK`]: compares the identity of the journal, and keeps the clock.
    fn locked(&mut self, row: &Row) -> Result<()> {
        if row.text("fsync")? != "on" {
            return Err(Error::Setting("the server of the journal must have fsync on".to_owned()));
        }
        let locked = Locked::read(row, self.identity)?;
        let copied = |mismatch| Error::Copied { place: self.place.to_owned(), mismatch };
        self.locked = Some(locked.map_err(copied)?);
        self.now_us = Some(row.int("now_us")?);
        Ok(())
    }

    fn fail(&mut self, error: &tokio_postgres::Error) -> Error {
        let is_lost =
            error.is_closed() || error.as_db_error().is_none() || self.connection.client.is_closed();
        self.failure = match error.code() {
            // The last three: this transaction was replayed after its first run had committed, or another transaction inserted
            // the same key. They hide no other failure, because the first error of a transaction is the one reported.
            Some(
                &SqlState::T_R_SERIALIZATION_FAILURE
                | &SqlState::T_R_DEADLOCK_DETECTED
                | &SqlState::UNIQUE_VIOLATION
                | &SqlState::NOT_NULL_VIOLATION
                | &SqlState::IN_FAILED_SQL_TRANSACTION,
            ) => Some(Failure::Again),
            Some(
                &SqlState::ADMIN_SHUTDOWN
                | &SqlState::CRASH_SHUTDOWN
                | &SqlState::CANNOT_CONNECT_NOW
                // A pooler lost the server.
                | &SqlState::PROTOCOL_VIOLATION
                | &SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
            ) => Some(Failure::Lost),
            _ if is_lost => Some(Failure::Lost),
            _ => None,
        };
        failed(error)
    }

    fn statement(&mut self, sql: &str) -> Result<Prepared> {
        if self.connection.is_pooled {
            return Ok(Prepared::Text(sql.to_owned()));
        }
        if let Some(known) = self.connection.statements.get(sql) {
            return Ok(Prepared::Known(known.clone()));
        }
        let prepared = block_on(self.connection.client.prepare(sql));
        let statement = prepared.map_err(|error| self.fail(&error))?;
        self.connection.statements.insert(sql.to_owned(), statement.clone());
        Ok(Prepared::Known(statement))
    }
}

fn parameters(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

/// A type that the server infers, as it does for a prepared statement.
static INFERRED: LazyLock<Type> =
    LazyLock::new(|| Type::new("inferred".to_owned(), 0, Kind::Simple, "pg_catalog".to_owned()));

fn inferred(values: &[Value]) -> Vec<(&(dyn ToSql + Sync), Type)> {
    values.iter().map(|value| (value as &(dyn ToSql + Sync), INFERRED.clone())).collect()
}

impl Transaction for Open<'_> {
    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>> {
        self.query_all(&[(sql, values)])?.pop().ok_or(Error::Task)
    }

    fn query_all(&mut self, queries: &[(&str, &[Value])]) -> Result<Vec<Vec<Row>>> {
        let request = |(sql, values): &(&str, &[Value])| {
            Ok::<_, Error>(Request::Query(self.statement(sql)?, values.to_vec()))
        };
        let requests = queries.iter().map(request).collect::<Result<_>>()?;
        let replies = self.send_all(requests)?;
        replies.iter().map(|(found, _)| rows(found)).collect()
    }

    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64> {
        let request = Request::Execute(self.statement(sql)?, values.to_vec());
        self.send(request).map(|(_, changed)| changed)
    }

    fn run_script(&mut self, sql: &str) -> Result<()> {
        self.send(Request::Batch(sql.to_owned())).map(|_| ())
    }

    fn execute_later(&mut self, sql: &str, values: &[Value]) -> Result<()> {
        let statement = self.statement(sql)?;
        self.waiting.push(Request::Execute(statement, values.to_vec()));
        Ok(())
    }

    fn now_us(&mut self) -> Result<i64> {
        self.lock()?;
        if let Some(now_us) = self.now_us {
            return Ok(now_us);
        }
        let sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now_us";
        let rows = self.query(sql, &[])?;
        rows.first().ok_or(Error::Damaged("the server has no clock"))?.int("now_us")
    }
}

fn names(rows: &[tokio_postgres::Row]) -> Arc<[String]> {
    let columns = rows.first().map(tokio_postgres::Row::columns).unwrap_or_default();
    columns.iter().map(|column| column.name().to_owned()).collect()
}

fn rows(rows: &[tokio_postgres::Row]) -> Result<Vec<Row>> {
    let names = names(rows);
    rows.iter().map(|found| row(found, &names)).collect()
}

fn row(row: &tokio_postgres::Row, names: &Arc<[String]>) -> Result<Row> {
    let value = |(index, column): (usize, &tokio_postgres::Column)| {
        let value = match *column.type_() {
            Type::INT8 => row.try_get::<_, Option<i64>>(index).map(Into::into),
            // A literal such as `1`.
            Type::INT4 => row.try_get::<_, Option<i32>>(index).map(|value| value.map(i64::from).into()),
            Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(index).map(Into::into),
            _ => row.try_get::<_, Option<String>>(index).map(Into::into),
        };
        value.map_err(|error| failed(&error))
    };
    let values = row.columns().iter().enumerate().map(value).collect::<Result<_>>()?;
    Ok(Row::new(Arc::clone(names), values))
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
        kind.oid() == 0 || matches!(*kind, Type::INT8 | Type::TEXT | Type::VARCHAR | Type::BYTEA)
    }

    to_sql_checked!();
}
