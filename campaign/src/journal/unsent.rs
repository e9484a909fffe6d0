//! Settles rows that a worker claimed and certainly did not send before it was killed.

use std::collections::BTreeSet;

use super::campaign_record::CampaignRecord;
use super::counter_changes::Changes;
use super::load_history::history;
use super::owner_file::Evidence;
use super::owners::owners;
use super::settle::settle;
use super::settlement::Settlement;
use super::store::Transaction;
use super::{Journal, Owner};
use crate::error::Result;
use crate::protocol::{Health, RowOutcome, RowState};

/// The reason of such a row.
const NOT_BEGUN: &str = "not_begun";

/// Whether it is certain that the owner has ended, and that the journal has all of its commits.
const fn may_have_evidence(owner: &Owner) -> bool {
    owner.is_certain && !owner.is_restored && owner.open > 0
}

impl Journal {
    /// Settles as not sent the rows of ended owners of this machine whose requests never reached the network, and returns their
    /// number. Rows without such a proof stay unknown.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn settle_unsent_rows(&mut self, id: &str) -> Result<u64> {
        let mut settled = 0;
        for owner in self.owners(id)?.into_iter().filter(may_have_evidence) {
            let Some(evidence) = Evidence::of(owner.id) else { continue };
            settled += self.settle_by(id, &owner, &evidence)?;
            evidence.remove();
        }
        Ok(settled)
    }

    fn settle_by(&mut self, id: &str, owner: &Owner, evidence: &Evidence) -> Result<u64> {
        let times = self.probe_times;
        self.write(|transaction| {
            let still_ended = |known: &Owner| known.id == owner.id && may_have_evidence(known);
            if !owners(transaction, id)?.iter().any(still_ended) {
                return Ok(0);
            }
            let mut campaign = CampaignRecord::by_id(transaction, id)?;
            let mut settlements = Vec::new();
            for chunk in evidence.permits().map(|(chunk, _)| chunk).collect::<BTreeSet<u32>>() {
                unsent_rows(transaction, id, chunk, owner, evidence, &mut settlements)?;
            }
            let mut changes = Changes::default();
            settle(transaction, &mut campaign, owner.id, &settlements, &mut changes, &times)?;
            changes.apply(transaction, id)?;
            transaction.execute("UPDATE owners SET is_gone = 1 WHERE id = $1", &[owner.id.into()])?;
            Ok(u64::try_from(settlements.len()).unwrap_or_default())
        })
    }
}

fn unsent_rows(
    transaction: &mut dyn Transaction,
    id: &str,
    chunk: u32,
    owner: &Owner,
    evidence: &Evidence,
    settlements: &mut Vec<Settlement>,
) -> Result<()> {
    let history = history(transaction, id, chunk)?;
    // A purged row cannot be sent any more, so it stays unknown.
    let Some(prices) = prices(transaction, id, chunk)? else { return Ok(()) };
    for permit in history.permits().iter().filter(|permit| permit.owner == owner.id) {
        for (position, named) in permit.rows.iter().enumerate() {
            let is_last = history.last_permit(named.row).is_some_and(|last| last.sequence == permit.sequence);
            let is_open = is_last && history.state(named.row) == RowState::Open { owner: owner.id };
            if is_open && evidence.is_unsent((chunk, permit.sequence), position) {
                settlements.push(Settlement {
                    chunk,
                    sequence: permit.sequence,
                    row: named.row,
                    settled: RowOutcome::NotSent,
                    reason: Some(NOT_BEGUN.to_owned()),
                    message_id: None,
                    detail: None,
                    price: prices.get(usize::from(named.row)).copied().unwrap_or_default(),
                    health: Health::Neutral,
                });
            }
        }
    }
    Ok(())
}

/// The prices of the rows of a chunk; `None` after a purge.
fn prices(transaction: &mut dyn Transaction, id: &str, chunk: u32) -> Result<Option<Vec<i64>>> {
    let sql = "SELECT digest, body FROM chunks WHERE campaign = $1 AND chunk = $2";
    let rows = transaction.query(sql, &[id.into(), chunk.into()])?;
    let Some(row) = rows.first() else { return Ok(None) };
    let Some(body) = row.bytes("body")? else { return Ok(None) };
    let rows = crate::chunk::decode(body, row.text("digest")?)?;
    Ok(Some(rows.iter().map(|row| row.price).collect()))
}
