//! The thread that owns the journal: group commits, claims and heartbeats.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, oneshot};

use super::OnProgress;
use super::gate::Gate;
use crate::campaign::status;
use crate::chunk::FrozenRow;
use crate::error::{Error, Result};
use crate::journal::{CampaignRecord, ChunkView, Claim, Claimed, Journal, Settlement, State};
use crate::platform::boot_time;
use crate::protocol::{LARGEST_PERMIT, Permit, Token};

/// A settlement or claim waits this long for others, to share their commit. Its row counts against the concurrency meanwhile,
/// so that a kill leaves no more unknown rows than that.
const GROUP_WAIT: Duration = Duration::from_millis(1);
/// A commit has at most about this many settlements.
const LARGEST_GROUP: usize = 512;
/// Without other work the thread reads the state of the campaign at this interval.
const HEARTBEAT_INTERVAL: Duration = Duration::from_millis(900);

/// Rows that this worker may send.
pub(super) struct Granted {
    pub(super) chunk: u32,
    pub(super) permit: Permit,
    pub(super) rows: Arc<Vec<FrozenRow>>,
    /// When the claim began, on the clock of [`boot_time`].
    pub(super) claimed: Duration,
    /// When the first row may start.
    pub(super) start: Instant,
    pub(super) interval: Duration,
}

/// The response to a claim.
pub(super) enum ClaimReply {
    Granted(Granted),
    /// Rate or back-off.
    Wait(Duration),
    /// Rows are pending, and none may be sent now; or other workers may give rows back.
    Idle,
    /// No row is pending and no other worker has any.
    Done,
    Stopped(State),
}

enum Message {
    Settle(Settlement, Duration, OwnedSemaphorePermit),
    Claim(usize, oneshot::Sender<Result<ClaimReply>>),
    Refresh(oneshot::Sender<Result<()>>),
    Halt(&'static str),
    Stop,
}

/// Rows that were claimed and neither sent nor skipped yet.
#[derive(Clone, Default)]
pub(super) struct Unsent(Arc<AtomicUsize>);

impl Unsent {
    fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    fn add(&self, rows: usize) {
        self.0.fetch_add(rows, Ordering::SeqCst);
    }

    /// One of them is sent or skipped.
    pub(super) fn remove_one(&self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The handle of the thread.
pub(super) struct JournalThread {
    sender: Sender<Message>,
    unsent: Unsent,
    done: Option<oneshot::Receiver<Result<Journal>>>,
}

impl JournalThread {
    /// Starts the thread, which registers itself as an owner: the rows of an owner that ended are not in flight for other
    /// processes, even if its end cannot be stored.
    pub(super) fn start(
        mut journal: Journal,
        campaign: CampaignRecord,
        gate: Arc<Gate>,
        on_progress: Option<OnProgress>,
    ) -> Result<Self> {
        let (sender, messages) = channel();
        let (finished, done) = oneshot::channel();
        let unsent = Unsent::default();
        let shared_unsent = unsent.clone();
        let thread = thread::Builder::new().name("campaign-journal".to_owned());
        let work = move || {
            let result = journal.register_thread(&campaign.id).and_then(|owner| {
                let mut worker =
                    JournalWorker::new(journal, campaign, owner, gate, shared_unsent, on_progress);
                let served = worker.serve(&messages);
                // After a failure nobody settles the rest: it is unknown, and not in flight for as long as this process lives.
                let released = worker.journal.release_owner(owner);
                served.and(released).map(|()| worker.journal)
            });
            let _ = finished.send(result);
        };
        thread.spawn(work).map_err(Error::Open)?;
        Ok(Self { sender, unsent, done: Some(done) })
    }

    /// Stores an outcome soon. After a failure of the journal it is lost, and the row unknown.
    pub(super) fn settler(&self) -> Settler {
        Settler(self.sender.clone())
    }

    pub(super) fn unsent(&self) -> Unsent {
        self.unsent.clone()
    }

    /// Claims a permit in the next commit.
    pub(super) fn claim(&self, limit: usize) -> impl Future<Output = Result<ClaimReply>> + Send + use<> {
        let (reply, receiver) = oneshot::channel();
        let sent = self.sender.send(Message::Claim(limit, reply));
        async move {
            sent.map_err(|_| Error::Task)?;
            receiver.await.map_err(|_| Error::Task)?
        }
    }

    pub(super) async fn refresh(&self) -> Result<()> {
        let (reply, receiver) = oneshot::channel();
        self.sender.send(Message::Refresh(reply)).map_err(|_| Error::Task)?;
        receiver.await.map_err(|_| Error::Task)?
    }

    pub(super) fn halt(&self, reason: &'static str) {
        let _ = self.sender.send(Message::Halt(reason));
    }

    /// Commits what is left and ends the thread.
    pub(super) async fn finish(&mut self) -> Result<Journal> {
        let _ = self.sender.send(Message::Stop);
        match self.done.take() {
            Some(done) => done.await.map_err(|_| Error::Task)?,
            None => Err(Error::Task),
        }
    }
}

/// Stores outcomes.
#[derive(Clone)]
pub(super) struct Settler(Sender<Message>);

impl Settler {
    pub(super) fn settle(&self, settlement: Settlement, backoff: Duration, slot: OwnedSemaphorePermit) {
        let _ = self.0.send(Message::Settle(settlement, backoff, slot));
    }
}

struct JournalWorker {
    journal: Journal,
    campaign: CampaignRecord,
    owner: Token,
    gate: Arc<Gate>,
    current: Option<(ChunkView, Arc<Vec<FrozenRow>>)>,
    /// The claim that waits for the next commit.
    pending: Option<(usize, oneshot::Sender<Result<ClaimReply>>)>,
    unsent: Unsent,
    settlements: Vec<Settlement>,
    /// Of the concurrency; released by the commit.
    slots: Vec<OwnedSemaphorePermit>,
    backoff: Duration,
    on_progress: Option<OnProgress>,
    reported: Instant,
}

impl JournalWorker {
    fn new(
        journal: Journal,
        campaign: CampaignRecord,
        owner: Token,
        gate: Arc<Gate>,
        unsent: Unsent,
        on_progress: Option<OnProgress>,
    ) -> Self {
        Self {
            journal,
            campaign,
            owner,
            gate,
            current: None,
            pending: None,
            unsent,
            settlements: Vec::new(),
            slots: Vec::new(),
            backoff: Duration::ZERO,
            on_progress,
            reported: Instant::now(),
        }
    }

    fn serve(&mut self, messages: &Receiver<Message>) -> Result<()> {
        let mut deadline = Instant::now() + HEARTBEAT_INTERVAL;
        loop {
            let wait = deadline.saturating_duration_since(Instant::now());
            match messages.recv_timeout(wait) {
                Ok(Message::Settle(settlement, backoff, slot)) => {
                    if self.settlements.is_empty() {
                        deadline = deadline.min(Instant::now() + GROUP_WAIT);
                    }
                    self.settlements.push(settlement);
                    self.slots.push(slot);
                    self.backoff = self.backoff.max(backoff);
                    if self.settlements.len() < LARGEST_GROUP {
                        continue;
                    }
                    self.commit()?;
                }
                Ok(Message::Claim(limit, reply)) => {
                    let wait = if self.unsent.count() == 0 { Duration::ZERO } else { GROUP_WAIT };
                    deadline = deadline.min(Instant::now() + wait);
                    self.pending = Some((limit, reply));
                    continue;
                }
                Ok(Message::Refresh(reply)) => {
                    self.exchange()?;
                    let _ = reply.send(Ok(()));
                }
                Ok(Message::Halt(reason)) => {
                    self.journal.halt(&self.campaign.id, reason)?;
                    self.exchange()?;
                }
                Err(RecvTimeoutError::Timeout) => {
                    if self.settlements.is_empty() && self.pending.is_none() {
                        self.journal.heartbeat(self.owner)?;
                    }
                    self.commit()?;
                }
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return self.exchange(),
            }
            self.report()?;
            deadline = Instant::now() + if self.pending.is_some() { GROUP_WAIT } else { HEARTBEAT_INTERVAL };
        }
    }

    fn report(&mut self) -> Result<()> {
        if let Some(on_progress) = self.on_progress.clone()
            && self.reported.elapsed() >= Duration::from_secs(1)
        {
            self.reported = Instant::now();
            on_progress(&status(&mut self.journal, &self.campaign.name)?);
        }
        Ok(())
    }

    /// One commit: what waits to be settled, and the claim that waits.
    fn commit(&mut self) -> Result<()> {
        let Some((limit, reply)) = self.pending.take() else { return self.exchange() };
        let most = LARGEST_PERMIT.saturating_sub(self.unsent.count());
        let claimed = self.claim(limit.min(most.max(1)));
        let failure = claimed.as_ref().err().map(|error| Error::Journal(error.to_string()));
        if let Ok(ClaimReply::Granted(granted)) = &claimed {
            self.unsent.add(granted.permit.rows.len());
        }
        let _ = reply.send(claimed);
        failure.map_or(Ok(()), Err)
    }

    fn exchange(&mut self) -> Result<()> {
        self.exchange_and(None).map(|_| ())
    }

    /// One commit: what waits to be settled, and a claim.
    fn exchange_and(&mut self, claim: Option<(&Claim<'_>, &mut ChunkView)>) -> Result<Option<Claimed>> {
        let at = boot_time();
        let settlements = std::mem::take(&mut self.settlements);
        let backoff = i64::try_from(std::mem::take(&mut self.backoff).as_micros()).unwrap_or(i64::MAX);
        let exchange = self.journal.exchange(&self.campaign.id, self.owner, &settlements, backoff, claim)?;
        self.slots.clear();
        if self.gate.learn(&exchange, at) {
            let suppressed = self.journal.suppressed(&self.campaign.id)?;
            self.gate.suppress(suppressed, exchange.version, at);
        }
        Ok(exchange.claimed)
    }

    fn claim(&mut self, limit: usize) -> Result<ClaimReply> {
        let mut tried = HashSet::new();
        loop {
            let Some((mut view, rows)) = self.chunk(&tried)? else { return self.nothing(!tried.is_empty()) };
            tried.insert(view.chunk);
            let claimed_at = boot_time();
            let gate = self.gate.clone();
            let requested = |row: u16| rows.get(usize::from(row)).is_some_and(|row| gate.is_open(row));
            let claim = Claim { owner: self.owner, token: Token::random()?, limit, requested: &requested };
            let claimed = self.exchange_and(Some((&claim, &mut view)))?;
            match claimed {
                Some(Claimed::Won { permit, wait_us, interval_us }) => {
                    view.won(&permit);
                    let micros = |us: i64| Duration::from_micros(u64::try_from(us).unwrap_or_default());
                    let granted = Granted {
                        chunk: view.chunk,
                        permit,
                        rows: rows.clone(),
                        claimed: claimed_at,
                        start: Instant::now() + micros(wait_us),
                        interval: micros(interval_us),
                    };
                    self.current = Some((view, rows));
                    return Ok(ClaimReply::Granted(granted));
                }
                Some(Claimed::Wait(us)) => {
                    self.current = Some((view, rows));
                    return Ok(ClaimReply::Wait(Duration::from_micros(
                        u64::try_from(us).unwrap_or_default(),
                    )));
                }
                Some(Claimed::Stopped(state)) => return Ok(ClaimReply::Stopped(state)),
                Some(Claimed::Lost | Claimed::Empty) | None => {}
            }
        }
    }

    /// The chunk to claim from: the current one, else one that no living worker has, else any.
    fn chunk(&mut self, tried: &HashSet<u32>) -> Result<Option<(ChunkView, Arc<Vec<FrozenRow>>)>> {
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
            .filter(|owner| owner.may_live && owner.id != self.owner)
            .map(|owner| owner.id)
            .collect();
        let is_taken = |lease: &Option<Token>| lease.is_some_and(|lease| others.contains(&lease));
        open.sort_by_key(|(chunk, lease)| (is_taken(lease), self.scatter(*chunk)));
        let Some((number, _)) = open.first().copied() else { return Ok(None) };
        let rows = Arc::new(self.journal.rows(&id, number)?);
        let (history, version) = self.journal.history(&id, number)?;
        Ok(Some((ChunkView::new(number, &rows, history, version), rows)))
    }

    /// An order that differs between workers, so that they begin with different chunks.
    fn scatter(&self, chunk: u32) -> u64 {
        let seed = self.owner.as_bytes().first_chunk::<8>().copied().unwrap_or_default();
        (u64::from_le_bytes(seed) ^ u64::from(chunk)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
    }

    fn nothing(&mut self, some_are_pending: bool) -> Result<ClaimReply> {
        self.exchange()?;
        match self.gate.state() {
            State::Active => {}
            state => return Ok(ClaimReply::Stopped(state)),
        }
        let is_other =
            |owner: &crate::journal::Owner| owner.may_live && owner.id != self.owner && owner.open > 0;
        let others = self.journal.owners(&self.campaign.id)?.iter().any(is_other);
        Ok(if some_are_pending || others { ClaimReply::Idle } else { ClaimReply::Done })
    }
}
