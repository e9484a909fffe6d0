//! Declares a journal as moved or restored, which gives it a new identity.

use std::collections::BTreeMap;

use serde::Serialize;

use super::campaign_record::{CampaignRecord, State, set_state};
use super::campaigns::count;
use super::copy_rights::{self, KeysRight};
use super::counter_changes::{Changes, Reservation};
use super::last_permit;
use super::load_history::history;
use super::owners::any_lives_here;
use super::reports::touch;
use super::stop_reason::StopReason;
use super::store::{Declaration, Location, Store, Transaction};
use super::{ONCE_PREFIX, attempts, retries, schema, suppressions};
use crate::error::{Error, Result};
use crate::protocol::{History, Permit, PermitRow, Resolution, RowOutcome, RowState, Token};

/// What [`Journal::mark_restored`](super::Journal::mark_restored) did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RestoreSummary {
    /// Campaigns with rows that became unknown.
    pub campaigns: u64,
    /// Rows of campaigns that became unknown: those that could be sent, those of permits without an outcome, and `rejected`.
    pub unknown: u64,
    /// Rows that were rejected for a reason that `retry` accepts. They became unknown, because they may have been retried since the backup.
    pub rejected: u64,
    /// Campaigns that were being created and are cancelled now. Their names stay taken.
    pub cancelled: u64,
    /// Keys of `send_once` whose message became unknown.
    pub keys: u64,
    /// Whether new keys of `send_once` are accepted.
    pub accepts_keys: bool,
    /// For each campaign whose table of suppressed recipients lacks some that the journal knew, their number, until they are suppressed again:
    /// the campaign is not run before. Those that were suppressed after the backup are not known at all. Suppress both again before the
    /// unknown rows are resolved.
    pub lost_suppressions: BTreeMap<String, u64>,
}

/// Gives a journal that was moved a new identity.
pub(crate) fn mark_moved(store: &mut dyn Store) -> Result<()> {
    let bytes = store.bytes_type();
    store.declare(Declaration::Moved, &mut |transaction, _| {
        schema::bring_to_present(transaction, bytes)?;
        refuse_in_use(transaction)
    })
}

/// Makes every row that may be sent or has no outcome unknown, and gives the journal a new identity.
pub(crate) fn mark_restored(store: &mut dyn Store, forget_keys: bool) -> Result<RestoreSummary> {
    let bytes = store.bytes_type();
    let mut summary = RestoreSummary::default();
    let (gone, keys, place) = (Token::random()?, Token::random()?, store.place());
    store.declare(Declaration::Restored, &mut |transaction, location| {
        schema::bring_to_present(transaction, bytes)?;
        // The workers of the original use another journal.
        if location != Location::Elsewhere {
            refuse_in_use(transaction)?;
        }
        summary = restore_all(transaction, gone)?;
        copy_rights::restore(transaction, location == Location::InPlace)?;
        summary.accepts_keys = forget_keys;
        transaction.execute("DELETE FROM meta WHERE name = 'keys_lost'", &[])?;
        if forget_keys {
            KeysRight::read(transaction)?.take_over(transaction, keys, &place)?;
        } else {
            transaction.execute("INSERT INTO meta (name, value) VALUES ('keys_lost', '1')", &[])?;
        }
        Ok(())
    })?;
    Ok(summary)
}

fn refuse_in_use(transaction: &mut dyn Transaction) -> Result<()> {
    if any_lives_here(transaction)? { Err(Error::InUse) } else { Ok(()) }
}

fn restore_all(transaction: &mut dyn Transaction, gone: Token) -> Result<RestoreSummary> {
    let mut summary = RestoreSummary::default();
    last_permit::forget(transaction)?;
    summary.lost_suppressions = lost_suppressions(transaction)?;
    suppressions::add_unknown(transaction)?;
    attempts::count_again(transaction)?;
    // Their rows are unknown from now on. Owners elsewhere may live, so nothing else about them changes.
    transaction.execute("UPDATE owners SET is_restored = 1", &[])?;
    for campaign in CampaignRecord::all(transaction)? {
        let (pending, rejected) = match campaign.state {
            State::Creating => {
                set_state(transaction, &campaign.id, State::Cancelled, Some(StopReason::Restored))?;
                summary.cancelled += 1;
                continue;
            }
            // Its rows are never sent.
            State::Cancelled => (0, 0),
            _ => (campaign.counts.pending, restore(transaction, &campaign, gone)?),
        };
        let unknown = rejected + u64::try_from(pending + campaign.counts.open).unwrap_or_default();
        match campaign.name.starts_with(ONCE_PREFIX) {
            true => summary.keys += unknown,
            false => {
                summary.unknown += unknown;
                summary.rejected += rejected;
                summary.campaigns += u64::from(unknown > 0);
            }
        }
    }
    Ok(summary)
}

/// For each campaign that has lost suppressed recipients, their number.
pub(super) fn lost_suppressions(transaction: &mut dyn Transaction) -> Result<BTreeMap<String, u64>> {
    let mut lost = BTreeMap::new();
    for campaign in CampaignRecord::all(transaction)? {
        let recipients = suppressions::lost(transaction, &campaign.id)?;
        if recipients > 0 {
            lost.insert(campaign.name, recipients);
        }
    }
    Ok(lost)
}

/// Makes the rows of a campaign unknown that may be sent. Returns the number of those that were rejected and may be retried.
fn restore(transaction: &mut dyn Transaction, campaign: &CampaignRecord, gone: Token) -> Result<u64> {
    let id = campaign.id.as_str();
    let has_rows = campaign.counts.pending > 0 || campaign.counts.rejected > 0;
    let rejected = if has_rows { restore_chunks(transaction, campaign, gone)? } else { 0 };
    // Also where older tables did not agree.
    let sql = "UPDATE chunks SET n_pending = 0 WHERE campaign = $1 AND n_pending <> 0";
    transaction.execute(sql, &[id.into()])?;
    Ok(rejected)
}

fn restore_chunks(transaction: &mut dyn Transaction, campaign: &CampaignRecord, gone: Token) -> Result<u64> {
    let id = campaign.id.as_str();
    let sql = "SELECT chunk FROM chunks WHERE campaign = $1 AND (n_pending > 0 OR EXISTS (
        SELECT 1 FROM outcomes WHERE outcomes.campaign = chunks.campaign AND outcomes.chunk = chunks.chunk
            AND outcome = $2)) ORDER BY chunk";
    let chunks = transaction.query(sql, &[id.into(), RowOutcome::Rejected.as_str().into()])?;
    // An owner belongs to one campaign.
    let owner = Token::from_bytes(std::array::from_fn(|index| {
        let salt = id.as_bytes().get(index).copied().unwrap_or_default();
        gone.as_bytes().get(index).copied().unwrap_or_default() ^ salt
    }));
    let mut rejected = 0;
    for chunk in chunks {
        let number = u32::try_from(chunk.int("chunk")?).map_err(|_| Error::Damaged("a chunk's number"))?;
        rejected += restore_chunk(transaction, campaign, number, owner)?;
    }
    if rejected > 0 {
        touch(transaction, id)?;
    }
    Ok(rejected)
}

/// Names the rows of a chunk that may be sent in a permit whose owner has ended, so that they are unknown.
fn restore_chunk(
    transaction: &mut dyn Transaction,
    campaign: &CampaignRecord,
    number: u32,
    owner: Token,
) -> Result<u64> {
    let id = campaign.id.as_str();
    let now = transaction.now_us()?;
    let sql = "SELECT n_pending, digest, body FROM chunks WHERE campaign = $1 AND chunk = $2";
    let found = transaction.query(sql, &[id.into(), number.into()])?;
    let chunk = found.first().ok_or(Error::Damaged("a chunk is missing"))?;
    let rows = match chunk.bytes("body")? {
        Some(body) => crate::chunk::decode(body, chunk.text("digest")?)?,
        None if chunk.int("n_pending")? > 0 => return Err(Error::Purged),
        // Rows that were purged cannot be retried.
        None => return Ok(0),
    };
    let bases: Vec<_> = rows.iter().map(|row| row.base).collect();
    let price = |row: u16| rows.get(usize::from(row)).map_or(0, |row| row.price);
    let mut history: History = history(transaction, id, number)?;
    let mut changes = Changes::default();
    let mut rejected = 0;
    for (row, sequence) in retries::rows_that_may_be_retried(transaction, id, number)? {
        let before = history.state(row);
        let is_last = history.last_permit(row).is_some_and(|permit| permit.sequence == sequence);
        if is_last && before == RowState::Settled(RowOutcome::Rejected) {
            retries::store(transaction, (id, number, sequence, row), Resolution::Retry, now)?;
            history.resolve(sequence, row, Resolution::Retry);
            changes.transition(number, before, history.state(row));
            changes.refund(price(row));
            rejected += 1;
        }
    }
    let rows: Vec<PermitRow> = history.next_rows(&bases, bases.len(), |_| true);
    if rows.is_empty() {
        return Ok(0);
    }
    let sql = "INSERT INTO owners (id, campaign, process, seen_us, n_open, is_gone, is_restored)
        VALUES ($1, $2, $3, $4, 0, 1, 1) ON CONFLICT DO NOTHING";
    let process = serde_json::to_string(&crate::platform::Process::current()).unwrap_or_default();
    transaction.execute(sql, &[owner.into(), id.into(), process.as_str().into(), now.into()])?;
    // The original may have sent these rows, so they count as attempts, and their price as spent.
    changes.reserve(&Reservation {
        chunk: number,
        owner,
        rows: count(rows.len()),
        price: rows.iter().map(|named| price(named.row)).sum(),
        rate_us: campaign.rate_us,
    });
    let sql = "INSERT INTO permits (campaign, chunk, sequence, token, owner, named, claimed_us)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let parameters = [
        id.into(),
        number.into(),
        history.next_sequence().into(),
        Token::random()?.into(),
        owner.into(),
        Permit::encode_rows(&rows).into(),
        now.into(),
    ];
    transaction.execute(sql, &parameters)?;
    changes.apply(transaction, id)?;
    Ok(rejected)
}
