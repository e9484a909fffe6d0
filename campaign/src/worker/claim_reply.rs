//! The reply to a claim: the rows that a worker may send.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::chunk::FrozenRow;
use crate::journal::State;
use crate::protocol::Permit;

/// Rows that this worker may send.
pub(super) struct Granted {
    pub(super) chunk: u32,
    pub(super) permit: Permit,
    pub(super) rows: Arc<Vec<FrozenRow>>,
    /// When the claim began, on the clock since boot.
    pub(super) claimed: Duration,
    /// When the first row may start.
    pub(super) start: Instant,
    pub(super) interval: Duration,
}

/// The response to a claim.
pub(super) enum ClaimReply {
    Granted(Granted),
    /// Rate or back-off: claim again at this time.
    Wait(Instant),
    /// Rows are pending, and none may be sent now; or other workers may give rows back.
    Idle,
    /// No row is pending and no other worker has any.
    Done,
    Stopped(State),
}
