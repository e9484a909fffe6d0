//! Reads the permits, outcomes, resolutions and reports of a chunk.

use std::collections::BTreeMap;

use super::attempts::Counted;
use super::store::{Row, Transaction, Value};
use super::{CampaignRecord, Journal};
use crate::error::{Error, Result};
use crate::protocol::{History, Permit, Resolution, RowOutcome, Token};

fn narrow<T: TryFrom<i64>>(row: &Row, column: &str) -> Result<T> {
    T::try_from(row.int(column)?).map_err(|_| Error::Damaged("a number is out of range"))
}

fn permit(row: &Row) -> Result<Permit> {
    let named = row.bytes("named")?.and_then(Permit::decode_rows);
    Ok(Permit {
        sequence: narrow(row, "sequence")?,
        token: row.token("token")?,
        owner: row.token("owner")?,
        rows: named.ok_or(Error::Damaged("the rows of a permit"))?,
        claimed_us: row.int("claimed_us")?,
    })
}

/// A campaign, one permit of the chain of a chunk, and what was counted about the chunk.
pub(super) fn campaign_and_permit(
    transaction: &mut dyn Transaction,
    id: &str,
    chunk: u32,
    sequence: u32,
) -> Result<(CampaignRecord, Option<Permit>, Counted)> {
    let sql = "SELECT sequence, token, owner, named, claimed_us FROM permits
        WHERE campaign = $1 AND chunk = $2 AND sequence = $3";
    let (of_campaign, of_chunk) = ([id.into()], [id.into(), chunk.into()]);
    let of_permit = [id.into(), chunk.into(), sequence.into()];
    let found = transaction.query_all(&[
        (CampaignRecord::BY_ID, &of_campaign),
        (sql, &of_permit),
        (Counted::OF_CHUNK, &of_chunk),
    ])?;
    let [campaigns, permits, counted] = found.as_slice() else { return Err(Error::Task) };
    let permit = permits.first().map(permit).transpose()?;
    Ok((CampaignRecord::first(campaigns)?, permit, Counted::read(counted)?))
}

/// The numbers of the chunks of a campaign.
pub(super) fn chunks(transaction: &mut dyn Transaction, id: &str) -> Result<Vec<u32>> {
    let sql = "SELECT chunk FROM chunks WHERE campaign = $1 ORDER BY chunk";
    let rows = transaction.query(sql, &[id.into()])?;
    rows.iter()
        .map(|row| u32::try_from(row.int("chunk")?).map_err(|_| Error::Damaged("a chunk's number")))
        .collect()
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
        let outcome =
            RowOutcome::from_name(row.text("outcome")?).ok_or(Error::Damaged("an outcome is not known"))?;
        history.settle(narrow(&row, "sequence")?, narrow(&row, "row_index")?, outcome);
    }
    let sql = "SELECT sequence, row_index, resolution FROM resolutions WHERE campaign = $1 AND chunk = $2";
    for row in transaction.query(sql, &key)? {
        let resolution = Resolution::from_name(row.text("resolution")?)
            .ok_or(Error::Damaged("a resolution is not known"))?;
        history.resolve(narrow(&row, "sequence")?, narrow(&row, "row_index")?, resolution);
    }
    let sql = "SELECT row_index FROM reports WHERE campaign = $1 AND chunk = $2";
    for row in transaction.query(sql, &key)? {
        history.report(narrow(&row, "row_index")?);
    }
    Ok(history)
}

/// The outcome of a row as its owner stored it.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredOutcome {
    /// The reason of the outcome.
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

    /// What owners stored with the outcomes of a chunk: for each row, the outcome of the last permit that has one.
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
                    narrow(row, "row_index")?,
                    StoredOutcome {
                        reason: text("reason")?,
                        message_id: text("message_id")?,
                        detail: text("detail")?,
                    },
                ))
            })
            .collect()
    }

    /// Whether the owner with this token counts as ended.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn is_gone(&mut self, id: &str, owner: Token) -> Result<bool> {
        Ok(self.owners(id)?.iter().any(|known| known.id == owner && !known.possibly_alive))
    }
}

/// `Debug` shows no id, reason, response or error.
impl std::fmt::Debug for StoredOutcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredOutcome")
            .field("has_message_id", &self.message_id.is_some())
            .field("has_detail", &self.detail.is_some())
            .finish_non_exhaustive()
    }
}
