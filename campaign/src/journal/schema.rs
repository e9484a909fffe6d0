//! The tables, and their version, which is a row of `meta`. Each file of `sql/` leads from one version to the next.

use super::attempts;
use super::owners::any_possibly_alive;
use super::store::{Store, Transaction};
use super::suppressions;
use crate::error::{Error, Result};
use crate::protocol::Token;

/// The step from each version to the next; a new journal has version 0.
const STEPS: [&str; 2] =
    [include_str!("sql/1_campaigns.sql"), include_str!("sql/2_outages_attempts_and_kept_columns.sql")];

/// The tables beside `meta`. New ones are added at the end, because the identity in Postgres compares their ids in this order.
#[cfg(any(feature = "postgres", test))]
pub(super) const TABLES: [&str; 9] = [
    "campaigns",
    "chunks",
    "permits",
    "outcomes",
    "resolutions",
    "reports",
    "owners",
    "suppressions",
    "attempts",
];

/// The version that this library writes.
const VERSION: usize = STEPS.len();

/// Checks the version, and brings a new or older journal to the present one, unless it is only read.
pub(super) fn create(store: &mut dyn Store) -> Result<()> {
    let mut found = 0;
    store.read(&mut |transaction| {
        found = version(transaction)?;
        Ok(())
    })?;
    steps_after(found)?;
    if found == VERSION {
        return Ok(());
    }
    if store.is_read_only() {
        return Err(Error::Damaged(
            "it must be opened for writing once, because its schema version is older",
        ));
    }
    let bytes = store.bytes_type();
    store.write(&mut |transaction| upgrade(transaction, bytes))
}

/// Brings a journal to the present version, unless a worker of an older library may use it: that would not store what this version
/// compares.
fn upgrade(transaction: &mut dyn Transaction, bytes: &str) -> Result<()> {
    // Another process may have done it since, and its workers may live.
    let is_older = (1..VERSION).contains(&version(transaction)?);
    bring_to_present(transaction, bytes)?;
    if is_older && any_possibly_alive(transaction)? { Err(Error::InUse) } else { Ok(()) }
}

/// Brings a journal to the present version within a transaction.
pub(super) fn bring_to_present(transaction: &mut dyn Transaction, bytes: &str) -> Result<()> {
    let steps = steps_after(version(transaction)?)?;
    if steps.is_empty() {
        return Ok(());
    }
    for step in steps {
        transaction.run_script(&step.replace("BYTES", bytes))?;
    }
    store_keys_id(transaction)?;
    attempts::count_again(transaction)?;
    suppressions::add_unknown(transaction)?;
    let sql = "INSERT INTO meta (name, value) VALUES ('version', $1)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    transaction.execute(sql, &[VERSION.to_string().into()])?;
    Ok(())
}

/// Stores the id of keys, which is equal in all copies of the journal. A journal of an older version and its backup, which get it apart, have
/// their first campaign or key in common.
fn store_keys_id(transaction: &mut dyn Transaction) -> Result<()> {
    let first = transaction.query("SELECT id FROM campaigns ORDER BY created_us, id LIMIT 1", &[])?;
    let id = match first.first() {
        Some(row) => format!("keys{}", row.text("id")?),
        None => Token::random()?.to_hex(),
    };
    let sql = "INSERT INTO meta (name, value) VALUES ('keys_id', $1) ON CONFLICT DO NOTHING";
    transaction.execute(sql, &[id.into()]).map(drop)
}

/// Refuses the version of a newer library.
pub(super) fn check(version: usize) -> Result<()> {
    steps_after(version).map(drop)
}

fn steps_after(version: usize) -> Result<&'static [&'static str]> {
    STEPS.get(version..).ok_or(Error::NewerVersion {
        supported: i64::try_from(VERSION).unwrap_or(i64::MAX),
        found: i64::try_from(version).unwrap_or(i64::MAX),
    })
}

/// The stored version; 0 if the journal is new.
fn version(transaction: &mut dyn Transaction) -> Result<usize> {
    let found = transaction.query("SELECT value FROM meta WHERE name = 'version'", &[])?;
    let Some(row) = found.first() else { return Ok(0) };
    let version = row.text("value")?.parse().ok().filter(|version| *version > 0);
    version.ok_or(Error::Damaged("its schema version is not valid"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_those_that_the_steps_create() {
        let lines = STEPS.iter().flat_map(|step| step.lines());
        let mut created: Vec<_> = lines
            .filter_map(|line| line.strip_prefix("CREATE TABLE "))
            .filter_map(|rest| rest.split_whitespace().next())
            .collect();
        let mut tables = TABLES.to_vec();
        created.sort_unstable();
        tables.sort_unstable();
        assert_eq!(tables, created);
    }
}
