//! The reply to a claim: the rows that a worker may send.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::marks::PermitEntry;
use crate::chunk::ChunkRow;
use crate::journal::State;
use crate::protocol::Permit;

/// Rows that this worker may send.
pub(super) struct Granted {
    pub(super) chunk: u32,
    pub(super) permit: Permit,
    /// Where its rows are marked before they are sent.
    pub(super) entry: Option<PermitEntry>,
    pub(super) rows: Arc<Vec<ChunkRow>>,
    /// When the claim began, on the clock since boot.
    pub(super) claimed: Duration,
    /// When the first row may start.
    pub(super) start: Instant,
    pub(super) interval: Duration,
    /// Whether its row is sent although an outage is open.
    pub(super) is_probe: bool,
}

/// The reply to a claim.
pub(super) enum ClaimReply {
    Granted(Granted),
    /// Rate, back-off or outage: claim again at this time.
    Wait(Instant),
    /// No row may be sent now. Either the pending rows must wait, or other workers may still settle rows as not sent.
    Idle,
    /// No row is pending, and no other worker has rows in progress.
    Done,
    Stopped(State),
}
