//! The tables, and their version.

use super::store::Store;
use crate::error::{Error, Result};

/// The version that this library writes.
pub(crate) const VERSION: i64 = 1;

const TABLES: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS campaigns (
        id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, operation TEXT NOT NULL, state TEXT NOT NULL, reason TEXT,
        version BIGINT NOT NULL, created_us BIGINT NOT NULL, digest TEXT NOT NULL, settings TEXT NOT NULL,
        n_rows BIGINT NOT NULL, n_invalid BIGINT NOT NULL, n_suppressed BIGINT NOT NULL, n_duplicate BIGINT NOT NULL,
        n_accepted BIGINT NOT NULL, n_rejected BIGINT NOT NULL, n_unknown BIGINT NOT NULL, n_pending BIGINT NOT NULL,
        n_open BIGINT NOT NULL, n_attempts BIGINT NOT NULL, n_parts BIGINT NOT NULL, n_evidence BIGINT NOT NULL,
        spend BIGINT NOT NULL, rate_us BIGINT NOT NULL, backoff_us BIGINT NOT NULL,
        backoff_from_us BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS chunks (
        campaign TEXT NOT NULL, chunk BIGINT NOT NULL, n_rows BIGINT NOT NULL, n_pending BIGINT NOT NULL,
        lease BYTES, digest TEXT NOT NULL, body BYTES, PRIMARY KEY (campaign, chunk))",
    "CREATE TABLE IF NOT EXISTS permits (
        campaign TEXT NOT NULL, chunk BIGINT NOT NULL, sequence BIGINT NOT NULL, token BYTES NOT NULL,
        owner BYTES NOT NULL, named BYTES NOT NULL, claimed_us BIGINT NOT NULL,
        PRIMARY KEY (campaign, chunk, sequence))",
    "CREATE TABLE IF NOT EXISTS outcomes (
        campaign TEXT NOT NULL, chunk BIGINT NOT NULL, sequence BIGINT NOT NULL, row_index BIGINT NOT NULL,
        outcome TEXT NOT NULL, reason TEXT, message_id TEXT, detail TEXT, settled_us BIGINT NOT NULL,
        PRIMARY KEY (campaign, chunk, sequence, row_index))",
    "CREATE TABLE IF NOT EXISTS resolutions (
        campaign TEXT NOT NULL, chunk BIGINT NOT NULL, sequence BIGINT NOT NULL, row_index BIGINT NOT NULL,
        resolution TEXT NOT NULL, resolved_us BIGINT NOT NULL,
        PRIMARY KEY (campaign, chunk, sequence, row_index))",
    "CREATE TABLE IF NOT EXISTS reports (
        campaign TEXT NOT NULL, chunk BIGINT NOT NULL, row_index BIGINT NOT NULL, attempt BIGINT NOT NULL,
        reported_us BIGINT NOT NULL, PRIMARY KEY (campaign, chunk, row_index, attempt))",
    "CREATE TABLE IF NOT EXISTS owners (
        id BYTES PRIMARY KEY, campaign TEXT NOT NULL, process TEXT NOT NULL, seen_us BIGINT NOT NULL,
        n_open BIGINT NOT NULL, is_gone BIGINT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS owners_campaign ON owners (campaign)",
    "CREATE TABLE IF NOT EXISTS suppressions (
        campaign TEXT NOT NULL, recipient TEXT NOT NULL, PRIMARY KEY (campaign, recipient))",
];

/// Checks the version, and creates the tables in a new journal.
pub(super) fn create(store: &mut dyn Store) -> Result<()> {
    let bytes = store.bytes_type();
    store.write(&mut |transaction| {
        let mut tables = TABLES.iter();
        if let Some(meta) = tables.next() {
            transaction.execute(meta, &[])?;
        }
        let found = transaction.query("SELECT value FROM meta WHERE name = $1", &["version".into()])?;
        match found.first().map(|row| row.text(0).map(str::parse::<i64>)).transpose()? {
            Some(Ok(VERSION)) => return Ok(()),
            Some(Ok(found)) if found > VERSION => {
                return Err(Error::NewerVersion { supported: VERSION, found });
            }
            Some(_) => return Err(Error::Damaged("its schema version is not valid")),
            None => {}
        }
        for table in tables {
            transaction.execute(&table.replace("BYTES", bytes), &[])?;
        }
        let version = VERSION.to_string();
        transaction
            .execute("INSERT INTO meta (name, value) VALUES ($1, $2)", &["version".into(), version.into()])?;
        Ok(())
    })
}
