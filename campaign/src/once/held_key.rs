//! A key whose permit one caller holds. The key is settled in every case, even when the caller is dropped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use cpaas::Client;
use cpaas::client::CallEnd;
use cpaas::error::SentState;

use crate::campaign::reference;
use crate::cpaas_calls::Ended;
use crate::error::Result;
use crate::journal::{ChunkView, Claim, Claimed, Journal, Settlement};
use crate::platform::boot_time;
use crate::protocol::{Health, PERMIT_MAX_AGE, RowOutcome, Token};
use crate::row_reason::RowReason;

/// How long a caller that is dropped outside of a runtime waits for the commit, because the process may end next.
const COMMIT: Duration = Duration::from_millis(100);

/// The right to send the message of a key, until it is settled.
pub(super) struct HeldKey(Option<Box<Held>>);

struct Held {
    journal: Arc<Mutex<Journal>>,
    id: String,
    owner: Token,
    /// The sequence of the permit and the attempt; `None` when it is not known whether the permit is durable.
    permit: Option<(u32, u16)>,
    /// When the claim began, on the clock since boot.
    claimed: Duration,
    /// Whether a call that was dropped may have sent the request.
    maybe_sent: Arc<AtomicBool>,
    ended: Option<Ended>,
    /// The result if the passcode that was found in the provider's records is that of another message.
    of_another: Option<Ended>,
}

impl HeldKey {
    /// Claims the only row of a key. `None` when another caller was first.
    pub(super) fn claim(journal: Arc<Mutex<Journal>>, id: &str, mut view: ChunkView) -> Result<Option<Self>> {
        let mut locked = journal.lock().unwrap_or_else(PoisonError::into_inner);
        let claimed_at = boot_time();
        let owner = locked.register_owner(id)?;
        let mut held = Held {
            journal: journal.clone(),
            id: id.to_owned(),
            owner,
            permit: None,
            claimed: claimed_at,
            maybe_sent: Arc::default(),
            ended: None,
            of_another: None,
        };
        let claim = Claim {
            owner,
            token: Token::random()?,
            limit: 1,
            requested: &|_| true,
            may_halt: true,
            provider: &[],
        };
        let exchange = locked.exchange(id, owner, &[], 0, Some((&claim, &mut view)));
        drop(locked);
        let claimed = match exchange {
            Ok(exchange) => exchange.claimed,
            Err(error) => {
                // The permit may be durable; nothing was sent under it.
                held.settle();
                return Err(error);
            }
        };
        if let Some(Claimed::Won { permit, .. }) = claimed {
            held.permit = Some((permit.sequence, permit.attempt(0).unwrap_or(1)));
            return Ok(Some(Self(Some(Box::new(held)))));
        }
        held.journal().release_owner(owner)?;
        Ok(None)
    }

    /// The reference of the message, which comes back in its delivery report.
    pub(super) fn reference(&self) -> String {
        let held = self.0.as_ref();
        let attempt = held.and_then(|held| held.permit).map_or(1, |(_, attempt)| attempt);
        reference(held.map_or("", |held| held.id.as_str()), 0, attempt)
    }

    /// Whether the permit is too old to be used, because the process was suspended.
    pub(super) fn is_stale(&self) -> bool {
        self.0.as_ref().is_none_or(|held| boot_time().saturating_sub(held.claimed) > PERMIT_MAX_AGE)
    }

    /// A client that records whether a dropped call may have sent the request.
    pub(super) fn observe(&self, client: &Client) -> Client {
        let Some(held) = &self.0 else { return client.clone() };
        let maybe_sent = held.maybe_sent.clone();
        client.clone().also_on_outcome(move |event| {
            if event.ending == CallEnd::Abandoned && event.sent != SentState::No {
                maybe_sent.store(true, Ordering::SeqCst);
            }
        })
    }

    /// Records the outcome of the message, for [`HeldKey::settle`]. A passcode that was found in the provider's records has a second
    /// outcome, for the case that it is that of another message.
    pub(super) fn end(&mut self, ended: Ended, of_another: Option<Ended>) {
        if let Some(held) = &mut self.0 {
            (held.ended, held.of_another) = (Some(ended), of_another);
        }
    }

    /// Stores the outcome, and returns whether it is the first one of [`HeldKey::end`]. Blocks the thread. `None` after a failure, which
    /// is logged.
    pub(super) fn settle(mut self) -> Option<bool> {
        self.0.take()?.settle()
    }
}

/// The caller was dropped. Its thread may belong to a runtime or an event loop, so another thread stores the outcome.
impl Drop for HeldKey {
    fn drop(&mut self) {
        let Some(held) = self.0.take() else { return };
        let (done, wait) = mpsc::channel();
        let work = move || {
            held.settle();
            let _ = done.send(());
        };
        let started = thread::Builder::new().name("campaign-key".to_owned()).spawn(work);
        if started.is_ok() && tokio::runtime::Handle::try_current().is_err() {
            let _ = wait.recv_timeout(COMMIT);
        }
    }
}

impl Held {
    fn journal(&self) -> std::sync::MutexGuard<'_, Journal> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn settle(self) -> Option<bool> {
        let stored = self.store();
        stored
            .inspect_err(|error| tracing::warn!(%error, "the outcome of a message with a key was not stored"))
            .ok()
    }

    fn store(&self) -> Result<bool> {
        let mut journal = self.journal();
        let sequence = match self.permit {
            Some((sequence, _)) => Some(sequence),
            None => {
                let (history, _) = journal.history(&self.id, 0)?;
                let own = history.permits().iter().find(|permit| permit.owner == self.owner);
                own.map(|permit| permit.sequence)
            }
        };
        let first = sequence.map(|sequence| self.settlement(sequence, self.ended.as_ref()));
        let stored = match (sequence, &first, &self.of_another) {
            (Some(sequence), Some(found), Some(lost)) => {
                let lost = self.settlement(sequence, Some(lost));
                journal.settle_found(&self.id, self.owner, found, &lost)
            }
            _ => journal.exchange(&self.id, self.owner, first.as_slice(), 0, None).map(|_| true),
        };
        // Release the owner even after a failure, so that waiting callers get `unknown` at once.
        journal.release_owner(self.owner)?;
        stored
    }

    fn settlement(&self, sequence: u32, ended: Option<&Ended>) -> Settlement {
        let of_dropped = match self.maybe_sent.load(Ordering::SeqCst) {
            true => RowOutcome::Unknown,
            false => RowOutcome::NotSent,
        };
        Settlement {
            chunk: 0,
            sequence,
            row: 0,
            outcome: ended.map_or(of_dropped, |ended| ended.outcome),
            reason: ended
                .map_or_else(|| Some(RowReason::Cancelled.as_str().to_owned()), |ended| ended.reason.clone()),
            message_id: ended.and_then(|ended| ended.message_id.clone()),
            detail: ended.map(|ended| ended.detail.clone()),
            price: 0,
            // Each key is a campaign of its own, so no other row shares its score.
            health: Health::Neutral,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkRow;
    use crate::journal::{OpenOptions, Provider, SqliteStore};
    use crate::protocol::{CreationDecision, RowState};

    /// Others may have taken the key over while the process was suspended.
    #[test]
    fn a_permit_that_is_too_old_is_stale_and_settled_as_not_sent() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("campaign.db"), OpenOptions::default()).unwrap();
        let journal = Arc::new(Mutex::new(Journal::new(Box::new(store)).unwrap()));
        let row = ChunkRow { base: CreationDecision::Ready, ..ChunkRow::invalid("", Vec::new()) };
        let provider = Provider { addresses: Vec::new(), replaces_any: false };
        let opened = journal.lock().unwrap().open_key("once:1", "sms.send", "digest", false, &row, &provider);
        let id = opened.unwrap().id;
        let (history, version) = journal.lock().unwrap().history(&id, 0).unwrap();
        let view = ChunkView::of_ready_rows(0, 1, history, version);
        let mut held = HeldKey::claim(journal.clone(), &id, view).unwrap().unwrap();
        assert!(!held.is_stale());
        let Some(claimed) = boot_time().checked_sub(PERMIT_MAX_AGE + Duration::from_secs(1)) else { return };
        held.0.as_mut().unwrap().claimed = claimed;
        assert!(held.is_stale());
        held.settle();
        assert_eq!(journal.lock().unwrap().history(&id, 0).unwrap().0.state(0), RowState::NotSent);
    }
}
