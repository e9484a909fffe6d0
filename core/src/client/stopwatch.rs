//! The time that a call has lasted.

use std::time::Duration;

use crate::clock::Clock;

/// The time since its start, which never shrinks: when the clock goes back, the time before that stays counted.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    last: Duration,
    elapsed: Duration,
}

impl Stopwatch {
    pub(crate) fn start(clock: &dyn Clock) -> Self {
        Self { last: clock.monotonic(), elapsed: Duration::ZERO }
    }

    pub(crate) fn elapsed(&mut self, clock: &dyn Clock) -> Duration {
        let now = clock.monotonic();
        self.elapsed = self.elapsed.saturating_add(now.saturating_sub(self.last));
        self.last = now;
        self.elapsed
    }

    /// Counts a wait that ended now and began at `start`, a result of [`Self::elapsed`], in full, even if the clock stood still.
    pub(crate) fn count_wait(&mut self, clock: &dyn Clock, start: Duration, wait: Duration) {
        self.elapsed = self.elapsed(clock).max(start.saturating_add(wait));
    }
}
