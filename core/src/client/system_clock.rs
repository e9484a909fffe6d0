//! The clock of the operating system, without a way to wait.

use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::clock::{BoxFuture, Clock, NoEntropy};
use crate::util::system_random;

/// The time and the random bytes of the operating system, for clients whose calls run step by step: those wait without a clock.
pub struct SystemClock;

/// The first use of the clock in this process.
static FIRST_USE: LazyLock<Instant> = LazyLock::new(Instant::now);

impl Clock for SystemClock {
    fn monotonic(&self) -> Duration {
        FIRST_USE.elapsed()
    }

    fn unix_time(&self) -> Duration {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    fn sleep(&self, _duration: Duration) -> Option<BoxFuture<'_, ()>> {
        None
    }

    fn fill_random(&self, bytes: &mut [u8]) -> Result<(), NoEntropy> {
        if system_random::fill(bytes) { Ok(()) } else { Err(NoEntropy) }
    }
}
