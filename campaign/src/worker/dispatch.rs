//! The loop of a worker: claims permits, checks each row, and sends at most `concurrency` rows at a time.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cpaas::{Client, OperationId};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;

use super::claim_reply::{ClaimReply, Granted};
use super::gate::{Gate, GateDecision};
use super::inbox::Inbox;
use super::journal_thread::JournalThread;
use super::row::{RowTask, Shared, send};
use super::{RunEnd, RunOptions, ended};
use crate::error::{Error, Result};
use crate::error_with_journal::ErrorWithJournal;
use crate::journal::{CampaignRecord, Journal, StopReason};
use crate::protocol::{PermitRow, RowOutcome};
use crate::row_reason::RowReason;

/// How long a worker waits before it claims again if no row may be sent now.
const IDLE: Duration = Duration::from_millis(300);

type NextClaimReply = Pin<Box<dyn Future<Output = Result<ClaimReply>> + Send>>;

pub(super) struct Dispatcher {
    /// Declared before `link`, so that the tasks are dropped before the journal thread.
    tasks: JoinSet<bool>,
    link: JournalThread,
    inbox: Inbox,
    gate: Arc<Gate>,
    shared: Arc<Shared>,
    /// Limits the rows in progress.
    limit: Arc<Semaphore>,
    /// The part of it that is not used while few rows may be in progress.
    withheld: Option<OwnedSemaphorePermit>,
    /// The limit: the most rows in progress that any setting permitted so far.
    concurrency: u32,
    /// The most rows in progress, if the campaign does not have the setting.
    own_concurrency: u32,
    /// How many more rows may be claimed.
    left: Option<u64>,
    stop: watch::Receiver<bool>,
    /// The next permit, claimed in advance.
    next: Option<NextClaimReply>,
    accepted: bool,
}

impl Dispatcher {
    pub(super) fn new(
        link: JournalThread,
        gate: Arc<Gate>,
        client: Client,
        operation: OperationId,
        campaign: &CampaignRecord,
        options: &RunOptions,
    ) -> Self {
        let concurrency = options.concurrency.clamp(1, 100_000);
        let inbox = link.inbox().clone();
        let shared = Shared::new(client, operation, campaign, options.deadline, inbox.clone(), gate.clone());
        Self {
            tasks: JoinSet::new(),
            shared: Arc::new(shared),
            link,
            inbox,
            gate,
            limit: Arc::new(Semaphore::new(concurrency)),
            withheld: None,
            concurrency: u32::try_from(concurrency).unwrap_or(u32::MAX),
            own_concurrency: u32::try_from(concurrency).unwrap_or(u32::MAX),
            left: options.limit,
            stop: options.stop.clone(),
            next: None,
            accepted: false,
        }
    }

    pub(super) async fn run(&mut self) -> Result<RunEnd> {
        loop {
            if *self.stop.borrow() {
                return Ok(RunEnd::Stopped);
            }
            if self.shared.ramp().must_halt() {
                self.all_rows_end().await;
                self.inbox.halt(StopReason::Setup);
                self.inbox.refresh().await?;
                return Ok(RunEnd::Halted);
            }
            if self.is_at_limit() {
                self.all_rows_end().await;
                self.inbox.refresh().await?;
                return Ok(RunEnd::Limit);
            }
            match self.claim().await? {
                ClaimReply::Granted(granted) => self.dispatch(granted).await?,
                ClaimReply::Wait(until) => {
                    let wait = until.saturating_duration_since(Instant::now());
                    self.pause(wait.min(Duration::from_secs(1))).await;
                }
                ClaimReply::Stopped(state) => return Ok(ended(state)?.unwrap_or(RunEnd::Stopped)),
                ClaimReply::Idle | ClaimReply::Done if self.has_tasks() => self.one_row_ends().await,
                ClaimReply::Idle => self.pause(IDLE).await,
                ClaimReply::Done => return self.confirm_end().await,
            }
        }
    }

    /// Claims again before the run ends, because the last rows may have been settled as not sent after the previous claim.
    async fn confirm_end(&mut self) -> Result<RunEnd> {
        self.inbox.refresh().await?;
        match self.inbox.claim(1).await? {
            ClaimReply::Done => Ok(RunEnd::Done),
            ClaimReply::Granted(granted) => {
                self.dispatch(granted).await?;
                Box::pin(self.run()).await
            }
            _ => Box::pin(self.run()).await,
        }
    }

    async fn claim(&mut self) -> Result<ClaimReply> {
        match self.next.take() {
            Some(next) => next.await,
            None => {
                self.restart_after_outage();
                let limit = self.shared.ramp().rows();
                self.inbox.claim(self.claimable(limit)).await
            }
        }
    }

    /// Whether all rows are claimed that the limit of the run permits. A claim that was made in advance has its reply first.
    const fn is_at_limit(&self) -> bool {
        self.next.is_none() && matches!(self.left, Some(0))
    }

    fn claimable(&self, rows: usize) -> usize {
        self.left.map_or(rows, |left| rows.min(usize::try_from(left).unwrap_or(usize::MAX)))
    }

    async fn dispatch(&mut self, granted: Granted) -> Result<()> {
        let is_full = self.shared.ramp().is_full();
        self.left = self.left.map(|left| left.saturating_sub(granted.permit.rows.len() as u64));
        let mut start = granted.start;
        self.claim_in_advance();
        for named in &granted.permit.rows {
            self.pause(start.saturating_duration_since(Instant::now())).await;
            start += granted.interval;
            self.row(&granted, *named).await?;
            self.inbox.remove_unsent();
        }
        if !is_full {
            self.accepted = false;
            self.all_rows_end().await;
            if self.accepted {
                self.shared.ramp().grow();
            }
        }
        Ok(())
    }

    /// After an outage permits begin with one row again.
    fn restart_after_outage(&self) {
        if self.gate.has_opened() {
            self.shared.ramp().restart();
        }
    }

    fn claim_in_advance(&mut self) {
        self.restart_after_outage();
        let ramp = *self.shared.ramp();
        if self.next.is_none() && ramp.is_full() && !*self.stop.borrow() && self.left != Some(0) {
            self.next = Some(Box::pin(self.inbox.claim(self.claimable(ramp.rows()))));
        }
    }

    /// Checks a row. Sends it in its own task, or settles it without sending.
    async fn row(&mut self, granted: &Granted, named: PermitRow) -> Result<()> {
        self.limit_progress().await?;
        let limit = self.limit.clone();
        let in_progress = limit.acquire_owned().await.map_err(|_| Error::Task)?;
        self.collect();
        let Some(row) = granted.rows.get(usize::from(named.row)) else { return Ok(()) };
        loop {
            if self.inbox.is_closed() {
                // Without the journal no outcome is stored.
                return Err(Error::Task);
            }
            if self.must_stop() {
                self.shared.skip(granted, named, (RowOutcome::NotSent, RowReason::Stopped), in_progress);
                return Ok(());
            }
            match self.gate.check(row, granted.claimed, granted.is_probe) {
                GateDecision::Send => break,
                GateDecision::Skip(outcome, reason) => {
                    self.shared.skip(granted, named, (outcome, reason), in_progress);
                    return Ok(());
                }
                GateDecision::Wait(wait) => self.pause(wait.min(Duration::from_millis(500))).await,
                GateDecision::Refresh => self.inbox.refresh().await?,
            }
        }
        let (chunk, sequence) = (granted.chunk, granted.permit.sequence);
        let position = granted.permit.rows.iter().position(|other| other.row == named.row);
        let mark = granted.entry.clone().zip(position);
        let task = RowTask { chunk, sequence, named, rows: granted.rows.clone(), mark, in_progress };
        let shared = self.shared.clone();
        self.tasks.spawn(send(shared, task));
        Ok(())
    }

    /// Withholds a part of the limit, so that only as many rows are in progress as the gate permits.
    async fn limit_progress(&mut self) -> Result<()> {
        let set = self.gate.concurrency().unwrap_or(self.own_concurrency);
        if set > self.concurrency {
            self.limit.add_permits(usize::try_from(set - self.concurrency).unwrap_or_default());
            self.concurrency = set;
        }
        let most = self.gate.most_in_progress().map_or(set, |most| most.min(set));
        let withheld = self.withheld.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let withheld = u32::try_from(withheld).unwrap_or(u32::MAX);
        let needed = self.concurrency.saturating_sub(most);
        if needed < withheld {
            // Fewer are withheld: the others are released before the new ones are acquired.
            self.withheld = None;
        }
        if needed != withheld && needed > 0 {
            let more = needed - self.withheld.as_ref().map_or(0, |_| withheld);
            let more = self.limit.clone().acquire_many_owned(more).await.map_err(|_| Error::Task)?;
            match &mut self.withheld {
                Some(withheld) => withheld.merge(more),
                None => self.withheld = Some(more),
            }
        }
        Ok(())
    }

    fn must_stop(&self) -> bool {
        *self.stop.borrow() || self.shared.ramp().must_halt()
    }

    async fn skip_all(&mut self, granted: &Granted, rows: &[PermitRow]) {
        for named in rows {
            if let Ok(in_progress) = self.limit.clone().acquire_owned().await {
                self.shared.skip(granted, *named, (RowOutcome::NotSent, RowReason::Stopped), in_progress);
            }
            self.inbox.remove_unsent();
        }
    }

    /// Removes tasks that ended.
    fn collect(&mut self) {
        while let Some(ended) = self.tasks.try_join_next() {
            self.accepted |= ended.unwrap_or(false);
        }
    }

    fn has_tasks(&mut self) -> bool {
        self.collect();
        !self.tasks.is_empty()
    }

    async fn one_row_ends(&mut self) {
        if let Some(ended) = self.tasks.join_next().await {
            self.accepted |= ended.unwrap_or(false);
        }
    }

    async fn all_rows_end(&mut self) {
        while !self.tasks.is_empty() {
            self.one_row_ends().await;
        }
    }

    /// Waits for this time, or until the run is stopped.
    async fn pause(&mut self, wait: Duration) {
        if !wait.is_zero() {
            let mut stop = self.stop.clone();
            let _ = tokio::time::timeout(wait, stop.wait_for(|stop| *stop)).await;
        }
    }

    /// Settles the rows that were claimed in advance as not sent, waits for the rows in progress, and commits all outcomes.
    pub(super) async fn finish(&mut self) -> Result<Journal, ErrorWithJournal> {
        self.withheld = None;
        self.inbox.withdraw_claim();
        if let Some(next) = self.next.take()
            && let Ok(ClaimReply::Granted(granted)) = next.await
        {
            self.skip_all(&granted, &granted.permit.rows).await;
        }
        self.all_rows_end().await;
        self.link.finish().await
    }
}
