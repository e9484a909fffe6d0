//! Settling rows, and the transaction that settles and claims at once.

use super::claim::{ChunkView, Claim, Claimed, claim};
use super::ledger::{Changes, history};
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
            settle(transaction, id, owner, settlements)?;
            if backoff_us > 0 {
                extend_backoff(transaction, id, backoff_us)?;
            }
            let claimed = match &mut request {
                Some((wanted, view)) => Some(claim(transaction, id, wanted, view)?),
                None => None,
            };
            let campaign = CampaignRecord::by_id(transaction, id)?;
            let now = transaction.now_us()?;
            Ok(Exchange {
                state: campaign.state,
                version: campaign.version,
                backoff_us: (campaign.backoff_us - now).max(0),
                claimed,
            })
        })
    }
}

fn extend_backoff(transaction: &mut dyn Transaction, id: &str, backoff_us: i64) -> Result<()> {
    let until = transaction.now_us()?.saturating_add(backoff_us);
    let sql = "UPDATE campaigns SET backoff_us = $1 WHERE id = $2 AND backoff_us < $3";
    transaction.execute(sql, &[until.into(), id.into(), until.into()])?;
    Ok(())
}

fn settle(
    transaction: &mut dyn Transaction,
    id: &str,
    owner: Token,
    settlements: &[Settlement],
) -> Result<()> {
    if settlements.is_empty() {
        return Ok(());
    }
    let has_evidence = CampaignRecord::by_id(transaction, id)?.evidence > 0;
    let now_us = transaction.now_us()?;
    let (mut changes, mut refund) = (Changes::default(), 0);
    for settlement in settlements {
        let known = if has_evidence { Some(history(transaction, id, settlement.chunk)?) } else { None };
        if !insert(transaction, id, settlement, now_us)? {
            continue;
        }
        let (before, after) = match known {
            Some(mut history) => {
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
    changes.apply(transaction, id)?;
    let sql = "UPDATE owners SET seen_us = $1 WHERE id = $2";
    transaction.execute(sql, &[now_us.into(), owner.into()])?;
    if refund != 0 {
        let sql = "UPDATE campaigns SET spend = spend - $1 WHERE id = $2";
        transaction.execute(sql, &[refund.into(), id.into()])?;
    }
    Ok(())
}

const fn without_evidence(settled: Settled) -> RowState {
    match settled {
        Settled::NotSent => RowState::NotSent,
        settled => RowState::Settled(settled),
    }
}

fn insert(transaction: &mut dyn Transaction, id: &str, settlement: &Settlement, now_us: i64) -> Result<bool> {
    let sql =
        "INSERT INTO outcomes (campaign, chunk, sequence, row_index, outcome, reason, message_id, detail,
        settled_us) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING";
    let parameters: [Value; 9] = [
        id.into(),
        settlement.chunk.into(),
        settlement.sequence.into(),
        settlement.row.into(),
        settlement.settled.as_str().into(),
        settlement.reason.as_deref().into(),
        settlement.message_id.as_deref().into(),
        settlement.detail.as_deref().into(),
        now_us.into(),
    ];
    Ok(transaction.execute(sql, &parameters)? == 1)
}
