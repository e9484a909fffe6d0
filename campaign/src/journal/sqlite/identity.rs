//! The identity of a journal file: its epoch, and its generation, which every transaction that changes something raises by 1.
//!
//! The generation is in the header of the database, which SQL cannot load from a dump, and in the table `meta`, which it can. So tables
//! that were loaded into the file differ from its header.
//!
//! A journal that was restored, copied or replaced lacks commits. The header of the file, the lock file, the state folder and
//! the running workers remember generations that such a journal has not reached.

use std::cmp::Ordering;

use rusqlite::{Connection, OptionalExtension};

use super::failed;
use super::lock_file::Contents;
use super::main_file::{Header, MainFile};
use crate::error::{Error, Result};
use crate::identity_mismatch::{IdentityMismatch, Witness};
use crate::journal::state_folder::Retirement;
use crate::protocol::Token;

/// The largest `user_version`.
const LAST_GENERATION: i64 = i32::MAX as i64;

/// What the database contains about its identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stored {
    /// Random bits; `None` in a database that is new, foreign or of an older version.
    pub(super) epoch: Option<Token>,
    pub(super) generation: i64,
    /// The generation in the table `meta`.
    table_generation: i64,
    /// The generation of the last checkpoint that a transaction has seen.
    pub(super) base: i64,
    /// The schema number, and the random bits of the file.
    pub(super) schema: i64,
    file_id: i64,
}

impl Stored {
    /// Reads the identity of a database that has the table `meta`.
    pub(super) fn read(connection: &Connection) -> rusqlite::Result<Self> {
        let mut stored = Self::without_meta(connection)?;
        let sql = "SELECT name, value FROM meta WHERE name IN ('base', 'epoch', 'generation')";
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let value = row.get_ref("value")?.as_str()?;
            match row.get_ref("name")?.as_str()? {
                "epoch" => stored.epoch = Token::from_hex(value),
                "generation" => stored.table_generation = value.parse().unwrap_or(i64::MAX),
                _ => stored.base = value.parse().unwrap_or(i64::MAX),
            }
        }
        Ok(stored)
    }

    /// As [`Stored::read`], for any database.
    pub(super) fn read_any(connection: &Connection) -> rusqlite::Result<Self> {
        if has_table(connection, "meta")? {
            return Self::read(connection);
        }
        Self::without_meta(connection)
    }

    fn without_meta(connection: &Connection) -> rusqlite::Result<Self> {
        let pragma = |sql| connection.prepare_cached(sql)?.query_row([], |row| row.get(0));
        Ok(Self {
            epoch: None,
            generation: pragma("PRAGMA user_version")?,
            table_generation: 0,
            base: 0,
            schema: pragma("PRAGMA schema_version")?,
            file_id: pragma("PRAGMA application_id")?,
        })
    }

    /// Compares the header of the file. It has the generation of a checkpoint, which is never before the last one that a
    /// transaction has seen (`seen` for one that committed since the base was stored), and never after the last transaction. A
    /// file that was replaced while its log stayed differs in that, or is another database: with another id, or rebuilt since.
    pub(super) fn check_header(&self, found: Header, seen: i64) -> Result<(), IdentityMismatch> {
        if found.file_id != self.file_id || found.schema > self.schema {
            return Err(IdentityMismatch::FileReplaced);
        }
        let (base, header, generation) = (self.base.max(seen), found.generation, self.generation);
        if header < base || header > generation {
            return Err(IdentityMismatch::Header { base, header, generation });
        }
        Ok(())
    }

    /// Compares the generation with one that a witness remembers.
    pub(super) const fn check_witness(
        &self,
        witness: Witness,
        remembered: i64,
    ) -> Result<(), IdentityMismatch> {
        IdentityMismatch::of_witness(witness, remembered, self.generation)
    }

    /// Compares the generation in the tables with the one of the file.
    pub(super) fn check_tables(&self) -> Result<(), IdentityMismatch> {
        let (tables, file) = (self.table_generation, self.generation);
        match tables.cmp(&file) {
            Ordering::Less => Err(IdentityMismatch::OlderTables { tables, file }),
            Ordering::Greater => Err(IdentityMismatch::Loaded),
            Ordering::Equal => Ok(()),
        }
    }

    /// Compares the lock file beside the database. Its device is not compared: it may change with each boot.
    pub(super) fn check_lock_file(
        &self,
        contents: Option<&Contents>,
        is_own: bool,
    ) -> Result<(), IdentityMismatch> {
        let Some(contents) = contents else { return Err(IdentityMismatch::LockFileForeign) };
        if self.epoch != Some(contents.epoch) {
            return Err(IdentityMismatch::LockFileOfAnotherEpoch);
        }
        if !is_own {
            return Err(IdentityMismatch::LockFileCopied);
        }
        self.check_witness(Witness::LockFile, contents.generation)
    }
}

pub(super) fn has_table(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1";
    connection.query_row(sql, [name], |row| row.get::<_, i64>(0)).map(|tables| tables > 0)
}

pub(super) fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    let tables = connection.query_row("SELECT COUNT(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0));
    tables.map(|tables| tables == 0)
}

/// The schema version; 0 before the tables are created.
pub(super) fn stored_version(connection: &Connection) -> rusqlite::Result<usize> {
    if !has_table(connection, "meta")? {
        return Ok(0);
    }
    let sql = "SELECT value FROM meta WHERE name = 'version'";
    let version: Option<String> = connection.query_row(sql, [], |row| row.get(0)).optional()?;
    Ok(version.and_then(|version| version.parse().ok()).unwrap_or(0))
}

/// The inode in the identity of an older version: device, inode and machine.
pub(super) fn older_inode(connection: &Connection) -> rusqlite::Result<Option<u64>> {
    if !has_table(connection, "meta")? {
        return Ok(None);
    }
    let sql = "SELECT value FROM meta WHERE name = 'identity'";
    let identity: Option<String> = connection.query_row(sql, [], |row| row.get(0)).optional()?;
    Ok(identity.and_then(|identity| identity.split(':').nth(1)?.parse().ok()))
}

/// Gives a database a new identity within a transaction, and returns its generation.
pub(super) fn begin_epoch(
    connection: &Connection,
    main: &MainFile,
    epoch: Token,
    generation: i64,
) -> Result<()> {
    let create = "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)";
    connection.execute_batch(create).map_err(failed)?;
    let sql = "INSERT INTO meta (name, value) VALUES ('epoch', ?1)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    connection.execute(sql, [epoch.to_hex()]).map_err(failed)?;
    connection.execute("DELETE FROM meta WHERE name = 'identity'", []).map_err(failed)?;
    store_base(connection, main, main.header().map_err(disk)?.generation)?;
    set_generation(connection, generation)
}

/// Carries out the last retirement, which a kill after the commit of `moved` or `restored` may have prevented. `own` is the epoch of the
/// journal.
pub(super) fn finish_retirement(
    connection: &Connection,
    own: Option<Token>,
) -> rusqlite::Result<Result<(), IdentityMismatch>> {
    let retirement = stored_retirement(connection)?;
    Ok(retirement.zip(own).map_or(Ok(()), |(retirement, own)| retirement.carry_out(own)))
}

fn stored_retirement(connection: &Connection) -> rusqlite::Result<Option<Retirement>> {
    if !has_table(connection, "meta")? {
        return Ok(None);
    }
    let sql = "SELECT value FROM meta WHERE name = 'retired'";
    let stored: Option<String> = connection.query_row(sql, [], |row| row.get(0)).optional()?;
    Ok(stored.as_deref().and_then(Retirement::parse))
}

/// The epoch that `restored` replaced in the place of the journal. If that command was killed, the lock file still has it.
pub(super) fn replaced_in_place(connection: &Connection) -> rusqlite::Result<Option<Token>> {
    let retirement = stored_retirement(connection)?;
    Ok(retirement.filter(|retirement| retirement.at.is_none()).map(|retirement| retirement.epoch))
}

/// Stores the epoch whose journals are refused, in the transaction that replaces it. A copy that is restored refuses none.
pub(super) fn store_retirement(connection: &Connection, retirement: Option<Retirement>) -> Result<()> {
    let Some(retirement) = retirement else {
        return connection.execute("DELETE FROM meta WHERE name = 'retired'", []).map(drop).map_err(failed);
    };
    let sql = "INSERT INTO meta (name, value) VALUES ('retired', ?1)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    connection.execute(sql, [retirement.to_string()]).map(drop).map_err(failed)
}

/// Stores the header as the base. The header becomes durable first: after a power failure it must not be before the base.
pub(super) fn store_base(connection: &Connection, main: &MainFile, header: i64) -> Result<()> {
    main.sync().map_err(disk)?;
    let sql = "INSERT INTO meta (name, value) VALUES ('base', ?1)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    connection.execute(sql, [header.to_string()]).map(|_| ()).map_err(failed)
}

/// Gives a new database the random bits of its file. The database must not have a log yet, so that they are in the file itself.
pub(super) fn set_file_id(connection: &Connection) -> Result<()> {
    let random = Token::random()?;
    let id =
        random.as_bytes().first_chunk().map_or(1, |bytes| (i32::from_be_bytes(*bytes) & i32::MAX).max(1));
    connection.execute_batch(&format!("PRAGMA application_id = {id}")).map_err(failed)
}

/// Stores the generation in the header of the database and in its table.
pub(super) fn set_generation(connection: &Connection, generation: i64) -> Result<()> {
    if generation > LAST_GENERATION {
        return Err(Error::Full);
    }
    connection.execute_batch(&format!("PRAGMA user_version = {generation}")).map_err(failed)?;
    let sql = "INSERT INTO meta (name, value) VALUES ('generation', ?1)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    statement.execute([generation.to_string()]).map(|_| ()).map_err(failed)
}

pub(super) fn disk(error: std::io::Error) -> Error {
    Error::Disk(error.to_string(), Some(Box::new(error)))
}
