//! Settling rows, and the transaction that settles and claims at once.

use std::collections::{BTreeMap, BTreeSet};

use super::claim::{ChunkView, Claim, Claimed, claim};
use super::load_history::{Changes, history};
use super::record::CampaignRecord;
use super::store::{Transaction, Value};
use super::{Journal, State};
use crate::error::Result;
use crate::protocol::{RowState, Settled, Token};

/// The end of one row under one permit.
#[derive(Clone, PartialEq)]
pub struct Settlement {
    /// The chunk.
    pub chunk: u32,
    /// The permit's sequence.
    pub sequence: u32,
    /// The row's index in the chunk.
    pub row: u16,
    /// The outcome.
    pub settled: Settled,
    /// Why.
    pub reason: Option<String>,
    /// The provider's id of the message.
    pub message_id: Option<String>,
    /// The response or error record, where the campaign keeps them.
    pub detail: Option<String>,
    /// The price that was reserved.
    pub price: i64,
}

/// What one exchange with the journal returns.
#[derive(Debug, Clone, PartialEq)]
pub struct Exchange {
    /// The campaign's state.
    pub state: State,
    /// Its version.
    pub version: i64,
    /// No row before this many microseconds passed.
    pub backoff_us: i64,
    /// What the claim came to.
    pub claimed: Option<Claimed>,
}

impl Journal {
    /// Settles rows of one owner, extends the shared back-off, and claims a permit, in one transaction.
    ///
    /// # Errors
    /// When the commit is not known to be durable. The worker must then end: nothing was won.
    pub fn exchange(
        &mut self,
        id: &str,
        owner: Token,
        settlements: &[Settlement],
        backoff_us: i64,
        mut request: Option<(&Claim<'_>, &mut ChunkView)>,
    ) -> Result<Exchange> {
        self.write(|transaction| {
            let mut campaign = CampaignRecord::by_id(transaction, id)?;
            let now = transaction.now_us()?;
            settle(transaction, &mut campaign, owner, settlements)?;
            if backoff_us > 0 {
                extend_backoff(transaction, &mut campaign, now, backoff_us)?;
            }
            let claimed = match &mut request {
                Some((requested, view)) => Some(claim(transaction, &campaign, requested, view)?),
                None => None,
            };
            let state = match claimed {
                Some(Claimed::Stopped(state)) => state,
                _ => campaign.state,
            };
            let backoff_us = campaign.backs_off(now).unwrap_or(0);
            Ok(Exchange { state, version: campaign.version, backoff_us, claimed })
        })
    }
}

fn extend_backoff(
    transaction: &mut dyn Transaction,
    campaign: &mut CampaignRecord,
    now: i64,
    wait_us: i64,
) -> Result<()> {
    if campaign.backs_off(now).unwrap_or(0) < wait_us {
        (campaign.backoff_from_us, campaign.backoff_us) = (now, now.saturating_add(wait_us));
        let sql = "UPDATE campaigns SET backoff_us = $1, backoff_from_us = $2 WHERE id = $3";
        let id = campaign.id.as_str();
        transaction.execute(sql, &[campaign.backoff_us.into(), now.into(), id.into()])?;
    }
    Ok(())
}

fn settle(
    transaction: &mut dyn Transaction,
    campaign: &mut CampaignRecord,
    owner: Token,
    settlements: &[Settlement],
) -> Result<()> {
    if settlements.is_empty() {
        return Ok(());
    }
    let now_us = transaction.now_us()?;
    let mut histories = BTreeMap::new();
    if campaign.evidence > 0 {
        for settlement in settlements {
            histories.insert(settlement.chunk, history(transaction, &campaign.id, settlement.chunk)?);
        }
    }
    let inserted = insert(transaction, &campaign.id, settlements, now_us)?;
    let (mut changes, mut refund) = (Changes::default(), 0);
    for settlement in settlements.iter().filter(|settlement| inserted.contains(&settlement.key())) {
        let (before, after) = match histories.get_mut(&settlement.chunk) {
            Some(history) => {
                let before = history.state(settlement.row);
                history.settle(settlement.sequence, settlement.row, settlement.settled);
                (before, history.state(settlement.row))
            }
            // Without reports and resolutions nobody else can have changed the row.
            None => (RowState::Open { owner }, without_evidence(settlement.settled)),
        };
        changes.transition(settlement.chunk, before, after);
        if matches!(settlement.settled, Settled::NotSent | Settled::Suppressed | Settled::Invalid) {
            refund += settlement.price;
        }
    }
    changes.apply(transaction, &campaign.id)?;
    let sql = "UPDATE owners SET seen_us = $1 WHERE id = $2";
    transaction.execute(sql, &[now_us.into(), owner.into()])?;
    if refund != 0 {
        campaign.spend -= refund;
        let sql = "UPDATE campaigns SET spend = spend - $1 WHERE id = $2";
        transaction.execute(sql, &[refund.into(), campaign.id.as_str().into()])?;
    }
    Ok(())
}

const fn without_evidence(settled: Settled) -> RowState {
    match settled {
        Settled::NotSent => RowState::NotSent,
        settled => RowState::Settled(settled),
    }
}

/// The most rows of one statement. Other statements have half, a quarter, … of them, so that few are prepared.
const BATCH: usize = 32;

/// Stores outcomes and returns the keys of those that were not stored before.
fn insert(
    transaction: &mut dyn Transaction,
    id: &str,
    settlements: &[Settlement],
    now_us: i64,
) -> Result<BTreeSet<Key>> {
    let (mut rest, mut size) = (settlements, BATCH);
    let mut inserted = BTreeSet::new();
    while !rest.is_empty() {
        let Some((group, after)) = rest.split_at_checked(size) else {
            size /= 2;
            continue;
        };
        rest = after;
        let values: Vec<String> = (0..group.len()).map(placeholders).collect();
        let sql = format!(
            "INSERT INTO outcomes (campaign, chunk, sequence, row_index, outcome, reason, message_id, detail, settled_us)
            VALUES {} ON CONFLICT DO NOTHING RETURNING chunk, sequence, row_index",
            values.join(", ")
        );
        let parameters: Vec<Value> = group.iter().flat_map(|settled| settled.values(id, now_us)).collect();
        for row in transaction.query(&sql, &parameters)? {
            inserted.insert((row.int(0)?, row.int(1)?, row.int(2)?));
        }
    }
    Ok(inserted)
}

fn placeholders(index: usize) -> String {
    let names: Vec<String> = (1..=9).map(|column| format!("${}", index * 9 + column)).collect();
    format!("({})", names.join(", "))
}

/// Chunk, sequence and row.
type Key = (i64, i64, i64);

impl Settlement {
    fn key(&self) -> Key {
        (self.chunk.into(), self.sequence.into(), self.row.into())
    }

    fn values(&self, id: &str, now_us: i64) -> [Value; 9] {
        [
            id.into(),
            self.chunk.into(),
            self.sequence.into(),
            self.row.into(),
            self.settled.as_str().into(),
            self.reason.as_deref().into(),
            self.message_id.as_deref().into(),
            self.detail.as_deref().into(),
            now_us.into(),
        ]
    }
}
