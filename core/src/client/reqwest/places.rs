//! Bounds the number of connections.
//!
//! An attempt holds a place while it runs, and reqwest bounds the idle connections to each server. A connection
//! becomes idle a moment after its attempt ended, and the next attempt may have begun another one by then: one place in
//! four is kept back for that.

use tokio::sync::{Semaphore, SemaphorePermit};

pub(crate) struct Places {
    places: Semaphore,
    idle: usize,
}

impl Places {
    /// At most `most` connections to this number of servers.
    pub(crate) fn new(most: usize, servers: usize) -> Self {
        let most = most.min(Semaphore::MAX_PERMITS);
        let (active, idle) = shares(most, servers.max(1));
        Self { places: Semaphore::new(active), idle }
    }

    /// How many connections may be idle at one server.
    pub(crate) fn idle(&self) -> usize {
        self.idle
    }

    /// A place that is free now.
    pub(crate) fn try_take(&self) -> Option<SemaphorePermit<'_>> {
        self.places.try_acquire().ok()
    }

    /// Waits for a place; none when nobody gives any, which does not happen.
    pub(crate) async fn take(&self) -> Option<SemaphorePermit<'_>> {
        self.places.acquire().await.ok()
    }
}

/// How many attempts may run, and how many connections may be idle at each server: idle ones at the other servers count,
/// those at the server in question are used first.
fn shares(most: usize, servers: usize) -> (usize, usize) {
    let idle = if servers == 1 { most } else { most / (2 * servers) };
    let active = most - idle * (servers - 1);
    (active - active / 4, idle)
}

#[cfg(test)]
mod tests {
    use super::shares;

    #[test]
    fn active_and_idle_connections_stay_within_the_bound() {
        for (most, servers) in [(128, 1), (128, 2), (128, 6), (7, 3), (1, 4), (2, 2), (4, 2), (1, 1)] {
            let (active, idle) = shares(most, servers);
            assert!(active >= 1, "{most} to {servers}");
            assert!(active + idle * (servers - 1) <= most, "{most} to {servers}");
        }
        assert_eq!(shares(128, 1), (96, 128));
    }
}
