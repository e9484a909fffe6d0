//! Counters of campaigns, chunks and owners, written once for each transaction.

use std::collections::BTreeMap;

use super::attempts;
use super::last_permit;
use super::store::{Transaction, Value};
use crate::error::Result;
use crate::protocol::{CreationDecision, RowOutcome, RowState, Token};

/// The counter of a campaign that a row is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bucket {
    Pending,
    Open,
    Accepted,
    Rejected,
    Invalid,
    Suppressed,
    Duplicate,
    Unknown,
}

impl Bucket {
    const ALL: [Self; 8] = [
        Self::Pending,
        Self::Open,
        Self::Accepted,
        Self::Rejected,
        Self::Invalid,
        Self::Suppressed,
        Self::Duplicate,
        Self::Unknown,
    ];

    const fn of(state: RowState) -> Self {
        match state {
            RowState::Ready | RowState::NotSent | RowState::Settled(RowOutcome::NotSent) => Self::Pending,
            RowState::Open { .. } => Self::Open,
            RowState::Fixed(CreationDecision::Duplicate) => Self::Duplicate,
            RowState::Settled(RowOutcome::Accepted) => Self::Accepted,
            RowState::Settled(RowOutcome::Rejected) => Self::Rejected,
            RowState::Settled(RowOutcome::Invalid) | RowState::Fixed(_) => Self::Invalid,
            RowState::Settled(RowOutcome::Suppressed) => Self::Suppressed,
            RowState::Settled(RowOutcome::Unknown) => Self::Unknown,
        }
    }
}

/// Changes of counters, written together at the end of a transaction.
#[derive(Debug, Default)]
pub(super) struct Changes {
    campaign: BTreeMap<Bucket, i64>,
    chunks: BTreeMap<u32, ChunkChange>,
    owners: BTreeMap<[u8; 16], OwnerChange>,
    attempts: i64,
    spend: i64,
    rate_us: Option<i64>,
}

#[derive(Debug, Default)]
struct ChunkChange {
    pending: i64,
    attempts: i64,
    lease: Option<Token>,
}

#[derive(Debug, Default)]
struct OwnerChange {
    open: i64,
    seen_us: Option<i64>,
}

/// The rows and the price that a new permit reserves.
pub(super) struct Reservation {
    pub(super) chunk: u32,
    pub(super) owner: Token,
    pub(super) rows: i64,
    pub(super) price: i64,
    /// When the rate permits the next row.
    pub(super) rate_us: i64,
}

impl Changes {
    pub(super) fn transition(&mut self, chunk: u32, before: RowState, after: RowState) {
        self.add(chunk, before, -1);
        self.add(chunk, after, 1);
    }

    fn add(&mut self, chunk: u32, state: RowState, by: i64) {
        *self.campaign.entry(Bucket::of(state)).or_default() += by;
        if state.is_eligible() {
            self.chunks.entry(chunk).or_default().pending += by;
        }
        if let RowState::Open { owner } = state {
            self.owner(owner).open += by;
        }
    }

    fn owner(&mut self, owner: Token) -> &mut OwnerChange {
        self.owners.entry(*owner.as_bytes()).or_default()
    }

    /// Records that the owner is running at this time.
    pub(super) fn saw(&mut self, owner: Token, now_us: i64) {
        self.owner(owner).seen_us = Some(now_us);
    }

    /// Returns a reserved price that was not spent.
    pub(super) const fn refund(&mut self, price: i64) {
        self.spend -= price;
    }

    pub(super) fn reserve(&mut self, permit: &Reservation) {
        *self.campaign.entry(Bucket::Pending).or_default() -= permit.rows;
        *self.campaign.entry(Bucket::Open).or_default() += permit.rows;
        self.attempts += permit.rows;
        self.spend += permit.price;
        self.rate_us = Some(permit.rate_us);
        let chunk = self.chunks.entry(permit.chunk).or_default();
        chunk.pending -= permit.rows;
        chunk.attempts += permit.rows;
        chunk.lease = Some(permit.owner);
        self.owner(permit.owner).open += permit.rows;
    }

    /// Writes the changes and resets them.
    pub(super) fn apply(&mut self, transaction: &mut dyn Transaction, id: &str) -> Result<()> {
        let changes = std::mem::take(self);
        changes.apply_to_campaign(transaction, id)?;
        for (chunk, by) in changes.chunks.iter().filter(|(_, by)| by.pending != 0 || by.lease.is_some()) {
            let sql = "UPDATE chunks SET n_pending = n_pending + $1, lease = COALESCE($2, lease)
                WHERE campaign = $3 AND chunk = $4";
            let parameters = [by.pending.into(), by.lease.into(), id.into(), (*chunk).into()];
            transaction.execute_later(sql, &parameters)?;
        }
        for (chunk, by) in changes.chunks.iter().filter(|(_, by)| by.attempts != 0) {
            attempts::add(transaction, id, *chunk, by.attempts)?;
        }
        for (owner, by) in changes.owners.iter().filter(|(_, by)| by.open != 0 || by.seen_us.is_some()) {
            let sql = "UPDATE owners SET n_open = n_open + $1, seen_us = COALESCE($2, seen_us) WHERE id = $3";
            let parameters = [by.open.into(), by.seen_us.into(), Value::Bytes(owner.to_vec())];
            transaction.execute_later(sql, &parameters)?;
        }
        Ok(())
    }

    /// Changes all counters with one statement. Its text is constant, so it is prepared once.
    fn apply_to_campaign(&self, transaction: &mut dyn Transaction, id: &str) -> Result<()> {
        let has_counts = self.campaign.values().any(|by| *by != 0);
        if !has_counts && self.spend == 0 && self.rate_us.is_none() {
            return Ok(());
        }
        let sql = "UPDATE campaigns SET n_pending = n_pending + $1, n_open = n_open + $2, n_accepted = n_accepted + $3,
            n_rejected = n_rejected + $4, n_invalid = n_invalid + $5, n_suppressed = n_suppressed + $6,
            n_duplicate = n_duplicate + $7, n_unknown = n_unknown + $8, n_attempts = n_attempts + $9,
            spend = spend + $10, rate_us = COALESCE($11, rate_us) WHERE id = $12";
        let by = |bucket| Value::Int(self.campaign.get(&bucket).copied().unwrap_or_default());
        let mut parameters: Vec<Value> = Bucket::ALL.into_iter().map(by).collect();
        parameters.extend([self.attempts.into(), self.spend.into(), self.rate_us.into(), id.into()]);
        transaction.execute_later(sql, &parameters)?;
        if self.attempts != 0 { last_permit::store(transaction, id) } else { Ok(()) }
    }
}
