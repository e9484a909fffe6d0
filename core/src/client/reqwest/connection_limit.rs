//! Limits the number of connections.
//!
//! An attempt holds a permit while it runs, and reqwest limits the idle connections to each server. A connection becomes idle
//! shortly after its attempt ends, and the next attempt may open another connection before that. A quarter of the active
//! connections is reserved for this case.

use tokio::sync::{Semaphore, SemaphorePermit};

pub(crate) struct ConnectionLimit {
    permits: Semaphore,
    idle: usize,
}

impl ConnectionLimit {
    /// At most `max` connections to `servers` servers.
    pub(crate) fn new(max: usize, servers: usize) -> Self {
        let max = max.min(Semaphore::MAX_PERMITS);
        let (active, idle) = shares(max, servers.max(1));
        Self { permits: Semaphore::new(active), idle }
    }

    /// The maximum number of idle connections to one server.
    pub(crate) fn idle(&self) -> usize {
        self.idle
    }

    /// A permit, if one is available.
    pub(crate) fn try_acquire(&self) -> Option<SemaphorePermit<'_>> {
        self.permits.try_acquire().ok()
    }

    /// Waits for a permit; `None` if the semaphore is closed, which does not happen.
    pub(crate) async fn acquire(&self) -> Option<SemaphorePermit<'_>> {
        self.permits.acquire().await.ok()
    }
}

/// The number of concurrent attempts, and of idle connections to each server. The bound must hold even while all attempts go to
/// one server: they reuse the idle connections to that server, but not the idle connections to the other servers.
fn shares(max: usize, servers: usize) -> (usize, usize) {
    let idle = if servers == 1 { max } else { max / (2 * servers) };
    let active = max - idle * (servers - 1);
    (active - active / 4, idle)
}

#[cfg(test)]
mod tests {
    use super::shares;

    #[test]
    fn active_and_idle_connections_stay_within_the_bound() {
        for (max, servers) in [(128, 1), (128, 2), (128, 6), (7, 3), (1, 4), (2, 2), (4, 2), (1, 1)] {
            let (active, idle) = shares(max, servers);
            assert!(active >= 1, "{max} to {servers}");
            assert!(active + idle * (servers - 1) <= max, "{max} to {servers}");
        }
        assert_eq!(shares(128, 1), (96, 128));
    }
}
