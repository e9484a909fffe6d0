//! The journal in Postgres, for workers on many machines.
//!
//! Every transaction that writes first locks one row of `meta`, so these transactions run one after the other. After a lost
//! connection the store runs the transaction again. The claim in it compares the stored token with its own to find out whether
//! the first commit was durable.

mod address;
mod identity;
mod negotiation;
mod sessions;
mod sql_state;
mod tls;
mod transaction;

use std::collections::HashMap;
use std::future::poll_fn;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use pollster::block_on;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::UnixStream;
use tokio::runtime::{Builder, Runtime};
use tokio::task::AbortHandle;
use tokio_postgres::config::{Host, SslMode, SslNegotiation};
use tokio_postgres::error::{DbError, SqlState};
use tokio_postgres::{AsyncMessage, Client, Config, NoTls, Statement};

use super::OpenOptions;
use super::state_folder::{Retirement, StateFile};
use super::store::{Declaration, DeclarationWork, Location, Row, Store, Work, with_cause};
use crate::error::{Error, Result, unopened};
use crate::identity_mismatch::{IdentityMismatch, RETIRED};
use crate::protocol::Token;
pub(crate) use address::has_password;
use identity::{Identity, Locked, finish_retirement, highest_in_state_folder, location, store_retirement};
use negotiation::Negotiator;
pub(crate) use sessions::Sessions;
use transaction::{Open, READ_LOCK};

/// For how long the store tries to reach a lost server.
const RECONNECT: Duration = Duration::from_secs(20);

/// How often the state folder becomes durable.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// The epoch of transactions that only read, which compare none.
const NO_EPOCH: Token = Token::from_bytes([0; 16]);

/// Polls a connection, with or without TLS, for its next message.
type Messages = Box<
    dyn FnMut(&mut Context<'_>) -> Poll<Option<std::result::Result<AsyncMessage, tokio_postgres::Error>>>
        + Send,
>;

fn messages<S, T>(mut connection: tokio_postgres::Connection<S, T>) -> Messages
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    Box::new(move |context| connection.poll_message(context))
}

/// A Postgres database.
pub struct PostgresStore {
    /// Drives the connection on its own thread, so that callers may be inside or outside of a runtime.
    runtime: Option<Runtime>,
    config: Config,
    negotiator: Negotiator,
    connection: Option<Connection>,
    process: u32,
    /// The address without its password.
    place: String,
    /// The epoch of the journal, and the highest serial that this store has seen.
    known: Option<(Token, i64)>,
    state: StateFile,
    /// The epoch that `moved` replaces, until its commit is known.
    retiring: Option<Retirement>,
    synced: Instant,
    is_read_only: bool,
    warning: Option<Error>,
}

struct Connection {
    client: Client,
    statements: HashMap<String, Statement>,
    notices: Arc<Notices>,
    /// The task that reads and writes the socket.
    driver: AbortHandle,
    /// A rollback failed, so the transaction may still be open.
    is_broken: bool,
    /// A pooler may run each transaction in another session of the server, which does not know prepared statements.
    is_pooled: bool,
}

impl Connection {
    fn new(session: Session, negotiator: &Negotiator) -> Self {
        let Session { client, notices, driver, process } = session;
        let is_pooled = process != Some(negotiator.announced.process());
        Self { client, statements: HashMap::new(), notices, driver, is_broken: false, is_pooled }
    }

    fn is_usable(&self) -> bool {
        !self.is_broken && !self.client.is_closed()
    }
}

/// Notices of the server, which are not part of a response.
#[derive(Default)]
struct Notices {
    /// The server sent a warning: a commit is possibly not replicated.
    has_warned: AtomicBool,
    /// The server ends the session. If this happens just after a commit, it is uncertain whether the commit is durable.
    ends: AtomicBool,
}

impl Notices {
    fn add(&self, notice: &DbError) {
        let is_end = matches!(*notice.code(), SqlState::ADMIN_SHUTDOWN | SqlState::CRASH_SHUTDOWN);
        self.ends.fetch_or(is_end, Ordering::SeqCst);
        self.has_warned.fetch_or(!is_end && notice.severity() == "WARNING", Ordering::SeqCst);
    }
}

/// Why a transaction ended without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Failure {
    /// A serialization failure or deadlock: nothing was committed.
    Again,
    /// The connection was lost.
    Lost,
}

/// Why there is no connection.
enum Unconnected {
    Postgres(tokio_postgres::Error),
    Socket(io::Error),
}

impl From<tokio_postgres::Error> for Unconnected {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Postgres(error)
    }
}

async fn connected(
    mut config: Config,
    negotiator: Negotiator,
) -> std::result::Result<(Client, Messages), Unconnected> {
    let socket = match (config.get_hosts().first(), config.get_hostaddrs()) {
        (Some(Host::Unix(folder)), []) => {
            let port = config.get_ports().first().copied().unwrap_or(5432);
            Some(folder.join(format!(".s.PGSQL.{port}")))
        }
        _ => None,
    };
    if let Some(path) = socket {
        config.ssl_mode(SslMode::Disable);
        let limit = config.get_connect_timeout().copied().unwrap_or(RECONNECT);
        let stream = tokio::time::timeout(limit, UnixStream::connect(path)).await;
        let stream = stream.map_err(|_| Unconnected::Socket(io::ErrorKind::TimedOut.into()))?;
        let stream = negotiator.plain(stream.map_err(Unconnected::Socket)?);
        let (client, connection) = config.connect_raw(stream, NoTls).await?;
        return Ok((client, messages(connection)));
    }
    // The negotiator sends the request for TLS.
    config.ssl_mode(SslMode::Require).ssl_negotiation(SslNegotiation::Direct);
    let (client, connection) = config.connect(negotiator).await?;
    Ok((client, messages(connection)))
}

impl Unconnected {
    /// The error of a connection with these settings. It names the server.
    fn at(&self, config: &Config) -> Error {
        let (text, cause) = match self {
            Self::Socket(error) => (error.to_string(), system_error(error)),
            Self::Postgres(error) => match failed(error) {
                Error::Journal(text, cause) => (text, cause),
                other => return other,
            },
        };
        Error::Journal(format!("{}: {text}", server(config)), cause)
    }

    fn may_return(&self) -> bool {
        match self {
            Self::Socket(_) => true,
            Self::Postgres(error) => may_return(error),
        }
    }
}

/// A new connection.
struct Session {
    client: Client,
    notices: Arc<Notices>,
    driver: AbortHandle,
    /// The process of the server that answers.
    process: Option<i32>,
}

/// Connects, and asks which process of the server answers. A pooler accepts a connection also while it cannot reach the server,
/// and reports that at the first statement.
async fn session(config: Config, negotiator: Negotiator) -> std::result::Result<Session, Unconnected> {
    let (client, mut next_message) = connected(config, negotiator).await?;
    let notices = Arc::<Notices>::default();
    let reported = notices.clone();
    let driver = tokio::spawn(poll_fn(move |context| {
        loop {
            match next_message(context) {
                Poll::Ready(Some(Ok(AsyncMessage::Notice(notice)))) => reported.add(&notice),
                Poll::Ready(Some(Ok(_))) => {}
                Poll::Ready(Some(Err(_)) | None) => return Poll::Ready(()),
                Poll::Pending => return Poll::Pending,
            }
        }
    }));
    let process = client.query_typed("SELECT pg_backend_pid()", &[]).await?;
    let process = process.first().and_then(|row| row.try_get(0).ok());
    Ok(Session { client, notices, driver: driver.abort_handle(), process })
}

/// Whether another process created the table at the same time. The server finds it by the unique index of the table's type, or, if that
/// process has committed already, by the name of the type or of the table.
fn is_created_by_another(error: &tokio_postgres::Error) -> bool {
    let found = [&SqlState::UNIQUE_VIOLATION, &SqlState::DUPLICATE_OBJECT, &SqlState::DUPLICATE_TABLE];
    error.code().is_some_and(|code| found.contains(&code))
}

impl PostgresStore {
    /// Connects and creates the table with the row that transactions lock.
    ///
    /// # Errors
    /// When the server cannot be reached, has `fsync` off, or the journal is not the one that was written last.
    pub fn open(url: &str, options: OpenOptions) -> Result<Self> {
        let runtime =
            Builder::new_multi_thread().worker_threads(1).enable_all().build().map_err(Error::Thread)?;
        let (config, negotiator) = tls::connection(url, &|name| std::env::var_os(name))?;
        let process = std::process::id();
        let place = place(&config);
        let mut store = Self {
            runtime: Some(runtime),
            config,
            negotiator,
            connection: None,
            process,
            place,
            known: None,
            state: StateFile::default(),
            retiring: None,
            synced: Instant::now(),
            is_read_only: false,
            warning: None,
        };
        if !options.read_only && !options.declares {
            store.prepare()?;
        }
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
                Err(error) if is_created_by_another(&error) && tries < 10 => tries += 1,
                Err(error) => return Err(failed(&error)),
            }
        }
    }

    /// Stores the identity of a new journal, or compares it.
    fn identify(&mut self, options: OpenOptions) -> Result<()> {
        if options.declares {
            return Ok(());
        }
        if !options.read_only {
            let new = Identity::Open(Token::random()?);
            let place = self.place.clone();
            return self.repeated(true, new, &mut |transaction| {
                finish_retirement(transaction)?
                    .map_err(|mismatch| Error::Copied { place: place.clone(), mismatch })
            });
        }
        // Workers raise what the state folder remembers after each commit, so it is read before the row that is compared.
        let mut remembered = 0;
        self.read_lock_row(&mut |row| {
            remembered = highest_in_state_folder(row)?;
            Ok(())
        })?;
        let mut found = Ok(());
        self.read_lock_row(&mut |row| {
            let is_primary = row.optional_text("server")?.is_some();
            let read = || Locked::read(row, Identity::Read(remembered));
            found = if is_primary { read()?.map(|_| ()) } else { Ok(()) };
            Ok(())
        })?;
        let place = self.place.clone();
        self.warning = found.err().map(|mismatch| Error::Copied { place, mismatch });
        self.is_read_only = true;
        Ok(())
    }

    /// Reads the row that transactions lock, without the lock, in a transaction of its own.
    fn read_lock_row(&mut self, read: &mut dyn FnMut(&Row) -> Result<()>) -> Result<()> {
        let (place, other) = (self.place.clone(), "a database without the tables of a journal");
        self.repeated(false, Identity::Read(0), &mut |transaction| {
            let rows = transaction.query(&READ_LOCK, &[])?;
            let not_a_journal = || Error::NotAJournal { place: place.clone(), found: other };
            read(rows.first().ok_or_else(not_a_journal)?)
        })
    }

    fn connect(&mut self) -> Result<()> {
        if self.connection.as_ref().is_some_and(Connection::is_usable) {
            return Ok(());
        }
        let Some(runtime) = &self.runtime else { return Err(Error::Task) };
        let until = Instant::now() + RECONNECT;
        let session = loop {
            let task = runtime.spawn(session(self.config.clone(), self.negotiator.clone()));
            match block_on(task).map_err(|_| Error::Task)? {
                Ok(session) => break session,
                Err(Unconnected::Postgres(error))
                    if self.connection.is_some() && may_return(&error) && Instant::now() < until =>
                {
                    tracing::debug!(%error, "the server of the journal cannot be reached");
                    std::thread::sleep(Duration::from_millis(200));
                }
                Err(Unconnected::Socket(error)) if self.connection.is_none() => {
                    let cause = format!("{}: {error}", server(&self.config));
                    return Err(unopened(&self.place)(io::Error::new(error.kind(), cause)));
                }
                Err(error) => return Err(error.at(&self.config)),
            }
        };
        self.connection = Some(Connection::new(session, &self.negotiator));
        Ok(())
    }

    /// Runs one transaction. An error with a [`Failure`] means that the transaction may be run again.
    fn attempt(
        &mut self,
        writes: bool,
        identity: Identity,
        work: Work<'_>,
    ) -> Result<(), (Error, Option<Failure>)> {
        if std::process::id() != self.process {
            return Err((Error::Forked, None));
        }
        self.connect().map_err(|error| (error, None))?;
        let Self { connection: Some(connection), place, .. } = self else {
            return Err((Error::Task, None));
        };
        connection.notices.has_warned.store(false, Ordering::SeqCst);
        let mut open = Open::new(connection, identity, place);
        let result = open.run(writes, work);
        let (failure, locked) = (open.failure, open.locked);
        // The transaction may run again after a commit whose reply was lost.
        self.retiring = locked.as_ref().and_then(|locked| locked.retired).or(self.retiring);
        match result {
            Ok(()) if writes && connection.notices.ends.load(Ordering::SeqCst) => {
                let message = "the server ended the session at a commit";
                Err((Error::Journal(message.to_owned(), None), Some(Failure::Lost)))
            }
            Ok(()) if writes && connection.notices.has_warned.load(Ordering::SeqCst) => {
                let message =
                    "the server sent a warning at a commit; the commit may be lost if the server fails";
                Err((Error::Journal(message.to_owned(), None), None))
            }
            Ok(()) => {
                let recorded = locked.map_or(Ok(()), |locked| self.record(&locked));
                recorded.map_err(|error| (error, None))
            }
            Err(error) => {
                if failure != Some(Failure::Lost) {
                    connection.is_broken = block_on(connection.client.batch_execute("ROLLBACK")).is_err();
                }
                Err((error, failure))
            }
        }
    }

    fn copied(&self, mismatch: IdentityMismatch) -> Error {
        Error::Copied { place: self.place.clone(), mismatch }
    }

    /// Remembers the serial of a durable commit, in this store and in the state folder.
    fn record(&mut self, locked: &Locked) -> Result<()> {
        let finished = self.retiring.take().map_or(Ok(()), |retiring| retiring.carry_out(locked.epoch));
        finished.map_err(|mismatch| self.copied(mismatch))?;
        if self.known.is_none_or(|(epoch, _)| epoch != locked.epoch) {
            self.state = StateFile::open(locked.epoch);
        }
        self.known = Some((locked.epoch, locked.serial));
        self.state.raise(locked.serial).map_err(|mismatch| self.copied(mismatch))?;
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.synced = Instant::now();
            self.state.sync();
        }
        Ok(())
    }

    fn repeated(&mut self, writes: bool, identity: Identity, work: Work<'_>) -> Result<()> {
        let until = Instant::now() + RECONNECT;
        loop {
            match self.attempt(writes, identity, work) {
                Err((_, Some(_))) if Instant::now() < until => std::thread::sleep(Duration::from_millis(2)),
                result => return result.map_err(|(error, _)| error),
            }
        }
    }
}

impl Drop for PostgresStore {
    fn drop(&mut self) {
        self.state.sync();
        // A runtime must not wait for its threads inside another runtime.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Store for PostgresStore {
    fn write(&mut self, work: Work<'_>) -> Result<()> {
        let (epoch, seen) = self.known.filter(|_| !self.is_read_only).ok_or(Error::ReadOnly)?;
        if self.state.highest() == RETIRED {
            return Err(self.copied(IdentityMismatch::Retired));
        }
        self.repeated(true, Identity::Same(epoch, seen), work)
    }

    fn read(&mut self, work: Work<'_>) -> Result<()> {
        self.repeated(false, Identity::Open(NO_EPOCH), work)
    }

    fn declare(&mut self, declaration: Declaration, work: DeclarationWork<'_>) -> Result<()> {
        let (epoch, place) = (Token::random()?, self.place.clone());
        self.repeated(true, Identity::Declare(epoch, declaration), &mut |transaction| {
            let finished = finish_retirement(transaction)?;
            if declaration == Declaration::Moved {
                finished.map_err(|mismatch| Error::Copied { place: place.clone(), mismatch })?;
            }
            let locked = transaction.query(&READ_LOCK, &[])?;
            let location = locked.first().map_or(Ok(Location::Elsewhere), location)?;
            work(transaction, location)?;
            match declaration {
                Declaration::Moved => store_retirement(transaction, epoch),
                Declaration::Restored => {
                    transaction.execute("DELETE FROM meta WHERE name = 'retired'", &[]).map(drop)
                }
            }
        })
    }

    fn place(&self) -> String {
        self.place.clone()
    }

    fn bytes_type(&self) -> &'static str {
        "BYTEA"
    }

    fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    fn warning(&self) -> Option<&Error> {
        self.warning.as_ref()
    }
}

/// The characters of a name that an address contains in another form. A socket is named by its folder, whose `/` would end the host.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The address of a journal without its password. It can be used as an address again.
fn place(config: &Config) -> String {
    let encoded = |text: &str| utf8_percent_encode(text, ENCODED).to_string();
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) if name.contains(':') => format!("[{name}]"),
        Some(Host::Tcp(name)) => name.clone(),
        Some(Host::Unix(path)) => encoded(&path.to_string_lossy()),
        None => "localhost".to_owned(),
    };
    let user = config.get_user().map_or(String::new(), |user| format!("{}@", encoded(user)));
    let port = config.get_ports().first().map_or(String::new(), |port| format!(":{port}"));
    format!("postgres://{user}{host}{port}/{}", encoded(database(config)))
}

/// The server of a connection, in the words of libpq: its host, or the folder of its socket, and its port.
fn server(config: &Config) -> String {
    let hosts: Vec<String> = config
        .get_hosts()
        .iter()
        .map(|host| match host {
            Host::Tcp(name) => name.clone(),
            Host::Unix(folder) => folder.display().to_string(),
        })
        .collect();
    let hosts = if hosts.is_empty() { "localhost".to_owned() } else { hosts.join(" or ") };
    let ports: Vec<String> = config.get_ports().iter().map(u16::to_string).collect();
    let ports = if ports.is_empty() { "5432".to_owned() } else { ports.join(" or ") };
    format!("the server {hosts}, port {ports}, database {}", database(config))
}

fn database(config: &Config) -> &str {
    config.get_dbname().or(config.get_user()).unwrap_or_default()
}

fn in_recovery() -> Error {
    Error::Setting("the server must not be in recovery or read-only".to_owned())
}

/// Whether another attempt to connect may succeed: the server was not reached, is starting or stopping, or has too many
/// connections. A pooler that cannot reach the server reports a protocol violation. A missing database or a wrong password is a
/// permanent error.
fn may_return(error: &tokio_postgres::Error) -> bool {
    matches!(
        error.code(),
        None | Some(
            &SqlState::CANNOT_CONNECT_NOW
                | &SqlState::TOO_MANY_CONNECTIONS
                | &SqlState::ADMIN_SHUTDOWN
                | &SqlState::CRASH_SHUTDOWN
                | &SqlState::PROTOCOL_VIOLATION
        )
    )
}

/// Converts an error of the server. Its message may quote values, so only its code and what that means is reported.
fn failed(error: &tokio_postgres::Error) -> Error {
    match error.code() {
        Some(&SqlState::DISK_FULL) => Error::DiskFull,
        Some(&SqlState::READ_ONLY_SQL_TRANSACTION) => in_recovery(),
        Some(code) => {
            let text = match sql_state::meaning(code) {
                Some(meaning) => format!("{meaning} (SQLSTATE {})", code.code()),
                None => format!("the server reported the error {}", code.code()),
            };
            Error::Journal(text, None)
        }
        None => Error::Journal(with_cause(error), system_error(error)),
    }
}

/// The error of the system that caused this one.
fn system_error(
    error: &(dyn std::error::Error + 'static),
) -> Option<Box<dyn std::error::Error + Send + Sync>> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return Some(Box::new(io::Error::new(error.kind(), error.to_string())));
        }
        next = error.source();
    }
    None
}

/// `Debug` shows the address without its password, and no content.
impl std::fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PostgresStore")
            .field("place", &self.place)
            .field("process", &self.process)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_journal_is_an_address_of_it() {
        for (url, expected) in [
            ("postgres://ann:secret@db.example:5433/shop", "postgres://ann@db.example:5433/shop"),
            (
                "postgres://ann@%2Fvar%2Frun%2Fpostgresql:5433/shop",
                "postgres://ann@%2Fvar%2Frun%2Fpostgresql:5433/shop",
            ),
            ("postgres:///shop?host=/tmp/my+sockets&user=ann", "postgres://ann@%2Ftmp%2Fmy%2Bsockets/shop"),
            ("postgres://a%40b@[::1]/my%2Fshop", "postgres://a%40b@[::1]:5432/my%2Fshop"),
        ] {
            let config: Config = url.parse().unwrap();
            let found = place(&config);
            assert_eq!(found, expected);
            let again: Config = found.parse().unwrap();
            assert_eq!(again.get_hosts(), config.get_hosts(), "{found}");
            assert_eq!((again.get_user(), again.get_dbname()), (config.get_user(), config.get_dbname()));
            let port = |config: &Config| config.get_ports().first().copied().unwrap_or(5432);
            assert_eq!(port(&again), port(&config));
        }
    }
}
