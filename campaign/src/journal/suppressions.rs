//! The recipients that are suppressed after the creation of a campaign, and rows of `meta`: one with their number and a digest of all, and one
//! with the digest of each. All change in one transaction, so that older rows of the table, restored without `meta`, differ.

use std::collections::HashSet;

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
    fn add(&mut self, digest: u64) {
        self.count += 1;
        self.digest = self.digest.wrapping_add(digest);
    }

    fn parse(text: &str) -> Option<Self> {
        let (count, digest) = text.split_once(' ')?;
        Some(Self { count: count.parse().ok()?, digest: u64::from_str_radix(digest, 16).ok()? })
    }
}

/// The digest of a recipient. It depends on the campaign, so that equal recipients of two campaigns are not recognized.
fn digest(id: &str, recipient: &str) -> u64 {
    let hash = Sha256::digest(format!("{id}\n{recipient}"));
    u64::from_be_bytes(hash.first_chunk::<8>().copied().unwrap_or_default())
}

fn name(id: &str) -> String {
    format!("suppressions {id}")
}

/// The beginning of the names of the rows of `meta` with the digest of each recipient.
const EACH: &str = "suppressed ";

fn each(id: &str, digest: u64) -> String {
    format!("{EACH}{id} {digest:016x}")
}

/// Stores the digest of a recipient. Returns whether it is new: false for one that the table has lost.
fn store_each(transaction: &mut dyn Transaction, id: &str, digest: u64) -> Result<bool> {
    let sql = "INSERT INTO meta (name, value) VALUES ($1, '') ON CONFLICT DO NOTHING";
    transaction.execute(sql, &[each(id, digest).into()]).map(|rows| rows > 0)
}

/// Adds recipients that are not suppressed yet. Those that the table has lost are already in the sum, so the table agrees again when it
/// has all of them.
pub(super) fn add(transaction: &mut dyn Transaction, id: &str, recipients: &[String]) -> Result<()> {
    let mut sum = stored(transaction, id)?;
    for recipient in recipients {
        let sql = "INSERT INTO suppressions (campaign, recipient) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        if transaction.execute(sql, &[id.into(), recipient.as_str().into()])? > 0 {
            let digest = digest(id, recipient);
            if store_each(transaction, id, digest)? {
                sum.add(digest);
            }
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

/// How many recipients the table has lost of those that were suppressed.
pub(super) fn lost(transaction: &mut dyn Transaction, id: &str) -> Result<u64> {
    let (expected, (recipients, sum)) = (stored(transaction, id)?, found(transaction, id)?);
    if expected == sum {
        return Ok(0);
    }
    let known: HashSet<String> = recipients.iter().map(|it| each(id, digest(id, it))).collect();
    let mut lost = 0;
    for row in transaction.query("SELECT name FROM meta WHERE name LIKE $1", &[all(id).into()])? {
        lost += u64::from(!known.contains(row.text("name")?));
    }
    // A journal of an older version has only the sum.
    Ok(lost.max(u64::try_from(expected.count - sum.count).unwrap_or_default()))
}

/// Adds the recipients that the tables of all campaigns have and nobody suppressed with this library: of a journal of an older version, or
/// rows that were stored with SQL. Those that a table has lost stay in the sum.
pub(super) fn add_unknown(transaction: &mut dyn Transaction) -> Result<()> {
    for row in transaction.query("SELECT DISTINCT campaign FROM suppressions", &[])? {
        let id = row.text("campaign")?;
        let mut sum = stored(transaction, id)?;
        for recipient in found(transaction, id)?.0 {
            let digest = digest(id, &recipient);
            if store_each(transaction, id, digest)? {
                sum.add(digest);
            }
        }
        store(transaction, id, sum)?;
    }
    Ok(())
}

/// The pattern of the rows of `meta` with the digests of a campaign.
fn all(id: &str) -> String {
    format!("{EACH}{id} %")
}

/// Removes all of them.
pub(super) fn remove(transaction: &mut dyn Transaction, id: &str) -> Result<()> {
    transaction.execute("DELETE FROM suppressions WHERE campaign = $1", &[id.into()])?;
    transaction.execute("DELETE FROM meta WHERE name LIKE $1", &[all(id).into()])?;
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
        sum.add(digest(id, recipient));
        recipients.push(recipient.to_owned());
    }
    Ok((recipients, sum))
}
