//! The loop of a worker: claims permits, checks each row, and sends at most `concurrency` rows at a time.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cpaas::{Client, OperationId};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use super::claim_reply::{ClaimReply, Granted};
use super::gate::{Gate, GateDecision};
use super::inbox::Inbox;
use super::journal_thread::JournalThread;
use super::row::{RowTask, Shared, send};
use super::{RunEnd, RunOptions, ended};
use crate::error::{Error, Result};
use crate::journal::{CampaignRecord, Journal};
use crate::protocol::{PermitRow, RowOutcome};

/// How long a worker waits before it claims again if no row may be sent now.
const IDLE: Duration = Duration::from_millis(300);
/// After this many waits for an unreachable provider the run ends: about two minutes in all.
const MAX_UNREACHABLE_WAITS: u32 = 12;

type NextClaimReply = Pin<Box<dyn Future<Output = Result<ClaimReply>> + Send>>;

pub(super) struct Dispatcher {
    /// Declared before `link`, so that the tasks are dropped before the journal thread.
    tasks: JoinSet<bool>,
    link: JournalThread,
    inbox: Inbox,
    gate: Arc<Gate>,
    shared: Arc<Shared>,
    slots: Arc<Semaphore>,
    concurrency: u32,
    stop: watch::Receiver<bool>,
    /// The next permit, claimed in advance.
    next: Option<NextClaimReply>,
    waits: u32,
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
        let shared = Shared::new(client, operation, campaign, options.deadline, inbox.clone());
        Self {
            tasks: JoinSet::new(),
            shared: Arc::new(shared),
            link,
            inbox,
            gate,
            slots: Arc::new(Semaphore::new(concurrency)),
            concurrency: u32::try_from(concurrency).unwrap_or(u32::MAX),
            stop: options.stop.clone(),
            next: None,
            waits: 0,
            accepted: false,
        }
    }

    pub(super) async fn run(&mut self) -> Result<RunEnd> {
        loop {
            if *self.stop.borrow() {
                return Ok(RunEnd::Stopped);
            }
            if self.wait_for_provider().await? {
                return Ok(RunEnd::Unreachable);
            }
            if self.shared.ramp().must_halt() {
                self.all_rows_end().await;
                self.inbox.halt("setup");
                self.inbox.refresh().await?;
                return Ok(RunEnd::Halted);
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
                let limit = self.shared.ramp().rows();
                self.inbox.claim(limit).await
            }
        }
    }

    async fn dispatch(&mut self, granted: Granted) -> Result<()> {
        let is_full = self.shared.ramp().is_full();
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

    fn claim_in_advance(&mut self) {
        let ramp = *self.shared.ramp();
        if self.next.is_none() && ramp.is_full() && !*self.stop.borrow() {
            self.next = Some(Box::pin(self.inbox.claim(ramp.rows())));
        }
    }

    /// Checks a row. Sends it in its own task, or settles it without sending.
    async fn row(&mut self, granted: &Granted, named: PermitRow) -> Result<()> {
        let slots = self.slots.clone();
        let slot = slots.acquire_owned().await.map_err(|_| Error::Task)?;
        self.collect();
        let Some(row) = granted.rows.get(usize::from(named.row)) else { return Ok(()) };
        loop {
            if self.must_stop() {
                self.shared.skip(granted, named, (RowOutcome::NotSent, "stopped"), slot);
                return Ok(());
            }
            match self.gate.check(row, granted.claimed) {
                GateDecision::Send => break,
                GateDecision::Skip(settled, reason) => {
                    self.shared.skip(granted, named, (settled, reason), slot);
                    return Ok(());
                }
                GateDecision::Wait(wait) => self.pause(wait.min(Duration::from_millis(500))).await,
                GateDecision::Refresh => self.inbox.refresh().await?,
            }
        }
        let (chunk, sequence) = (granted.chunk, granted.permit.sequence);
        let task = RowTask { chunk, sequence, named, rows: granted.rows.clone(), slot };
        let shared = self.shared.clone();
        self.tasks.spawn(send(shared, task));
        Ok(())
    }

    fn must_stop(&self) -> bool {
        *self.stop.borrow() || self.shared.ramp().must_halt()
    }

    async fn skip_all(&mut self, granted: &Granted, rows: &[PermitRow]) {
        for named in rows {
            if let Ok(slot) = self.slots.clone().acquire_owned().await {
                self.shared.skip(granted, *named, (RowOutcome::NotSent, "stopped"), slot);
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

    /// Backs off while the provider is unreachable: 0.1 s at first, then twice as long each time, at most 30 s. Returns true
    /// after [`MAX_UNREACHABLE_WAITS`] waits.
    async fn wait_for_provider(&mut self) -> Result<bool> {
        if self.shared.not_sent() == 0 {
            self.waits = 0;
            return Ok(false);
        }
        if self.shared.not_sent() < self.waits.saturating_mul(self.concurrency.min(16)) && self.has_tasks() {
            return Ok(false);
        }
        if self.waits >= MAX_UNREACHABLE_WAITS {
            return Ok(true);
        }
        let wait =
            Duration::from_millis(100).saturating_mul(1 << self.waits.min(9)).min(Duration::from_secs(30));
        self.waits += 1;
        self.pause(wait).await;
        Ok(false)
    }

    /// Settles the rows that were claimed in advance as not sent, waits for the rows in progress, and commits all outcomes.
    pub(super) async fn finish(&mut self) -> Result<Journal> {
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
