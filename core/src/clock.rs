//! The interface between a call and the time and randomness of its host.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

/// A boxed future.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The time and the random bytes of a call. With `http`, [`crate::Client::new`] uses those of tokio and the operating system.
///
/// A clock may be wrong without making an outcome wrong. If the monotonic time goes back, the call has still lasted at least as
/// long as it had before, and each wait counts in full towards the deadline. If it jumps ahead, the deadline passes early. If
/// the Unix time is wrong, so is the wait for a `Retry-After` that names a date; a wait of more than a minute ends the call.
pub trait Clock: Send + Sync {
    /// The time since any fixed moment, such as the start of the process.
    fn monotonic(&self) -> Duration;

    /// The time since 1970-01-01 00:00:00 UTC.
    fn unix_time(&self) -> Duration;

    /// Waits for at least `duration`; for zero, yields to other tasks once. `None` if waiting is not possible here: a call then
    /// ends instead of making another attempt, and nothing limits the time of a closure that is its transport.
    fn sleep(&self, duration: Duration) -> Option<BoxFuture<'_, ()>>;

    /// Fills `bytes` with random bytes that others cannot predict.
    ///
    /// # Errors
    /// [`NoEntropy`]. Without random bytes no client is created, because it could not recognize repeated ids, and a request whose
    /// callback URL needs a token is invalid. Waits between attempts are then halfway between their shortest and longest time.
    fn fill_random(&self, bytes: &mut [u8]) -> Result<(), NoEntropy>;
}

/// The error if a clock has no random bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no random bytes are available")]
pub struct NoEntropy;
