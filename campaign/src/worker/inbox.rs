//! Passes settlements, claims and refreshes from the tasks of a worker to the journal thread, grouped into commits.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, oneshot};

use super::claim_reply::ClaimReply;
use crate::error::{Error, Result};
use crate::journal::{Settlement, StopReason};
use crate::protocol::LARGEST_PERMIT;

/// How long a settlement waits for others that share its commit. During this time its row still counts against the concurrency,
/// which limits the number of unknown rows after a kill.
const GROUP_WAIT: Duration = Duration::from_millis(2);
/// A commit with this many settlements never waits for more.
const LARGEST_GROUP: usize = 512;
/// A claim starts a commit only when at most this many claimed rows are unsent. A commit that could claim fewer rows than this
/// leaves the claim to the next one.
const FEW_ROWS: usize = LARGEST_PERMIT / 4;

/// The sender of the reply to a claim.
pub(super) type ClaimSender = oneshot::Sender<Result<ClaimReply>>;

/// What one commit does.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) settlements: Vec<Settlement>,
    /// Counts rows as in progress; released by the commit.
    pub(super) in_progress: Vec<OwnedSemaphorePermit>,
    /// How long all workers must wait before the next row.
    pub(super) backoff: Duration,
    /// At most this many rows are claimed.
    pub(super) claim: Option<(usize, ClaimSender)>,
    pub(super) refreshes: Vec<oneshot::Sender<Result<()>>>,
    pub(super) halt: Option<StopReason>,
    pub(super) stop: bool,
}

#[derive(Default)]
struct Contents {
    next: Batch,
    /// When the first settlement of the next commit was added.
    since: Option<Instant>,
    /// Rows that were claimed and neither sent nor skipped yet.
    unsent: usize,
    is_closed: bool,
}

impl Contents {
    /// When the next commit is due. `Due::Later` means that nothing requires it yet.
    fn due(&self, full_group: usize) -> Due {
        let next = &self.next;
        let is_claim_due = next.claim.is_some() && self.unsent <= FEW_ROWS;
        let is_urgent = next.stop || next.halt.is_some() || !next.refreshes.is_empty();
        if is_urgent || is_claim_due || next.settlements.len() >= full_group {
            return Due::Now;
        }
        self.since.map_or(Due::Later, |since| Due::At(since + GROUP_WAIT))
    }

    /// Takes the next commit. If fewer than `FEW_ROWS` more rows may be claimed, its claim stays for the commit after it.
    fn take(&mut self) -> Batch {
        self.since = None;
        let mut batch = std::mem::take(&mut self.next);
        let claimable = LARGEST_PERMIT.saturating_sub(self.unsent);
        if claimable < FEW_ROWS {
            self.next.claim = batch.claim.take();
        } else if let Some((limit, _)) = &mut batch.claim {
            *limit = claimable.min(*limit);
        }
        batch
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Due {
    Now,
    At(Instant),
    Later,
}

/// Shared by the journal thread and the tasks.
#[derive(Clone)]
pub(super) struct Inbox {
    shared: Arc<(Mutex<Contents>, Condvar)>,
    /// With this many settlements (half of the concurrency) a commit begins without waiting.
    full_group: usize,
}

impl Inbox {
    pub(super) fn new(concurrency: usize) -> Self {
        Self { shared: Arc::default(), full_group: (concurrency / 2).clamp(1, LARGEST_GROUP) }
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the contents, and wakes the thread if the next commit is then due at another time.
    fn change(&self, change: impl FnOnce(&mut Contents)) {
        let mut contents = self.contents();
        let before = contents.due(self.full_group);
        change(&mut contents);
        if contents.due(self.full_group) != before {
            self.shared.1.notify_one();
        }
    }

    /// Adds an outcome to the next commit. If the journal has failed, the outcome is lost and the row is unknown.
    pub(super) fn settle(
        &self,
        settlement: Settlement,
        backoff: Duration,
        in_progress: OwnedSemaphorePermit,
    ) {
        self.change(|contents| {
            if contents.is_closed {
                return;
            }
            contents.since.get_or_insert_with(Instant::now);
            contents.next.settlements.push(settlement);
            contents.next.in_progress.push(in_progress);
            contents.next.backoff = contents.next.backoff.max(backoff);
        });
    }

    /// Claims a permit in one of the next commits.
    pub(super) fn claim(&self, limit: usize) -> impl Future<Output = Result<ClaimReply>> + Send + use<> {
        let (reply, receiver) = oneshot::channel();
        self.change(|contents| {
            if !contents.is_closed {
                contents.next.claim = Some((limit, reply));
            }
        });
        async move { receiver.await.map_err(|_| Error::Task)? }
    }

    /// Removes the claim if no commit has taken it yet.
    pub(super) fn withdraw_claim(&self) {
        self.change(|contents| contents.next.claim = None);
    }

    /// Reads the state of the campaign.
    pub(super) async fn refresh(&self) -> Result<()> {
        let (reply, receiver) = oneshot::channel();
        self.change(|contents| {
            if !contents.is_closed {
                contents.next.refreshes.push(reply);
            }
        });
        receiver.await.map_err(|_| Error::Task)?
    }

    pub(super) fn halt(&self, reason: StopReason) {
        self.change(|contents| contents.next.halt = Some(reason));
    }

    /// Makes the thread commit the remaining settlements and end.
    pub(super) fn stop(&self) {
        self.change(|contents| contents.next.stop = true);
    }

    /// Counts rows that were claimed.
    pub(super) fn add_unsent(&self, rows: usize) {
        self.change(|contents| contents.unsent += rows);
    }

    /// Counts a claimed row that was sent or skipped.
    pub(super) fn remove_unsent(&self) {
        self.change(|contents| contents.unsent = contents.unsent.saturating_sub(1));
    }

    /// Waits until the next commit is due, at most for `longest`, and returns it. The commit may be empty.
    pub(super) fn wait(&self, longest: Duration) -> Batch {
        let mut contents = self.contents();
        let end = Instant::now() + longest;
        loop {
            let until = match contents.due(self.full_group) {
                Due::Now => break,
                Due::At(at) => at.min(end),
                Due::Later => end,
            };
            let rest = until.saturating_duration_since(Instant::now());
            if rest.is_zero() {
                break;
            }
            contents = self.shared.1.wait_timeout(contents, rest).unwrap_or_else(PoisonError::into_inner).0;
        }
        contents.take()
    }

    /// Whether the thread has ended.
    pub(super) fn is_closed(&self) -> bool {
        self.contents().is_closed
    }

    /// Called when the thread has ended: all waiting calls get an error.
    pub(super) fn close(&self) {
        let mut contents = self.contents();
        contents.is_closed = true;
        contents.next = Batch::default();
    }
}
