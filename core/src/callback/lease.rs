//! Leases: the handler of each event runs once, and no accepted event is lost.
//!
//! Before the handler, a request claims its event for the time of a lease; after the handler returned, the event is recorded
//! as done. A repeat of the provider is answered 200 if the event is done, and 503 while another request processes it. If the
//! handler fails, its lease is freed; if its process is killed, the lease ends. Either way the next repeat runs the handler.

#[cfg(all(feature = "leases", not(target_family = "wasm")))]
mod filter;
mod memory;
#[cfg(all(feature = "leases", not(target_family = "wasm")))]
mod store;

use std::time::Duration;

#[cfg(all(feature = "axum", not(target_family = "wasm")))]
pub(in crate::callback) use filter::unless_it_panics;
#[cfg(all(feature = "leases", not(target_family = "wasm")))]
pub use filter::{Lease, LeaseReply, Leases};
pub use memory::LeaseMemory;
#[cfg(all(feature = "leases", not(target_family = "wasm")))]
pub use store::LeaseStore;

use crate::util::hex::{hex, is_hex};
use crate::util::system_random;

/// The time after which an event that is being processed may be claimed again, unless another is set.
pub const DEFAULT_LEASE: Duration = Duration::from_secs(90);
/// The shortest lease.
pub const MIN_LEASE: Duration = Duration::from_secs(1);
/// The longest lease.
pub const MAX_LEASE: Duration = Duration::from_secs(86_400);
/// The time for which an event is remembered as done, unless another is set: 14 days.
pub const DEFAULT_KEEP: Duration = Duration::from_secs(1_209_600);
/// The shortest such time.
pub const MIN_KEEP: Duration = Duration::from_secs(1);

const TOKEN_BYTES: usize = 16;

/// The answer of a store to a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// The caller has the lease: its handler runs.
    New,
    /// Another token has the lease, for this time at most.
    Busy(Duration),
    /// A handler has completed.
    Done,
}

/// Why a filter cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LeaseError {
    /// The lease is out of range.
    #[error("a lease must be from 1 to 86,400 seconds")]
    Lease,
    /// The retention is out of range.
    #[error("the time for which an event is remembered as done must be at least 1 second")]
    Keep,
}

/// Checks the time of a lease.
///
/// # Errors
/// [`LeaseError::Lease`].
pub fn valid_lease(lease: Duration) -> Result<Duration, LeaseError> {
    if (MIN_LEASE..=MAX_LEASE).contains(&lease) { Ok(lease) } else { Err(LeaseError::Lease) }
}

/// A token of 128 random bits, as hexadecimal digits. `None` if the operating system has no random bytes.
#[doc(hidden)]
#[must_use]
pub fn new_token() -> Option<String> {
    let mut random = [0; TOKEN_BYTES];
    system_random::fill(&mut random).then(|| hex(&random))
}

/// Whether a text has the form of a token: 32 hexadecimal digits in lower case.
#[doc(hidden)]
#[must_use]
pub fn is_token(text: &str) -> bool {
    is_hex(text, TOKEN_BYTES)
}

/// The whole seconds of `Retry-After` for the rest of a lease: rounded up, at least 1.
#[doc(hidden)]
#[must_use]
pub fn retry_after(left: Duration) -> u64 {
    left.as_secs().saturating_add(u64::from(left.subsec_nanos() > 0)).max(1)
}
