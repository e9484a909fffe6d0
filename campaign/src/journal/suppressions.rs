//! The recipients that are suppressed after the creation of a campaign, and a row of `meta` with their number and a digest. Both change
//! in one transaction, so that older rows of the table, restored without `meta`, differ.

use sha2::{Digest, Sha256};

use super::store::{Row, Transaction};
use crate::error::{Error, Result};

/// A number of recipients, and the sum of their digests, which does not depend on their order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Sum {
    count: i64,
    digest: u64,
}

impl Sum {
    /// Adds a recipient. Its digest depends on the campaign, so that equal recipients of two campaigns are not recognized.
    fn add(&mut self, id: &str, recipient: &str) {
        let hash = Sha256::digest(format!("{id}\n{recipient}"));
        let first = hash.first_chunk::<8>().copied().unwrap_or_default();
        self.count += 1;
        self.digest = self.digest.wrapping_add(u64::from_be_bytes(first));
    }

    fn parse(text: &str) -> Option<Self> {
        let (count, digest) = text.split_once(' ')?;
        Some(Self { count: count.parse().ok()?, digest: u64::from_str_radix(digest, 16).ok()? })
    }
}

fn name(id: &str) -> String {
    format!("suppressions {id}")
}

/// Adds recipients that are not suppressed yet.
pub(super) fn add(transaction: &mut dyn Transaction, id: &str, recipients: &[String]) -> Result<()> {
    let mut sum = stored(transaction, id)?;
    for recipient in recipients {
        let sql = "INSERT INTO suppressions (campaign, recipient) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        if transaction.execute(sql, &[id.into(), recipient.as_str().into()])? > 0 {
            sum.add(id, recipient);
        }
    }
    store(transaction, id, sum)
}

/// The suppressed recipients of a campaign.
///
/// # Errors
/// [`Error::SuppressionsLost`]
pub(super) fn read(transaction: &mut dyn Transaction, id: &str) -> Result<Vec<String>> {
    let expected = stored(transaction, id)?;
    let (recipients, sum) = found(transaction, id)?;
    if expected != sum {
        return Err(Error::SuppressionsLost { stored: expected.count, found: sum.count });
    }
    Ok(recipients)
}

/// Accepts the recipients that the table has for each campaign: of a journal of an older version, or one that was restored on purpose.
pub(super) fn accept(transaction: &mut dyn Transaction) -> Result<()> {
    transaction.execute("DELETE FROM meta WHERE name LIKE 'suppressions %'", &[])?;
    for row in transaction.query("SELECT DISTINCT campaign FROM suppressions", &[])? {
        let id = row.text("campaign")?;
        let (_, sum) = found(transaction, id)?;
        store(transaction, id, sum)?;
    }
    Ok(())
}

/// Removes all of them.
pub(super) fn remove(transaction: &mut dyn Transaction, id: &str) -> Result<()> {
    transaction.execute("DELETE FROM suppressions WHERE campaign = $1", &[id.into()])?;
    transaction.execute("DELETE FROM meta WHERE name = $1", &[name(id).into()]).map(|_| ())
}

fn store(transaction: &mut dyn Transaction, id: &str, sum: Sum) -> Result<()> {
    let sql = "INSERT INTO meta (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    let value = format!("{} {:016x}", sum.count, sum.digest);
    transaction.execute(sql, &[name(id).into(), value.into()]).map(|_| ())
}

fn stored(transaction: &mut dyn Transaction, id: &str) -> Result<Sum> {
    let rows = transaction.query("SELECT value FROM meta WHERE name = $1", &[name(id).into()])?;
    let parse = |row: &Row| Sum::parse(row.text("value")?).ok_or(Error::Damaged("the sum of suppressions"));
    rows.first().map_or(Ok(Sum::default()), parse)
}

fn found(transaction: &mut dyn Transaction, id: &str) -> Result<(Vec<String>, Sum)> {
    let rows = transaction.query("SELECT recipient FROM suppressions WHERE campaign = $1", &[id.into()])?;
    let mut sum = Sum::default();
    let mut recipients = Vec::with_capacity(rows.len());
    for row in &rows {
        let recipient = row.text("recipient")?;
        sum.add(id, recipient);
        recipients.push(recipient.to_owned());
    }
    Ok((recipients, sum))
}
