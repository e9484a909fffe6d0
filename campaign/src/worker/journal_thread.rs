//! The thread that owns the journal: group commits, claims and heartbeats.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::claim_reply::{ClaimReply, Granted};
use super::gate::Gate;
use super::inbox::{Batch, Inbox};
use super::marks::Marks;
use super::store_watch::StoreWatch;
use super::{OnProgress, RunOptions};
use crate::background;
use crate::campaign::status;
use crate::chunk::ChunkRow;
use crate::error::{Error, Result};
use crate::error_with_journal::ErrorWithJournal;
use crate::journal::{CampaignRecord, ChunkView, Claim, Claimed, Journal, State};
use crate::platform::boot_time;
use crate::protocol::{Health, Token};

/// Without other work the thread reads the state of the campaign at this interval.
const HEARTBEAT_INTERVAL: Duration = Duration::from_millis(900);

/// The thread adds a sample of the progress at this interval, unless another worker did.
const SAMPLE_INTERVAL: Duration = Duration::from_secs(5);

/// The handle of the thread.
pub(super) struct JournalThread {
    inbox: Inbox,
    done: Option<oneshot::Receiver<(Result<()>, Journal)>>,
}

impl JournalThread {
    /// Starts the thread, which registers itself as the owner. Other processes notice the end of a thread even if it cannot be
    /// stored, so its rows do not stay in flight.
    pub(super) fn start(
        journal: Journal,
        campaign: CampaignRecord,
        provider: Arc<[String]>,
        gate: Arc<Gate>,
        store: Option<StoreWatch>,
        options: &RunOptions,
    ) -> Result<Self, ErrorWithJournal> {
        let inbox = Inbox::new(options.concurrency);
        let worker_inbox = inbox.clone();
        let on_progress = options.on_progress.clone();
        let concurrency = options.concurrency;
        let done = background::run_with("campaign-journal", journal, move |mut journal| {
            let open = Opened(worker_inbox.clone());
            let owner = match journal.register_thread(&campaign.id) {
                Ok(owner) => owner,
                Err(error) => return (Err(error), journal),
            };
            let mut worker =
                JournalWorker::new(journal, campaign, owner, provider, gate, worker_inbox, on_progress);
            worker.store = store;
            worker.marks =
                Marks::new(owner, concurrency, worker.journal.files().first().map(PathBuf::as_path));
            let served = worker.serve();
            drop(open);
            // After a failure nobody settles the remaining rows. Releasing the owner makes them unknown; otherwise they would
            // stay in flight as long as this process lives.
            let released = worker.journal.release_owner(owner);
            if served.is_ok() {
                worker.marks.end();
            }
            let refused = worker.refused.take().map_or(Ok(()), Err);
            (served.and(released).and(refused), worker.journal)
        })?;
        Ok(Self { inbox, done: Some(done) })
    }

    pub(super) const fn inbox(&self) -> &Inbox {
        &self.inbox
    }

    /// Makes the thread commit the remaining settlements and end, and returns the journal.
    pub(super) async fn finish(&mut self) -> Result<Journal, ErrorWithJournal> {
        self.inbox.stop();
        let ended = match self.done.take() {
            Some(done) => done.await.ok(),
            None => None,
        };
        match ended {
            Some((Ok(()), journal)) => Ok(journal),
            Some((Err(error), journal)) => Err(ErrorWithJournal { error, journal: Some(journal) }),
            None => Err(ErrorWithJournal { error: Error::Task, journal: None }),
        }
    }
}

impl Drop for JournalThread {
    fn drop(&mut self) {
        self.inbox.stop();
    }
}

/// Closes the inbox when the thread ends, even by a panic.
struct Opened(Inbox);

impl Drop for Opened {
    fn drop(&mut self) {
        self.0.close();
    }
}

struct JournalWorker {
    journal: Journal,
    campaign: CampaignRecord,
    owner: Token,
    /// The addresses to which the worker sends.
    provider: Arc<[String]>,
    gate: Arc<Gate>,
    current: Option<(ChunkView, Arc<Vec<ChunkRow>>)>,
    inbox: Inbox,
    /// What the next commit does.
    batch: Batch,
    on_progress: Option<OnProgress>,
    reported: Instant,
    marks: Marks,
    /// When the thread last showed in the journal that it lives.
    seen: Instant,
    /// When the thread tried to add a sample of the progress.
    sampled: Option<Instant>,
    /// The suppression store of the client.
    store: Option<StoreWatch>,
    /// Why no further row is claimed: a copy of the journal has taken the campaign over, or the suppression store was set back.
    refused: Option<Error>,
}

impl JournalWorker {
    fn new(
        journal: Journal,
        campaign: CampaignRecord,
        owner: Token,
        provider: Arc<[String]>,
        gate: Arc<Gate>,
        inbox: Inbox,
        on_progress: Option<OnProgress>,
    ) -> Self {
        Self {
            journal,
            campaign,
            owner,
            provider,
            gate,
            current: None,
            inbox,
            batch: Batch::default(),
            on_progress,
            reported: Instant::now(),
            marks: Marks::default(),
            seen: Instant::now(),
            sampled: None,
            store: None,
            refused: None,
        }
    }

    fn serve(&mut self) -> Result<()> {
        loop {
            self.batch = self.inbox.wait(HEARTBEAT_INTERVAL);
            let (refreshes, is_last) = (std::mem::take(&mut self.batch.refreshes), self.batch.stop);
            if let Some(reason) = self.batch.halt {
                self.journal.halt(&self.campaign.id, reason)?;
            } else if self.seen.elapsed() >= HEARTBEAT_INTERVAL && !is_last {
                // Also while claims fail, for example because the window is closed.
                self.journal.heartbeat(self.owner)?;
                self.seen = Instant::now();
            }
            self.commit()?;
            self.check_store(is_last)?;
            for refresh in refreshes {
                let _ = refresh.send(Ok(()));
            }
            if is_last {
                return Ok(());
            }
            self.sample()?;
            self.report()?;
        }
    }

    /// Lets no further row pass if the suppression store was set back. The last check only remembers its last change: the next run compares
    /// it.
    fn check_store(&mut self, is_last: bool) -> Result<()> {
        let Some(store) = self.store.as_mut().filter(|_| self.refused.is_none()) else { return Ok(()) };
        match store.check(&mut self.journal, &self.campaign.id, is_last) {
            Err(Error::OlderSuppressionStore { .. }) if is_last => Ok(()),
            Err(error @ Error::OlderSuppressionStore { .. }) => {
                self.gate.close();
                self.refused = Some(error);
                Ok(())
            }
            checked => checked,
        }
    }

    fn sample(&mut self) -> Result<()> {
        if self.sampled.is_some_and(|sampled| sampled.elapsed() < SAMPLE_INTERVAL) {
            return Ok(());
        }
        self.sampled = Some(Instant::now());
        self.journal.record_progress(&self.campaign.id)
    }

    fn report(&mut self) -> Result<()> {
        if let Some(on_progress) = self.on_progress.clone()
            && self.reported.elapsed() >= Duration::from_secs(1)
        {
            self.reported = Instant::now();
            let mut status = status(&mut self.journal, &self.campaign.name)?;
            status.last_error = status.last_error.or_else(|| self.gate.failure());
            background::call("`on_progress`", || on_progress(&status))?;
        }
        Ok(())
    }

    /// Commits the waiting settlements, together with the waiting claim if there is one.
    fn commit(&mut self) -> Result<()> {
        let Some((limit, reply)) = self.batch.claim.take() else { return self.exchange() };
        if let Some(refused) = &self.refused {
            let _ = reply.send(Err(Error::Journal(refused.to_string(), None)));
            return self.exchange();
        }
        match self.claim(limit) {
            Ok(claimed) => {
                if let ClaimReply::Granted(granted) = &claimed {
                    self.inbox.add_unsent(granted.permit.rows.len());
                }
                let _ = reply.send(Ok(claimed));
                Ok(())
            }
            // The error itself is that of the thread, which the run returns.
            Err(error) => {
                let _ = reply.send(Err(Error::Journal(error.to_string(), None)));
                if !error.is_right_of_another() {
                    return Err(error);
                }
                // The journal itself works: the thread settles what is in progress until the run stops it.
                self.gate.close();
                self.refused = Some(error);
                Ok(())
            }
        }
    }

    fn exchange(&mut self) -> Result<()> {
        self.exchange_and(None).map(|_| ())
    }

    /// Commits the waiting settlements, together with `claim`. Returns the result of the claim.
    fn exchange_and(&mut self, claim: Option<(&Claim<'_>, &mut ChunkView)>) -> Result<Option<Claimed>> {
        let at = boot_time();
        let batch = std::mem::take(&mut self.batch);
        let backoff = i64::try_from(batch.backoff.as_micros()).unwrap_or(i64::MAX);
        let exchange =
            self.journal.exchange(&self.campaign.id, self.owner, &batch.settlements, backoff, claim)?;
        drop(batch.in_progress);
        self.marks.settled(&batch.settlements);
        let health = batch.settlements.iter().map(|settlement| settlement.health);
        if self.gate.learn(&exchange, at, health.filter(|health| *health != Health::Neutral).count()) {
            let suppressed = self.journal.suppressed(&self.campaign.id)?;
            self.gate.suppress(suppressed, exchange.version, at);
        }
        Ok(exchange.claimed)
    }

    fn claim(&mut self, limit: usize) -> Result<ClaimReply> {
        let (mut tried, mut may_halt) = (HashSet::new(), false);
        let provider = self.provider.clone();
        loop {
            let Some((mut view, rows)) = self.chunk(&tried)? else { return self.nothing(!tried.is_empty()) };
            tried.insert(view.chunk);
            let claimed_at = boot_time();
            let gate = self.gate.clone();
            let requested = |row: u16| rows.get(usize::from(row)).is_some_and(|row| gate.is_open(row));
            let token = Token::random()?;
            let claim = Claim {
                owner: self.owner,
                token,
                limit,
                requested: &requested,
                may_halt,
                provider: &provider,
            };
            let sequence = view.next_sequence();
            let named = self.marks.name(view.chunk, sequence);
            if self.marks.is_stuck() {
                let message = "the file of the worker in the state folder can neither be written nor removed";
                return Err(Error::Disk(message.to_owned(), None));
            }
            let claimed = self.exchange_and(Some((&claim, &mut view)))?;
            let is_named =
                matches!(&claimed, Some(Claimed::Won { permit, .. }) if permit.sequence == sequence);
            if !is_named {
                self.marks.lost(named);
            }
            match claimed {
                Some(Claimed::Won { permit, wait_us, interval_us, is_probe }) => {
                    view.won(&permit);
                    let named = named.filter(|_| is_named);
                    let entry = self.marks.won(named, view.chunk, &permit);
                    let granted = Granted {
                        chunk: view.chunk,
                        permit,
                        entry,
                        rows: rows.clone(),
                        claimed: claimed_at,
                        start: Instant::now() + micros(wait_us),
                        interval: micros(interval_us),
                        is_probe,
                    };
                    self.current = Some((view, rows));
                    return Ok(ClaimReply::Granted(granted));
                }
                Some(Claimed::Wait(us)) => {
                    self.current = Some((view, rows));
                    return Ok(ClaimReply::Wait(Instant::now() + micros(us)));
                }
                // The price of rows that a killed worker did not begin becomes available again.
                Some(Claimed::Unaffordable) => {
                    may_halt = self.journal.settle_unsent_rows(&self.campaign.id)? == 0;
                    tried.remove(&view.chunk);
                    self.current = Some((view, rows));
                }
                Some(Claimed::Stopped(state)) => return Ok(ClaimReply::Stopped(state)),
                Some(Claimed::Lost | Claimed::Empty) | None => {}
            }
        }
    }

    /// The chunk to claim from: the current one, else one that no running worker works on, else any.
    fn chunk(&mut self, tried: &HashSet<u32>) -> Result<Option<(ChunkView, Arc<Vec<ChunkRow>>)>> {
        if let Some(current) = self.current.take()
            && !tried.contains(&current.0.chunk)
        {
            return Ok(Some(current));
        }
        let id = self.campaign.id.clone();
        let open = self.journal.open_chunks(&id)?;
        let mut open: Vec<_> = open.into_iter().filter(|(chunk, _)| !tried.contains(chunk)).collect();
        if open.is_empty() {
            return Ok(None);
        }
        let others: HashSet<Token> = self
            .journal
            .owners(&id)?
            .into_iter()
            .filter(|owner| owner.possibly_alive && owner.id != self.owner)
            .map(|owner| owner.id)
            .collect();
        let is_taken = |lease: &Option<Token>| lease.is_some_and(|lease| others.contains(&lease));
        open.sort_by_key(|(chunk, lease)| (is_taken(lease), self.scatter(*chunk)));
        let Some((number, _)) = open.first().copied() else { return Ok(None) };
        let rows = Arc::new(self.journal.rows(&id, number)?);
        let (history, version) = self.journal.history(&id, number)?;
        Ok(Some((ChunkView::new(number, &rows, history, version), rows)))
    }

    /// A sort key that differs between workers, so that they begin with different chunks.
    fn scatter(&self, chunk: u32) -> u64 {
        let seed = self.owner.as_bytes().first_chunk::<8>().copied().unwrap_or_default();
        (u64::from_le_bytes(seed) ^ u64::from(chunk)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
    }

    fn nothing(&mut self, some_are_pending: bool) -> Result<ClaimReply> {
        self.exchange()?;
        // Rows of some tables that were restored would be waited for without end, or not be sent.
        self.journal.compare_counters(&self.campaign.id)?;
        match self.gate.state() {
            State::Active => {}
            state => return Ok(ClaimReply::Stopped(state)),
        }
        let is_other =
            |owner: &crate::journal::Owner| owner.possibly_alive && owner.id != self.owner && owner.open > 0;
        let others = self.journal.owners(&self.campaign.id)?.iter().any(is_other);
        let are_free = self.journal.settle_unsent_rows(&self.campaign.id)? > 0;
        Ok(if some_are_pending || others || are_free { ClaimReply::Idle } else { ClaimReply::Done })
    }
}

fn micros(us: i64) -> Duration {
    Duration::from_micros(u64::try_from(us).unwrap_or_default())
}
