//! Short transactions in a database of Postgres, without the lock and the identity of a journal. Several run at the same time, each
//! in a session of its own.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pollster::block_on;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio_postgres::Config;

use super::super::store::Work;
use super::identity::Identity;
use super::negotiation::Negotiator;
use super::transaction::Open;
use super::{Connection, Failure, NO_EPOCH, Unconnected, failed, place, session, tls};
use crate::error::{Error, Result};

/// The time limit of one transaction, with the connection and the attempts that it needs. A client waits one second longer.
const LIMIT: Duration = Duration::from_secs(4);

/// The pause before another attempt.
const PAUSE: Duration = Duration::from_millis(20);

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
    idle: Vec<Connection>,
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

    /// Runs a transaction. A serialization failure or a lost connection runs it again, within the limit.
    pub(crate) fn run(&self, work: Work<'_>) -> Result<()> {
        let until = Instant::now() + LIMIT;
        loop {
            let (mut connection, handle) = self.connection(until)?;
            let driver = connection.driver.clone();
            // Without its driver, a connection fails what waits for it.
            let watchdog = handle.spawn(async move {
                tokio::time::sleep_until(until.into()).await;
                driver.abort();
            });
            let mut open = Open::new(&mut connection, Identity::Open(NO_EPOCH), &self.place);
            let result = open.run_alone(BEGIN, work);
            let failure = open.failure;
            if result.is_err() && failure != Some(Failure::Lost) {
                connection.is_broken = block_on(connection.client.batch_execute("ROLLBACK")).is_err();
            }
            watchdog.abort();
            self.give_back(connection);
            match result {
                Err(_) if failure.is_some() && Instant::now() + PAUSE < until => std::thread::sleep(PAUSE),
                Err(_) if Instant::now() >= until => {
                    return Err(Error::Journal(format!("no response within {} s", LIMIT.as_secs())));
                }
                result => return result,
            }
        }
    }

    /// A session that is not in use, or a new one, and the handle of the runtime that drives it.
    fn connection(&self, until: Instant) -> Result<(Connection, Handle)> {
        let handle = {
            let mut pool = self.lock();
            // The threads and sockets of a pool that a fork copied belong to the parent.
            if pool.as_ref().is_some_and(|pool| pool.process != std::process::id()) {
                std::mem::forget(pool.take());
            }
            let pool = match &mut *pool {
                Some(pool) => pool,
                none => {
                    let runtime = Builder::new_multi_thread()
                        .worker_threads(1)
                        .enable_all()
                        .build()
                        .map_err(Error::Open)?;
                    none.insert(Pool { process: std::process::id(), runtime, idle: Vec::new() })
                }
            };
            let handle = pool.runtime.handle().clone();
            while let Some(connection) = pool.idle.pop() {
                if connection.is_usable() {
                    return Ok((connection, handle));
                }
            }
            handle
        };
        let (config, negotiator) = (self.config.clone(), self.negotiator.clone());
        let task = handle
            .spawn(async move { tokio::time::timeout_at(until.into(), session(config, negotiator)).await });
        let connected = match block_on(task).map_err(|_| Error::Task)? {
            Ok(connected) => connected,
            Err(_) => return Err(Error::Journal(format!("no connection within {} s", LIMIT.as_secs()))),
        };
        match connected {
            Ok(session) => Ok((Connection::new(session, &self.negotiator), handle)),
            Err(Unconnected::Postgres(error)) => Err(failed(&error)),
            Err(Unconnected::Socket(error)) => Err(Error::Open(error)),
        }
    }

    fn give_back(&self, connection: Connection) {
        if connection.is_usable()
            && let Some(pool) = &mut *self.lock()
        {
            pool.idle.push(connection);
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
