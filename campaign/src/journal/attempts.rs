//! The permitted rows of each chunk, which never become fewer. They are counted in a table beside the permits, in the campaign, and for
//! the campaign with the last permit in a row of `meta`. So older rows of some tables differ from the other tables.

use super::last_permit;
use super::store::{Row, Transaction};
use crate::error::{Error, Result};
use crate::protocol::History;

/// Counts the rows of a new permit.
pub(super) fn add(transaction: &mut dyn Transaction, id: &str, chunk: u32, rows: i64) -> Result<()> {
    let sql = "INSERT INTO attempts (campaign, chunk, n_attempts) VALUES ($1, $2, $3)
        ON CONFLICT (campaign, chunk) DO UPDATE SET n_attempts = attempts.n_attempts + excluded.n_attempts";
    transaction.execute_later(sql, &[id.into(), chunk.into(), rows.into()])
}

/// Counts the permits again: of a journal of an older version, or one that was restored on purpose.
pub(super) fn count_again(transaction: &mut dyn Transaction) -> Result<()> {
    transaction.execute("DELETE FROM attempts", &[])?;
    // A permit stores four bytes for each row.
    let sql = "INSERT INTO attempts (campaign, chunk, n_attempts)
        SELECT campaign, chunk, CAST(SUM(LENGTH(named)) / 4 AS BIGINT) FROM permits GROUP BY campaign, chunk";
    transaction.execute(sql, &[]).map(drop)
}

/// The permitted rows of one chunk, and the last permit of all campaigns, which a claim compares.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counted(i64);

impl Counted {
    /// Selects what [`Self::read`] reads.
    pub(super) const OF_CHUNK: &str = "SELECT
        (SELECT n_attempts FROM attempts WHERE campaign = $1 AND chunk = $2) AS permitted,
        (SELECT value FROM meta WHERE name = 'last_permit') AS last_permit,
        (SELECT n_attempts FROM campaigns WHERE id = (
            SELECT substr(value, 1, 16) FROM meta WHERE name = 'last_permit')) AS attempts";

    /// # Errors
    /// [`Error::MixedTables`] when the campaign with the last permit has another number of permitted rows.
    pub(super) fn read(rows: &[Row]) -> Result<Self> {
        let row = rows.first().ok_or(Error::Task)?;
        last_permit::check(row.optional_text("last_permit")?, row.optional_int("attempts")?)?;
        Ok(Self(row.optional_int("permitted")?.unwrap_or_default()))
    }

    /// Compares the permits of the chunk, all of which the history has.
    ///
    /// # Errors
    /// [`Error::MixedTables`]
    pub(super) fn compare(self, history: &History) -> Result<()> {
        let found = history.permitted();
        if found == self.0 { Ok(()) } else { Err(Error::MixedTables { attempts: self.0, found }) }
    }
}

/// Compares the permitted rows of all chunks with those of the campaign, and these with the last permit.
///
/// # Errors
/// [`Error::MixedTables`]
pub(super) fn compare_all(transaction: &mut dyn Transaction, id: &str) -> Result<()> {
    last_permit::compare(transaction)?;
    let sql = "SELECT n_attempts, (SELECT CAST(COALESCE(SUM(n_attempts), 0) AS BIGINT) FROM attempts
        WHERE attempts.campaign = campaigns.id) AS permitted FROM campaigns WHERE id = $1";
    let rows = transaction.query(sql, &[id.into()])?;
    let Some(row) = rows.first() else { return Ok(()) };
    let (attempts, found) = (row.int("n_attempts")?, row.int("permitted")?);
    if attempts == found { Ok(()) } else { Err(Error::MixedTables { attempts, found }) }
}

/// Compares the pending rows of all chunks with those of the campaign.
///
/// # Errors
/// [`Error::MixedChunks`]
pub(super) fn compare_pending(transaction: &mut dyn Transaction, id: &str) -> Result<()> {
    let sql = "SELECT n_pending, (SELECT CAST(COALESCE(SUM(n_pending), 0) AS BIGINT) FROM chunks
        WHERE chunks.campaign = campaigns.id) AS found FROM campaigns WHERE id = $1";
    let rows = transaction.query(sql, &[id.into()])?;
    let Some(row) = rows.first() else { return Ok(()) };
    let (pending, found) = (row.int("n_pending")?, row.int("found")?);
    if pending == found { Ok(()) } else { Err(Error::MixedChunks { pending, found }) }
}
