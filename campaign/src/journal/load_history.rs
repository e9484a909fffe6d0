//! Reads the permits, outcomes, resolutions and reports of a chunk, and counts rows by state.

use std::collections::BTreeMap;

use super::store::{Row, Transaction, Value};
use super::{CampaignRecord, Journal};
use crate::error::{Error, Result};
use crate::protocol::{CreationDecision, History, Permit, Resolution, RowState, Settled, Token};

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
            RowState::Ready | RowState::NotSent | RowState::Settled(Settled::NotSent) => Self::Pending,
            RowState::Open { .. } => Self::Open,
            RowState::Fixed(CreationDecision::Duplicate) => Self::Duplicate,
            RowState::Settled(Settled::Accepted) => Self::Accepted,
            RowState::Settled(Settled::Rejected) => Self::Rejected,
            RowState::Settled(Settled::Invalid) | RowState::Fixed(_) => Self::Invalid,
            RowState::Settled(Settled::Suppressed) => Self::Suppressed,
            RowState::Settled(Settled::Unknown) => Self::Unknown,
        }
    }

    const fn column(self) -> &'static str {
        match self {
            Self::Pending => "n_pending",
            Self::Open => "n_open",
            Self::Accepted => "n_accepted",
            Self::Rejected => "n_rejected",
            Self::Invalid => "n_invalid",
            Self::Suppressed => "n_suppressed",
            Self::Duplicate => "n_duplicate",
            Self::Unknown => "n_unknown",
        }
    }
}

/// Changes of counters, written together at the end of a transaction.
#[derive(Debug, Default)]
pub(super) struct Changes {
    campaign: BTreeMap<Bucket, i64>,
    pending: BTreeMap<u32, i64>,
    open: BTreeMap<[u8; 16], i64>,
}

impl Changes {
    pub(super) fn transition(&mut self, chunk: u32, before: RowState, after: RowState) {
        self.add(chunk, before, -1);
        self.add(chunk, after, 1);
    }

    fn add(&mut self, chunk: u32, state: RowState, by: i64) {
        *self.campaign.entry(Bucket::of(state)).or_default() += by;
        if state.is_eligible() {
            *self.pending.entry(chunk).or_default() += by;
        }
        if let RowState::Open { owner } = state {
            *self.open.entry(*owner.as_bytes()).or_default() += by;
        }
    }

    pub(super) fn apply(&self, transaction: &mut dyn Transaction, id: &str) -> Result<()> {
        if self.campaign.values().any(|by| *by != 0) {
            // One statement for all counters, whose text is always the same.
            let by = |bucket| Value::Int(self.campaign.get(&bucket).copied().unwrap_or_default());
            let mut parameters: Vec<Value> = Bucket::ALL.into_iter().map(by).collect();
            parameters.push(id.into());
            let column = |(index, bucket): (usize, Bucket)| {
                let (column, parameter) = (bucket.column(), index + 1);
                format!("{column} = {column} + ${parameter}")
            };
            let columns: Vec<String> = Bucket::ALL.into_iter().enumerate().map(column).collect();
            let last = parameters.len();
            let sql = format!("UPDATE campaigns SET {} WHERE id = ${last}", columns.join(", "));
            transaction.execute(&sql, &parameters)?;
        }
        for (chunk, by) in self.pending.iter().filter(|(_, by)| **by != 0) {
            let sql = "UPDATE chunks SET n_pending = n_pending + $1 WHERE campaign = $2 AND chunk = $3";
            transaction.execute(sql, &[(*by).into(), id.into(), (*chunk).into()])?;
        }
        for (owner, by) in self.open.iter().filter(|(_, by)| **by != 0) {
            let sql = "UPDATE owners SET n_open = n_open + $1 WHERE id = $2";
            transaction.execute(sql, &[(*by).into(), Value::Bytes(owner.to_vec())])?;
        }
        Ok(())
    }
}

fn narrow<T: TryFrom<i64>>(row: &Row, column: usize) -> Result<T> {
    T::try_from(row.int(column)?).map_err(|_| Error::Damaged("a number is out of range"))
}

fn permit(row: &Row) -> Result<Permit> {
    let named = row.bytes(3)?.and_then(Permit::decode_rows);
    Ok(Permit {
        sequence: narrow(row, 0)?,
        token: row.token(1)?,
        owner: row.token(2)?,
        rows: named.ok_or(Error::Damaged("the rows of a permit"))?,
        claimed_us: row.int(4)?,
    })
}

/// One permit of a chain.
pub(super) fn permit_at(
    transaction: &mut dyn Transaction,
    id: &str,
    chunk: u32,
    sequence: u32,
) -> Result<Option<Permit>> {
    let sql = "SELECT sequence, token, owner, named, claimed_us FROM permits
        WHERE campaign = $1 AND chunk = $2 AND sequence = $3";
    let rows = transaction.query(sql, &[id.into(), chunk.into(), sequence.into()])?;
    rows.first().map(permit).transpose()
}

/// The durable history of a chunk.
pub(super) fn history(transaction: &mut dyn Transaction, id: &str, chunk: u32) -> Result<History> {
    let key: [Value; 2] = [id.into(), chunk.into()];
    let mut history = History::default();
    let sql = "SELECT sequence, token, owner, named, claimed_us FROM permits
        WHERE campaign = $1 AND chunk = $2 ORDER BY sequence";
    for row in transaction.query(sql, &key)? {
        history.append(permit(&row)?).map_err(|_| Error::Damaged("a chain of permits has a gap"))?;
    }
    let sql = "SELECT sequence, row_index, outcome FROM outcomes WHERE campaign = $1 AND chunk = $2";
    for row in transaction.query(sql, &key)? {
        let settled = Settled::from_name(row.text(2)?).ok_or(Error::Damaged("an outcome is not known"))?;
        history.settle(narrow(&row, 0)?, narrow(&row, 1)?, settled);
    }
    let sql = "SELECT sequence, row_index, resolution FROM resolutions WHERE campaign = $1 AND chunk = $2";
    for row in transaction.query(sql, &key)? {
        let resolution =
            Resolution::from_name(row.text(2)?).ok_or(Error::Damaged("a resolution is not known"))?;
        history.resolve(narrow(&row, 0)?, narrow(&row, 1)?, resolution);
    }
    let sql = "SELECT row_index FROM reports WHERE campaign = $1 AND chunk = $2";
    for row in transaction.query(sql, &key)? {
        history.report(narrow(&row, 0)?);
    }
    Ok(history)
}

/// The end of a row as its owner stored it.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredOutcome {
    /// Why.
    pub reason: Option<String>,
    /// The provider's id of the message.
    pub message_id: Option<String>,
    /// The response or error record, where the campaign keeps them.
    pub detail: Option<String>,
}

impl Journal {
    /// Everything durable about a chunk, and the version of the campaign at that moment.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn history(&mut self, id: &str, chunk: u32) -> Result<(History, i64)> {
        self.read(|transaction| {
            let version = CampaignRecord::by_id(transaction, id)?.version;
            Ok((history(transaction, id, chunk)?, version))
        })
    }

    /// What owners stored beside the outcomes of a chunk; for each row that of its last permit with an outcome.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn stored(&mut self, id: &str, chunk: u32) -> Result<BTreeMap<u16, StoredOutcome>> {
        let rows = self.read(|transaction| {
            let sql = "SELECT row_index, reason, message_id, detail FROM outcomes
                WHERE campaign = $1 AND chunk = $2 ORDER BY sequence";
            transaction.query(sql, &[id.into(), chunk.into()])
        })?;
        rows.iter()
            .map(|row| {
                let text = |column| Ok::<_, Error>(row.optional_text(column)?.map(str::to_owned));
                Ok((
                    narrow(row, 0)?,
                    StoredOutcome { reason: text(1)?, message_id: text(2)?, detail: text(3)? },
                ))
            })
            .collect()
    }

    /// Whether the owner with this token counts as gone.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn is_gone(&mut self, id: &str, owner: Token) -> Result<bool> {
        Ok(self.owners(id)?.iter().any(|known| known.id == owner && !known.may_live))
    }
}
