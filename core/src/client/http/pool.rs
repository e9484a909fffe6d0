//! Connections between two calls.
//!
//! One belongs to the runtime that its socket is registered with, and to the process that made it: the child of a fork
//! shares the parent's set of sockets, so it neither uses nor closes what it inherited. It does not even touch the
//! parent's lock, which another thread may have held at the fork.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::Id;

use super::connection::Connection;

/// Below common keep-alives: a connection that the server closed gives a false unknown.
const LONGEST: Duration = Duration::from_secs(4);
/// For each origin.
const MOST: usize = 64;

/// The connections of this process; those of a parent stand before them.
pub(crate) struct Pool {
    process: u32,
    origins: Mutex<Vec<Origin>>,
    child: OnceLock<Box<Pool>>,
}

struct Origin {
    name: Box<str>,
    /// The oldest first.
    idle: VecDeque<Idle>,
}

struct Idle {
    connection: Connection,
    runtime: Id,
    since: Instant,
}

impl Default for Pool {
    fn default() -> Self {
        Self { process: std::process::id(), origins: Mutex::default(), child: OnceLock::new() }
    }
}

impl Pool {
    /// The youngest connection to this origin that is still good.
    pub(crate) fn take(&self, origin: &str, runtime: Id) -> Option<Connection> {
        let now = Instant::now();
        loop {
            let idle = self.pop(origin, runtime)?;
            if !idle.is_old(now) && idle.connection.is_silent() {
                return Some(idle.connection);
            }
        }
    }

    pub(crate) fn put(&self, origin: &str, runtime: Id, connection: Connection) {
        let idle = Idle { connection, runtime, since: Instant::now() };
        let mut origins = self.lock();
        reap(&mut origins, idle.since);
        match origins.iter_mut().find(|known| *known.name == *origin) {
            Some(known) => known.push(idle),
            None => origins.push(Origin { name: origin.into(), idle: VecDeque::from([idle]) }),
        }
    }

    fn pop(&self, origin: &str, runtime: Id) -> Option<Idle> {
        let mut origins = self.lock();
        let idle = &mut origins.iter_mut().find(|known| *known.name == *origin)?.idle;
        let youngest = idle.iter().rposition(|idle| idle.runtime == runtime)?;
        idle.remove(youngest)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Origin>> {
        let mut pool = self;
        let process = std::process::id();
        while pool.process != process {
            pool = pool.child.get_or_init(Box::default);
        }
        pool.origins.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            let origins = self.origins.get_mut().unwrap_or_else(PoisonError::into_inner);
            std::mem::forget(std::mem::take(origins));
        }
    }
}

impl Origin {
    fn push(&mut self, idle: Idle) {
        if self.idle.len() >= MOST {
            self.idle.pop_front();
        }
        self.idle.push_back(idle);
    }
}

impl Idle {
    fn is_old(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.since) >= LONGEST
    }
}

/// Closes what is old, at whatever origin.
fn reap(origins: &mut Vec<Origin>, now: Instant) {
    for origin in origins.iter_mut() {
        while origin.idle.front().is_some_and(|idle| idle.is_old(now)) {
            origin.idle.pop_front();
        }
    }
    // A few empty ones cost nothing; those of many tenants would.
    if origins.len() > MOST {
        origins.retain(|origin| !origin.idle.is_empty());
    }
}

#[cfg(test)]
impl Pool {
    /// As it stands in the child of a fork.
    pub(crate) fn of_another_process(mut self) -> Self {
        self.process ^= 1;
        self
    }

    pub(crate) fn grow_older(&self, by: Duration) {
        for idle in self.lock().iter_mut().flat_map(|origin| &mut origin.idle) {
            idle.since = idle.since.checked_sub(by).unwrap();
        }
    }
}
