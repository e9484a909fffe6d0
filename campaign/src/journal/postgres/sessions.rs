//! Short transactions in a database of Postgres, without the lock and the identity of a journal. Several run at the same time, each
//! in a session of its own.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pollster::block_on;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;
use tokio_postgres::Config;

use super::super::store::Work;
use super::identity::Identity;
use super::negotiation::Negotiator;
use super::transaction::Open;
use super::{Connection, Failure, NO_EPOCH, place, server, session, tls};
use crate::error::{Error, Result};

/// The time limit of one transaction, with the connection and the attempts that it needs. A client waits one second longer.
const LIMIT: Duration = Duration::from_secs(4);

/// The pause before another attempt.
const PAUSE: Duration = Duration::from_millis(20);

/// The pause before another attempt to connect.
const PAUSE_TO_CONNECT: Duration = Duration::from_millis(100);

/// How many sessions may be open at the same time. Further transactions wait, because the server has few sessions for all programs.
const MAX_SESSIONS: usize = 8;

/// How long a session stays open that is not in use.
const MAX_IDLE: Duration = Duration::from_secs(5);

/// The server too gives up, so that a process that became silent blocks nobody.
const BEGIN: &str =
    "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '4s'; SET LOCAL statement_timeout = '4s';
    SET LOCAL idle_in_transaction_session_timeout = '4s'";

/// The sessions of one database.
pub(crate) struct Sessions {
    config: Config,
    negotiator: Negotiator,
    place: String,
    pool: Mutex<Option<Pool>>,
}

/// The sessions that are not in use, and the thread that drives all of them.
struct Pool {
    process: u32,
    runtime: Runtime,
    /// A permit for each session in use.
    permits: Arc<Semaphore>,
    idle: Vec<Idle>,
}

impl Pool {
    fn new() -> Result<Self> {
        let runtime =
            Builder::new_multi_thread().worker_threads(1).enable_all().build().map_err(Error::Thread)?;
        let permits = Arc::new(Semaphore::new(MAX_SESSIONS));
        Ok(Self { process: std::process::id(), runtime, permits, idle: Vec::new() })
    }
}

/// A session that is not in use, and the task that closes it after a while.
struct Idle {
    connection: Connection,
    closing: AbortHandle,
}

/// A session in use, the handle of the runtime that drives it, and its permit.
struct InUse {
    connection: Connection,
    handle: Handle,
    _permit: OwnedSemaphorePermit,
}

impl std::fmt::Debug for Sessions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sessions").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Sessions {
    /// Reads an address, without connecting.
    pub(crate) fn new(url: &str) -> Result<Self> {
        let (config, negotiator) = tls::connection(url, &|name| std::env::var_os(name))?;
        let place = place(&config);
        Ok(Self { config, negotiator, place, pool: Mutex::new(None) })
    }

    /// The address without its password.
    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    /// Runs a transaction. A serialization failure, a lost connection, or a server that cannot be reached or has too many connections
    /// runs it again, within the limit.
    pub(crate) fn run(&self, work: Work<'_>) -> Result<()> {
        let until = Instant::now() + LIMIT;
        loop {
            let mut session = self.session(until)?;
            let driver = session.connection.driver.clone();
            // Without its driver, a connection fails what waits for it.
            let watchdog = session.handle.spawn(async move {
                tokio::time::sleep_until(until.into()).await;
                driver.abort();
            });
            let mut open = Open::new(&mut session.connection, Identity::Open(NO_EPOCH), &self.place);
            let result = open.run_alone(BEGIN, work);
            let failure = open.failure;
            if result.is_err() && failure != Some(Failure::Lost) {
                let rollback = block_on(session.connection.client.batch_execute("ROLLBACK"));
                session.connection.is_broken = rollback.is_err();
            }
            watchdog.abort();
            self.give_back(session);
            match result {
                Err(_) if failure.is_some() && Instant::now() + PAUSE < until => std::thread::sleep(PAUSE),
                Err(_) if Instant::now() >= until => {
                    return Err(Error::Journal(format!("no response within {} s", LIMIT.as_secs()), None));
                }
                result => return result,
            }
        }
    }

    /// A session that is not in use, or a new one. Waits while too many are in use.
    fn session(&self, until: Instant) -> Result<InUse> {
        let (handle, permits) = self.handle_and_permits()?;
        let permit = match permits.clone().try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                let free =
                    async move { tokio::time::timeout_at(until.into(), permits.acquire_owned()).await };
                let free = block_on(handle.spawn(free)).map_err(|_| Error::Task)?;
                let none_free = format!("no session became free within {} s", LIMIT.as_secs());
                free.map_err(|_| Error::Journal(none_free, None))?.map_err(|_| Error::Task)?
            }
        };
        let connection = match self.idle_connection() {
            Some(connection) => connection,
            None => self.connect(&handle, until)?,
        };
        Ok(InUse { connection, handle, _permit: permit })
    }

    fn handle_and_permits(&self) -> Result<(Handle, Arc<Semaphore>)> {
        let mut pool = self.lock();
        // The threads and sockets of a pool that a fork copied belong to the parent.
        if pool.as_ref().is_some_and(|pool| pool.process != std::process::id()) {
            std::mem::forget(pool.take());
        }
        let pool = match &mut *pool {
            Some(pool) => pool,
            none => none.insert(Pool::new()?),
        };
        Ok((pool.runtime.handle().clone(), pool.permits.clone()))
    }

    fn idle_connection(&self) -> Option<Connection> {
        let mut pool = self.lock();
        let idle = &mut pool.as_mut()?.idle;
        while let Some(Idle { connection, closing }) = idle.pop() {
            closing.abort();
            if connection.is_usable() {
                return Some(connection);
            }
        }
        None
    }

    /// A new session. While the server starts, stops or has too many connections, tries again. The error is the last answer of the server.
    fn connect(&self, handle: &Handle, until: Instant) -> Result<Connection> {
        let mut answer = None;
        loop {
            let (config, negotiator) = (self.config.clone(), self.negotiator.clone());
            let task = handle.spawn(async move {
                tokio::time::timeout_at(until.into(), session(config, negotiator)).await
            });
            let connected = match block_on(task).map_err(|_| Error::Task)? {
                Ok(connected) => connected,
                Err(_) => {
                    let cause = format!("no connection within {} s", LIMIT.as_secs());
                    let silent = Error::Journal(format!("{}: {cause}", server(&self.config)), None);
                    return Err(answer.unwrap_or(silent));
                }
            };
            let (error, is_transient) = match connected {
                Ok(session) => return Ok(Connection::new(session, &self.negotiator)),
                Err(error) => (error.at(&self.config), error.may_return()),
            };
            if !is_transient || Instant::now() + PAUSE_TO_CONNECT >= until {
                return Err(error);
            }
            tracing::debug!(%error, place = self.place, "the server of a store cannot be reached");
            answer = Some(error);
            std::thread::sleep(PAUSE_TO_CONNECT);
        }
    }

    /// Keeps a session for the next transaction. The permit becomes free after that, so the sessions never exceed their limit.
    fn give_back(&self, session: InUse) {
        let InUse { connection, handle, _permit } = session;
        if connection.is_usable()
            && let Some(pool) = &mut *self.lock()
        {
            let driver = connection.driver.clone();
            let closing = handle.spawn(async move {
                tokio::time::sleep(MAX_IDLE).await;
                driver.abort();
            });
            pool.idle.push(Idle { connection, closing: closing.abort_handle() });
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Pool>> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Sessions {
    fn drop(&mut self) {
        let Some(pool) = self.lock().take() else { return };
        if pool.process != std::process::id() {
            std::mem::forget(pool);
            return;
        }
        // A runtime must not wait for its threads inside another runtime.
        pool.runtime.shutdown_background();
    }
}
