//! The campaign that got the last permit, and the number of its permitted rows, in a row of `meta`. Both change in one transaction, and
//! the number never falls. So the older rows of the other tables, restored without `meta`, differ if anything was permitted since.

use super::store::Transaction;
use crate::error::{Error, Result};

/// Remembers the permitted rows of a campaign, after they were counted.
pub(super) fn store(transaction: &mut dyn Transaction, id: &str) -> Result<()> {
    let sql = "INSERT INTO meta (name, value)
        SELECT 'last_permit', id || ' ' || n_attempts FROM campaigns WHERE id = $1
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    transaction.execute_later(sql, &[id.into()])
}

/// Forgets it, because the journal was restored on purpose.
pub(super) fn forget(transaction: &mut dyn Transaction) -> Result<()> {
    transaction.execute("DELETE FROM meta WHERE name = 'last_permit'", &[]).map(|_| ())
}

/// Compares it with the campaign. A journal without permits, and one of an older version, has none.
///
/// # Errors
/// [`Error::MixedTables`]
pub(super) fn compare(transaction: &mut dyn Transaction) -> Result<()> {
    let found = transaction.query("SELECT value FROM meta WHERE name = 'last_permit'", &[])?;
    let Some(row) = found.first() else { return Ok(()) };
    let value = row.text("value")?;
    let id = value.split(' ').next().unwrap_or_default();
    let campaigns = transaction.query("SELECT n_attempts FROM campaigns WHERE id = $1", &[id.into()])?;
    check(Some(value), campaigns.first().map(|row| row.int("n_attempts")).transpose()?)
}

/// Compares the value of the row with the permitted rows of the campaign that it names; `None` without such a campaign.
///
/// # Errors
/// [`Error::MixedTables`]
pub(super) fn check(value: Option<&str>, found: Option<i64>) -> Result<()> {
    let Some(value) = value else { return Ok(()) };
    let attempts = value.split_once(' ').and_then(|(_, attempts)| attempts.parse().ok());
    let attempts: i64 = attempts.ok_or(Error::Damaged("the last permit"))?;
    let found = found.unwrap_or_default();
    if attempts == found { Ok(()) } else { Err(Error::MixedTables { attempts, found }) }
}
