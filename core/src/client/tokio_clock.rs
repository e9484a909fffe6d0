//! The clock of tokio and the operating system.

use std::sync::LazyLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::runtime::Handle;
use tokio::task::coop::unconstrained;
use tokio::task::yield_now;
use tokio::time::{Instant, sleep};

use crate::clock::{BoxFuture, Clock, NoEntropy};
use crate::util::system_random;

/// Follows tokio's time, which tests can pause.
pub(crate) struct TokioClock;

/// The first use of the clock in this process.
static FIRST_USE: LazyLock<Instant> = LazyLock::new(Instant::now);
/// The monotonic time of the first use. A paused runtime may have an earlier time.
const TIME_OF_FIRST_USE: Duration = Duration::from_secs(1 << 32);

impl Clock for TokioClock {
    fn monotonic(&self) -> Duration {
        let (first, now) = (*FIRST_USE, Instant::now());
        let (after, before) = (now.saturating_duration_since(first), first.saturating_duration_since(now));
        TIME_OF_FIRST_USE.saturating_add(after).saturating_sub(before)
    }

    fn unix_time(&self) -> Duration {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    fn sleep(&self, duration: Duration) -> Option<BoxFuture<'_, ()>> {
        if duration.is_zero() {
            return Some(Box::pin(yield_now()));
        }
        Handle::try_current().ok()?;
        // A transport that always has data must not delay its time limit.
        Some(Box::pin(unconstrained(sleep(duration))))
    }

    fn fill_random(&self, bytes: &mut [u8]) -> Result<(), NoEntropy> {
        if system_random::fill(bytes) { Ok(()) } else { Err(NoEntropy) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paused_runtime_that_is_behind_or_ahead_has_its_own_time() {
        let clock = TokioClock;
        let paused = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        let paused = paused.unwrap();
        let before = paused.block_on(async { clock.monotonic() });
        std::thread::sleep(Duration::from_millis(2));
        assert!(clock.monotonic() > before, "the time of the process goes on");
        let after = paused.block_on(async {
            clock.sleep(Duration::from_secs(3600)).unwrap().await;
            clock.monotonic()
        });
        assert_eq!((after - before).as_secs(), 3600);
        assert!(clock.monotonic() < after);
    }

    #[test]
    fn waiting_needs_a_runtime() {
        assert!(TokioClock.sleep(Duration::from_secs(1)).is_none());
        assert!(TokioClock.sleep(Duration::ZERO).is_some());
    }
}
